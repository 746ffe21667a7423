"""Fixes written into installed files: all of them or none, with a backup, and back again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lighteval_fix.model import InputError
from lighteval_fix.upstream import export, ondisk
from tests.upstream import toy


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[export.Tree]:
    with toy.installed(tmp_path) as package:
        yield export.Tree(package, "toyharness/")


def files(tree: export.Tree) -> dict[str, str]:
    return {path.name: path.read_text() for path in tree.root.rglob("*.py")}


FIXES = (toy.fix(), toy.cached_fix(), toy.hook_fix())


def test_planning_changes_nothing(tree: export.Tree) -> None:
    before = files(tree)
    plan = ondisk.plan(FIXES, tree)
    assert [fix.name for fix in plan.fixes] == ["double", "cached"]
    assert [change.shown for change in plan.changes] == ["toyharness/grader.py"]
    assert [fix.name for fix, _ in plan.left_out] == ["scale"]
    assert files(tree) == before


def test_applied_and_reverted(tree: export.Tree) -> None:
    before = files(tree)
    ondisk.apply(ondisk.plan(FIXES, tree), tree)
    assert ondisk.applied(tree) == ("double", "cached")
    assert toy.load().double(2) == 4
    assert toy.load().cached(1) == [1, -1]
    assert ondisk.revert(tree) == ("double", "cached")
    assert files(tree) == before
    assert ondisk.applied(tree) == ()
    assert not [path for path in tree.root.iterdir() if path.name.startswith(".")]


def test_not_twice(tree: export.Tree) -> None:
    plan = ondisk.plan(FIXES, tree)
    ondisk.apply(plan, tree)
    with pytest.raises(InputError, match="revert"):
        ondisk.apply(plan, tree)


def test_reverting_nothing(tree: export.Tree) -> None:
    assert ondisk.revert(tree) == ()


def test_a_file_changed_since_is_not_overwritten(tree: export.Tree) -> None:
    ondisk.apply(ondisk.plan(FIXES, tree), tree)
    grader = tree.root / "grader.py"
    grader.write_text(grader.read_text() + "# mine\n")
    with pytest.raises(InputError, match=r"grader\.py"):
        ondisk.revert(tree)
    assert grader.read_text().endswith("# mine\n")


def test_all_or_nothing(tree: export.Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(tree)

    def fail(*_: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr("lighteval_fix.upstream.ondisk.os.replace", fail)
    with pytest.raises(InputError, match="nothing was changed"):
        ondisk.apply(ondisk.plan(FIXES, tree), tree)
    assert files(tree) == before
    assert ondisk.applied(tree) == ()


def test_an_unknown_shape_is_left_out(tmp_path: Path) -> None:
    with toy.installed(tmp_path, toy.GRADER.replace("2 * value + 1", "value * 2 + 1")) as package:
        plan = ondisk.plan(FIXES, export.Tree(package, "toyharness/"))
        assert [fix.name for fix in plan.fixes] == ["cached"]
        assert "unknown shape" in {fix.name: reason for fix, reason in plan.left_out}["double"]


def test_not_without_what_it_belongs_together_with(tree: export.Tree) -> None:
    plan = ondisk.plan((toy.fix(depends=("scale",)), toy.cached_fix(), toy.hook_fix()), tree)
    assert [fix.name for fix in plan.fixes] == ["cached"]
    assert {fix.name: reason for fix, reason in plan.left_out}["double"] == (
        "not without what it belongs together with: scale (a hook: use `lighteval-fix run`)"
    )


def test_a_diff_names_its_reason_and_paths(tree: export.Tree, tmp_path: Path) -> None:
    text = export.diff(toy.fix(), tree)
    assert text.startswith("Subject: twice is one too many\n\nIt adds one.\n")
    assert "--- a/toyharness/grader.py\n+++ b/toyharness/grader.py\n" in text
    assert "-    return 2 * value + 1\n" in text
    assert "+    return 2 * value\n" in text
    assert '     """Twice the value."""' in text, "the docstring is context"
    written, left_out = export.write(FIXES, tree, tmp_path / "out")
    assert [path.name for path in written] == ["9001-double.patch", "9001-cached.patch"]
    assert [fix.name for fix, _ in left_out] == ["scale"]


def test_a_checkout_has_its_own_paths(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    with toy.installed(tmp_path / "src"):
        tree = export.checkout(tmp_path, "toyharness")
        assert tree.prefix == "src/toyharness/"
        assert "+++ b/src/toyharness/grader.py" in export.diff(toy.fix(), tree)
    with pytest.raises(InputError, match="holds neither"):
        export.checkout(tmp_path, "otherharness")
