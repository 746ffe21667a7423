"""Licences about words: answers that repeat words of their question around what is their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..parsing.tables import frozen
from ..value import Choice, Ratio, Scalar, Tuple, Words
from .measured import Pair, stem
from .question import words
from .sides import MAX_TEXT, Side, plain, read, single
from .table import LicenceKind, of_kind

NEGATIONS = frozenset(
    ("not", "no", "never", "neither", "nor", "none", "nobody", "nothing", "cannot", "can't", "isn't", "doesn't")
    + ("don't", "won't", "without", "except", "unless", "unlike", "false", "wrong", "incorrect", "impossible")
)
_FILLERS = frozen(
    """
    a an the is are be was were any must will of to in it its this that number there only has have answer value they he
    she as for by
    """
)


def alternatives(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A sentence that names one of the alternatives, beside that alternative."""
    sentence, chosen = side.plain, other.plain
    tokens = re.findall(r"[^\W\d_]+(?:['’]\w+)?", sentence.lower())
    if not chosen or len(tokens) > 30 or len(tokens) < 2 or NEGATIONS & set(tokens):
        return
    wanted = chosen.lower()
    for licence in of_kind(question, LicenceKind.ALTERNATIVES):
        offered = [word.lower() for word in re.findall(r"[^\W\d_]+", licence.what) if word.lower() not in ("or", "nor")]
        if not offered:
            offered = _people(question)
        said = {stem(word) for word in words(question)}
        others = [word for word in tokens if word != wanted and len(word) > 1 and word not in _FILLERS]
        if any(stem(word) not in said for word in others):
            return
        named = {stem(word) for word in offered}
        if stem(wanted) in named and [stem(word) for word in tokens if stem(word) in named] == [stem(wanted)]:
            yield Side(Words(wanted), wanted), Side(Words(wanted), wanted), licence
            return


def _people(question: str) -> list[str]:
    """Capitalised words that also stand inside sentences: the names in a question."""
    inside = re.findall(r"(?<=[a-z,;:)] )[A-Z][a-z]{1,20}\b", question)
    return [name.lower() for name in dict.fromkeys(inside)]


_FILLER = re.compile(
    r"^\W{0,3}(?:\\(?:text|mathrm)\s?\{\s{0,3})?(?:only|just|exactly)\b\s{0,3}\}?\s{0,3}", re.IGNORECASE
)


def filler(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`only x = 0`: the answer after a word that adds nothing to one value."""
    match = _FILLER.match(side.text) if side.value is None else None
    rest = read(side.text[match.end() :].rstrip("$ ")) if match else None
    if rest is not None:
        for licence in of_kind(question, LicenceKind.RESTATED):
            yield rest, other, licence


def restated(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A worded answer whose further words are all the question's own, beside the words that are not."""
    if not isinstance(other.value, (Words, Choice)) and not re.fullmatch(r"[^\W\d_]{3,30}", other.plain):
        return
    long, short = side.plain.lower(), other.plain.lower()
    if re.search(r"[\d=<>+*/^\\_]", long + short) or len(long) > 300:
        return
    ours, theirs = re.findall(r"[^\W\d_]+(?:['’]\w+)?", long), re.findall(r"[^\W\d_]+(?:['’]\w+)?", short)
    left = list(ours)
    for word in theirs:
        if word not in left:
            return
        left.remove(word)
    said = words(question)
    if set(left) & set(_people(question)) or len(theirs) != 1 or "," in long:
        return
    if (
        not left
        or not theirs
        or NEGATIONS & set(ours + theirs)
        or any(word not in said and word not in _FILLERS for word in left)
    ):
        return
    for licence in of_kind(question, LicenceKind.RESTATED):
        yield Side(Words(short), short), Side(Words(short), short), licence
        return


# --------------------------------------------------------------------------- values with words around them

_PART_OF = re.compile(
    r"^(?P<head>.*[\d}%a-z])[\s~]{0,3}(?:\\(?:text|mathrm)\s?\{\s?)?\s?\bof\s(?P<rest>[a-z' ]{2,60})\}?$",
    re.IGNORECASE | re.DOTALL,
)
_A_TO_B = re.compile(r"^\$?(?P<one>\d{1,9})\s?\$?\s?(?:\\text\{\s?to\s?\}|to)\s?\$?\s?(?P<two>\d{1,9})\$?$")
_POINT = re.compile(r"^\$?(?:\\text\{)?[A-Z]'?\}?\s?=?\s?(?P<rest>(?:\\left)?\(.*\))\$?$", re.DOTALL)


def part_of(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`1/3 of the pizza`: the value, where the words after it are the question's own."""
    match = _PART_OF.match(side.text[:MAX_TEXT])
    if match is None:
        return
    said = words(question)
    if any(word not in said and word not in _FILLERS for word in plain(match["rest"]).lower().split()):
        return
    head = read(match["head"])
    if head is not None:
        for licence in of_kind(question, LicenceKind.RESTATED):
            yield head, other, licence


def ratio_words(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`3 to 4` where the question asks for a ratio."""
    match = _A_TO_B.match(side.text.strip()[:60])
    if match is None or not (isinstance(other.value, Ratio) or single(other.value) is not None):
        return
    value = read(f"{match['one']}:{match['two']}")
    if value is not None:
        for licence in of_kind(question, LicenceKind.RATIO):
            yield value, other, licence


def point(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`M(3, 4)` and `M = (3, 4)`: the coordinates of the point asked for."""
    match = _POINT.match(side.text.strip()[:MAX_TEXT])
    value = read(match["rest"]) if match is not None and isinstance(other.value, Tuple) else None
    if value is not None and isinstance(value.value, Tuple) and all(isinstance(i, Scalar) for i in value.value.items):
        for licence in of_kind(question, LicenceKind.POINT):
            yield value, other, licence
