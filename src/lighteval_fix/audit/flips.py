"""Why a verdict changed: the smallest change to the recorded grader's behaviour that explains it.

Inferred by looking at what that grader would have taken from the same text (`habits`), or at what it recorded as
its prediction, beside what was read here. Each test is one counterfactual: had the grader done this one thing
otherwise, it would have come to our verdict. They are tried from the smallest change to the largest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..model import (
    Cause,
    Change,
    Different,
    Equal,
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
    Span,
    Split,
    SplitState,
    Standing,
    Undecided,
    UndecidedReason,
)
from ..text.reasoning import split_reasoning
from .grades import by_generation, standing_under
from .habits import Step, Taken, letter_taken, maths_taken

_LINES = (Rule.ANSWER_LINE, Rule.REQUESTED, Rule.CORRECTION, Rule.CUE_LETTER)


@dataclass(frozen=True, slots=True)
class Case:
    """One changed verdict with everything the tests look at.

    `taken` is what the recorded grader took, in offsets of the generation's own text (None: nothing, or unknown).
    """

    item: Item
    generation: Generation
    grade: Grade
    split: Split
    taken: Taken | None
    recovered: bool
    lighteval: bool

    @property
    def reading(self) -> Reading | None:
        return self.grade.reading if isinstance(self.grade.reading, Reading) else None

    @property
    def in_reasoning(self) -> bool:
        """What was taken stands in reasoning that was closed, and that the grader should not have seen."""
        closed = self.split.state in (SplitState.CLOSED, SplitState.CLOSED_ONLY)
        return self.taken is not None and closed and self.taken.end <= self.split.answer_start

    @property
    def open_trace(self) -> bool:
        """The text is reasoning that was never closed, as it shows or as the run shows."""
        return self.split.state is SplitState.UNFINISHED or Mark.UNFINISHED_INFERRED in self.grade.marks

    @property
    def same_text(self) -> bool:
        return (
            self.taken is not None and self.reading is not None and _bare(self.taken.text) == _bare(self.reading.text)
        )

    @property
    def overlaps(self) -> bool:
        """What was taken and what was read share characters of the text."""
        if self.taken is None or self.reading is None:
            return False
        return any(self.taken.start < b and a < self.taken.end for a, b in self.reading.spans)


def infer(item: Item, grade: Grade, grades: Sequence[Grade], *, lighteval: bool = True) -> Cause | None:
    """The cause of `grade`'s changed verdict.

    `lighteval` says that LightEval graded the run, whose habits are known; of another harness nothing but its
    recorded prediction is. Where only the item was scored, the samples that the recorded grader would have marked
    otherwise carry the cause, and None is returned for the others.
    """
    case = _case(item, grade, lighteval)
    if not by_generation(grades) and not _to_blame(case):
        return None
    tests = {Kind.MATH: _MATH, Kind.CHOICE: _CHOICE, Kind.CODE: _CODE}[grade.kind]
    for test in tests:
        if (cause := test(case)) is not None:
            return cause
    return Cause.UNEXPLAINED


def _to_blame(case: Case) -> bool:
    """Whether this sample can have moved the item's score: a right one was not credited, or a wrong one was."""
    right = case.grade.standing is Standing.RIGHT
    if right is not case.recovered:
        return False
    return not (case.same_text and right)


def _case(item: Item, grade: Grade, lighteval: bool) -> Case:
    generation = item.generations[grade.sample]
    return Case(
        item=item,
        generation=generation,
        grade=grade,
        split=split_reasoning(generation.text),
        taken=_taken(item, grade, generation, lighteval),
        recovered=grade.change is Change.RECOVERED,
        lighteval=lighteval,
    )


def _taken(item: Item, grade: Grade, generation: Generation, lighteval: bool) -> Taken | None:
    text = generation.text
    if generation.predicted is not None:
        at = text.rfind(generation.predicted) if generation.predicted else -1
        return Taken(generation.predicted, at, at + len(generation.predicted), Step.ANYWHERE) if at >= 0 else None
    if not lighteval:
        return None
    offset = 0
    post = generation.post_processed
    if post is not None and post != text and post and text.endswith(post) and not _graded_raw(item):
        offset, text = len(text) - len(post), post
    match grade.kind:
        case Kind.MATH:
            found = next(maths_taken(text), None)
        case Kind.CHOICE:
            found = letter_taken(text, grade_labels(item))
        case Kind.CODE:
            found = None
    return None if found is None else Taken(found.text, found.start + offset, found.end + offset, found.step)


