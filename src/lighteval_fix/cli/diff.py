"""`lighteval-fix diff`: two runs on the same questions, as graded and re-graded."""

from __future__ import annotations

import json as json_module
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..grading.grader import Options
from ..model import InputError, Policy, Run, Unfinished
from .exits import Exit, closed_pipe, talk, worst, write_out

if TYPE_CHECKING:
    from ..audit.paired import Comparison, Side


@dataclass(frozen=True, slots=True)
class _Pair:
    first: Run
    second: Run


def diff(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A", help="A run, or a folder of runs.")],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B", help="The other run.")],
    task: Annotated[str | None, typer.Option(metavar="GLOB", help="Only tasks whose name matches.")] = None,
    source: Annotated[str, typer.Option(metavar="FORMAT", help="The inputs' format.")] = "auto",
    policy: Annotated[Policy, typer.Option(help="How much an equality may lean on.")] = Policy.IN_CONTEXT,
    precision: Annotated[int, typer.Option(min=0, help="Digits a rounded decimal must show after its point.")] = 6,
    unfinished: Annotated[
        Unfinished, typer.Option(help="What to do with a reasoning trace that was never closed.")
    ] = Unfinished.READ,
    jobs: Annotated[int, typer.Option(min=0, metavar="N", help="Processes; 0 is one a core.")] = 0,
    json: Annotated[str | None, typer.Option(metavar="FILE|-", help="Write the comparison as JSON.")] = None,
) -> None:
    """Compare two runs on the same questions, pair by pair, as graded and re-graded."""
    from ..audit.paired import compare, item_marks
    from ..audit.regrade import grades_of
    from ..audit.work import same_answer
    from .session import Session

    options = Options(policy=policy, precision=precision, unfinished=unfinished)
    session = Session(options, source=source, task=task)
    firsts = [run for run in session.found(run_a) if run.skip is None]
    seconds = [run for run in session.found(run_b) if run.skip is None]
    pairs = _pairs(firsts, seconds)
    if not pairs and not session.exits:
        raise InputError(f"no task of it is in {run_b}, too", run_a)
    same = same_answer(options)
    documents = []
    for pair in pairs:
        marks = [item_marks(grades_of(run, options, jobs=jobs), same) for run in (pair.first, pair.second)]
        comparison = compare(*marks)
        if not comparison.pairs:
            talk(f"{pair.first.path} and {pair.second.path} share no question")
            session.exits.append(Exit.INPUT)
        documents.append((pair, comparison))
    _write(documents, json)
    raise typer.Exit(worst(session.exits))


def _pairs(firsts: list[Run], seconds: list[Run]) -> list[_Pair]:
    """The only run of each, whatever its task is called; else runs of the same task, the latest of each."""
    if len(firsts) == len(seconds) == 1:
        return [_Pair(firsts[0], seconds[0])]
    by_task = {run.task.rpartition("|")[0] or run.task: run for run in sorted(seconds, key=lambda run: run.date or "")}
    latest = {run.task.rpartition("|")[0] or run.task: run for run in sorted(firsts, key=lambda run: run.date or "")}
    return [_Pair(run, by_task[task]) for task, run in latest.items() if task in by_task]


def _write(documents: list[tuple[_Pair, Comparison]], json: str | None) -> None:
    if json is not None:
        made = {"schema_version": 1, "comparisons": [_document(pair, comparison) for pair, comparison in documents]}
        text = json_module.dumps(made, ensure_ascii=False, indent=1) + "\n"
        write_out(text, json)
    if json != "-":
        try:
            for pair, comparison in documents:
                _print(pair, comparison)
            sys.stdout.flush()
        except BrokenPipeError:
            closed_pipe()


def _document(pair: _Pair, comparison: Comparison) -> dict[str, Any]:
    def named(run: Run) -> dict[str, str | None]:
        return {"path": run.path, "model": run.model, "task": run.task}

    return {"first": named(pair.first), "second": named(pair.second), **comparison.to_dict()}


def _print(pair: _Pair, comparison: Comparison) -> None:
    from rich.table import Table
    from rich.text import Text

    from ..reports.terminal import console_for
    from ..text.visible import visible

    console = console_for(sys.stdout)
    for letter, run in (("A", pair.first), ("B", pair.second)):
        console.print(Text(f"{letter}  {visible(run.model or run.path, 80)}  {visible(run.task, 80)}"))
    console.print(Text(_coverage(comparison), style="dim"))
    if comparison.regraded is None:
        return
    table = Table(box=None, pad_edge=False)
    for column in ("", "A", "B", "A − B", "95 %", "A only", "B only", "p"):
        table.add_column(Text(column, style="dim"))
    for name, side in (("as graded", comparison.graded), ("re-graded", comparison.regraded)):
        if side is not None:
            table.add_row(name, *_cells(side))
    console.print(table)
    console.print(Text(_verdict(comparison), style="bold"))


def _coverage(comparison: Comparison) -> str:
    said = f"{comparison.pairs} questions paired by id; p by McNemar's exact test"
    if comparison.only_first or comparison.only_second:
        said += f"; only in A {comparison.only_first}, only in B {comparison.only_second}"
    if comparison.other_golds:
        said += f"; left out with another gold: {comparison.other_golds}"
    return said


def _cells(side: Side) -> list[str]:
    test = side.p_value
    return [
        f"{side.first:.3f}",
        f"{side.second:.3f}",
        f"{side.difference:+.3f}",
        f"[{side.ci95[0]:+.3f}, {side.ci95[1]:+.3f}]",
        str(test.b),
        str(test.c),
        f"{test.p:.3g}",
    ]


def _verdict(comparison: Comparison) -> str:
    regraded = comparison.regraded
    if regraded is None:
        return ""
    ahead = {1: "A is ahead", -1: "B is ahead", 0: "A and B are level"}
    said = f"Re-graded, {ahead[regraded.order]}"
    said += " by more than chance explains (p < 0.05)" if regraded.p_value.p < 0.05 else ", within what chance explains"
    if comparison.order_changes and comparison.graded is not None:
        said += f"; as graded, {ahead[comparison.graded.order]}: the order changes"
    return said + "."


def register(app: typer.Typer) -> None:
    """Add `diff`."""
    app.command("diff")(diff)
