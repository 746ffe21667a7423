"""`lighteval-fix doctor`: which faults the installed harness has."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
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

    with _quiet():
        report = examine(catalog.all_fixes())
    if json is not None:
        from json import dumps

        write_out(dumps(report.to_dict(), indent=1, ensure_ascii=False) + "\n", json)
    if json != "-":
        from ..running import bubblewrap

        _show(report)
        talk(bubblewrap.state())
    return Exit.INPUT if any(fault.state == "unknown" for fault in report.faults) else Exit.DONE


@contextmanager
def _quiet() -> Iterator[None]:
    """What a harness and its workers print while they are probed (log lines, progress bars) is none of our findings.

    Descriptors too, for what does not go through Python; the sink stays open, since a harness may keep it for its log.
    """
    sink = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    kept = [(number, os.dup(number)) for number in (1, 2)]
    try:
        for number, _ in kept:
            os.dup2(sink.fileno(), number)
        with redirect_stdout(sink), redirect_stderr(sink):
            yield
    finally:
        for number, copy in kept:
            os.dup2(copy, number)
            os.close(copy)


def _show(report: Report) -> None:
    for name, version in report.harnesses.items():
        typer.echo(f"{name} {version or 'is not installed'}")
    found = [fault for fault in report.faults if report.harnesses.get(fault.harness)]
    if not found:
        talk("no harness is installed here, so there is nothing to probe")
        return
    width = max(len(fault.name) for fault in found)
    for fault in found:
        typer.echo(f"  {fault.number}  {fault.name:{width}}  {fault.group:9}  {fault.state:9}  {fault.detail}")
        if fault.advice:
            typer.echo(f"        {fault.title}\n        → {fault.advice}")
    talk(f"{len(report.present)} of {len(found)} faults are present")
