"""Units of measurement by name. The words stand in `units.toml`; nothing is converted here.

A unit is a tuple of (canonical name, exponent) factors sorted by name, as `Quantity.unit` holds it:
`km/h` is `(("hour", -1), ("kilometre", 1))`.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

Unit: TypeAlias = tuple[tuple[str, int], ...]

MAX_PHRASE = 80
"""Characters: no unit is written longer; longer text is no unit phrase."""

_POWERS = {"square": 2, "sq": 2, "sq.": 2, "cubic": 3, "cu": 3, "cu.": 3}
_POWERS_AFTER = {"squared": 2, "cubed": 3}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_JOINED = re.compile(
    r"\b(degrees?|light|fluid|solar|electron|astronomical|pounds?|kilowatt)\s(celsius|fahrenheit|years?|ounces?|mass(?:es)?"
    r"|volts?|units?|sterling|hours?)\b|\b(years?|months?|weeks?|days?)\s(old)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\^?\{?(?P<exp>-?\d)\}?|(?P<op>/|·|\*|×|⋅)"
    r"|(?P<word>[^\W\d_]+\.?(?:-[^\W\d_]+)*|°\s?[CF]?|[$€£₹¥₽₩¢℃℉º])"
)


@dataclass(frozen=True, slots=True)
class _Table:
    words: dict[str, Unit]
    symbols: dict[str, Unit]
    bare: frozenset[str]
    dimensions: dict[str, str]


@cache
def _table() -> _Table:
    data = tomllib.loads(files(__package__).joinpath("units.toml").read_text(encoding="utf-8"))
    words: dict[str, Unit] = {}
    symbols: dict[str, Unit] = {}
    bare: set[str] = set()
    dimensions: dict[str, str] = {}
    for row in data["unit"]:
        unit: Unit
        if "parts" in row:
            unit = tuple(sorted((str(name), int(exp)) for name, exp in row["parts"]))
        else:
            unit = ((str(row["name"]), 1),)
            dimensions[row["name"]] = row["dimension"]
        words.update(dict.fromkeys(row.get("words", ()), unit))
        symbols.update(dict.fromkeys(row.get("symbols", ()), unit))
        bare.update(row.get("bare", ()))
    return _Table(words, symbols, frozenset(bare), dimensions)


def unit_of(word: str, *, bare: bool = False) -> Unit | None:
    """The unit that one word or symbol stands for, or None.

    Words match in any case, symbols exactly as written. With `bare` only what can be no product of variables is
    taken: written-out words, and the symbols that the table lists as bare (`5 cm`, but not `5 m`).
    """
    table = _table()
    if word in table.symbols and (not bare or word in table.bare):
        return table.symbols[word]
    folded = word.lower()
    found = table.words.get(folded)
    if found is None and folded.endswith("."):
        found = table.words.get(folded[:-1])
    return found


def canonical(unit: Unit) -> Unit:
    """The unit by the table's names, so that cm and centimetres are one; words that are no unit are joined to one
    counted noun (`ordered pairs`)."""
    factors: dict[str, int] = {}
    noun = []
    for name, exp in unit:
        known = unit_phrase(name)
        if known is None:
            noun.append(name)
        else:
            _add(factors, known, exp)
    if noun:
        _add(factors, ((" ".join(noun), 1),), 1)
    return tuple(sorted((name, exp) for name, exp in factors.items() if exp))


def dimension(unit: Unit) -> tuple[tuple[str, int], ...]:
    """What a unit measures, as sorted (dimension, exponent) factors; a counted noun measures itself."""
    dimensions = _table().dimensions
    return tuple(sorted((dimensions.get(name, name), exp) for name, exp in unit))


def pieces(text: str) -> tuple[tuple[str, int], ...] | None:
    """A phrase of units as (word as written, exponent) in order: `square cm` is ((cm, 2),), `miles per hour`
    ((miles, 1), (hour, -1)). What stands behind a slash or `per` is below it, as in `J/kg K`. None where the text is
    no such phrase; whether its words are units is not asked here."""
    text = text.translate(_SUPERSCRIPTS).strip()
    if not text or len(text) > MAX_PHRASE:
        return None
    text = _JOINED.sub(lambda found: "-".join(part for part in found.groups() if part), text)
    found: list[tuple[str, int]] = []
    sign = power = 1
    open_power = fresh = False
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match["op"] is not None:
            sign = -1 if match["op"] == "/" else sign
            continue
        word = "" if match["exp"] is not None else match["word"].replace(" ", "")
        folded = word.lower()
        after = int(match["exp"]) if not word else _POWERS_AFTER.get(folded, 0)
        if after or not word:
            if not fresh:
                return None
            found[-1] = (found[-1][0], found[-1][1] * after)
            fresh = False
        elif folded == "per" or (folded in ("a", "an", "each") and found):
            sign = -1
        elif folded in _POWERS:
            power, open_power = _POWERS[folded], True
        else:
            found.append((word, sign * power))
            power, open_power, fresh = 1, False, True
    return None if open_power or not found else tuple(found)


def unit_phrase(text: str) -> Unit | None:
    """The unit that a whole phrase stands for (`square feet`, `cm^2`, `km/h`, `miles per hour`, `kg m⁻³`), or None
    where any part of it is something else. Presentation (braces of `\\text{…}`) must be gone already."""
    factors: dict[str, int] = {}
    for word, exponent in pieces(text) or ():
        unit = unit_of(word)
        if unit is None:
            return None
        _add(factors, unit, exponent)
    return tuple(sorted((name, exp) for name, exp in factors.items() if exp)) or None


def _add(factors: dict[str, int], unit: Unit, times: int) -> None:
    for name, exp in unit:
        factors[name] = factors.get(name, 0) + exp * times


def shown(unit: Unit) -> str:
    """For people: `kilometre hour^-1`."""
    return " ".join(name if exp == 1 else f"{name}^{exp}" for name, exp in sorted(unit, key=lambda part: -part[1]))
