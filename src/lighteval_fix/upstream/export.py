"""Transplants as unified diffs against a source tree: the installed package, a checkout of main, an unpacked wheel.

The new text comes from the replacement and from where the upstream function is found, so line numbers are never stale
and no upstream text lives in this repository.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model import InputError
from . import live, shape
from .catalog import all_fixes
from .edits import Edit
from .fix import Fix, Transplant


@dataclass(frozen=True, slots=True)
class Tree:
    """A source tree of a harness.

    Args:
        root: the folder of its package (`…/lighteval`).
        prefix: how paths in a diff begin (`lighteval/`, or `src/lighteval/` for a checkout).
    """

    root: Path
    prefix: str


@dataclass(frozen=True, slots=True)
class Change:
    """One file before and after."""

    path: Path
    shown: str
    before: str
    after: str


def installed(package: str = "lighteval") -> Tree | None:
    """The installed package, or None where it is not installed."""
    root = live.package_root(package)
    return Tree(root, f"{package}/") if root else None


def checkout(folder: Path, package: str = "lighteval") -> Tree:
    """A checkout (`src/lighteval`), or a folder that holds the package.

    Raises:
        InputError: neither is there.
    """
    for below in ("src/", ""):
        root = folder / below / package
        if root.is_dir():
            return Tree(root, f"{below}{package}/")
    raise InputError(f"holds neither src/{package} nor {package}", str(folder))


def fits(fix: Fix, tree: Tree) -> tuple[dict[str, list[Edit]], list[str]]:
    """Edits of a transplant that fit the tree by module, and functions that are there in a shape it does not know."""
    assert isinstance(fix.body, Transplant)
    wanted: dict[str, list[Edit]] = {}
    known: dict[str, bool] = {}
    if tree.root.name != fix.harness:
        return wanted, []
    for edit in fix.body.edits:
        for module in edit.modules:
            file = live.module_file(module, tree.root)
            found = shape.fingerprint(file.read_text(encoding="utf-8"), edit.qualname) if file else None
            if found is None or found in edit.sound:
                continue
            where = f"{module}.{edit.qualname}"
            fitting = edit.any_shape or found in edit.shapes
            known[where] = known.get(where, False) or fitting
            if fitting:
                wanted.setdefault(module, []).append(edit)
    return wanted, [where for where, is_known in known.items() if not is_known]


def changes(fixes: Iterable[Fix], tree: Tree) -> Iterator[Change]:
    """What the transplants among `fixes` change together, file by file.

    Raises:
        UpstreamShapeError: a replacement names something that its module does not hold.
    """
    by_module: dict[str, list[Edit]] = {}
    for fix in fixes:
        if isinstance(fix.body, Transplant):
            for module, edits in fits(fix, tree)[0].items():
                by_module.setdefault(module, []).extend(edits)
    for module, edits in by_module.items():
        path = live.module_file(module, tree.root)
        assert path is not None
        before = path.read_text(encoding="utf-8")
        after = live.edited(before, edits)
        compile(after, str(path), "exec", dont_inherit=True)
        yield Change(path, tree.prefix + path.relative_to(tree.root).as_posix(), before, after)


def diff(fix: Fix, tree: Tree) -> str:
    """The fix as one patch with its reason on top, or an empty text where the tree has no such fault."""
    parts = [_unified(change) for change in changes([fix], tree)]
    return _header(fix) + "".join(parts) if parts else ""


def _unified(change: Change) -> str:
    lines: list[str] = []
    for line in difflib.unified_diff(
        change.before.splitlines(keepends=True),
        change.after.splitlines(keepends=True),
        f"a/{change.shown}",
        f"b/{change.shown}",
    ):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(lines)


def _header(fix: Fix) -> str:
    import textwrap

    text = [f"Subject: {fix.title}", "", *textwrap.wrap(fix.why, 100), ""]
    text += textwrap.wrap(f"Seen in {fix.harness} {', '.join(fix.seen_in)}.", 100) + [""]
    if fix.depends:
        text += textwrap.wrap(f"Not to be taken alone; it belongs together with: {_together(fix)}.", 100) + [""]
    return "\n".join(text) + "\n"


def _together(fix: Fix) -> str:
    hooks = {other.name for other in all_fixes() if not other.exportable}
    return ", ".join(
        f"{name} (no diff: it calls lighteval-fix, and `lighteval-fix run` has it)" if name in hooks else name
        for name in fix.depends
    )


def write(fixes: Sequence[Fix], tree: Tree, folder: Path) -> tuple[list[Path], list[tuple[Fix, str]]]:
    """Write one `NUMBER-NAME.patch` a transplant into `folder`.

    Returns:
        The files written, and what was left out with the reason.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    left_out: list[tuple[Fix, str]] = []
    for fix in fixes:
        if not isinstance(fix.body, Transplant):
            left_out.append((fix, "a hook: it calls this package, or lives outside the harness's files"))
            continue
        text = diff(fix, tree)
        strange = fits(fix, tree)[1]
        if not text:
            left_out.append((fix, f"unknown shape: {', '.join(strange)}" if strange else "no such code here"))
            continue
        if strange:
            left_out.append((fix, f"only in part; unknown shape: {', '.join(strange)}"))
            continue
        path = folder / f"{fix.number}-{fix.name}.patch"
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written, left_out
