"""`lighteval-fix explain`: one item, from what was asked to the verdict and its proof."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ..grading.grader import Options
from ..model import Grade, InputError, Item, Kind, NoAnswer, Policy, Reading, Run, Span, SplitState, Unfinished
from .exits import closed_pipe, talk, worst

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_AROUND = 160
"""Characters shown before and after each span."""
_READ, _SEEN = ("⟦", "⟧"), ("‹", "›")
"""Marks round what was read, and round what was seen and passed over: they show without colours too."""
_NAMES = 10
"""Columns for the name of a part."""
_LISTED = 6
"""Candidates that are listed as passed over."""


def explain(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A details file, folder, glob or URL.")],
    id: Annotated[str, typer.Option("--id", metavar="ID", help="The item's id.")],
    task: Annotated[str | None, typer.Option(metavar="GLOB", help="Only tasks whose name matches.")] = None,
    sample: Annotated[int, typer.Option(min=0, metavar="K", help="Which of the item's generations.")] = 0,
    source: Annotated[str, typer.Option(metavar="FORMAT", help="The input's format.")] = "auto",
    kind: Annotated[Kind | None, typer.Option(help="Grade the item by this grader.")] = None,
    policy: Annotated[Policy, typer.Option(help="How much an equality may lean on.")] = Policy.IN_CONTEXT,
    precision: Annotated[int, typer.Option(min=0, help="Digits a rounded decimal must show after its point.")] = 6,
    unfinished: Annotated[
        Unfinished, typer.Option(help="What to do with a reasoning trace that was never closed.")
    ] = Unfinished.READ,
) -> None:
    """Show every step for one item: what was asked, what was read and where, the verdict and its proof."""
    from ..audit.regrade import profile_of
    from ..audit.work import Work
    from .session import Session

    options = Options(policy=policy, precision=precision, unfinished=unfinished, kind=kind)
    session = Session(options, source=source, task=task)
    shown = 0
    for run in session.found(path):
        if run.skip is not None:
            continue
        item = next((item for item in run.items() if isinstance(item, Item) and item.id == id), None)
        if item is None:
            continue
        shown += 1
        if sample >= len(item.generations):
            talk(f"{run.path}, row {item.row}: no sample {sample}, there are {len(item.generations)}")
            raise typer.Exit(2)
        grade = Work(run, options, profile_of(run)).one(item)[sample]
        try:
            show_item(run, item, grade, options)
            sys.stdout.flush()
        except BrokenPipeError:
            closed_pipe()
    if not shown and not session.exits:
        raise InputError(f"no item with id {id!r}", path)
    raise typer.Exit(worst(session.exits))


def show_item(run: Run, item: Item, grade: Grade, options: Options) -> None:
    """Print one generation of one item."""
    from rich.text import Text

    from ..reports.terminal import console_for
    from ..text.prompt import cut_prompt
    from ..text.visible import visible

    console = console_for(sys.stdout)
    head = Text(visible(run.task or run.path, 100), style="bold")
    head.append(f"  {visible(run.model or '', 60)}  id {visible(item.id, 40)}, row {item.row}", style="")
    if grade.samples > 1:
        head.append(f", sample {grade.sample} of {grade.samples}", style="")
    console.print(head)
    parts = cut_prompt(item.prompt)
    _section(console, "asked", Text(visible(parts.instruction or item.prompt, 600)))
    asked = (parts.question if parts.options else item.question) or item.question or parts.question
    _section(console, "question", Text(visible(asked, 800)))
    for option in parts.options:
        _section(console, "", Text(f"{visible(option.label, 8)}) {visible(option.text, 200)}"))
    generation = item.generations[grade.sample]
    text = generation.text
    _section(console, "text", _whole(text))
    _section(console, "read", _read(grade))
    for name, seen in _passed_over(text, grade.reading):
        _section(console, name, seen)
    for line in _marked(text, grade.reading):
        _section(console, "", line)
    if grade.kind is not Kind.CODE:
        for gold, held in zip(grade.golds, item.golds, strict=False):
            said = Text(visible(gold, 200))
            if gold.strip() != held.text.strip():
                said.append(f"  read from: {visible(held.text, 160)}", style="dim")
            _section(console, "gold", said)
    if grade.kind is Kind.MATH and isinstance(grade.reading, Reading):
        _decisions(console, item, grade, options)
    _outcome(console, grade)


def _section(console: Console, name: str, text: Text) -> None:
    """One named part, its further lines set in."""
    from rich.text import Text

    lines = text.wrap(console, max(console.width - _NAMES, 20), overflow="fold") or [text]
    for index, line in enumerate(lines):
        line.rstrip()
        console.print(
            Text("" if index else name, style="cyan").append(" " * (_NAMES - (0 if index else len(name)))) + line
        )


def _whole(text: str) -> Text:
    """How long the generation is, and which part of it is reasoning."""
    from rich.text import Text

    from ..text.reasoning import split_reasoning

    said = Text(f"{len(text)} characters", style="dim")
    split = split_reasoning(text)
    match split.state:
        case SplitState.NONE:
            return said
        case SplitState.UNFINISHED:
            return said.append(", reasoning that is never closed")
        case SplitState.CLOSED | SplitState.CLOSED_ONLY:
            return said.append(f", the first {split.answer_start} of them reasoning, which is not read")


def _read(grade: Grade) -> Text:
    from rich.text import Text

    from ..text.visible import visible

    reading = grade.reading
    if reading is None:
        return Text("nothing to read", style="dim")
    if isinstance(reading, NoAnswer):
        return Text(f"no answer: {reading.reason.replace('_', ' ')}", style="yellow")
    where = ", ".join(f"{a}–{b}" for a, b in reading.spans)
    said = Text(visible(reading.text, 300), style="bold")
    said.append(f"  by {reading.rule.replace('_', ' ')}, characters {where}", style="dim")
    if reading.in_reasoning:
        said.append("  inside reasoning that was never closed", style="yellow")
    return said


def _passed_over(text: str, reading: Reading | NoAnswer | None) -> list[tuple[str, Text]]:
    """Every candidate that was seen and lost, in the order of the text, and whether it says the same."""
    from rich.text import Text

    from ..text.visible import visible

    if reading is None:
        return []
    lines = []
    for (start, stop), rule in sorted(reading.passed_over)[:_LISTED]:
        same = isinstance(reading, Reading) and reading.text == text[start:stop]
        line = Text(visible(text[start:stop], 120))
        line.append(f"  by {rule.replace('_', ' ')}, characters {start}–{stop}", style="dim")
        lines.append(("agrees" if same else "not taken", line))
    return lines


def _marked(text: str, reading: Reading | NoAnswer | None) -> list[Text]:
    """The neighbourhood of every span: ⟦what was read⟧ in colour, ‹what was passed over› underlined."""
    from rich.text import Text

    from ..text.visible import visible

    spans: list[tuple[Span, tuple[str, str], str]] = []
    if isinstance(reading, Reading):
        spans += [(span, _READ, "bold black on green") for span in reading.spans]
    if reading is not None:
        spans += [(span, _SEEN, "underline") for span, _ in reading.passed_over]
    spans = sorted(spans, key=lambda found: (found[0], found[1] == _SEEN))
    spans = [found for found in spans if found[0][0] < found[0][1]]
    if not spans:
        return [Text(f"…{visible(text[-2 * _AROUND :], 3 * _AROUND)}", style="dim")]
    windows: list[list[int]] = []
    for (start, stop), _, _ in spans:
        window = [max(0, start - _AROUND), min(len(text), stop + _AROUND)]
        if windows and window[0] <= windows[-1][1]:
            windows[-1][1] = max(windows[-1][1], window[1])
        else:
            windows.append(window)
    lines = []
    for start, stop in windows:
        line = Text("…" if start else "", style="dim")
        at = start
        for (a, b), (opening, closing), style in spans:
            if a < at or b > stop:
                continue
            line.append(visible(text[at:a], 10_000), style="dim")
            line.append(f"{opening}{visible(text[a:b], 10_000)}{closing}", style=style)
            at = b
        line.append(visible(text[at:stop], 10_000), style="dim")
        if stop < len(text):
            line.append("…", style="dim")
        lines.append(line)
    return lines


def _decisions(console: Console, item: Item, grade: Grade, options: Options) -> None:
    from ..deciding import explain as explain_pair
    from ..text.prompt import cut_prompt
    from .decide import print_decision

    assert isinstance(grade.reading, Reading)
    question = item.question if item.question is not None else cut_prompt(item.prompt).question
    golds = grade.golds if grade.matched_gold is None else (grade.golds[grade.matched_gold],)
    for gold in golds:
        decision = explain_pair(
            gold,
            grade.reading.text,
            question=question or None,
            policy=str(options.policy),
            precision=options.precision,
            timeout=options.timeout,
        )
        print_decision(console, decision)


def _outcome(console: Console, grade: Grade) -> None:
    from rich.text import Text

    from ..text.visible import visible

    said = Text(grade.standing.replace("_", " "), style="bold")
    others = [f"{policy}: {standing.replace('_', ' ')}" for policy, standing in grade.by_policy]
    if others:
        said.append(f"  ({', '.join(others)})", style="dim")
    _section(console, "standing", said)
    if grade.detail:
        _section(console, "", Text(visible(grade.detail, 500)))
    recorded = [r for r in grade.recorded if r.sample in (None, grade.sample)]
    if recorded:
        _section(console, "recorded", Text(", ".join(f"{visible(r.metric, 60)} {r.score:g}" for r in recorded)))
    change = Text(grade.change.replace("_", " "))
    if grade.cause is not None:
        change.append(f"  because: {grade.cause.replace('_', ' ')} ({grade.cause_by})")
    _section(console, "change", change)
    if grade.marks:
        _section(console, "marks", Text(", ".join(mark.replace("_", " ") for mark in grade.marks)))


def register(app: typer.Typer) -> None:
    """Add `explain`."""
    app.command("explain")(explain)
