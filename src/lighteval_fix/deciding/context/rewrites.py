"""Pairs that the question lets stand for a pair, to be decided by the rules of `value`.

A rewrite never loosens a comparison. It says: by these words of the question, this answer may be read as that value.
Whether the two are then equal is proved as anywhere else, so the policy only ever adds equals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..parsing.presentation import repaired
from ..value import (
    Assignment,
    Compound,
    Function,
    Interval,
    Listing,
    Matrix,
    Parsed,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetOf,
    Tuple,
    Union,
    Unparsed,
    Value,
    Words,
)
from . import formed, measured, named, ordinals, restated, rounded, worded
from .measured import Pair
from .sides import MAX_TEXT, Side, read
from .table import Licence

MAX_REWRITES = 40
"""Pairs handed out for one decision."""
MAX_CHAIN = 3
"""Licences that may be combined: a unit, a name and a rounding."""

Applied = tuple[int, bool]
"""A rule by its place, and whether it read the gold."""
Rule = Callable[[str, Side, Side, bool], Iterator[Pair]]

_LISTS = (Tuple, Listing, SetOf)
_ANY = (object,)
_LETTERED = "a-z"
"""In the place of marks: the text must hold a letter, or a sign that is a unit."""
_PI = "pπ𝜋ϖ"
RULES: tuple[tuple[Rule, tuple[type, ...], str], ...] = (
    (measured.units, (Quantity, Scalar, Assignment, *_LISTS), _LETTERED),
    (ordinals.ordinals, (Words, Quantity, type(None)), ""),
    (measured.percent, (Scalar, *_LISTS), ""),
    (measured.based, (Scalar,), ""),
    (measured.ratio, (Ratio,), ""),
    (measured.residue, (Scalar, Relation), _LETTERED),
    (measured.quotient, _LISTS, ""),
    (measured.angle, (Scalar, Quantity, *_LISTS), ""),
    (measured.pi_value, _ANY, _PI),
    (measured.number_words, (Words,), ""),
    (formed.vector, (Matrix,), ""),
    (formed.listed, (Listing,), ""),
    (formed.interval, (Tuple,), ""),
    (formed.values_of, (Relation, Compound), "("),
    (formed.integers, (Compound,), ""),
    (formed.monotone, (Interval, Tuple, Union), ""),
    (formed.ordered, (Relation,), ""),
    (formed.line, (Scalar, Function), _LETTERED),
    (formed.unit_vectors, (Scalar,), "jk"),
    (formed.factor, (Relation,), ""),
    (formed.estimate, (Relation,), ""),
    (formed.function, (Function,), ""),
    (formed.constant, _ANY, _LETTERED),
    (formed.letter_case, _ANY, _LETTERED),
    (formed.parameter, _ANY, _LETTERED),
    (worded.option, _ANY, _LETTERED),
    (named.names, _ANY, "=:"),
    (named.labels, _ANY, "=:"),
    (named.solutions, (Compound,), ""),
    (worded.definition, _ANY, "=fw"),
    (worded.joined, _ANY, "="),
    (restated.alternatives, _ANY, " ~"),
    (restated.filler, (type(None),), ""),
    (restated.part_of, (type(None),), "o"),
    (restated.ratio_words, (type(None),), "o"),
    (restated.point, (type(None), Assignment), "("),
    (restated.restated, _ANY, " ~"),
    (rounded.rounded, (Scalar, Quantity), ""),
)
"""Each rule with the kinds of value it reads, and characters of which the text must hold one (none: any text)."""


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
    for number, rule, on_gold in _rules_for(gold.kind, answer.kind, _held(gold), _held(answer)):
        if (number, on_gold) in used:
            continue
        one, two = (gold, answer) if on_gold else (answer, gold)
        for new_one, new_two, licence in rule(question, one, two, on_gold):
            pair = (new_one, new_two) if on_gold else (new_two, new_one)
            yield *pair, licence, (number, on_gold)


@lru_cache(maxsize=4096)
def _rules_for(gold: type, answer: type, in_gold: int, in_answer: int) -> tuple[tuple[int, Rule, bool], ...]:
    """The rules that read values of these types in texts that hold these marks, in order; each with its place and the
    side it reads."""
    return tuple(
        (number, rule, on_gold)
        for number, (rule, kinds, marks) in enumerate(RULES)
        for on_gold, kind, held in ((False, answer, in_answer), (True, gold, in_gold))
        if issubclass(kind, kinds) and (not marks or held & _BITS[marks])
    )


_BITS = {marks: 1 << place for place, marks in enumerate(dict.fromkeys(marks for _, _, marks in RULES if marks))}
_NUMBER = re.compile(r"-?[\d.]{1,40}")


def _held(side: Side) -> int:
    """Which marks the text holds, a bit each."""
    if _NUMBER.fullmatch(side.text) is not None:
        return 0
    return sum(bit for marks, bit in _BITS.items() if _holds(side.text, marks))


def _holds(text: str, marks: str) -> bool:
    return (
        any(char.isalpha() or char in "¢°" for char in text)
        if marks is _LETTERED
        else any(mark in text for mark in marks)
    )


def _side(parsed: Parsed | Unparsed, text: str) -> Side:
    text = repaired(text)
    if isinstance(parsed, Unparsed) and "$" in text:
        bare = read(re.sub(r"(?<!\\)\$", " ", text))
        if bare is not None:
            return bare
    if not isinstance(parsed, Parsed):
        return Side(None, text)
    return Side(parsed.value, text, parsed.other if isinstance(parsed.other, Quantity) else None)
