"""Where an answer may stand: the window that is read, and the spans that were seen there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..model import NoAnswer, NoAnswerReason, Reading, Rule, Span, Split, SplitState, Unfinished
from ..text.angles import angles
from ..text.reasoning import DEFAULT_TAGS, split_reasoning
from ..text.scan import strip_window

PASSED_OVER = 8
"""How many outranked candidates a reading keeps for `explain`."""

_ENDS = (
    r"<\|(?:im_end|eot_id|endoftext|end_of_text|end_of_solution|return|end|eom_id|END_RESPONSE|END_OF_TURN_TOKEN)\|>|<\|im_start\|>user"
    r"|<\|start_header_id\|>user|</s>|<end_of_turn>|<eos>|<｜end▁of▁sentence｜>"
)
_END_OF_TURN = re.compile(_ENDS)
_LEADING_ENDS = re.compile(rf"(?:(?:{_ENDS})\s*)+")
_TOKEN_SIGNS = frozenset("|/es｜")
_OPENERS = re.compile(r"(?:<\|begin_of_solution\|>|<\|START_RESPONSE\|>|<\|message\|>|<solution>)\s*")


_POLICIES = {str(policy.value): policy for policy in Unfinished}


class View(NamedTuple):
    """The part of `text` that is read: `lo:hi`, and whether it lies in a trace that was never closed."""

    text: str
    lo: int
    hi: int
    in_reasoning: bool


def view_of(text: str, unfinished: str, split: Split | None) -> View | NoAnswer:
    """The window that may hold the answer: the answer part up to the first end-of-turn token.

    Raises:
        ValueError: `unfinished` is neither "read" nor "no-answer".
    """
    policy = _POLICIES.get(unfinished) or Unfinished(unfinished)
    split = split_reasoning(text) if split is None else split
    lo, hi, inside = split.answer_start, split.answer_end, False
    if split.state is SplitState.UNFINISHED:
        if policy is Unfinished.NO_ANSWER:
            return NoAnswer(NoAnswerReason.UNFINISHED)
        lo, hi, inside = 0, len(text), True
    lo, hi = strip_window(text, lo, hi)
    if inside:
        lo += max((len(tag) for tag, _ in DEFAULT_TAGS if text.startswith(tag, lo)), default=0)
        lo, hi = strip_window(text, min(lo, hi), hi)
    if lo == hi:
        return NoAnswer(NoAnswerReason.EMPTY)
    if angles(text) != ():
        lo, hi = _turn(text, lo, hi)
        if lo == hi:
            return NoAnswer(NoAnswerReason.EMPTY)
    return View(text, lo, hi, inside)


def _turn(text: str, lo: int, hi: int) -> Span:
    """`lo:hi` from the token that opens the answer up to the first one that ends the turn."""
    opener = _OPENERS.match(text, lo, hi)
    if opener is not None:
        lo = opener.end()
    ended = _LEADING_ENDS.match(text, lo, hi)
    if ended is not None:
        lo = ended.end()
    for at in _brackets(text, lo, hi):
        m = _END_OF_TURN.match(text, at, hi)
        if m is None:
            continue
        if text[lo:at].strip():
            hi = at
            break
        lo = m.end()
    return strip_window(text, lo, hi)


def _brackets(text: str, lo: int, hi: int) -> Iterator[int]:
    """Where a token may begin: brackets, by a letter or sign that some token has there."""
    brackets = angles(text)
    if brackets is None:
        yield from (m.start() for m in _END_OF_TURN.finditer(text, lo, hi))
        return
    for at in brackets:
        if lo <= at < hi and text[at + 1] in _TOKEN_SIGNS:
            yield at


class Candidate(NamedTuple):
    """A string that may be the answer: its spans (several where boxes form a list), its text, the rule that saw it.

    `start` and `end` bound the whole construct (cue, box, tag), which is what a later correction is measured from.
    """

    start: int
    end: int
    spans: tuple[Span, ...]
    text: str
    rule: Rule

    def reading(self, view: View, over: PassedOver | None = None, rule: Rule | None = None) -> Reading:
        """This candidate as the answer."""
        seen = () if over is None else over.without(self.spans)
        return Reading(self.text, self.spans, rule or self.rule, view.in_reasoning, passed_over=seen)


@dataclass(slots=True)
class PassedOver:
    """Collects what was seen and not taken, at most `PASSED_OVER` spans."""

    seen: list[tuple[Span, Rule]] = field(default_factory=list)

    def add(self, candidate: Candidate | None) -> None:
        """Note a candidate that may lose."""
        if candidate is not None:
            for span in candidate.spans:
                self.note(span, candidate.rule)

    def note(self, span: Span, rule: Rule) -> None:
        """Note a span that may lose."""
        if len(self.seen) < PASSED_OVER and all(span != s for s, _ in self.seen):
            self.seen.append((span, rule))

    def without(self, spans: tuple[Span, ...]) -> tuple[tuple[Span, Rule], ...]:
        """Everything noted but the winner's own spans."""
        return tuple((s, r) for s, r in self.seen if s not in spans)
