"""What the graders of maths and choices share: whether a generation was finished, and the making of a `Grade`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..model import (
    Generation,
    Grade,
    Item,
    Kind,
    Mark,
    NoAnswer,
    Policy,
    Reading,
    Split,
    SplitState,
    Standing,
    Verdict,
)
from ..text.reasoning import split_reasoning

if TYPE_CHECKING:
    from ..reading.profile import Profile

_CUT_OFF = ("length", "max_tokens", "max_length", "model_length", "max_output_tokens", "token_limit")


@lru_cache(maxsize=len(Policy))
def policies_of(policy: Policy) -> tuple[Policy, ...]:
    """The policies at or below `policy`, strictest first."""
    order = tuple(Policy)
    return order[: order.index(policy) + 1]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a generation ended.

    Args:
        split: cut into reasoning and answer, unfinished where the run's profile says so.
        open_trace: its reasoning was never closed.
        inferred: that is inferred from the prompt or the run's other generations, not seen in this one.
        cut_off: the harness says that it ran into its token limit.
    """

    split: Split
    open_trace: bool
    inferred: bool
    cut_off: bool

    @property
    def finished(self) -> bool:
        return not (self.open_trace or self.cut_off)

    def marks(self) -> tuple[Mark, ...]:
        if self.finished:
            return ()
        return (Mark.UNFINISHED, Mark.UNFINISHED_INFERRED) if self.inferred else (Mark.UNFINISHED,)


def ending_of(item: Item, generation: Generation, profile: Profile | None) -> Ending:
    """How `generation` ended, by its own text, by the harness's record, and by the run's profile."""
    limit = item.generation_limit
    reason = (generation.finish_reason or "").lower()
    if profile is None:
        split, inferred = split_reasoning(generation.text), False
    else:
        seen = profile.state(
            generation.text,
            prompt=item.prompt,
            finish_reason=generation.finish_reason,
            tokens=generation.tokens,
            limit=limit,
        )
        split, inferred = seen.split, seen.inferred
    # A harness that keeps reasoning apart leaves an empty answer where the trace ran into the limit.
    apart = bool(generation.reasoning) and not generation.text.strip()
    full = limit is not None and generation.tokens is not None and generation.tokens >= limit
    open_trace = split.state is SplitState.UNFINISHED or apart
    return Ending(split, open_trace, inferred, reason in _CUT_OFF or (full and not reason))


def standing_of(verdict: Verdict) -> Standing:
    """The standing that a verdict comes to."""
    match verdict.kind:
        case "equal":
            return Standing.RIGHT
        case "different":
            return Standing.WRONG
        case "undecided":
            return Standing.UNDECIDED


def make_grade(
    item: Item,
    sample: int,
    kind: Kind,
    reading: Reading | NoAnswer | None,
    ending: Ending,
    *,
    golds: tuple[str, ...],
    standings: tuple[tuple[Policy, Standing], ...],
    verdict: Verdict | None = None,
    matched_gold: int | None = None,
    detail: str = "",
) -> Grade:
    """A grade whose standing is the one under the policy in force, the last of `standings`."""
    standing = standings[-1][1]
    finished = ending.finished
    marks = ending.marks()
    if isinstance(reading, Reading) and (reading.marks or reading.in_reasoning):
        marks = tuple(dict.fromkeys(marks + reading.marks + ((Mark.IN_REASONING,) if reading.in_reasoning else ())))
    return Grade(
        id=item.id,
        row=item.row,
        task=item.task,
        sample=sample,
        samples=len(item.generations),
        kind=kind,
        standing=standing,
        golds=golds,
        matched_gold=matched_gold,
        reading=reading,
        verdict=verdict,
        by_policy=standings,
        unfinished_standing=standing if finished or standing is Standing.ERROR else Standing.NO_ANSWER,
        finished=finished,
        marks=marks,
        recorded=item.recorded,
        detail=detail,
        text_length=len(item.generations[sample].text),
    )
