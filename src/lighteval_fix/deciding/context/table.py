"""What the words of a question license: rows of `licences.toml` that it meets, each with the words that meet it.

Only the current question is read. A worked example in a prompt licenses nothing, so it must not be passed here.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files

from .question import base_of, bounded, letters, lowered, mentions, number_word, options

MAX_QUOTE = 120
MAX_MATCHES = 6
"""Matches read of one row: a question that counts more than six things licenses the first six."""


class LicenceKind(StrEnum):
    """The rule that applies a licence; what each looks for, accepts and refuses stands in `licences.toml`."""

    PERCENT = "percent"
    ROUND = "round"
    APPROXIMATE = "approximate"
    MEASURE = "measure"
    UNIT = "unit"
    COUNTED = "counted"
    NUMBER_WORD = "number_word"
    ORDINAL = "ordinal"
    BASE = "base"
    MIXED = "mixed"
    VECTOR = "vector"
    TUPLE = "tuple"
    NAMES = "names"
    LABELS = "labels"
    DEFINITION = "definition"
    FUNCTION = "function"
    PARAMETER = "parameter"
    CONSTANT = "constant"
    LETTER_CASE = "letter_case"
    INTERVAL = "interval"
    MONOTONE = "monotone"
    RATIO = "ratio"
    REMAINDER = "remainder"
    POINT = "point"
    QUOTIENT = "quotient"
    ANGLE = "angle"
    PI_VALUE = "pi_value"
    LINE = "line"
    FACTOR = "factor"
    ORDER = "order"
    ESTIMATE_BESIDE = "estimate_beside"
    OPTION = "option"
    ALTERNATIVES = "alternatives"
    RESTATED = "restated"


@dataclass(frozen=True, slots=True)
class Licence:
    """One thing the question allows.

    Args:
        kind: the rule.
        quote: the question's own words, white space folded.
        what: the part of them that the rule reads further (a base, a noun, a number of places), else empty.
    """

    kind: LicenceKind
    quote: str
    what: str = ""

    def about(self, quote: str) -> Licence:
        """The same licence, quoting these words."""
        return Licence(self.kind, quote, self.what)


@dataclass(frozen=True, slots=True)
class Rounding:
    """A rounding the question asks for: to a multiple of `step`, or to `significant` digits."""

    step: Fraction | None = None
    significant: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of `licences.toml`."""

    kind: LicenceKind
    accepts: str
    refuses: str
    looks_for: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    needs: tuple[str, ...]


@cache
def rows() -> tuple[Row, ...]:
    """The table, read once."""
    data = tomllib.loads(files(__package__).joinpath("licences.toml").read_text(encoding="utf-8"))
    return tuple(
        Row(
            LicenceKind(row["kind"]),
            row["accepts"],
            row["refuses"],
            tuple(re.compile(text, re.IGNORECASE) for text in row["looks_for"]),
            tuple(re.compile(text, re.IGNORECASE) for text in row.get("unless", ())),
            tuple(row.get("needs", ())),
        )
        for row in data["licence"]
    )


def licences(question: str) -> tuple[Licence, ...]:
    """Everything the question licenses, in the table's order; linear in the question, of which the last
    `MAX_QUESTION` characters are read. A question with no words of any row licenses nothing."""
    return tuple(licence for row in rows() for licence in of_kind(question, row.kind))


@lru_cache(maxsize=4096)
def of_kind(question: str, kind: LicenceKind) -> tuple[Licence, ...]:
    """What the question licenses by one row; empty where it does not."""
    match kind:
        case LicenceKind.UNIT:
            return tuple(Licence(kind, mention.quote) for mention in mentions(question)[:1])
        case LicenceKind.OPTION:
            return tuple(Licence(kind, f"({option.label}) {option.text}") for option in options(question)[:1])
        case LicenceKind.LETTER_CASE:
            return tuple(Licence(kind, name, name) for name in letters(question)[:1])
        case _:
            row = _by_kind()[kind]
            text = bounded(question)
            if row.needs and not any(need in lowered(question) for need in row.needs):
                return ()
            return () if any(pattern.search(text) for pattern in row.unless) else tuple(_matches(row, text))


