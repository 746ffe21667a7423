"""Installing in a process: before and after the harness is imported, once, all or nothing, and out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.model import UpstreamShapeError
from lighteval_fix.upstream.doctor import examine
from lighteval_fix.upstream.fix import Finding, Hook, State
from lighteval_fix.upstream.install import Installer
from tests.upstream import toy


@pytest.fixture
def place() -> Iterator[Installer]:
    installer = Installer()
    yield installer
    installer.uninstall()


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Path]:
    with toy.installed(tmp_path) as package:
        yield package


@pytest.mark.parametrize("loaded", [False, True])
def test_every_copy_changes_and_changes_back(harness: Path, place: Installer, loaded: bool) -> None:
    if loaded:
        assert toy.load().double(2) == 5
        assert toy.load("toyharness.user").double(2) == 5
    results = place.install([toy.fix()])
    assert [result.state for result in results] == [State.INSTALLED]
    assert toy.load().double(2) == 4
    assert toy.load("toyharness.user").double(2) == 4
    assert toy.load().Metric().compute(2) == 4
    assert toy.load().double.__doc__ == "Twice the value."
    place.uninstall()
    assert toy.load().double(2) == 5
    assert toy.load("toyharness.user").double(2) == 5
    assert (harness / "grader.py").read_text() == toy.GRADER


@pytest.mark.parametrize("loaded", [False, True])
def test_closures_that_exist_already(harness: Path, place: Installer, loaded: bool) -> None:
    if loaded:
        assert toy.load().BUILT(1) == -2
    place.install([toy.nested_fix()])
    assert toy.load().BUILT(1) == 4
    assert toy.load().make(1)(1) == 2
    place.uninstall()
    assert toy.load().BUILT(1) == -2


@pytest.mark.parametrize("loaded", [False, True])
def test_helpers_and_caches(harness: Path, place: Installer, loaded: bool) -> None:
    if loaded:
        assert toy.load().cached(1) == [-1, 1]
    place.install([toy.cached_fix()])
    assert toy.load().cached(1) == [1, -1]
    place.uninstall()
    assert toy.load().cached(1) == [-1, 1]
    assert not hasattr(toy.load(), "_largest_first")


@pytest.mark.parametrize("loaded", [False, True])
def test_hooks(harness: Path, place: Installer, loaded: bool) -> None:
    if loaded:
        toy.load()
    place.install([toy.hook_fix(), toy.fix()])
    assert toy.load().Metric().compute(2) == 40
    place.uninstall()
    assert toy.load().Metric().compute(2) == 5


def test_not_proved_takes_effect_at_the_import(harness: Path, place: Installer) -> None:
    results = place.install([toy.fix(), toy.hook_fix()], prove=False)
    assert [result.state for result in results] == [State.PENDING, State.PENDING]
    assert toy.load().Metric().compute(2) == 40
    assert [result.state for result in place.install([toy.fix(), toy.hook_fix()])] == [State.INSTALLED] * 2


def test_twice_is_once(harness: Path, place: Installer) -> None:
    place.install([toy.fix()])
    again = place.install([toy.fix()])
    assert again[0].detail == "already in place"
    assert len(place.installed()) == 1
    place.uninstall()
    assert toy.load().double(2) == 5


def test_one_of_two_in_the_same_module_is_taken_out(harness: Path, place: Installer) -> None:
    place.install([toy.fix(), toy.cached_fix()])
    place.uninstall(["double"])
    assert toy.load().double(2) == 5
    assert toy.load().cached(1) == [1, -1]


def test_fixed_upstream_is_left_alone(tmp_path: Path, place: Installer) -> None:
    with toy.installed(tmp_path, toy.GRADER.replace("2 * value + 1", "value + value")):
        results = place.install([toy.fix()])
        assert results[0].state is State.FIXED_UPSTREAM
        assert results[0].detail == "twice 2 is 4"
        assert toy.load().double.__code__.co_consts == (toy.load().double.__doc__,)
        assert place.installed() == ()


@pytest.mark.parametrize("loaded", [False, True])
def test_an_unknown_shape_with_the_fault_is_refused(tmp_path: Path, place: Installer, loaded: bool) -> None:
    with toy.installed(tmp_path, toy.GRADER.replace("2 * value + 1", "value * 2 + 1")):
        if loaded:
            toy.load()
        with pytest.raises(UpstreamShapeError, match=r"toyharness\.grader\.double"):
            place.install([toy.cached_fix(), toy.fix()])
        assert toy.load().double(2) == 5
        assert toy.load().cached(1) == [-1, 1], "what was installed before it in the same call is taken out"


def test_a_fix_that_does_not_mend_is_refused_and_taken_out(harness: Path, place: Installer) -> None:
    def useless(value: Any) -> Any:
        return 2 * value + 2

    useless.__name__ = useless.__qualname__ = "useless"
    with pytest.raises(UpstreamShapeError, match="still shows"):
        place.install([toy.fix(function=useless)])
    assert toy.load().double(2) == 5


def test_a_harness_that_is_not_there(place: Installer) -> None:
    results = place.install([toy.fix(harness="no_such_harness")])
    assert results[0].state is State.NOT_THERE


def test_a_version_without_the_code(tmp_path: Path, place: Installer) -> None:
    with toy.installed(tmp_path, "def other():\n    return 1\n"):
        results = place.install([toy.fix(probe=lambda: Finding.of(True))])
        assert results[0].state is State.NOT_THERE


def test_doctor_says_that_a_version_has_no_such_code(tmp_path: Path) -> None:
    def probe() -> Finding:
        raise AttributeError("double")

    with toy.installed(tmp_path, "def other():\n    return 1\n"):
        (fault,) = examine([toy.fix(probe=probe)]).faults
        assert (fault.state, fault.detail) == ("not_there", "this version has no such code")
    (tmp_path / "with").mkdir()
    with toy.installed(tmp_path / "with"):
        (fault,) = examine([toy.fix(probe=probe)]).faults
        assert fault.state == "unknown"


# What keeps a probe from running.


def test_a_package_that_the_harness_needs_and_nobody_installed(tmp_path: Path, place: Installer) -> None:
    with toy.installed(tmp_path, "import no_such_package\n" + toy.GRADER):
        (result,) = place.install([toy.fix()])
        assert result.state is State.PENDING, "whoever installs it has the fix in place"
        why = "cannot be probed: toyharness imports no_such_package for this, which is not installed"
        assert result.detail == f"not proved: it {why}"
        (fault,) = examine([toy.fix()]).faults
        assert (fault.state, fault.detail) == ("unknown", why)
        assert fault.advice == "pip install no_such_package, then ask again"


def test_an_environment_that_does_not_fit_is_told_in_one_line(tmp_path: Path) -> None:
    with toy.installed(tmp_path, "raise ImportError('a needs b 2,\\nfound 1')\n" + toy.GRADER):
        (fault,) = examine([toy.fix()]).faults
        assert fault.detail == "cannot be probed: ImportError: a needs b 2, found 1"
        assert fault.advice == "mend this environment first, then ask again"


def test_a_parent_that_could_not_be_imported_has_the_reason(tmp_path: Path) -> None:
    def probe() -> Finding:
        raise KeyError("toyharness.grader")

    with toy.installed(tmp_path, "import no_such_package\n" + toy.GRADER):
        assert "imports no_such_package" in toy.fix(probe=probe).look().detail


def test_a_probe_that_fails_by_itself_proves_nothing(harness: Path, place: Installer) -> None:
    def probe() -> Finding:
        raise AttributeError("x" * 1000)

    with pytest.raises(
        UpstreamShapeError, match=r"double cannot be probed: AttributeError: x+…; nothing was changed"
    ) as e:
        place.install([toy.fix(probe=probe)])
    assert len(str(e.value)) < 300
    assert toy.load().double(2) == 5


def test_a_hook_says_what_it_builds_on(harness: Path, place: Installer) -> None:
    missing = replace(
        toy.hook_fix(), body=Hook(install=lambda: lambda: None, needs=(("toyharness.grader", "no_such"),))
    )
    (result,) = place.install([missing])
    assert result.state is State.NOT_THERE
    assert result.detail == "this version has no no_such in toyharness.grader, which this fix builds on"
    (fault,) = examine([missing]).faults
    assert fault.state == "not_there"


def test_a_module_that_this_version_does_not_have_is_not_waited_for(harness: Path, place: Installer) -> None:
    fix = toy.hook_fix()
    assert isinstance(fix.body, Hook)
    place.install([replace(fix, body=replace(fix.body, modules=("toyharness.grader", "toyharness.later")))])
    assert toy.load().Metric.scale == 10
