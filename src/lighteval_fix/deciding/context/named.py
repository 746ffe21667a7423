"""Licences about names beside values: which value is whose, by the order in which the question has the names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..dropped import LARGEST, SMALLEST, extremes
from ..naming import Named
from ..trial import Trial
from ..value import Assignment, Compound, Listing, Relation, Scalar, Sym, Tuple, Value
from ..values import plain as expanded
from .asked import ASKING
from .measured import Pair, stem
from .question import letters, segments, words
from .sides import MAX_TEXT, Side, items, read, squeezed
from .table import LicenceKind, of_kind


def names(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`p = 3, q = 4` beside `3, 4`: the bare values in the order in which the question names them; the largest and
    the smallest need no order."""
    bare = items(expanded(other.value)) if other.value is not None else None
    if bare is None or len(bare) > 12 or isinstance(other.value, Relation):
        return
    named = _named(side.text)
    if named is None or len(named) != len(bare):
        return
    granted = of_kind(question, LicenceKind.NAMES)
    if not granted:
        return
    values = [read(text) for _, text in named]
    if any(value is None or value.value is None for value in values):
        return
    by_name = {name: value.value for (name, _), value in zip(named, values, strict=True) if value is not None}
    order = _order(question, list(by_name))
    if _numbered(question, list(by_name)):
        kept = tuple(value for value in by_name.values() if value is not None)
        yield side.holding(Listing(kept)), other.holding(Listing(bare)), granted[0]
    elif _extremes(by_name) and _extremes_asked(question):
        kept = tuple(value for value in by_name.values() if value is not None)
        yield side.holding(Listing(kept)), other.holding(Listing(bare)), granted[0].about(" and ".join(by_name))
    elif order is not None:
        kept = tuple(value for name in order if (value := by_name[name]) is not None)
        yield side.holding(Tuple(kept)), other.holding(Tuple(bare)), granted[0].about(", ".join(order))


_LABEL_BEFORE = re.compile(r"(?:^|(?<=[\s,;{]))(?P<noun>[^\W\d_]{3,20})\s(?:\d{1,2}|[IVX]{1,4}|[a-d])\s?[:=]\s?")


