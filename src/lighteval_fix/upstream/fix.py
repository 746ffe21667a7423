"""What a fix is: what it changes, how its fault shows on the live harness, and why.

A *transplant* names only what the target module's own namespace holds, so the same text is installed in a running
process and written into the exported diff, and works without this package. A *hook* calls our own reading, deciding
or running (or lives outside the harness's files): it is installed in a process only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from .edits import Edit


class Group(StrEnum):
    """What a fix is for. The first five never change which text is read."""

    DYING = "dying"
    MEASURING = "measuring"
    HANGING = "hanging"
    SAMPLING = "sampling"
    SCORING = "scoring"
    READING = "reading"
    CODE = "code"
    GRADING = "grading"
    OMLX = "omlx"


DEFAULT_GROUPS = (Group.DYING, Group.MEASURING, Group.HANGING, Group.SAMPLING, Group.SCORING)


class Seen(StrEnum):
    """What a probe found on the live harness."""

    FAULT = "present"
    CLEAN = "absent"
    NOT_THERE = "not_there"
    """The harness, or the part of it that could have the fault, is not installed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a probe saw, in one line."""

    seen: Seen
    detail: str = ""

    @classmethod
    def of(cls, fault: bool, detail: str = "") -> Finding:
        """Present where `fault`, else absent."""
        return cls(Seen.FAULT if fault else Seen.CLEAN, detail)


Undo: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Transplant:
    """Edits to upstream functions."""

    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Hook:
    """Something done in a running process.

    Args:
        install: does it and returns what undoes it.
        modules: upstream modules that must have been imported before; `install` runs once they are.
        shapes: (module, function, fingerprints) of the upstream functions that the hook relies on.
    """

    install: Callable[[], Undo]
    modules: tuple[str, ...] = ()
    shapes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """One fault of an upstream harness and what mends it.

    Args:
        name: short name, as the command line takes it.
        number: four digits; the exported diff is `NUMBER-NAME.patch`.
        group: what it is for.
        body: the change.
        probe: shows the fault on the live harness without touching network, disk or the caller's state.
        seen_in: versions of the harness in which the fault was seen.
        title: the fault in one line.
        why: one paragraph for the maintainer: the fault, its smallest case, and what the fix does.
        depends: names of fixes that have to come with it.
        harness: the package that it mends.
    """

    name: str
    number: str
    group: Group
    body: Transplant | Hook
    probe: Callable[[], Finding]
    seen_in: tuple[str, ...]
    title: str
    why: str
    depends: tuple[str, ...] = ()
    harness: str = "lighteval"

    @property
    def exportable(self) -> bool:
        """Whether it can be written as a diff."""
        return isinstance(self.body, Transplant)


class State(StrEnum):
    """Where a fix stands in this process."""

    INSTALLED = "installed"
    PENDING = "pending"
    """Installed, and takes effect when the harness is imported."""
    FIXED_UPSTREAM = "fixed_upstream"
    """The probe is clean without us, so nothing was done."""
    NOT_THERE = "not_there"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of installing one fix."""

    fix: Fix
    state: State
    detail: str = ""