def taken_span(item: Item, grade: Grade, *, lighteval: bool) -> Span | None:
    """Where the text stands that the recorded grader took for the answer, as far as that is known."""
    found = _taken(item, grade, item.generations[grade.sample], lighteval)
    return None if found is None else (found.start, found.end)


def _graded_raw(item: Item) -> bool:
    """LightEval's avg@n hands each sample to its metric as it was generated, reasoning included."""
    return bool(item.recorded) and all(recorded.metric.startswith("avg@n") for recorded in item.recorded)


def grade_labels(item: Item) -> tuple[str, ...]:
    """The labels in question, as the choice grader sees them."""
    from ..grading.choice import labels_of

    return labels_of(item)


def _bare(text: str) -> str:
    text = re.sub(r"\\(?:text|mathrm|mathbf|boxed)\s*\{([^{}]*)\}", r"\1", text)
    return re.sub(r"[\s$]|\\[,;!]|\\left|\\right|^\\\(|\\\)$", "", text).strip(".*")


# --------------------------------------------------------------------------- tests shared by maths and choices


def _not_closed(case: Case) -> Cause | None:
    """Credited, or lost, in a text that breaks off: inside its reasoning, or in the middle of its last box."""
    reading = case.grade.reading
    if not isinstance(reading, NoAnswer):
        return None
    if reading.reason is NoAnswerReason.UNFINISHED:
        credited = case.open_trace and not case.recovered
        return Cause.CREDITED_FROM_REASONING if credited else Cause.UNFINISHED
    return None if case.grade.finished else Cause.UNFINISHED


def _raw_text(case: Case) -> Cause | None:
    """The harness had removed the reasoning, and its sampling metric was handed the text from before."""
    if not (case.recovered and case.in_reasoning and _graded_raw(case.item)):
        return None
    removed = case.generation.post_processed not in (None, case.generation.text)
    return Cause.RAW_TEXT_SCORED if removed else None


def _from_reasoning(case: Case) -> Cause | None:
    """Reasoning was graded: by a concluding phrase in it, or because it was not removed at all."""
    if not case.in_reasoning or case.taken is None:
        return None
    if not case.recovered:
        return Cause.CREDITED_FROM_REASONING
    return Cause.REASONING_PHRASE if case.taken.step is Step.FINAL_PHRASE else Cause.REASONING_NOT_REMOVED


_SLOT = re.compile(r"\$?(?:\\(?:boxed|text|mathrm)\{)*(?:ANSWER|LETTER|OPTION|answer|letter)\b")


def _template(case: Case) -> Cause | None:
    """A restated template was taken for the answer."""
    if case.taken is None or case.same_text:
        return None
    return Cause.RESTATED_TEMPLATE if _SLOT.fullmatch(case.taken.text.strip(" {}*\"'`()")) else None


def _nothing_taken(case: Case) -> Cause | None:
    """The harness had no prediction."""
    return None if case.taken is not None else Cause.ANSWER_UNREAD


# --------------------------------------------------------------------------- maths


def _licensed(case: Case) -> Cause | None:
    """Only the question makes it right, and no reading of the harness's sees the question."""
    if not case.recovered or case.reading is None or _is_words(case.reading.text):
        return None
    return Cause.LICENSED if standing_under(case.grade, Policy.VALUE) is not Standing.RIGHT else None


def _compared_otherwise(case: Case) -> Cause | None:
    """The same answer was read; the two comparisons differ."""
    if case.reading is None or case.taken is None:
        return None
    if not case.same_text and (case.overlaps or not _equal(case.taken.text, case.reading.text)):
        return None
    if _gold_misread(case):
        return Cause.GOLD_MISREAD
    if case.recovered:
        return Cause.WORD_ANSWER if _is_words(case.reading.text) else Cause.NOTATION
    return _too_lenient(case)


def _too_lenient(case: Case) -> Cause:
    match case.grade.verdict:
        case Undecided(reason=UndecidedReason.WITHIN_ROUNDING):
            return Cause.TOLERANCE
        case Undecided(reason=UndecidedReason.LIST_OR_TUPLE) | Different(proof=Proof.KINDS | Proof.MEMBERS):
            return Cause.KINDS_CONFUSED
        case Undecided(reason=UndecidedReason.UNIT_ON_ONE_SIDE | UndecidedReason.UNITS_DIFFER):
            return Cause.FRAGMENT_COMPARED
        case Undecided(reason=UndecidedReason.NAMES_DIFFER | UndecidedReason.WORDS_DIFFER):
            return Cause.FRAGMENT_COMPARED
        case Different(proof=Proof.EXACT | Proof.ENCLOSURE | Proof.ROUNDED | Proof.REFUTED):
            both = [*case.grade.golds, case.reading.text if case.reading else ""]
            return Cause.TOLERANCE if any("." in text for text in both) else Cause.NOTATION
        case _:
            return Cause.NOTATION


