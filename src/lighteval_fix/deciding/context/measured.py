"""Licences about numbers: units, counted nouns, percent, bases, remainders, ratios, angles.

Each rule looks at one side beside the other and yields what the two may stand for, with the licence that says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from ..parts import mapped
from ..trees import MINUS_ONE, rebuild
from ..units import Unit, canonical, dimension, unit_of
from ..value import Assignment, Based, Call, Const, Mul, Node, Num, Pow, Quantity, Ratio, Relation, Scalar, Value, Words
from .asked import asked_kind, fits
from .question import Mention, bounded, mentions, number_word, words
from .sides import Side, items, literal, number, rebuilt, shows_pi, single
from .table import Licence, LicenceKind, asked_bases, of_kind

Pair: TypeAlias = tuple[Side, Side, Licence]

HUNDREDTH = Num(Fraction(1, 100))
_PLAIN: Unit = (("unit", 1),)
_DERIVED = {
    (2,): ("area", "areas", "surface"),
    (3,): ("volume", "volumes", "capacity"),
}
_RATES = frozenset(("speed", "velocity", "rate", "fast", "acceleration", "density", "average", "concentration", "per"))
_LINES = frozenset(("length", "distance", "perimeter", "radius", "height", "width", "side", "diameter", "edge", "long"))
_LENGTHS = frozenset(
    ("area", "volume", "length", "distance", "perimeter", "radius", "height", "width", "side", "diameter")
    + ("circumference", "long", "far", "tall", "path", "surface")
)


# --------------------------------------------------------------------------- units and counted nouns


def units(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A unit on this side only: dropped where the question asks for it, or measures in it alone."""
    value = side.measured or side.value
    found = _units_of(value)
    if len(found) != 1 or value is None or other.value is None or _has_unit(other.value):
        return
    unit = next(iter(found))
    licence = _unit_licence(question, unit) or _counted_licence(question, unit)
    if licence is not None:
        stripped = rebuilt(value, _without_unit)
        if stripped is not None:
            yield side.holding(stripped), other, licence


def _units_of(value: Value | None) -> frozenset[Unit]:
    match value:
        case Quantity():
            return frozenset((canonical(value.unit),))
        case Assignment():
            return _units_of(value.value)
        case None:
            return frozenset()
        case _:
            return frozenset(unit for item in items(value) or () for unit in _units_of(item))


def _has_unit(value: Value) -> bool:
    return bool(_units_of(value))


def _without_unit(value: Value) -> Value | None:
    match value:
        case Quantity():
            return Scalar(value.node)
        case Assignment():
            inner = _without_unit(value.value)
            return None if inner is None else Assignment(value.name, value.op, inner)
        case _:
            return value


def _unit_licence(question: str, unit: Unit) -> Licence | None:
    seen = mentions(question)
    asked = {mention.unit for mention in seen if mention.asked}
    for mention in seen:
        if mention.unit == unit and mention.asked:
            rivals = {rival for rival in asked if rival != unit and dimension(rival) == dimension(unit)}
            return None if rivals else Licence(LicenceKind.UNIT, mention.quote)
    kind = asked_kind(question)
    if asked or (unit != _PLAIN and kind is not None and not fits(unit, kind[0])) or _other_power(question, unit):
        return None
    for mention in seen:
        if mention.unit == unit and not _rivals(seen, unit):
            return Licence(LicenceKind.UNIT, mention.quote)
    if kind is not None and not _rivals(seen, unit):
        if kind[0] == "age" and unit == (("year", 1),):
            return Licence(LicenceKind.UNIT, kind[1])
        for mention in seen:
            if len(unit) == 1 and unit[0][0] in {name for name, _ in mention.unit} and not _other_names(seen, unit):
                return Licence(LicenceKind.UNIT, f"{kind[1]} … {mention.quote}")
    return _derived(question, unit, seen)


def _other_names(seen: tuple[Mention, ...], unit: Unit) -> bool:
    """Whether another unit of the same kind is part of some unit in the question."""
    ((name, _),) = unit
    kind = dimension(((name, 1),))
    return any(other != name and dimension(((other, 1),)) == kind for mention in seen for other, _ in mention.unit)