def labels(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`Sequence 1: … and Sequence 2: …` beside one list: the members without the labels."""
    found = list(_LABEL_BEFORE.finditer(side.text[:MAX_TEXT]))
    if not found or items(other.value) is None:
        return
    said = {stem(word) for word in words(question)}
    if any(stem(match["noun"]) not in said for match in found):
        return
    bare = read(_LABEL_BEFORE.sub("", side.text))
    if bare is not None and items(bare.value) is not None:
        for licence in of_kind(question, LicenceKind.LABELS):
            yield bare, other, licence


def _extremes(by_name: dict[str, Value | None]) -> bool:
    """Whether two values are named the larger and the smaller, and are."""
    return extremes([Named(Sym(name), value) for name, value in by_name.items() if value is not None], Trial())


def _extremes_asked(question: str) -> bool:
    said = words(question)
    return any(word in said for word in LARGEST) and any(word in said for word in SMALLEST)


def _named(text: str) -> list[tuple[str, str]] | None:
    """`name = value` or `name: value` pieces of a text, separated by commas, semicolons or "and"; None for others."""
    if len(text) > MAX_TEXT:
        return None
    found: list[tuple[str, str]] = []
    for piece in pieces(text):
        match = re.match(r"^\s*\$?\s*([^=:<>]{1,40}?)\s*(?:=|:)\s*([^=:<>]+)$", piece)
        if match is None:
            return None
        name = squeezed(match[1]).lstrip("\\")
        if not re.fullmatch(r"[^\W\d_](?:_?\w{1,2})?|[^\W\d_]{2,12}(?:_\w{1,2})?", name):
            return None
        found.append((name, match[2].strip().strip("$")))
    return found if len(found) >= 2 and len({name for name, _ in found}) == len(found) else None


def pieces(text: str) -> list[str]:
    """A text cut at the commas and "and"s that stand in no bracket."""
    flat = re.sub(r"\\(?:text|mathrm)\s?\{\s*(?:,\s*)?and\s*\}|\band\b|;|\\quad|\\qquad", ",", text)
    return [piece for piece in cut_outside(flat, ",") if piece.strip(" $\\")]


def cut_outside(text: str, signs: str) -> list[str]:
    """A text cut at these signs where they stand in no bracket."""
    parts, depth, start = [], 0, 0
    for position, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char in signs and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts


def _order(question: str, found: list[str]) -> list[str] | None:
    """The order in which the question names all of them, where it does so in one order only."""
    wanted = set(found)
    for segment in segments(question):
        listing = re.sub(
            r"\\[a-zA-Z]+|[\s(){}\\]", lambda match: match[0].lstrip("\\") if len(match[0]) > 1 else "", segment
        )
        if set(listing.split(",")) == wanted and len(listing.split(",")) == len(found):
            return listing.split(",")
    if all("_" in name for name in found):
        return _indexed(question, found)
    known = [name for name in letters(question) if name in wanted]
    if len(known) != len(wanted):
        return _listed_words(question, found)
    return known if known == sorted(known) or _enumerated(question, known) else None


def _indexed(question: str, found: list[str]) -> list[str] | None:
    """`x_1, x_2`: the order of the numbers, where the question has every one of these names."""
    flat = squeezed(" ".join(segments(question)))
    if len({name.partition("_")[0] for name in found}) != 1 or not all(name in flat for name in found):
        return None
    return sorted(found)


def _numbered(question: str, found: list[str]) -> bool:
    """`x_1 = 2, x_2 = 3` for the values of the x of the question, which numbers none itself."""
    base, *others = {name.partition("_")[0] for name in found}
    places = {name.partition("_")[2] for name in found}
    if others or places != {str(place) for place in range(1, len(found) + 1)}:
        return False
    if base not in letters(question) and not words(question) & _SEVERAL:
        return False
    return f"{base}_" not in squeezed(" ".join(segments(question)))


_SEVERAL = frozenset(("roots", "solutions", "eigenvalues", "zeros", "zeroes"))


def _listed_words(question: str, found: list[str]) -> list[str] | None:
    """Names that are words, in the order in which an asking sentence lists them one after the other."""
    if any(len(name) < 2 or name not in question for name in found):
        return None
    asking = [match.start() for match in ASKING.finditer(question)]
    for start in reversed(asking):
        tail = question[start:]
        if all(name in tail for name in found):
            order = sorted(found, key=tail.index)
            return order if _enumerated(tail, order) else None
    return None


def solutions(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`x = 2, y = 3 or x = 3, y = 2` beside pairs: each solution in the order in which the question has the names."""
    if not isinstance(side.value, Compound) or side.value.joiner != "or" or items(other.value) is None:
        return
    found: list[Value] = []
    for part in side.value.parts:
        named = _by_symbol(part)
        order = _order(question, list(named)) if named else None
        if order is None:
            return
        found.append(Tuple(tuple(named[name] for name in order)))
    for licence in of_kind(question, LicenceKind.NAMES):
        yield side.holding(Listing(tuple(found))), other, licence


def _by_symbol(value: Value) -> dict[str, Value]:
    """The values of a system that says one thing of each of its symbols; empty for any other."""
    if not isinstance(value, Compound) or value.joiner != "and":
        return {}
    found: dict[str, Value] = {}
    for part in value.parts:
        match part:
            case Relation(terms=(Sym(name=name), node), ops=("=",)):
                found[name] = Scalar(node)
            case Assignment(name=Sym(name=name), op="=", value=inner):
                found[name] = inner
            case _:
                return {}
    return found if len(found) == len(value.parts) else {}


def _enumerated(question: str, known: list[str]) -> bool:
    """The names stand one after the other: "p and q", "$w, d, a$ and $b$"."""
    gap = r"[\s$\\(){},]{1,8}(?:and\s?[\s$\\(){}]{0,6})?"
    return re.search(gap.join(re.escape(name) for name in known), question) is not None