def _gold_misread(case: Case) -> bool:
    """The grader took something else from every gold than was read here."""
    for held, read in zip(case.item.golds, case.grade.golds, strict=False):
        taken = next(maths_taken(held.text), None)
        if taken is None or _bare(taken.text) == _bare(read) or _equal(taken.text, read):
            return False
    return bool(case.item.golds)


def _equal(first: str, second: str) -> bool:
    from ..deciding import decide

    return isinstance(decide(first, second, policy="value", timeout=2.0), Equal)


def _line_unread(case: Case) -> Cause | None:
    """The answer line alone, without anything before it, would not have been read whole either: it holds no formula
    in delimiters and no lone number, or nothing but words."""
    reading = case.reading
    if reading is None or not case.recovered or reading.rule not in _LINES or not case.lighteval:
        return None
    text = case.generation.text
    low, high = reading.spans[0][0], reading.spans[-1][1]
    line = text[text.rfind("\n", 0, low) + 1 : _line_end(text, high)]
    alone = next(maths_taken(line), None)
    if alone is not None and (_bare(alone.text) == _bare(reading.text) or _equal(alone.text, reading.text)):
        return None
    return Cause.WORD_ANSWER if _is_words(reading.text) else Cause.ANSWER_LINE_UNREAD


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _words(case: Case) -> Cause | None:
    """A word in a box or a phrase, for which the maths parser has no reading."""
    words = case.recovered and case.reading is not None and _is_words(case.reading.text)
    return Cause.WORD_ANSWER if words else None


def _fragment(case: Case) -> Cause | None:
    """Part of the answer was taken for the whole."""
    if not case.overlaps or case.taken is None or case.reading is None:
        return None
    low, high = case.reading.spans[0][0], case.reading.spans[-1][1]
    inside = low <= case.taken.start and case.taken.end <= high
    return Cause.FRAGMENT_COMPARED if inside or not case.recovered else Cause.ANSWER_UNREAD


def _another_place(case: Case) -> Cause | None:
    """Another part of the text was taken."""
    if case.taken is None:
        return None
    if case.reading is not None and case.reading.rule in _LINES:
        return Cause.ANSWER_LINE_OUTRANKED if case.taken.step <= Step.BOX else Cause.ANSWER_LINE_UNREAD
    return Cause.ANSWER_UNREAD


def _is_words(text: str) -> bool:
    """Letters of a word and nothing to compute with."""
    plain = re.sub(r"\\(?:text|mathrm|textbf)\s*\{([^{}]*)\}", r"\1", text)
    return bool(re.search(r"[A-Za-z]{2}", plain)) and not re.search(r"[\d\\^_=+]", plain)


# --------------------------------------------------------------------------- choices


def _dollars(case: Case) -> Cause | None:
    """The letter stood in dollars, which no pattern allows."""
    if case.reading is None or case.same_text or case.generation.predicted is not None:
        return None
    start = case.reading.spans[0][0]
    before = case.generation.text[max(0, start - 12) : start]
    return Cause.LETTER_IN_DOLLARS if re.search(r"\$\s*(?:\\\w+\{)*\s*\(?$", before) else None


def _letter_elsewhere(case: Case) -> Cause | None:
    if case.taken is None or case.same_text:
        return None
    if case.generation.predicted is not None:
        return Cause.ANSWER_UNREAD
    if case.taken.step >= Step.START:
        return Cause.LAST_LETTER
    if case.reading is None or case.reading.rule not in _LINES:
        return Cause.ANSWER_UNREAD
    return Cause.ANSWER_LINE_OUTRANKED if case.taken.step is Step.FINAL_PHRASE else Cause.ANSWER_LINE_UNREAD


_Test = Callable[[Case], Cause | None]
_MATH: tuple[_Test, ...] = (
    _not_closed,
    _raw_text,
    _template,
    _licensed,
    _line_unread,
    _compared_otherwise,
    _words,
    _from_reasoning,
    _fragment,
    _nothing_taken,
    _another_place,
)
_CHOICE: tuple[_Test, ...] = (
    _not_closed,
    _raw_text,
    _template,
    _dollars,
    _from_reasoning,
    _nothing_taken,
    _letter_elsewhere,
)
_CODE: tuple[_Test, ...] = ()
"""Programs are re-enacted where they are graded; what that leaves open has no cause."""
