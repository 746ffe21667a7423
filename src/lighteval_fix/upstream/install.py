"""Installing fixes in this process, and taking them out again.

One `Installer` serves a process: `install` twice does nothing the second time, whatever was loaded in between.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import assert_never

from ..model import UpstreamShapeError
from . import live, shape
from .edits import Edit
from .fix import Finding, Fix, Hook, Result, Seen, State, Transplant, Undo, cannot_tell
from .importer import EditingFinder


@dataclass(slots=True)
class _Entry:
    fix: Fix
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    """Module -> the edits that this version of the harness needs."""
    undo: Undo | None = None
    """Of a hook that has run."""
    detail: str = ""


class Installer:
    """The fixes of one process."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._finder = EditingFinder(self._watched, self._rewrite, self._loaded)

    def installed(self) -> tuple[Fix, ...]:
        """What is in place, in the order in which it was put there."""
        return tuple(entry.fix for entry in self._entries.values())

    def install(self, fixes: Iterable[Fix], *, prove: bool = True) -> tuple[Result, ...]:
        """Put fixes in place; those that they depend on have to be among them (see `catalog.select`).

        Args:
            fixes: in an order in which each comes after what it depends on.
            prove: import what they change and run the probes again; without it that is left to the first import.

        Returns:
            One result a fix, in order.

        Raises:
            UpstreamShapeError: the harness is of a shape that a fix does not know and shows the fault, or a fault
                still shows afterwards. Nothing of this call stays in place.
        """
        done: list[str] = []
        results: list[Result] = []
        try:
            for fix in fixes:
                known = self._entries.get(fix.name)
                if known is not None:
                    results.append(Result(fix, self._state(known), "already in place"))
                    continue
                result = self._install_one(fix)
                results.append(result)
                if result.state in (State.INSTALLED, State.PENDING):
                    done.append(fix.name)
            self._finder.enable()
            if prove:
                self._prove([self._entries[name] for name in done])
        except BaseException:
            self.uninstall(done)
            raise
        return tuple(
            Result(
                result.fix,
                self._state(self._entries[result.fix.name]),
                result.detail or self._entries[result.fix.name].detail,
            )
            if result.fix.name in self._entries
            else result
            for result in results
        )

    def uninstall(self, names: Iterable[str] | None = None) -> None:
        """Take fixes out, the last one first; all of them by default."""
        for name in reversed(list(self._entries if names is None else names)):
            entry = self._entries.pop(name, None)
            if entry is None:
                continue
            if entry.undo is not None:
                entry.undo()
            self._swap(entry, removed=True)
        if not self._entries:
            self._finder.disable()

    # How one fix goes in.

    def _install_one(self, fix: Fix) -> Result:
        if live.package_root(fix.harness) is None:
            return Result(fix, State.NOT_THERE, f"{fix.harness} is not installed")
        match fix.body:
            case Transplant(edits):
                return self._install_transplant(fix, edits)
            case Hook():
                return self._install_hook(fix, fix.body)
            case _:
                assert_never(fix.body)

    def _install_transplant(self, fix: Fix, edits: Sequence[Edit]) -> Result:
        wanted, strange = matching(edits)
        if not wanted and not strange:
            return Result(fix, State.NOT_THERE, "this version has no such code")
        loaded = all(module in sys.modules for module in wanted)
        if strange or loaded or any(edit.any_shape for edit in edits):
            finding = fix.look()
            loaded = all(module in sys.modules for module in wanted)
            refused = _refuse_or_skip(fix, finding, strange)
            if refused is not None:
                return refused
        entry = _Entry(fix, wanted)
        self._entries[fix.name] = entry
        try:
            self._swap(entry)
        except BaseException:
            del self._entries[fix.name]
            self._swap(entry, removed=True)
            raise
        return Result(fix, State.INSTALLED if loaded else State.PENDING)

    def _install_hook(self, fix: Fix, hook: Hook) -> Result:
        absent = _absent(hook)
        if absent:
            return Result(fix, State.NOT_THERE, absent)
        strange = [
            f"{module}.{name}"
            for module, name, shapes in hook.shapes
            for source in [live.source_of(module)]
            if source is not None and shape.fingerprint(source, name) not in (*shapes, None)
        ]
        loaded = all(module in sys.modules for module in _awaited(hook))
        if strange or loaded:
            refused = _refuse_or_skip(fix, fix.look(), strange)
            if refused is not None:
                return refused
        entry = _Entry(fix)
        if loaded:
            entry.undo = hook.install()
        self._entries[fix.name] = entry
        return Result(fix, State.INSTALLED if loaded else State.PENDING)

    def _swap(self, entry: _Entry, *, removed: bool = False) -> None:
        """Bring functions of loaded modules in line with the edits in force."""
        for module, edits in entry.edits.items():
            loaded = sys.modules.get(module)
            if loaded is not None:
                live.swap(loaded, self._text(module), edits, removed=removed)

    def _prove(self, entries: Sequence[_Entry]) -> None:
        for entry in entries:
            body = entry.fix.body
            try:
                for module in _awaited(body) if isinstance(body, Hook) else tuple(entry.edits):
                    importlib.import_module(module)
                finding = entry.fix.look()
            except Exception as error:
                # Whatever keeps a module from being imported keeps the harness from using it, with or without us.
                finding = cannot_tell(error, entry.fix.harness)
            if finding.seen is Seen.FAULT:
                raise UpstreamShapeError(
                    f"{entry.fix.name} was installed and its fault still shows ({finding.detail or entry.fix.title}): "
                    "something else has taken that function's place; nothing was changed"
                )
            if finding.seen is Seen.CANNOT_TELL:
                if not finding.remedy:
                    raise UpstreamShapeError(f"{entry.fix.name} {finding.detail}; nothing was changed")
                entry.detail = f"not proved: it {finding.detail}"

    @staticmethod
    def _state(entry: _Entry) -> State:
        body = entry.fix.body
        if isinstance(body, Hook):
            return State.INSTALLED if entry.undo is not None else State.PENDING
        return State.INSTALLED if all(module in sys.modules for module in entry.edits) else State.PENDING

    # What the import hook asks.

    def _watched(self, module: str) -> bool:
        return any(
            module in entry.edits or (isinstance(entry.fix.body, Hook) and module in entry.fix.body.modules)
            for entry in self._entries.values()
        )

    def _rewrite(self, module: str, source: str) -> str:
        return live.edited(source, self._edits(module))

    def _loaded(self, module: str) -> None:
        for entry in list(self._entries.values()):
            body = entry.fix.body
            if not isinstance(body, Hook) or entry.undo is not None or module not in body.modules:
                continue
            if all(_ready(name) or name == module for name in _awaited(body)):
                entry.undo = body.install()

    def _edits(self, module: str) -> list[Edit]:
        return [edit for entry in self._entries.values() for edit in entry.edits.get(module, ())]

    def _text(self, module: str) -> str:
        source = live.source_of(module)
        if source is None:
            raise UpstreamShapeError(f"the source of {module} is gone")
        return live.edited(source, self._edits(module))