@cache
def _by_kind() -> dict[LicenceKind, Row]:
    return {row.kind: row for row in rows()}


_EVERY = frozenset(
    (LicenceKind.COUNTED, LicenceKind.BASE, LicenceKind.ORDINAL, LicenceKind.ALTERNATIVES, LicenceKind.FACTOR)
)


def _matches(row: Row, text: str) -> list[Licence]:
    found: list[Licence] = []
    for pattern in row.looks_for:
        for match in pattern.finditer(text):
            what = match.groupdict().get("what") or ""
            second = match.groupdict().get("what2")
            if second:
                what = f"{what}/{second}"
            if row.kind is LicenceKind.ROUND and rounding(match.group(), what) is None:
                continue
            found.append(Licence(row.kind, " ".join(match.group().split())[:MAX_QUOTE], what))
            if row.kind not in _EVERY:
                return found
            if len(found) >= MAX_MATCHES:
                return found
        if found and row.kind is LicenceKind.BASE:
            return found
    return found


_STEPS: dict[str, Fraction | int] = {
    "ten": 10,
    "hundred": 100,
    "thousand": 1000,
    "ten thousand": 10**4,
    "hundred thousand": 10**5,
    "million": 10**6,
    "billion": 10**9,
    "tenth": Fraction(1, 10),
    "hundredth": Fraction(1, 100),
    "thousandth": Fraction(1, 1000),
    "ten thousandth": Fraction(1, 10**4),
    "hundred thousandth": Fraction(1, 10**5),
    "millionth": Fraction(1, 10**6),
    "half": Fraction(1, 2),
    "cent": Fraction(1, 100),
    "penny": Fraction(1, 100),
    "paisa": Fraction(1, 100),
}
_NOT_NUMBERS = frozenset(
    ("point", "town", "city", "neighbor", "neighbour", "exit", "star", "side", "vertex", "edge", "corner", "wall")
)


def rounding(quote: str, what: str) -> Rounding | None:
    """The rounding that the words of a `round` licence ask for, or None where they name no number."""
    folded = re.sub(r"[\s-]+", " ", what.lower()).strip().lstrip("$")
    lowered = quote.lower()
    if "nearest" in lowered:
        if folded in _NOT_NUMBERS:
            return None
        return Rounding(step=_step(folded))
    count = int(folded) if folded.isdigit() and len(folded) <= 2 else number_word(folded)
    if count is None or count > 60:
        return None
    if re.search(r"signif|\bsig|s\.?f", lowered):
        return Rounding(significant=count) if count else None
    return Rounding(step=Fraction(1, 10**count))


def _step(word: str) -> Fraction:
    """The step a `nearest …` names; a unit or a whole number is a step of one."""
    singular = word[:-1] if word.endswith("s") and word[:-1] in _STEPS else word
    if singular in _STEPS:
        return Fraction(_STEPS[singular])
    decimal = re.fullmatch(r"0?\.(0{0,8}[15])", word)
    if decimal:
        return Fraction(int(decimal[1]), 10 ** len(decimal[1]))
    power = re.fullmatch(r"(1/)?10{1,6}(ths?|s)?", word)
    if power:
        digits = int(re.sub(r"\D", "", word.removeprefix("1/")))
        return Fraction(1, digits) if power[1] or (power[2] or "").startswith("th") else Fraction(digits)
    return Fraction(1)


def asked_bases(question: str) -> tuple[tuple[int, Licence], ...]:
    """The bases an answer may be meant in: that of `to base …` alone where the question converts, else the only one
    it names with `in base …`."""
    found = [
        (base, licence)
        for licence in of_kind(question, LicenceKind.BASE)
        if (base := base_of(licence.what)) is not None
    ]
    return tuple(found) if len({base for base, _ in found}) == 1 else ()
