"""A small harness on disk with a fault in it, and fixes for it: what the framework's tests work on."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lighteval_fix.upstream import shape
from lighteval_fix.upstream.edits import Call, Insert, Replace
from lighteval_fix.upstream.fix import Finding, Fix, Group, Hook, Transplant, Undo

GRADER = '''
import functools


def double(value):
    """Twice the value."""
    # off by one
    return 2 * value + 1


@functools.lru_cache
def cached(value):
    return sorted([value, -value])


class Metric:
    scale = 1

    def compute(self, value):
        """A score."""
        return double(value) * self.scale


def make(offset):
    def inner(value):
        return value - offset

    return inner


BUILT = make(3)
'''
USER = "from toyharness.grader import double\n"


@contextmanager
def installed(folder: Path, grader: str = GRADER) -> Iterator[Path]:
    """The harness, importable as `toyharness`; its modules are forgotten afterwards."""
    package = folder / "toyharness"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "grader.py").write_text(grader)
    (package / "user.py").write_text(USER)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield package
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == "toyharness"]:
            del sys.modules[name]


def load(name: str = "toyharness.grader") -> Any:
    """A module of it, imported now."""
    return importlib.import_module(name)


def shapes(*names: str, source: str = GRADER) -> tuple[str, ...]:
    """Fingerprints of its functions."""
    return tuple(found for name in names if (found := shape.fingerprint(source, name)) is not None)


def double(value: Any) -> Any:
    # Twice, and no more.
    return 2 * value


def inner(value: Any) -> Any:
    return value + offset  # type: ignore[name-defined]  # noqa: F821


def _largest_first(values: list[int]) -> list[int]:
    """Turned round."""
    return values[::-1]


def probe() -> Finding:
    """Shows the fault that `fix` mends."""
    return Finding.of(load().double(2) != 4, f"twice 2 is {load().double(2)}")


def fix(name: str = "double", function: Callable[..., Any] = double, **changes: Any) -> Fix:
    """A transplant for `double`."""
    given: dict[str, Any] = {
        "number": "9001",
        "group": Group.DYING,
        "body": Transplant(
            (Replace(modules=("toyharness.grader",), qualname="double", shapes=shapes("double"), function=function),)
        ),
        "probe": probe,
        "seen_in": ("1.0",),
        "title": "twice is one too many",
        "why": "It adds one.",
        "harness": "toyharness",
    }
    return Fix(name=name, **{**given, **changes})


def nested_fix() -> Fix:
    """A transplant for a closure, also for closures that exist already."""
    return fix(
        "inner",
        body=Transplant(
            (
                Replace(
                    modules=("toyharness.grader",),
                    qualname="make.<locals>.inner",
                    shapes=shapes("make.<locals>.inner"),
                    function=inner,
                ),
            )
        ),
        probe=lambda: Finding.of(load().BUILT(1) != 4),
    )


def cached_fix() -> Fix:
    """A transplant with a helper, for a cached function."""
    target = {"modules": ("toyharness.grader",), "qualname": "cached", "shapes": shapes("cached")}
    return fix(
        "cached",
        body=Transplant(
            (
                Insert(function=_largest_first, **target),
                Call(callee="sorted", template="_largest_first({})", **target),
            )
        ),
        probe=lambda: Finding.of(load().cached(1) != [1, -1]),
    )


def hook_fix() -> Fix:
    """A hook on a class attribute."""

    def install() -> Undo:
        metric = load().Metric
        metric.scale = 10
        return lambda: setattr(metric, "scale", 1)

    return fix(
        "scale",
        body=Hook(install=install, modules=("toyharness.grader",)),
        probe=lambda: Finding.of(load().Metric.scale != 10),
    )
