"""The report on the terminal: one screen that says it all. Model text is shown with its control characters visible."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..audit.document import Document, FlipDoc, MetricDoc, RunDoc, why_no_answer
from ..text.visible import visible
from .standings import leaderboards, means

NARROW = 60


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """rich would exit with 1, which means bad input here; whoever prints says what a closed pipe comes to."""
        raise BrokenPipeError


def console_for(file: TextIO) -> Console:
    """A console that wraps nothing in the middle of our lines; NO_COLOR and pipes are rich's own affair."""
    console = _Console(file=file, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in console._environ:
        console.width = 100
    return console


def print_report(document: Document, *, show: int = 10, file: TextIO) -> None:
    """Print every run, what was skipped, and how the runs stand to one another."""
    if file.isatty():
        _report(console_for(file), document, show)
        return
    # In a file or a pipe the blanks that pad a table's last column would show in every diff.
    kept = io.StringIO()
    _report(console_for(kept), document, show)
    file.write("".join(f"{line.rstrip()}\n" for line in kept.getvalue().splitlines()))


def _report(console: Console, document: Document, show: int) -> None:
    for run in document["runs"]:
        _run(console, run, document["settings"]["policy"], document["settings"]["unfinished"], show)
    for title, places in leaderboards(document["runs"]):
        table = _table(title, "run", "as graded", "re-graded", "rank")
        for place in places:
            moved = f"{place.rank_before or '–'} → {place.rank_after or '–'}"
            table.add_row(_cell(place.name), _score(place.before), _score(place.after), moved)
        console.print(table)
        console.print()
    for mean in means(document["runs"]):
        line = Text(f"{visible(mean.model, 60)}: ", style="bold")
        line.append(f"mean of {mean.tasks} tasks (macro) {mean.macro[0]:.3f} → {mean.macro[1]:.3f}, ", style="")
        line.append(f"of their {mean.items} items (micro) {mean.micro[0]:.3f} → {mean.micro[1]:.3f}", style="")
        console.print(line)
    for skipped in document["skipped"]:
        # Not wrapped: a path broken in two can neither be searched nor copied.
        said = f"skipped {visible(skipped['path'], 400)}: {skipped['reason'].replace('_', ' ')}"
        console.print(Text(said, "dim"), soft_wrap=True)


def _run(console: Console, run: RunDoc, policy: str, unfinished: str, show: int) -> None:
    title = Text(visible(run["task"] or run["path"], 100), style="bold")
    if run["model"]:
        title.append(f"  {visible(run['model'], 80)}", style="")
    console.print(title)
    about = f"{run['source']['format']}, {run['items']} items"
    if run["generations"] != run["items"]:
        about += f", {run['generations']} generations"
    if run["source"]["date"]:
        about += f", {run['source']['date'][:16]}"
    console.print(Text(about, style="dim"))
    for score in run["scores"]:
        console.print(_score_table(score, policy if run["kind"] == "math" else "", unfinished))
    if run["generations"] or not run["errors"]:
        console.print(_counts(run))  # a file that cannot be read has nothing to count
    if run["causes"]:
        console.print(_line("causes", (f"{name.replace('_', ' ')} {n}" for name, n in run["causes"].items())))
    if run["flips"] and show:
        console.print()
        console.print(_flips(console, run["flips"][:show]))
        if run["flips_total"] > show:
            rest = run["flips_total"] - show
            console.print(Text(f"… and {rest} more changed items (--show N, --json FILE, --html FILE)", style="dim"))
    if run["errors"]:
        rows = ", ".join(f"{error['row']} {error['reason'].replace('_', ' ')}" for error in run["errors"][:5])
        more = f" … {len(run['errors']) - 5} more" if len(run["errors"]) > 5 else ""
        console.print(Text(f"not graded: rows {visible(rows, 200)}{more}", style="red"))
    console.print()


def _score_table(score: MetricDoc, policy: str, unfinished: str) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(min_width=22)
    table.add_column(justify="right")
    table.add_column()
    recorded, regraded = score["recorded"], score["regraded"]
    name = visible(score["metric"], 40)
    if recorded is not None:
        table.add_row("as graded", _score(recorded["score"]), f"{_interval(recorded['ci95'])}  {name}")
    else:
        table.add_row("as graded", "–", f"no score was recorded  {name}")
    if regraded is not None:
        shift = ""
        if recorded is not None:
            shift = f"{regraded['score'] - recorded['score']:+.3f}"
        style = "bold"
        table.add_row(
            Text(f"re-graded, {policy}" if policy else "re-graded", style=style),
            Text(_score(regraded["score"]), style=style),
            f"{_interval(regraded['ci95'])}  {shift}",
        )
        for strict, value in regraded["by_policy"].items():
            if policy and strict not in (policy, "identical"):
                table.add_row(f"  under {strict}", _score(value), "")
        if regraded["if_undecided_right"] != regraded["score"]:
            table.add_row("  if undecided is right", _score(regraded["if_undecided_right"]), "")
        if regraded["unfinished_as_wrong"] != regraded["score"] and unfinished == "read":
            table.add_row("  unfinished as wrong", _score(regraded["unfinished_as_wrong"]), "")
        done = regraded["finished_only"]
        if done is not None and done["of"] != score["of"]:
            table.add_row("  finished only", _score(done["score"]), f"of {done['of']}")
    if score.get("note"):
        table.add_row("", "", Text(score["note"], style="yellow"))
    return table


def _counts(run: RunDoc) -> Text:
    changes, verdicts = run["changes"], run["verdicts"]
    line = Text()
    line.append(f"recovered {changes['recovered']}", style="green" if changes["recovered"] else "")
    line.append(", ")
    line.append(f"withdrawn {changes['withdrawn']}", style="red" if changes["withdrawn"] else "")
    line.append(f", kept {changes['kept']}")
    if changes["not_comparable"]:
        line.append(f", not comparable {changes['not_comparable']}")
    line.append(f" ({changes['level']}s)\n", style="dim")
    counts: Iterable[tuple[str, object]] = verdicts.items()
    why = {"no_answer": f" ({why_no_answer(run)})"} if run["no_answers"] else {}
    line.append(", ".join(f"{name.replace('_', ' ')} {count}{why.get(name, '')}" for name, count in counts if count))
    marks = [
        f"{name.replace('_', ' ')} {count} ({count / run['generations']:.1%})"
        for name, count in run["marks"].items()
        if count
    ]
    if marks:
        line.append(f"; {', '.join(marks)}", style="dim")
    return line


def _flips(console: Console, flips: Sequence[FlipDoc]) -> Table | Text:
    if console.width < 80:
        text = Text()
        for flip in flips:
            text.append(f"{_where(flip)} {_move(flip)} {flip['cause'].replace('_', ' ')}\n", style=_colour(flip))
            text.append(f"  gold   {visible(' | '.join(flip['golds']), console.width - 10)}\n")
            text.append(f"  answer {_answer(flip, console.width - 10)}\n")
        text.rstrip()
        return text
    table = _table(None, "item", "", "gold", "answer", "cause", "proof")
    for column in table.columns:
        column.overflow = "ellipsis"
        column.no_wrap = True
    table.columns[4].no_wrap = table.columns[5].no_wrap = False
    table.columns[2].max_width = table.columns[3].max_width = max(18, (console.width - 50) // 2)
    for flip in flips:
        table.add_row(
            _where(flip),
            Text(_move(flip), style=_colour(flip)),
            Text(visible(" | ".join(flip["golds"]), 120)),
            Text(_answer(flip, 120)),
            flip["cause"].replace("_", " "),
            _proof(flip),
        )
    return table


def _where(flip: FlipDoc) -> str:
    return visible(flip["id"], 24) + ("" if flip["sample"] is None else f"#{flip['sample']}")


def _move(flip: FlipDoc) -> str:
    return f"{flip['from']:g} → {flip['to']:g}"


def _colour(flip: FlipDoc) -> str:
    return "green" if flip["to"] > flip["from"] else "red"


def _answer(flip: FlipDoc, width: int) -> str:
    if flip["answer"] is not None:
        return visible(flip["answer"], width)
    reading = flip["reading"]
    return f"none: {reading.get('no_answer', '').replace('_', ' ')}" if reading else "none"


def _proof(flip: FlipDoc) -> str:
    verdict = flip["verdict"]
    if verdict is None:
        return ""
    said = verdict.get("proof") or f"undecided: {verdict.get('reason', '')}"
    return said.replace("_", " ")


def _table(title: str | None, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, title=None if title is None else Text(visible(title, 100), style="bold"))
    table.title_justify = "left"
    for column in columns:
        table.add_column(Text(column, style="dim"))
    return table


def _cell(text: str) -> Text:
    return Text(visible(text, 60))


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(ends: Sequence[float]) -> str:
    return f"[{ends[0]:.3f}, {ends[1]:.3f}]"


def _line(name: str, parts: Iterable[str]) -> Text:
    return Text(f"{name}: ").append(", ".join(parts))
