"""One self-contained HTML page of a re-grading: no network reference, works from `file://`.

Model text is data: it is embedded as JSON with `<`, `>` and `&` escaped, reaches the page through `textContent`
alone, and the page's content security policy runs no script but its own (by hash).
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..audit.document import Document, MetricDoc, RunDoc, why_no_answer
from ..audit.flips import taken_span
from ..audit.summary import RunSummary, Skipped, Summary
from ..grading.grader import Options
from ..model import Change, Grade, Item, NoAnswer, Reading, RowError, Run
from . import charts
from .meanings import meanings
from .part_file import PartFile
from .segments import segments

TEXT_BUDGET = 60_000_000
"""Characters of questions and generations in one page at the most; later items go without their text."""
FORMS = 3_000
"""Parsed forms are worked out for so many changed items at the most."""


@dataclass(slots=True)
class _RunPage:
    run: Run
    flows: Counter[tuple[str, str]] = field(default_factory=Counter)
    lengths: list[tuple[int, bool]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)


class HtmlReport:
    """Collects grades and writes the page at the end (a `Report`).

    Args:
        path: the file to write.
        texts: `changed` embeds the question and generation of changed items only, `all` of every item.
    """

    def __init__(self, path: str | Path, *, texts: str = "changed") -> None:
        self.path = Path(path)
        self._file = PartFile(self.path)
        self.texts = texts
        self._budget = TEXT_BUDGET
        self._pages: list[_RunPage] = []
        self._summaries: list[RunSummary] = []
        self._skipped: list[Skipped] = []
        self._options = Options()

    def begin(self, run: Run, options: Options) -> None:
        """A run starts; the grades that follow are its own."""
        self._options = options
        self._pages.append(_RunPage(run))

    def add(self, grade: Grade | RowError) -> None:
        """One graded generation; a row that could not be graded stands in the summary already."""
        if isinstance(grade, RowError):
            return
        page = self._pages[-1]
        moved = grade.change in (Change.RECOVERED, Change.WITHDRAWN)
        page.flows[(_recorded_word(grade), str(grade.standing))] += 1
        page.lengths.append((grade.text_length, moved))
        page.rows.append(_row(len(self._pages) - 1, grade))

    def end(self, run: Run, summary: RunSummary) -> None:
        """The run is complete: read it once more for the texts that the page shows."""
        self._budget = _add_texts(self._pages[-1], self.texts, self._budget)
        self._summaries.append(summary)

    def skip(self, skipped: Skipped) -> None:
        """A run that is not graded."""
        self._skipped.append(skipped)

    def finish(self) -> None:
        """Write the page."""
        document = Summary(self._options, tuple(self._summaries), tuple(self._skipped)).to_dict()
        self._file.write(_render(document, self._pages))


def _recorded_word(grade: Grade) -> str:
    score = _recorded_score(grade)
    if score is None:
        return "unscored"
    return "right" if score >= 0.5 else "wrong"


def _recorded_score(grade: Grade) -> float | None:
    of_sample = [r.score for r in grade.recorded if r.sample == grade.sample]
    of_item = [r.score for r in grade.recorded if r.sample is None]
    if of_sample:
        return of_sample[0]
    return of_item[0] if of_item and grade.samples == 1 else None


def _row(run: int, g: Grade) -> dict[str, Any]:
    reading = g.reading
    row: dict[str, Any] = {
        "run": run,
        "id": g.id,
        "row": g.row,
        "sample": g.sample,
        "samples": g.samples,
        "standing": str(g.standing),
        "change": str(g.change),
        "cause": str(g.cause) if g.cause else None,
        "golds": [text[:300] for text in g.golds],
        "answer": reading.text[:300] if isinstance(reading, Reading) else None,
        "recorded": _recorded_score(g),
    }
    if isinstance(reading, NoAnswer):
        row["none"] = str(reading.reason)
    if g.cause:
        row["cause_by"] = str(g.cause_by)
    if isinstance(reading, Reading):
        row["rule"] = str(reading.rule)
        row["in_reasoning"] = reading.in_reasoning
    if g.verdict is not None:
        row["verdict"] = str(g.verdict.reason if g.verdict.kind == "undecided" else g.verdict.proof)
        row["evidence"] = (g.verdict.detail if g.verdict.kind == "undecided" else g.verdict.evidence)[:500]
    if g.by_policy:
        row["policies"] = {str(p): str(s) for p, s in g.by_policy}
    if g.marks:
        row["marks"] = [str(m) for m in g.marks]
    if g.detail:
        row["detail"] = g.detail[:1000]
    row["_grade"] = g
    return row


def _add_texts(page: _RunPage, texts: str, budget: int) -> int:
    """Read the run once more for the texts of the items that the page shows whole."""
    wanted: dict[int, list[dict[str, Any]]] = {}
    for row in page.rows:
        if texts == "all" or row["change"] in ("recovered", "withdrawn"):
            wanted.setdefault(row["row"], []).append(row)
    forms = FORMS
    if wanted:
        for item in page.run.items():
            if isinstance(item, RowError) or item.row not in wanted:
                continue
            for row in wanted.pop(item.row):
                budget -= _add_text(row, item, page.run.format, forms > 0, budget)
                forms -= 1
            if not wanted:
                break
    for row in page.rows:
        row.pop("_grade", None)
    return budget


def _add_text(row: dict[str, Any], item: Item, source: str, with_forms: bool, budget: int) -> int:
    from ..text.prompt import cut_prompt
    from ..text.reasoning import split_reasoning

    text = item.generations[row["sample"]].text
    grade: Grade = row["_grade"]
    reading = grade.reading
    read = reading.spans if isinstance(reading, Reading) else ()
    passed = [span for span, _ in reading.passed_over] if reading is not None else []
    harness = taken_span(item, grade, lighteval=source == "lighteval")
    pieces = segments(text, split_reasoning(text).answer_start, read, passed, harness)
    question = item.question or cut_prompt(item.prompt).question or item.prompt
    cost = len(question) + sum(len(t) for _, t in pieces)
    if cost > budget:
        return 0
    row["question"] = question[:20_000]
    row["parts"] = pieces
    if with_forms and item.tests is None and isinstance(reading, Reading) and row["golds"]:
        from ..deciding.decide import explain

        decision = explain(row["golds"][0], reading.text, question=question)
        row["gold_form"], row["answer_form"] = decision.gold_form[:500], decision.answer_form[:500]
    return cost


# --------------------------------------------------------------------------- the page


def _render(summary: Document, pages: Sequence[_RunPage]) -> str:
    from jinja2 import Environment, StrictUndefined

    assets = files(__package__) / "assets"
    style = (assets / "page.css").read_text(encoding="utf-8")
    script = (assets / "page.js").read_text(encoding="utf-8")
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(
        (assets / "page.html.j2").read_text(encoding="utf-8")
    )
    runs = [_run_view(r, p) for r, p in zip(summary["runs"], pages, strict=True)]
    data = {
        "runs": [f"{r['model'] or ''} {r['task']}".strip() for r in runs],
        "items": [i for p in pages for i in p.rows],
    }
    return template.render(
        title=_title(summary["runs"]),
        lead=_lead(summary["runs"]),
        tool=summary["tool"],
        settings=summary["settings"],
        runs=runs,
        skipped=summary["skipped"],
        style=style,
        script=script,
        style_hash=_csp_hash(style),
        script_hash=_csp_hash(script),
        data=embed(data),
    )


def embed(data: object) -> str:
    """JSON that is safe inside a `<script>` element: no `<`, `>`, `&` or line separator stands in it unescaped."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text.encode("utf-8", "replace").decode("utf-8")


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _title(runs: Sequence[RunDoc]) -> str:
    models = sorted({r["model"] for r in runs if r["model"]})
    tasks = sorted({r["task"] for r in runs})
    what = tasks[0] if len(tasks) == 1 else f"{len(tasks)} tasks"
    who = f", {models[0]}" if len(models) == 1 else f", {len(models)} models" if models else ""
    return f"Re-grading of {what}{who}"


