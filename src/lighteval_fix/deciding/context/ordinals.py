"""The licence about ordinals: `15th day`, `Day 15` and `the fifteenth day` where the question asks which day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ..value import Num, Quantity, Scalar
from .measured import Pair, stem
from .question import ordinal_word
from .sides import Side
from .table import Licence, LicenceKind, of_kind

_DIGITS = re.compile(
    r"(?:(?:on|in|at)\s)?(?:the\s)?(?P<number>\d{1,9})\s?\^?\s?(?:st|nd|rd|th)(?:\s(?P<noun>[^\W\d_]{1,20}))?",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?:(?:on|in|at)\s)?(?P<noun>[^\W\d_]{2,20})\s(?:number\s)?(?P<number>\d{1,9})", re.IGNORECASE)
_LEAD = re.compile(r"^(?:(?:on|in|at)\s)?(?:the\s)?", re.IGNORECASE)


def ordinals(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """An ordinal, or a noun with its number: the number, where the question asks which one."""
    if not isinstance(other.value, (Scalar, Quantity)) and _read(other.plain) is None:
        return
    found = _read(side.plain)
    licence = _licence(question, found[1]) if found is not None else None
    if licence is not None and found is not None:
        value = Scalar(Num(Fraction(found[0])))
        yield Side(value, str(found[0])), other, licence


def _read(text: str) -> tuple[int, str] | None:
    """The number and the noun (or none) of an ordinal."""
    match = _DIGITS.fullmatch(text) or _BEFORE.fullmatch(text)
    if match is not None:
        return int(match["number"]), match["noun"] or ""
    bare = _LEAD.sub("", text.lower())
    for words, noun in ((bare, ""), bare.rpartition(" ")[::2]):
        number = ordinal_word(words) if words and len(words) < 60 else None
        if number is not None:
            return number, noun
    return None


def _licence(question: str, noun: str) -> Licence | None:
    for licence in of_kind(question, LicenceKind.ORDINAL):
        if all(stem(word) in [stem(said) for said in licence.what.split()] for word in noun.split()):
            return licence
    return None