def _other_power(question: str, unit: Unit) -> bool:
    """The last sentence asks for an area or a volume, and the unit is that of a length or of the other."""
    sentences = [part for part in re.split(r"[.?!]\s|[?!]$", question[-600:]) if part.strip()]
    said = frozenset(re.findall(r"[a-z]+", sentences[-1].lower())) if sentences else frozenset()
    if len(unit) != 1 or dimension(unit)[0][0] != "length" or said & _LINES:
        return False
    return any(said & set(nouns) and unit[0][1] != powers[0] for powers, nouns in _DERIVED.items())


def _rivals(seen: tuple[Mention, ...], unit: Unit) -> bool:
    return any(mention.unit != unit and dimension(mention.unit) == dimension(unit) for mention in seen)


def _derived(question: str, unit: Unit, seen: tuple[Mention, ...]) -> Licence | None:
    """Square centimetres for the area of what is measured in centimetres; miles per hour where the question has miles
    and hours; "units" for any length, area or volume without a unit of its own."""
    said = words(question)
    names = [name for name, _ in unit]
    if names == ["unit"]:
        kind = asked_kind(question)
        if kind is not None and not fits(unit, kind[0]):
            return None
        measured = any(dim == "length" for mention in seen for dim, _ in dimension(mention.unit))
        word = next((word for word in sorted(_LENGTHS) if word in said), None)
        return None if measured or word is None else Licence(LicenceKind.UNIT, word)
    exponents = tuple(exp for _, exp in unit)
    if exponents in _DERIVED:
        noun = next((word for word in _DERIVED[exponents] if word in said), None)
    else:
        noun = next((word for word in sorted(_RATES) if word in said), None) if len(unit) > 1 else None
    if noun is None:
        return None
    parts = {name for mention in seen for name, _ in mention.unit}
    dims = {name: dimension(((name, 1),)) for name in parts}
    for name in names:
        if name not in parts or any(dims[rival] == dims[name] for rival in parts if rival != name):
            return None
    quote = next(mention.quote for mention in seen if any(name in names for name, _ in mention.unit))
    return Licence(LicenceKind.UNIT, f"{noun} … {quote}")


_IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "persons": "person", "mice": "mouse",
    "vertices": "vertex", "dice": "die", "indices": "index", "matrices": "matrix", "halves": "half",
}  # fmt: skip
_VERBS = frozenset(
    ("is", "are", "was", "were", "can", "do", "does", "did", "will", "would", "must", "should", "has", "have")
)


def stem(word: str) -> str:
    """A noun's singular, as far as its spelling shows it."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _counted_licence(question: str, unit: Unit) -> Licence | None:
    if len(unit) != 1 or unit[0][1] != 1:
        return None
    name = [stem(word) for word in re.findall(r"[^\W\d_]+", unit[0][0])]
    if not name:
        return None
    for licence in of_kind(question, LicenceKind.COUNTED):
        asked: list[str] = []
        for word in re.findall(r"[^\W\d_]+", licence.what):
            if word.lower() in _VERBS and asked:
                break
            asked.append(stem(word))
            if len(asked) == 8:
                break
        if all(word in asked for word in name):
            return licence
    return None


# --------------------------------------------------------------------------- percent, bases, ratios, angles


def percent(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A plain number beside a percent: read as a percentage where the question asks for one."""
    if side.value is None or not _percents(other.value) or _percents(side.value):
        return
    for licence in of_kind(question, LicenceKind.PERCENT):
        changed = rebuilt(side.value, _as_percent)
        if changed is not None:
            yield side.holding(changed), other, licence


def _percents(value: Value | None) -> bool:
    members = items(value)
    if members is not None:
        return bool(members) and all(_percents(item) for item in members)
    return isinstance(value, Scalar) and value.percent


def _as_percent(value: Value) -> Value | None:
    if not isinstance(value, Scalar) or value.degree or value.currency:
        return None
    found = literal(value.node)
    if found is not None:
        return Scalar(Num(found[0] / 100, found[1] + 2 if found[1] else None), percent=True)
    return Scalar(Mul((value.node, HUNDREDTH)), percent=True)


