"""What a fix is: what it changes, how its fault shows on the live harness, and why.

A *transplant* names only what the target module's own namespace holds, so the same text is installed in a running
process and written into the exported diff, and works without this package. A *hook* calls our own reading, deciding
or running (or lives outside the harness's files): it is installed in a process only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
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


_LONGEST = 160  # characters of what an error says

DEFAULT_GROUPS = (Group.DYING, Group.MEASURING, Group.HANGING, Group.SAMPLING, Group.SCORING)


class Seen(StrEnum):
    """What a probe found on the live harness."""

    FAULT = "present"
    CLEAN = "absent"
    NOT_THERE = "not_there"
    """The harness, or the part of it that could have the fault, is not installed."""
    CANNOT_TELL = "unknown"
    """The probe could not be run here; the detail says why."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a probe saw, in one line.

    Args:
        remedy: what to do about the environment, where that kept the probe from running.
    """

    seen: Seen
    detail: str = ""
    remedy: str = ""

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
        modules: upstream modules that must have been imported before; `install` runs once they are. Those that this
            version of the harness does not have are not waited for.
        needs: (module, name) of what `install` cannot do without; a version that has it not is none for this fix.
        shapes: (module, function, fingerprints) of the upstream functions that the hook relies on.
    """

    install: Callable[[], Undo]
    modules: tuple[str, ...] = ()
    needs: tuple[tuple[str, str], ...] = ()
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

    def look(self) -> Finding:
        """What the probe finds. One that cannot be run is a finding, too: it runs foreign code, which may raise."""
        try:
            return self.probe()
        except Exception as error:
            return cannot_tell(error, self.harness)


def cannot_tell(raised: Exception, harness: str) -> Finding:
    """An error that kept a probe from running, as a finding in one line."""
    error = raised
    parent = str(error.args[0]) if isinstance(error, KeyError) and error.args else ""
    if parent.startswith(f"{harness}."):
        # What `import` says of a module whose parent could not be imported; that one has the reason.
        try:
            import_module(parent)
        except Exception as reason:
            error = reason
    package = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else harness
    if package and package != harness and isinstance(error, ModuleNotFoundError):
        why = f"{harness} imports {package} for this, which is not installed"
        return Finding(Seen.CANNOT_TELL, f"cannot be probed: {why}", f"pip install {package}, then ask again")
    text = " ".join(str(error).split())
    shown = f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text
    remedy = "" if package == harness else "mend this environment first, then ask again"
    return Finding(Seen.CANNOT_TELL, f"cannot be probed: {type(error).__name__}: {shown}", remedy)


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
