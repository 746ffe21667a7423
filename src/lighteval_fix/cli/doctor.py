"""`lighteval-fix doctor`: which faults the installed harness has."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from .exits import Exit, talk, write_out

if TYPE_CHECKING:
    from ..upstream.doctor import Report


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor", help="Which faults the installed harness has, by live probes, and what to do.")(doctor)


def doctor(
    json: Annotated[
        str | None, typer.Option("--json", metavar="FILE|-", help="Write the findings as JSON, to FILE or stdout.")
    ] = None,
) -> int:
    """Probe everything. Exit code 1 where a harness is installed and a probe could not be run."""
    from ..upstream import catalog
    from ..upstream.doctor import examine

    # What a harness prints while it is imported is talk.
    with redirect_stdout(sys.stderr):
        report = examine(catalog.all_fixes())
    if json is not None:
        from json import dumps

        write_out(dumps(report.to_dict(), indent=1, ensure_ascii=False) + "\n", json)
    if json != "-":
        _show(report)
    return Exit.INPUT if any(fault.state == "unknown" for fault in report.faults) else Exit.DONE


def _show(report: Report) -> None:
    for name, version in report.harnesses.items():
        typer.echo(f"{name} {version or 'is not installed'}")
    width = max(len(fault.name) for fault in report.faults)
    for fault in report.faults:
        typer.echo(f"  {fault.number}  {fault.name:{width}}  {fault.group:9}  {fault.state:9}  {fault.detail}")
        if fault.advice:
            typer.echo(f"        {fault.title}\n        → {fault.advice}")
    talk(f"{len(report.present)} of {len(report.faults)} faults are present")