def _lead(runs: Sequence[RunDoc]) -> str:
    totals: Counter[str] = Counter()
    for r in runs:
        changes = r["changes"]
        totals.update(kept=changes["kept"], recovered=changes["recovered"], withdrawn=changes["withdrawn"])
    moved = totals["recovered"] + totals["withdrawn"]
    judged = moved + totals["kept"]
    if not judged:
        return "The harness recorded no scores to compare with."
    return (
        f"{moved:,} of {judged:,} verdicts changed: {totals['recovered']:,} recovered (scored wrong, provably right) "
        f"and {totals['withdrawn']:,} withdrawn (scored right, not proved right)."
    )


def _run_view(r: RunDoc, page: _RunPage) -> dict[str, Any]:
    source = r["source"]
    return {
        "task": r["task"],
        "path": r["path"],
        "model": r["model"],
        "kind": r["kind"],
        "items": r["items"],
        "generations": r["generations"],
        "source_line": " ".join(str(v) for v in (source["format"], source["version"], source["date"]) if v),
        "scores": [_score_view(s, r["kind"]) for s in r["scores"]],
        "sentence": _sentence(r),
        "no_answer": why_no_answer(r),
        "flow": charts.flow_svg(page.flows),
        "causes": [(bar, meanings("Cause").get(bar.label, "")) for bar in charts.bars(r["causes"])],
        "lengths": charts.lengths_svg(charts.length_bins(page.lengths)),
        "errors": r["errors"],
    }


def _score_view(s: MetricDoc, kind: str | None) -> dict[str, str]:
    recorded, now = s["recorded"], s["regraded"]
    return {
        "metric": s["metric"],
        "recorded": _number(recorded["score"] if recorded else None),
        "recorded_ci": _interval(recorded["ci95"] if recorded else None),
        "regraded": _number(now["score"] if now else None),
        "regraded_ci": _interval(now["ci95"] if now else None),
        # Labels and programs are judged alike under every policy.
        "value": _number(now["by_policy"].get("value") if now and kind == "math" else None),
        "unfinished": _number(now["unfinished_as_wrong"] if now else None),
        "undecided": _number(now["if_undecided_right"] if now else None),
        "note": s.get("note", ""),
    }


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _interval(pair: Sequence[float] | None) -> str:
    return "" if not pair else f"{pair[0]:.3f} to {pair[1]:.3f}"


def _sentence(r: RunDoc) -> str:
    """Whether the change is more than noise, in words. The same generations are graded twice, so what counts is
    that every change is listed; the intervals say how far either score would carry to other questions."""
    score = next((s for s in r["scores"] if s["recorded"] and s["regraded"]), None)
    if score is None or score["recorded"] is None or score["regraded"] is None:
        return ""
    before, after, ci = score["recorded"]["score"], score["regraded"]["score"], score["recorded"]["ci95"]
    if after == before:
        return "The score did not move."
    way = "up" if after > before else "down"
    outside = ci and not ci[0] <= after <= ci[1]
    weight = (
        "out of its 95 % interval: more than other questions of the kind would be expected to move it"
        if outside
        else "within its 95 % interval, yet no noise: both numbers grade the same generations"
    )
    return f"The score moved {way} by {abs(after - before):.4f}, {weight}."
