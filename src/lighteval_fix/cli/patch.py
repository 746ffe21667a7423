"""`lighteval-fix patch`: the fixes as diffs, and in the installed files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .exits import Exit, talk

if TYPE_CHECKING:
    from ..upstream.export import Tree
    from ..upstream.fix import Fix

Fixes = Annotated[
    str, typer.Option("--fixes", help="Comma-separated groups, names or numbers of fixes; `default`, `all`.")
]
Source = Annotated[
    Path | None,
    typer.Option("--source", metavar="CHECKOUT", help="A checkout of the harness instead of the installed package."),
]
Harness = Annotated[str, typer.Option("--harness", metavar="NAME", help="`lighteval` or `omlx`.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    patch = typer.Typer(no_args_is_help=True, help="The fixes as diffs, and in the installed files.")
    patch.command("list", help="Every fix: what it is for, and whether it can be written as a diff.")(list_)
    patch.command("check", help="Which diffs would apply to the installed version, or to a checkout.")(check)
    patch.command("export", help="Write one unified diff a fix.")(export)
    patch.command("apply", help="Write the fixes into the installed package, all or none, keeping a backup.")(apply)
    patch.command("revert", help="Put the backup back.")(revert)
    app.add_typer(patch, name="patch")


def list_(fixes: Fixes = "all", harness: Harness = "lighteval") -> int:
    """What there is."""
    chosen = _select(fixes, harness)
    if chosen is None:
        return Exit.USAGE
    for fix in chosen:
        kind = "diff" if fix.exportable else "hook, not exportable"
        seen = ", ".join(fix.seen_in)
        typer.echo(f"{fix.number}  {fix.name}  [{fix.group.value}; {kind}; seen in {fix.harness} {seen}]")
        typer.echo(f"      {fix.title}")
        if fix.depends:
            typer.echo(f"      with: {', '.join(fix.depends)}")
    return Exit.DONE


def check(fixes: Fixes = "all", source: Source = None, harness: Harness = "lighteval") -> int:
    """What would apply. Exit code 1 where a function is there in a shape that a fix does not know."""
    asked = _asked(fixes, source, harness)
    if isinstance(asked, Exit):
        return asked
    chosen, tree = asked
    from ..upstream.export import diff, fits

    unknown = False
    for fix in chosen:
        if not fix.exportable:
            typer.echo(f"{fix.number}  {fix.name}: a hook, not exportable")
            continue
        strange = fits(fix, tree)[1]
        unknown = unknown or bool(strange)
        if strange:
            what = f"unknown shape, perhaps fixed already: {', '.join(strange)}"
        else:
            what = "applies" if diff(fix, tree) else "no such code here"
        typer.echo(f"{fix.number}  {fix.name}: {what}")
    return Exit.INPUT if unknown else Exit.DONE


def export(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to put the diffs.")] = Path("patches"),
    fixes: Fixes = "all",
    source: Source = None,
    harness: Harness = "lighteval",
) -> int:
    """Write them."""
    asked = _asked(fixes, source, harness)
    if isinstance(asked, Exit):
        return asked
    chosen, tree = asked
    from ..upstream.export import write

    written, left_out = write(chosen, tree, out)
    for path in written:
        typer.echo(str(path))
    for fix, reason in left_out:
        talk(f"{fix.number} {fix.name} not exported: {reason}")
    return Exit.DONE


def apply(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be written, and write nothing.")] = False,
    fixes: Fixes = "default",
    harness: Harness = "lighteval",
) -> int:
    """Into the installed files."""
    asked = _asked(fixes, None, harness)
    if isinstance(asked, Exit):
        return asked
    chosen, tree = asked
    from ..upstream import ondisk

    plan = ondisk.plan(chosen, tree)
    if not dry_run:
        ondisk.apply(plan, tree)
    for fix in plan.fixes:
        typer.echo(f"{fix.number}  {fix.name}: {'would be applied' if dry_run else 'applied'}")
    for change in plan.changes:
        typer.echo(f"      {change.path}")
    for fix, reason in plan.left_out:
        talk(f"{fix.number} {fix.name} left out: {reason}")
    return Exit.DONE


def revert(harness: Harness = "lighteval") -> int:
    """Back to what was installed."""
    tree = _tree(None, harness)
    if tree is None:
        return Exit.INPUT
    from ..upstream import ondisk

    names = ondisk.revert(tree)
    typer.echo(f"reverted: {', '.join(names)}" if names else "nothing was applied")
    return Exit.DONE


def _select(fixes: str, harness: str) -> tuple[Fix, ...] | None:
    from ..upstream import catalog

    words = [word.strip() for word in fixes.split(",") if word.strip()]
    if harness != "lighteval":
        # Groups of another harness are its own: `default` and `all` are all that there is for it.
        words = [harness if word in ("default", "all") else word for word in words]
    try:
        return catalog.select(words)
    except ValueError as error:
        talk(str(error))
        return None


def _asked(fixes: str, source: Path | None, harness: str) -> tuple[tuple[Fix, ...], Tree] | Exit:
    """Which fixes and which tree; where one of them is not there, that is told and only that."""
    chosen = _select(fixes, harness)
    if chosen is None:
        return Exit.USAGE
    tree = _tree(source, harness)
    return Exit.INPUT if tree is None else (chosen, tree)


def _tree(source: Path | None, harness: str) -> Tree | None:
    from ..upstream.export import checkout, installed

    if source is not None:
        return checkout(source, harness)
    tree = installed(harness)
    if tree is None:
        talk(f"{harness} is not installed here; name a checkout with --source")
    return tree
