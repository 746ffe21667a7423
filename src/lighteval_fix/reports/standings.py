"""Runs side by side: ranks before and after, and means over tasks. Shared by the terminal and the Markdown report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..audit.document import MetricDoc, RunDoc


@dataclass(frozen=True, slots=True)
class Place:
    """One run in a leaderboard: its headline score before and after, and its ranks (equal scores share one)."""

    name: str
    before: float | None
    after: float | None
    rank_before: int | None = None
    rank_after: int | None = None


def headline(run: RunDoc) -> MetricDoc | None:
    """The run's first metric that could be re-graded, else its first."""
    scores = run["scores"]
    return next((score for score in scores if score["regraded"] is not None), scores[0] if scores else None)


def plain_task(task: str) -> str:
    """The task's name without its few-shot suffix."""
    return task.rpartition("|")[0] or task


def leaderboards(runs: Sequence[RunDoc]) -> list[tuple[str, list[Place]]]:
    """For every task that more than one run did: its runs by re-graded score, with the ranks before and after."""
    by_task: dict[tuple[str, str], list[RunDoc]] = {}
    for run in runs:
        score = headline(run)
        if score is not None and score["regraded"] is not None:
            by_task.setdefault((plain_task(run["task"]), score["metric"]), []).append(run)
    return [(f"{task} ({metric})", ranked(members)) for (task, metric), members in by_task.items() if len(members) > 1]


def ranked(runs: Sequence[RunDoc]) -> list[Place]:
    """Runs by their re-graded headline score, best first."""
    pairs = []
    for run in runs:
        score = headline(run)
        before = score["recorded"]["score"] if score and score["recorded"] else None
        after = score["regraded"]["score"] if score and score["regraded"] else None
        pairs.append((run["model"] or run["path"], before, after))
    befores = [before for _, before, _ in pairs]
    afters = [after for _, _, after in pairs]
    places = [Place(name, before, after, _rank(before, befores), _rank(after, afters)) for name, before, after in pairs]
    return sorted(places, key=lambda place: -(place.after or 0.0))


def _rank(score: float | None, scores: Sequence[float | None]) -> int | None:
    if score is None:
        return None
    return 1 + sum(other is not None and other > score for other in scores)


@dataclass(frozen=True, slots=True)
class Means:
    """A model's means over several tasks: macro weighs tasks alike, micro weighs items alike."""

    model: str
    tasks: int
    items: int
    macro: tuple[float, float]
    micro: tuple[float, float]


def means(runs: Sequence[RunDoc]) -> list[Means]:
    """Models with more than one task whose scores are known before and after."""
    by_model: dict[str, list[tuple[int, float, float]]] = {}
    for run in runs:
        score = headline(run)
        if score and score["recorded"] and score["regraded"] and run["model"]:
            row = (score["of"], score["recorded"]["score"], score["regraded"]["score"])
            by_model.setdefault(run["model"], []).append(row)
    found = []
    for model, rows in by_model.items():
        if len(rows) > 1:
            items = sum(of for of, _, _ in rows)
            macro = sum(b for _, b, _ in rows) / len(rows), sum(a for _, _, a in rows) / len(rows)
            micro = sum(of * b for of, b, _ in rows) / items, sum(of * a for of, _, a in rows) / items
            found.append(Means(model, len(rows), items, macro, micro))
    return found
