"""Causes proved by running LightEval's own metric on an item (`--explain replay`).

First the unfixed metric has to reproduce what was recorded; where it does not, nothing is proved. Then single changes
are tried, from the smallest to the largest: one fix, LightEval's comparison told what was read here, the line that was
read alone, the gold that was read here. The first that moves its score to ours is the cause. LightEval runs in a child
that is killed where it takes too long.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from ...model import (
    Cause,
    Change,
    Different,
    Generation,
    Grade,
    Item,
    Kind,
    Mark,
    NoAnswer,
    NoAnswerReason,
    Policy,
    Proof,
    Reading,
    Rule,
    SplitState,
    Standing,
    Undecided,
    UndecidedReason,
)
from ...text.reasoning import split_reasoning

SECONDS = 60.0
"""The most one item may take; importing LightEval before the first one is not counted in."""
_START = 300.0
_LINES = (Rule.ANSWER_LINE, Rule.REQUESTED, Rule.CORRECTION, Rule.CUE_LETTER)
_LAST_RESORT = 200
"""From this rank on, LightEval's patterns for letters look anywhere."""
_BOX = 55


def replay(item: Item, grade: Grade) -> Cause | None:
    """The cause of a changed verdict, or None where LightEval's metric cannot prove one.

    Args:
        item: as its run holds it, with the recorded scores.
        grade: of one of its generations, changed.
    """
    question = _question(item, grade)
    if question is None:
        return None
    said = _child().ask(question)
    if said is None or not said.get("reproduced"):
        return None
    case = _Case(item, grade, said)
    if (said["score"] == 1.0) is (grade.standing is Standing.RIGHT):
        return None  # another sample moved the item's score
    return _choice(case) if grade.kind is Kind.CHOICE else _maths(case)


def reproduces(item: Item, kind: Kind) -> bool | None:
    """Whether the unfixed metric gives every recorded score of an item; None where it could not be asked.

    Args:
        item: as its run holds it.
        kind: maths or choice.
    """
    if kind is Kind.CODE or not item.recorded:
        return None
    scores = [[recorded.metric, recorded.score] for recorded in item.recorded]
    said = _child().ask({**_documents(item, kind), "scores": scores})
    return None if said is None else bool(said["reproduced"])


@dataclass(frozen=True, slots=True)
class _Case:
    item: Item
    grade: Grade
    said: Mapping[str, Any]

    @property
    def reading(self) -> Reading | None:
        return self.grade.reading if isinstance(self.grade.reading, Reading) else None

    @property
    def ours(self) -> float:
        return self.grade.score

    def with_fix(self, name: str) -> bool:
        """Whether this fix alone brings LightEval to our score."""
        return bool(self.said["fixes"].get(name) == self.ours)

    def told(self, name: str) -> float | None:
        value = self.said["told"].get(name)
        return None if value is None else float(value)

    @property
    def rank(self) -> int | None:
        taken = self.said["taken"]
        return None if taken is None else int(taken["rank"])

    @property
    def open_trace(self) -> bool:
        """The text is reasoning that was never closed, as it shows or as the run shows."""
        split = split_reasoning(self.item.generations[self.grade.sample].text)
        return split.state is SplitState.UNFINISHED or Mark.UNFINISHED_INFERRED in self.grade.marks

    @property
    def in_reasoning(self) -> bool:
        """What LightEval took stands in reasoning that was closed, by whatever tags."""
        taken = self.said["taken"]
        generation = self.item.generations[self.grade.sample]
        split = split_reasoning(generation.text)
        if taken is None or split.state not in (SplitState.CLOSED, SplitState.CLOSED_ONLY):
            return False
        return bool(taken["end"] + self._shift <= split.answer_start)

    @property
    def _shift(self) -> int:
        """Where the text that was graded starts: it is an end of the generation where reasoning was removed."""
        generation = self.item.generations[self.grade.sample]
        return len(generation.text) - len(_graded(self.item, generation))

    @property
    def overlaps(self) -> bool:
        """What LightEval took and what was read here share characters of the text."""
        taken = self.said["taken"]
        if taken is None or self.reading is None:
            return False
        start, end = taken["start"] + self._shift, taken["end"] + self._shift
        return any(start < b and a < end for a, b in self.reading.spans)


