"""The step summary for CI: GitHub's Markdown, model text in code spans that it cannot leave."""

from __future__ import annotations

from ..audit.document import Document, RunDoc, why_no_answer
from ..text.visible import visible
from .standings import leaderboards


def step_summary(document: Document, *, show: int = 10) -> str:
    """A table of runs, then the changed items of each (at most `show`)."""
    lines = ["## Re-graded runs", ""]
    if document["runs"]:
        lines += [
            "| task | model | metric | as graded | re-graded | recovered | withdrawn | undecided |",
            "|---|---|---|---|---|---|---|---|",
        ]
    for run in document["runs"]:
        for score in run["scores"]:
            before, after = score["recorded"], score["regraded"]
            cells = [
                code(run["task"]),
                code(run["model"] or ""),
                code(score["metric"]),
                "" if before is None else f"{before['score']:.3f} [{before['ci95'][0]:.3f}, {before['ci95'][1]:.3f}]",
                "" if after is None else f"{after['score']:.3f} [{after['ci95'][0]:.3f}, {after['ci95'][1]:.3f}]",
                str(run["changes"]["recovered"]),
                str(run["changes"]["withdrawn"]),
                str(run["verdicts"]["undecided"]),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    for run in document["runs"]:
        if run["no_answers"]:
            lines += ["", f"No answer in {code(run['task'])}: {why_no_answer(run)}."]
    for run in document["runs"]:
        lines += _flips(run, show)
    for title, places in leaderboards(document["runs"]):
        lines += ["", f"### {code(title)}", "", "| run | as graded | re-graded | rank |", "|---|---|---|---|"]
        for place in places:
            before_after = ["–" if s is None else f"{s:.3f}" for s in (place.before, place.after)]
            lines.append(
                f"| {code(place.name)} | {' | '.join(before_after)} | {place.rank_before} → {place.rank_after} |"
            )
    for skipped in document["skipped"]:
        lines += ["", f"Skipped {code(skipped['path'])}: {skipped['reason'].replace('_', ' ')}"]
    return "\n".join(lines) + "\n"


def _flips(run: RunDoc, show: int) -> list[str]:
    if not run["flips"] or not show:
        return []
    lines = ["", f"### Changed items of {code(run['task'])}", ""]
    lines += ["| item | change | gold | answer | cause |", "|---|---|---|---|---|"]
    for flip in run["flips"][:show]:
        gold = code(" | ".join(flip["golds"]))
        answer = "none" if flip["answer"] is None else code(flip["answer"])
        change = f"{flip['from']:g} → {flip['to']:g}"
        lines.append(f"| {code(flip['id'])} | {change} | {gold} | {answer} | {flip['cause'].replace('_', ' ')} |")
    if run["flips_total"] > show:
        lines += ["", f"… and {run['flips_total'] - show} more."]
    return lines


def code(text: str, limit: int = 100) -> str:
    """`text` as one code span in a table cell: no back tick ends it and no bar ends the cell."""
    line = visible(text, limit).replace("|", "\\|")
    if not line.strip():
        return ""
    longest = run = 0
    for c in line:
        run = run + 1 if c == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{line}{pad}{fence}"