def based(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """Bare digits beside digits with a base, which the question asks for."""
    scalar = single(side.value)
    if scalar is None or not isinstance(other.value, Based):
        return
    written = literal(scalar.node)
    if written is None or written[1] or written[0] < 0:
        return
    for base, licence in asked_bases(question):
        if base == other.value.base:
            yield side.holding(Based(str(written[0].numerator), base)), other, licence


def ratio(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`5 : 8` beside one number, or beside another ratio that might be a time of day: their quotient."""
    ours, theirs = _quotient(side.value), single(other.value) or _quotient(other.value)
    if ours is not None and theirs is not None:
        for licence in of_kind(question, LicenceKind.RATIO):
            yield side.holding(ours), other.holding(theirs), licence


def _quotient(value: Value | None) -> Scalar | None:
    match value:
        case Ratio(terms=(first, second)):
            return Scalar(Mul((first, Pow(second, MINUS_ONE))))
        case _:
            return None


def residue(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`2 (mod 7)` beside a number: the remainder that it names, where the question divides by the same modulus."""
    match side.value:
        case Scalar(node=Call(name="pmod", args=(Num() as rest, Num() as modulus))):
            pass
        case Relation(terms=(*_, Call(name="pmod", args=(Num() as rest, Num() as modulus))), ops=ops):
            if set(ops) - {"≡", "="}:
                return
        case _:
            return
    if single(other.value) is None or not 0 <= rest.value < modulus.value or not _names_number(question, modulus):
        return
    for licence in of_kind(question, LicenceKind.REMAINDER):
        yield side.holding(Scalar(rest)), other, licence


def _names_number(question: str, value: Num) -> bool:
    return re.search(rf"(?<!\d){value.value.numerator}(?!\d)", bounded(question)) is not None


def quotient(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`m, n` beside one number, where the question writes that number as m/n: their quotient."""
    pair = items(side.value)
    if pair is None or len(pair) != 2 or single(other.value) is None:
        return
    first, second = (single(item) for item in pair)
    if first is None or second is None or number(first.node) is None or number(second.node) in (None, 0):
        return
    for licence in of_kind(question, LicenceKind.QUOTIENT):
        yield side.holding(Scalar(Mul((first.node, Pow(second.node, MINUS_ONE))))), other, licence


def angle(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """Degrees beside an angle that shows π: turned into radians."""
    if side.value is None or other.value is None or not _in_degrees(side.value):
        return
    if shows_pi(side.value) or not shows_pi(other.value):
        return
    if any(isinstance(item, Scalar) and item.degree for item in items(other.value) or (other.value,)):
        return
    for licence in of_kind(question, LicenceKind.ANGLE):
        changed = rebuilt(side.value, _in_radians)
        if changed is not None:
            yield side.holding(changed), other, licence


def _in_degrees(value: Value) -> bool:
    match value:
        case Scalar(degree=True) | Quantity(unit=(("degree", 1),)):
            return True
        case _:
            return any(_in_degrees(item) for item in items(value) or ())


def _in_radians(value: Value) -> Value | None:
    match value:
        case Scalar(degree=True) | Quantity(unit=(("degree", 1),)):
            return Scalar(Mul((value.node, Const("pi"), Num(Fraction(1, 180)))))
        case _:
            return None


def pi_value(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A multiple of π beside a decimal or a fraction, where the question says what to take for π."""
    if side.value is None or other.value is None or not shows_pi(side.value) or shows_pi(other.value):
        return
    for licence in of_kind(question, LicenceKind.PI_VALUE):
        digits = re.findall(r"\d+", licence.what)
        if len(digits) != 2:
            continue
        top, bottom = digits
        value = Fraction(f"{top}.{bottom}") if "." in licence.what else Fraction(int(top), int(bottom))
        taken = partial(_with_pi, value=Num(value))
        yield side.holding(mapped(side.value, taken)), other, licence


def _with_pi(node: Node, value: Num) -> Node:
    return value if node == Const("pi") else rebuild(node, lambda part: _with_pi(part, value))


def number_words(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`three` beside a number."""
    if not isinstance(side.value, Words) or not isinstance(other.value, (Scalar, Quantity)):
        return
    first, *rest = side.value.text.split()
    value = number_word(side.value.text)
    unit: Unit | None = None
    if value is None and rest:
        value, unit = number_word(first), unit_of(rest[0]) if len(rest) == 1 else None
        unit = unit or ((" ".join(rest), 1),)
    if value is None:
        return
    for licence in of_kind(question, LicenceKind.NUMBER_WORD):
        node = Num(Fraction(value))
        yield side.holding(Scalar(node) if unit is None else Quantity(node, unit)), other, licence