def _maths(case: _Case) -> Cause | None:
    recovered = case.grade.change is Change.RECOVERED
    if recovered and case.with_fix("response-slice"):
        return Cause.RAW_TEXT_SCORED
    if case.with_fix("restated-template"):
        return Cause.RESTATED_TEMPLATE
    if (reasoning := _reasoning(case, recovered)) is not None:
        return reasoning
    if case.reading is None:
        return Cause.ANSWER_UNREAD if case.grade.finished else Cause.UNFINISHED
    boxed = case.told("boxed")
    if (boxed == 1.0) is not recovered:
        return _comparison(case, recovered)
    if not recovered:
        if case.overlaps:
            return Cause.FRAGMENT_COMPARED
        return _elsewhere(case)
    if _is_words(case.reading.text):
        return Cause.WORD_ANSWER
    if case.reading.rule in _LINES and case.told("line") != 1.0:
        return Cause.ANSWER_LINE_UNREAD
    if case.in_reasoning:
        phrase = case.rank is not None and case.rank < _BOX
        return Cause.REASONING_PHRASE if phrase else Cause.REASONING_NOT_REMOVED
    if case.overlaps:
        return Cause.FRAGMENT_COMPARED
    return _elsewhere(case)


def _reasoning(case: _Case, recovered: bool) -> Cause | None:
    """What a text without its reasoning would have been scored."""
    if case.with_fix("closing-tag-only"):
        if not recovered:
            return Cause.CREDITED_FROM_REASONING
        if case.with_fix("response-slice"):
            return Cause.RAW_TEXT_SCORED
        phrase = case.rank is not None and case.rank < _BOX
        return Cause.REASONING_PHRASE if phrase else Cause.REASONING_NOT_REMOVED
    if case.with_fix("response-slice"):
        return Cause.RAW_TEXT_SCORED if recovered else Cause.CREDITED_FROM_REASONING
    reading = case.grade.reading
    if isinstance(reading, NoAnswer) and reading.reason is NoAnswerReason.UNFINISHED:
        return Cause.CREDITED_FROM_REASONING if case.open_trace and not recovered else Cause.UNFINISHED
    return Cause.CREDITED_FROM_REASONING if case.in_reasoning and not recovered else None


def _comparison(case: _Case, recovered: bool) -> Cause:
    """LightEval, told what was read here, still comes to another verdict: the two comparisons differ."""
    assert case.reading is not None
    if case.said.get("gold_told") == case.ours:
        return Cause.GOLD_MISREAD
    if recovered:
        if _is_words(case.reading.text):
            return Cause.WORD_ANSWER
        under = dict(case.grade.by_policy)
        return Cause.NOTATION if under.get(Policy.VALUE) is Standing.RIGHT else Cause.LICENSED
    match case.grade.verdict:
        case Undecided(reason=UndecidedReason.WITHIN_ROUNDING):
            return Cause.TOLERANCE
        case Undecided(reason=UndecidedReason.LIST_OR_TUPLE) | Different(proof=Proof.KINDS | Proof.MEMBERS):
            return Cause.KINDS_CONFUSED
        case Undecided(
            reason=UndecidedReason.UNIT_ON_ONE_SIDE
            | UndecidedReason.UNITS_DIFFER
            | UndecidedReason.NAMES_DIFFER
            | UndecidedReason.WORDS_DIFFER
        ):
            return Cause.FRAGMENT_COMPARED
        case Different(proof=Proof.EXACT | Proof.ENCLOSURE | Proof.ROUNDED | Proof.REFUTED):
            decimals = any("." in text for text in (*case.grade.golds, case.reading.text))
            return Cause.TOLERANCE if decimals else Cause.NOTATION
        case _:
            return Cause.NOTATION


def _elsewhere(case: _Case) -> Cause:
    """LightEval took another part of the text, or none."""
    if case.rank is None or case.reading is None or case.reading.rule not in _LINES:
        return Cause.ANSWER_UNREAD
    return Cause.ANSWER_LINE_OUTRANKED if case.rank <= _BOX else Cause.ANSWER_LINE_UNREAD


def _choice(case: _Case) -> Cause | None:
    recovered = case.grade.change is Change.RECOVERED
    if case.with_fix("restated-template"):
        return Cause.RESTATED_TEMPLATE
    dollars = case.with_fix("letter-in-dollars") or (
        case.with_fix("letter-in-dollars+closing-tag-only") and not case.with_fix("closing-tag-only")
    )
    if dollars or (_in_dollars(case) and case.with_fix("letter-in-dollars+closing-tag-only")):
        return Cause.LETTER_IN_DOLLARS
    if (reasoning := _reasoning(case, recovered)) is not None:
        return reasoning
    if case.rank is not None and case.rank >= _LAST_RESORT and not case.overlaps:
        return Cause.LAST_LETTER
    return _elsewhere(case)


