"""Answers that are one thing: an expression with what was written beside it, a quantity, a numeral, a ratio, words."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from . import matching, numbers, rounding
from .trees import negated
from .trial import Trial
from .units import canonical
from .value import Add, Based, Call, Choice, Const, Mul, Node, Num, Pow, Quantity, Ratio, Scalar, Sym, Value, Words

_DIGITS = {digit: place for place, digit in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")}
_NOT_PROVED = Undecided(UndecidedReason.NOT_PROVED)
_WORDS = Undecided(UndecidedReason.WORDS_DIFFER)
_CURRENCIES = {"dollar": "$", "euro": "€", "pound sterling": "£", "rupee": "₹", "yen": "¥"}
"""Units that are the word for a currency sign."""


def scalars(gold: Scalar, answer: Scalar, trial: Trial) -> Verdict:
    """Two expressions with what was written beside them: a sign on one side only is presentation."""
    verdict = nodes(gold.node, answer.node, trial)
    if isinstance(verdict, Different) and numbers.one_family(gold.node, answer.node, trial):
        return Undecided(UndecidedReason.NOT_PROVED, "the same family of angles")
    if isinstance(verdict, Different) and _turned(gold.node, answer.node, trial):
        return Undecided(UndecidedReason.NOT_PROVED, "an argument, but for whole turns")
    if gold.currency == answer.currency and gold.degree == answer.degree:
        return verdict
    ours, theirs = _signs(gold), _signs(answer)
    if isinstance(verdict, Equal):
        return Undecided(UndecidedReason.SIGNS_DIFFER) if ours - theirs and theirs - ours else verdict
    if isinstance(verdict, Different) and gold.degree != answer.degree:
        turned = Mul((Const("pi"), Num(Fraction(1, 180))))
        one = Mul((gold.node, turned)) if gold.degree else gold.node
        two = Mul((answer.node, turned)) if answer.degree else answer.node
        if isinstance(numbers.compare(one, two, trial), Equal):
            return Undecided(UndecidedReason.SIGNS_DIFFER, "degrees against radians")
    return verdict


def _turned(left: Node, right: Node, trial: Trial) -> bool:
    """Whether one is the argument of a complex number and the other that angle a whole turn away: both are in use."""
    for one, two in ((left, right), (right, left)):
        if isinstance(one, Call) and one.name == "arg" and not (isinstance(two, Call) and two.name == "arg"):
            turns = (Add((one, Mul((Num(Fraction(count)), Const("pi"))))) for count in (2, -2))
            return any(isinstance(numbers.compare(moved, two, trial), Equal) for moved in turns)
    return False


def _signs(value: Scalar) -> set[str]:
    found = {value.currency} if value.currency else set()
    return found | ({"degree"} if value.degree else set())


def nodes(left: Node, right: Node, trial: Trial) -> Verdict:
    """Two expressions, a rounded decimal standing for an exact value included."""
    verdict = numbers.compare(left, right, trial)
    if isinstance(verdict, Equal):
        return verdict
    if rounding.decimal(left) is None and rounding.decimal(right) is None:
        return verdict
    stands = rounding.rounded(left, right, trial)
    if stands:
        trial.note("rounded", "equal", "every digit shown is right")
        return Equal(Proof.ROUNDED, "the exact value, rounded or cut to the digits shown")
    if stands is None:
        return Undecided(UndecidedReason.WITHIN_ROUNDING)
    return verdict


def compare(gold: Value, answer: Value, trial: Trial) -> Verdict | None:
    """Two single things; None where one of them is not."""
    gold, answer = sign_for_word(gold), sign_for_word(answer)
    match gold, answer:
        case Scalar(), Scalar():
            return scalars(gold, answer, trial)
        case Quantity(), Quantity():
            if gold.unit == answer.unit or canonical(gold.unit) == canonical(answer.unit):
                return nodes(gold.node, answer.node, trial)
            return _written_out(gold, answer, trial) or Undecided(UndecidedReason.UNITS_DIFFER)
        case (Quantity(), Scalar() | Based() | Ratio()) | (Scalar() | Based() | Ratio(), Quantity()):
            return _written_out(gold, answer, trial) or Undecided(UndecidedReason.UNIT_ON_ONE_SIDE)
        case Based(), Based() if gold.base == answer.base and gold.digits.lstrip("0") == answer.digits.lstrip("0"):
            return Equal(Proof.EXACT)
        case (Based(), Based() | Scalar()) | (Scalar(), Based()):
            one, two = _as_scalar(gold), _as_scalar(answer)
            return _NOT_PROVED if one is None or two is None else scalars(one, two, trial)
        case Ratio(), Ratio():
            return _ratios(gold, answer, trial)
        case (Ratio(), Scalar()) | (Scalar(), Ratio()):
            one, two = _as_scalar(gold), _as_scalar(answer)
            return _NOT_PROVED if one is None or two is None else scalars(one, two, trial)
        case _:
            return None


_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def _written_out(gold: Value, answer: Value, trial: Trial) -> Verdict | None:
    """Equal where `2.5 million` stands beside 2500000, with the same unit or without one; else None."""
    one, two = _in_digits(gold), _in_digits(answer)
    if one is gold and two is answer:
        return None
    verdict = compare(one, two, trial)
    return verdict if isinstance(verdict, Equal) else None


def _in_digits(value: Value) -> Value:
    match value:
        case Quantity(node=node, unit=((words, 1), *rest)):
            first, _, others = words.partition(" ")
            if first.lower() in _LARGE:
                unit = (*(((others, 1),) if others else ()), *rest)
                node = Mul((node, Num(Fraction(_LARGE[first.lower()]))))
                return _in_digits(sign_for_word(Quantity(node, unit)) if unit else Scalar(node))
    return value


def sign_for_word(value: Value) -> Value:
    """`48 degrees` as 48°, `4 dollars` as $4."""
    match value:
        case Quantity(node=node, unit=(("degree", 1),)):
            return Scalar(node, degree=True)
        case Quantity(node=node, unit=((_, 1),)):
            match canonical(value.unit):
                case ((name, 1),) if name in _CURRENCIES:
                    return Scalar(node, currency=_CURRENCIES[name])
            return value
        case _:
            return value


def _as_scalar(value: Value) -> Scalar | None:
    match value:
        case Scalar():
            return value
        case Based():
            node = based_value(value)
            return None if node is None else Scalar(node)
        case Ratio(terms=(over, under)) if not _like_clock(value):
            return Scalar(Mul((over, Pow(under, Num(Fraction(-1))))))
        case _:
            return None


def based_value(value: Based) -> Node | None:
    """The number that the digits name."""
    if value.base < 2 or value.base > len(_DIGITS) or len(value.digits) > 2_000:
        return None
    text = value.digits if value.base > 36 else value.digits.upper()
    negative = text.startswith("-")
    whole, _, part = text.lstrip("-").partition(".")
    total = 0
    for digit in whole + part:
        place = _DIGITS.get(digit)
        if place is None or place >= value.base:
            return None
        total = total * value.base + place
    number = Num(Fraction(total, value.base ** len(part)))
    return negated(number) if negative else number


# --------------------------------------------------------------------------- ratios


def _ratios(gold: Ratio, answer: Ratio, trial: Trial) -> Verdict:
    if len(gold.terms) != len(answer.terms):
        return Different(Proof.KINDS, "ratios of other lengths")

    def each(one: Value, two: Value) -> Verdict:
        assert isinstance(one, Scalar)
        assert isinstance(two, Scalar)
        return scalars(one, two, trial)

    ours, theirs = [Scalar(term) for term in gold.terms], [Scalar(term) for term in answer.terms]
    same = matching.in_order(ours, theirs, each)
    if isinstance(same, Equal):
        return same
    crossed = [
        numbers.compare(Mul((a, d)), Mul((b, c)), trial)
        for (a, b), (c, d) in zip(pairwise(gold.terms), pairwise(answer.terms), strict=True)
    ]
    for verdict in crossed:
        if isinstance(verdict, Different):
            return Different(verdict.proof, "not proportional")
    if all(isinstance(verdict, Equal) for verdict in crossed):
        zero = any(isinstance(term, Num) and term.value == 0 for term in (*gold.terms, *answer.terms))
        if zero or _like_clock(gold) or _like_clock(answer):
            return Undecided(UndecidedReason.NOT_PROVED, "equal as a ratio, not as a time of day")
        return Equal(Proof.EXACT, "proportional")
    return same if isinstance(same, Undecided) else _NOT_PROVED


def _like_clock(value: Ratio) -> bool:
    """`10:30` may be a time of day."""
    match value.terms:
        case (Num(value=hours), Num(value=minutes)):
            return hours.denominator == minutes.denominator == 1 and 0 <= hours <= 24 and 10 <= minutes < 60
        case _:
            return False


# --------------------------------------------------------------------------- words and labels


def words(gold: Value, answer: Value) -> Verdict | None:
    """Where one side is words or a choice label; None where neither is."""
    if not (isinstance(gold, (Words, Choice)) or isinstance(answer, (Words, Choice))):
        return None
    one, two = _label(gold), _label(answer)
    if one is not None and two is not None and (isinstance(gold, Choice) or isinstance(answer, Choice)):
        if one == two:
            return Equal(Proof.SAME_LABEL)
        return Different(Proof.SAME_LABEL) if isinstance(gold, Choice) and isinstance(answer, Choice) else _WORDS
    if isinstance(gold, Words) and isinstance(answer, Words):
        if gold.text == answer.text:
            return Equal(Proof.WORDS)
        return Different(Proof.WORDS) if exclusive(gold.text, answer.text) else _WORDS
    return _WORDS


def _label(value: Value) -> str | None:
    match value:
        case Choice(label=label):
            return label
        case Scalar(node=Sym(name=name)) if len(name) == 1:
            return name
        case _:
            return None


_EXCLUSIVE = tuple(
    frozenset(group)
    for group in (
        ("yes", "no"),
        ("true", "false"),
        ("even", "odd"),
        ("increasing", "decreasing", "constant"),
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october")
        + ("november", "december"),
        ("north", "south", "east", "west"),
        ("convergent", "divergent"),
        ("converges", "diverges"),
    )
)
"""Single words of which no two mean the same."""


def exclusive(one: str, two: str) -> bool:
    """Whether the two words exclude one another."""
    first, second = one.strip(" .!").casefold(), two.strip(" .!").casefold()
    if first == second:
        return False
    if _CLOCK.fullmatch(first) and _CLOCK.fullmatch(second):
        return True
    return any(first in group and second in group for group in _EXCLUSIVE)


_CLOCK = re.compile(r"(?:[1-9]|1[0-2]):[0-5]\d [ap]m")
"""Times of day as the parser writes them: two that are written differently are two times."""