def matching(edits: Sequence[Edit]) -> tuple[dict[str, list[Edit]], list[str]]:
    """Which edits fit the installed harness, by module, and which functions are there in an unknown shape."""
    wanted: dict[str, list[Edit]] = {}
    seen: dict[str, bool] = {}
    for edit in edits:
        for module in edit.modules:
            source = live.source_of(module)
            found = shape.fingerprint(source, edit.qualname) if source is not None else None
            if found is None or found in edit.sound:
                continue
            where = f"{module}.{edit.qualname}"
            seen.setdefault(where, False)
            if found in edit.shapes or edit.any_shape:
                seen[where] = True
                wanted.setdefault(module, []).append(edit)
    return wanted, [where for where, known in seen.items() if not known]


def look(fix: Fix) -> Finding:
    """What the probe finds; where it cannot be run because this version has no such code, that."""
    absent = _absent(fix.body) if isinstance(fix.body, Hook) else ""
    if absent:
        return Finding(Seen.NOT_THERE, absent)
    finding = fix.look()
    if finding.seen is Seen.CANNOT_TELL and isinstance(fix.body, Transplant) and matching(fix.body.edits) == ({}, []):
        return Finding(Seen.NOT_THERE, "this version has no such code")
    return finding


def _absent(hook: Hook) -> str:
    """What this version of the harness does not have of what the hook needs; empty where it has everything."""
    for module, name in hook.needs:
        source = live.source_of(module)
        if source is None or name not in shape.names_bound(source):
            return f"this version has no {name} in {module}, which this fix builds on"
    return ""


def _awaited(hook: Hook) -> list[str]:
    """Modules that have to be imported before the hook is installed."""
    return [module for module in hook.modules if live.source_of(module) is not None]


def _refuse_or_skip(fix: Fix, finding: Finding, strange: Sequence[str]) -> Result | None:
    """What to do about a probe's finding before anything is changed; None: go on."""
    match finding.seen:
        case Seen.CLEAN:
            return Result(fix, State.FIXED_UPSTREAM, finding.detail)
        case Seen.NOT_THERE:
            return Result(fix, State.NOT_THERE, finding.detail)
        case Seen.CANNOT_TELL:
            if strange:
                raise UpstreamShapeError(
                    f"{fix.name}: {', '.join(strange)} is written in a way that this fix does not know, and whether it "
                    f"has the fault {finding.detail}; nothing was changed"
                )
            # A shape that is known to have the fault.
            return None
        case Seen.FAULT:
            if strange:
                raise UpstreamShapeError(
                    f"{fix.name}: the fault shows ({finding.detail or fix.title}), but {', '.join(strange)} "
                    "is written in a way that this fix does not know; nothing was changed"
                )
            return None
        case _:
            assert_never(finding.seen)


def _ready(name: str) -> bool:
    module: ModuleType | None = sys.modules.get(name)
    return module is not None and not getattr(getattr(module, "__spec__", None), "_initializing", False)


_installer: Installer | None = None


def installer() -> Installer:
    """This process's installer."""
    global _installer
    if _installer is None:
        _installer = Installer()
    return _installer