def _in_dollars(case: _Case) -> bool:
    if case.reading is None:
        return False
    start = case.reading.spans[0][0]
    text = case.item.generations[case.grade.sample].text
    return re.search(r"\$\s*\(?$", text[max(0, start - 4) : start]) is not None


def _is_words(text: str) -> bool:
    """Letters of a word and nothing to compute with."""
    plain = re.sub(r"\\(?:text|mathrm|textbf)\s*\{([^{}]*)\}", r"\1", text)
    return bool(re.search(r"[A-Za-z]{2}", plain)) and not re.search(r"[\d\\^_=+]", plain)


# --------------------------------------------------------------------------- what is asked


def _graded(item: Item, generation: Generation) -> str:
    """The text that LightEval's metric saw: avg@n sees the raw one."""
    raw = item.recorded and item.recorded[0].metric.startswith("avg@n")
    if raw or generation.post_processed is None:
        return generation.text
    return generation.post_processed


def _question(item: Item, grade: Grade) -> dict[str, Any] | None:
    if grade.kind is Kind.CODE or not item.recorded:
        return None
    generation = item.generations[grade.sample]
    recorded = next((one for one in item.recorded if one.sample in (None, grade.sample)), item.recorded[0])
    return {
        **_documents(item, grade.kind),
        "metric": recorded.metric,
        "recorded": recorded.score,
        "raw": generation.text,
        "final": _posts(item)[grade.sample],
        "graded": _graded(item, generation),
        "told": _told(generation.text, grade),
        "gold_read": None if grade.kind is Kind.CHOICE else [f"$\\boxed{{{gold}}}$" for gold in grade.golds] or None,
    }


def _documents(item: Item, kind: Kind) -> dict[str, Any]:
    """LightEval's document and response."""
    choice = kind is Kind.CHOICE and bool(item.choices)
    golds = [gold.text for gold in item.golds]
    return {
        "kind": "choice" if kind is Kind.CHOICE else "math",
        "query": item.prompt,
        "choices": list(item.choices) if choice else golds,
        "gold_index": list(item.gold_index) if choice else list(range(len(golds))),
        "texts": [each.text for each in item.generations],
        "post": _posts(item) if any(each.post_processed is not None for each in item.generations) else None,
    }


def _posts(item: Item) -> list[str]:
    return [each.text if each.post_processed is None else each.post_processed for each in item.generations]


def _told(text: str, grade: Grade) -> dict[str, str]:
    """Texts that tell LightEval what was read here: in a box, and by the line alone on which it stands."""
    reading = grade.reading
    if not isinstance(reading, Reading) or grade.kind is Kind.CHOICE:
        return {}
    low, high = reading.spans[0][0], reading.spans[-1][1]
    end = text.find("\n", high)
    line = text[text.rfind("\n", 0, low) + 1 : len(text) if end < 0 else end]
    return {"boxed": f"$\\boxed{{{reading.text}}}$", "line": line}


# --------------------------------------------------------------------------- the child


class _Child:
    """One worker, started when it is first needed and again after it was killed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._fresh = True
        self._owner = os.getpid()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any] | None:
        """The worker's answer; None where it took too long or ended."""
        process = self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=_START if self._fresh else SECONDS)
        except (Empty, OSError):
            self.stop()
            return None
        self._fresh = False
        if not line:
            self.stop()
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._lines = SimpleQueue()
            self._fresh = True
            self._process = subprocess.Popen(
                [sys.executable, "-m", "lighteval_fix.upstream.lighteval.replay_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="surrogatepass",
            )
            Thread(target=_forward, args=(self._process, self._lines), daemon=True).start()
        return self._process

    def stop(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        self._process = None

    @property
    def mine(self) -> bool:
        """Not inherited by a fork."""
        return self._owner == os.getpid()


def _forward(process: subprocess.Popen[str], lines: SimpleQueue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


_worker: _Child | None = None


def _child() -> _Child:
    """This process's worker."""
    global _worker
    if _worker is None or not _worker.mine:
        _worker = _Child()
        atexit.register(_worker.stop)
    return _worker
