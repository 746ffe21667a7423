"""Transplants written into the installed package, with a backup, all of them or none; and taken out again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model import InputError
from . import export
from .catalog import all_fixes
from .fix import Fix, Transplant

_BACKUP = ".lighteval-fix-backup"
_MANIFEST = "manifest.json"
_ABSENT = "no such code here"


@dataclass(frozen=True, slots=True)
class Plan:
    """What `apply` would do.

    Args:
        fixes: transplants that the tree needs.
        changes: file by file.
        left_out: the others, with the reason.
    """

    fixes: tuple[Fix, ...]
    changes: tuple[export.Change, ...]
    left_out: tuple[tuple[Fix, str], ...]


def plan(fixes: Sequence[Fix], tree: export.Tree) -> Plan:
    """What is to be written for `fixes`; nothing is written."""
    wanted: list[Fix] = []
    left_out: list[tuple[Fix, str]] = []
    for fix in fixes:
        if not isinstance(fix.body, Transplant):
            left_out.append((fix, "a hook: use `lighteval-fix run`"))
            continue
        edits, strange = export.fits(fix, tree)
        if strange:
            left_out.append((fix, f"unknown shape, perhaps fixed already: {', '.join(strange)}"))
        elif edits:
            wanted.append(fix)
        else:
            left_out.append((fix, _ABSENT))
    # Half of what belongs together can be worse than nothing.
    missing = {fix.name: reason for fix, reason in left_out if reason != _ABSENT}
    for fix in [fix for fix in wanted if any(name in missing for name in fix.depends)]:
        without = ", ".join(f"{name} ({missing[name]})" for name in fix.depends if name in missing)
        wanted.remove(fix)
        left_out.append((fix, f"not without what it belongs together with: {without}"))
    return Plan(tuple(wanted), tuple(export.changes(wanted, tree)), tuple(left_out))


def can_be_written(fix: Fix) -> bool:
    """Whether `plan` may take it: a transplant that needs no hook beside it."""
    hooks = {other.name for other in all_fixes() if not other.exportable}
    return fix.exportable and hooks.isdisjoint(fix.depends)


def apply(chosen: Plan, tree: export.Tree) -> None:
    """Write the planned changes, keeping the old files in a folder beside them.

    Raises:
        InputError: something is applied already, or the files cannot be written; nothing is changed then.
    """
    backup = tree.root / _BACKUP
    if backup.exists():
        raise InputError("fixes are applied already; `patch revert` first", str(tree.root))
    if not chosen.changes:
        return
    staged: list[tuple[Path, Path]] = []
    replaced: list[Path] = []
    try:
        backup.mkdir()
        for change in chosen.changes:
            kept = backup / change.path.relative_to(tree.root)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(change.path, kept)
            new = change.path.with_name(change.path.name + ".lighteval-fix-new")
            staged.append((new, change.path))
            new.write_text(change.after, encoding="utf-8")
            shutil.copymode(change.path, new)
        manifest = {
            "fixes": [fix.name for fix in chosen.fixes],
            "files": {
                change.path.relative_to(tree.root).as_posix(): _digest(change.after.encode())
                for change in chosen.changes
            },
        }
        (backup / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        for new, path in staged:
            os.replace(new, path)
            replaced.append(path)
    except OSError as error:
        for path in replaced:
            shutil.copy2(backup / path.relative_to(tree.root), path)
        for new, _ in staged:
            new.unlink(missing_ok=True)
        shutil.rmtree(backup, ignore_errors=True)
        raise InputError(f"cannot be written ({error}); nothing was changed", str(tree.root)) from error


def revert(tree: export.Tree) -> tuple[str, ...]:
    """Put the old files back.

    Returns:
        The names of the fixes taken out; empty where none were applied.

    Raises:
        InputError: a file was changed since, so putting the old one back would lose that; nothing is changed then.
    """
    backup = tree.root / _BACKUP
    if not backup.exists():
        return ()
    try:
        manifest = json.loads((backup / _MANIFEST).read_text(encoding="utf-8"))
        files: dict[str, str] = manifest["files"]
        changed = [name for name, digest in files.items() if _digest((tree.root / name).read_bytes()) != digest]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"the backup cannot be read ({error}); reinstall the package instead", str(backup)) from error
    if changed:
        raise InputError(
            f"changed since the fixes were applied: {', '.join(changed)}; nothing was put back", str(tree.root)
        )
    for name in files:
        shutil.copy2(backup / name, tree.root / name)
    shutil.rmtree(backup)
    return tuple(manifest["fixes"])


def applied(tree: export.Tree) -> tuple[str, ...]:
    """Names of the fixes that stand in the tree's files."""
    manifest = tree.root / _BACKUP / _MANIFEST
    if not manifest.exists():
        return ()
    return tuple(json.loads(manifest.read_text(encoding="utf-8"))["fixes"])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
