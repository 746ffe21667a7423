"""Pairs that the question lets stand for a pair, to be decided by the rules of `value`.

A rewrite never loosens a comparison. It says: by these words of the question, this answer may be read as that value.
Whether the two are then equal is proved as anywhere else, so the policy only ever adds equals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..parsing.presentation import repaired
from ..value import Parsed, Unparsed, Value
from . import formed, measured, rounded, worded
from .measured import Pair
from .sides import MAX_TEXT, Side
from .table import Licence

MAX_REWRITES = 40
"""Pairs handed out for one decision."""
MAX_CHAIN = 3
"""Licences that may be combined: a unit, a name and a rounding."""

Applied = tuple[int, bool]
"""A rule by its place, and whether it read the gold."""
Rule = Callable[[str, Side, Side, bool], Iterator[Pair]]

RULES: tuple[Rule, ...] = (
    measured.units,
    measured.ordinals,
    measured.percent,
    measured.based,
    measured.ratio,
    measured.quotient,
    measured.angle,
    measured.number_words,
    formed.vector,
    formed.listed,
    formed.interval,
    formed.ordered,
    formed.line,
    formed.factor,
    formed.estimate,
    formed.function,
    formed.constant,
    formed.letter_case,
    formed.parameter,
    worded.option,
    worded.names,
    worded.labels,
    worded.definition,
    worded.joined,
    worded.alternatives,
    worded.restated,
    rounded.rounded,
)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A pair that stands for the pair asked about.

    Args:
        gold, answer: the values to compare.
        evidence: the words of the question that allow it, each after the name of its licence.
    """

    gold: Value
    answer: Value
    evidence: str


def rewrites(
    question: str, gold: Parsed | Unparsed, answer: Parsed | Unparsed, gold_text: str, answer_text: str
) -> Iterator[Rewrite]:
    """Every pair that the question lets stand for this one, fewest licences first; at most `MAX_REWRITES`.

    Args:
        question: the current question alone, never a whole prompt with worked examples.
        gold, answer: as parsed.
        gold_text, answer_text: as given; options, names and sentences are read from them.
    """
    if len(gold_text) > MAX_TEXT or len(answer_text) > MAX_TEXT:
        return
    start = (_side(gold, gold_text), _side(answer, answer_text))
    todo: list[tuple[Side, Side, tuple[Licence, ...], frozenset[Applied]]] = [(*start, (), frozenset())]
    seen = {(start[0].value, start[1].value)}
    handed = 0
    while todo:
        ours, theirs, licences, used = todo.pop(0)
        for new_gold, new_answer, licence, applied in _step(question, ours, theirs, used):
            key = (new_gold.value, new_answer.value)
            if key in seen or new_gold.value is None or new_answer.value is None:
                continue
            seen.add(key)
            chain = (*licences, licence)
            yield Rewrite(new_gold.value, new_answer.value, "; ".join(f"{one.kind}: “{one.quote}”" for one in chain))
            handed += 1
            if handed >= MAX_REWRITES:
                return
            if len(chain) < MAX_CHAIN:
                todo.append((new_gold, new_answer, chain, used | {applied}))


def _step(
    question: str, gold: Side, answer: Side, used: frozenset[Applied]
) -> Iterator[tuple[Side, Side, Licence, Applied]]:
    """Every rule on either side, each at most once a side in one chain."""
    for number, rule in enumerate(RULES):
        if (number, False) not in used:
            for new_answer, new_gold, licence in rule(question, answer, gold, False):
                yield new_gold, new_answer, licence, (number, False)
        if (number, True) not in used:
            for new_gold, new_answer, licence in rule(question, gold, answer, True):
                yield new_gold, new_answer, licence, (number, True)


def _side(parsed: Parsed | Unparsed, text: str) -> Side:
    return Side(parsed.value if isinstance(parsed, Parsed) else None, repaired(text))
