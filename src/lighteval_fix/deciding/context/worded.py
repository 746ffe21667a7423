"""Licences about words and text: options and their letters, names beside values, what is being defined, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model import Equal
from .. import numbers
from ..parsing.tables import frozen
from ..trial import Trial
from ..value import Choice, Function, Listing, Relation, Tuple, Value, Words
from .measured import Pair, stem
from .question import letters, options, segments, words
from .sides import MAX_TEXT, Side, items, plain, read, squeezed
from .table import Licence, LicenceKind, of_kind

_LABEL = re.compile(r"^\(?\s?([A-K])\s?\)?[.:]?$")
_LABELLED = re.compile(r"^\(?\s?([A-K])\s?[).:]+\s?(\S.*)$", re.DOTALL)
_NEGATIONS = frozenset(
    ("not", "no", "never", "neither", "nor", "none", "nobody", "nothing", "cannot", "can't", "isn't", "doesn't")
    + ("don't", "won't", "without", "except", "unless", "unlike", "false", "wrong", "incorrect", "impossible")
)
_FILLERS = frozen(
    """
    a an the is are be was were any must will of to in it its this that number there only has have answer value they he
    she as for by
    """
)
_LARGEST = ("maximum", "max", "greatest", "largest", "highest")
_SMALLEST = ("minimum", "min", "least", "smallest", "lowest")


# --------------------------------------------------------------------------- options


def option(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A label on this side stands for its option's text; a label with its own text beside it, for the label."""
    found = options(question)
    if not found:
        return
    licence = of_kind(question, LicenceKind.OPTION)[0]
    bare = side.plain
    texts = {entry.label: entry.text for entry in found}
    label = _LABEL.match(bare)
    if label and label[1] in texts:
        if any(_same_text(texts[label[1]], text) for name, text in texts.items() if name != label[1]):
            return
        text = read(texts[label[1]])
        quoted = licence.about(f"({label[1]}) {texts[label[1]]}")
        if text is not None and _LABEL.match(other.plain) is None:
            yield text, other, quoted
        elif text is None and _same_text(texts[label[1]], other.text):
            yield Side(Choice(label[1]), label[1]), Side(Choice(label[1]), label[1]), quoted
        return
    both = _LABELLED.match(bare)
    if both and both[1] in texts and _same_text(both[2], texts[both[1]]):
        yield Side(Choice(both[1]), both[1]), other, licence.about(f"({both[1]}) {texts[both[1]]}")


def _same_text(one: str, two: str) -> bool:
    return squeezed(one).casefold().rstrip(".") == squeezed(two).casefold().rstrip(".")


# --------------------------------------------------------------------------- names beside values


def names(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`p = 3, q = 4` beside `3, 4`: the bare values in the order in which the question names them; the largest and
    the smallest need no order."""
    bare = items(other.value)
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
    if order is not None:
        kept = tuple(value for name in order if (value := by_name[name]) is not None)
        yield side.holding(Tuple(kept)), other.holding(Tuple(bare)), granted[0].about(", ".join(order))
    elif _extremes(list(by_name)) and _extremes_asked(question):
        kept = tuple(value for value in by_name.values() if value is not None)
        yield side.holding(Listing(kept)), other.holding(Listing(bare)), granted[0].about(" and ".join(by_name))


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


def _extremes(found: list[str]) -> bool:
    lowered = [name.lower() for name in found]
    return len(found) == 2 and any(word in _LARGEST for word in lowered) and any(word in _SMALLEST for word in lowered)


def _extremes_asked(question: str) -> bool:
    said = words(question)
    return any(word in said for word in _LARGEST) and any(word in said for word in _SMALLEST)


def _named(text: str) -> list[tuple[str, str]] | None:
    """`name = value` or `name: value` pieces of a text, separated by commas, semicolons or "and"; None for others."""
    if len(text) > MAX_TEXT:
        return None
    found: list[tuple[str, str]] = []
    for piece in _pieces(text):
        match = re.match(r"^\s*\$?\s*([^=:<>]{1,40}?)\s*(?:=|:)\s*([^=:<>]+)$", piece)
        if match is None:
            return None
        name = squeezed(match[1]).lstrip("\\")
        if not re.fullmatch(r"[^\W\d_](?:_?\w{1,2})?|[^\W\d_]{2,12}", name):
            return None
        found.append((name, match[2].strip().strip("$")))
    return found if len(found) >= 2 and len({name for name, _ in found}) == len(found) else None


def _pieces(text: str) -> list[str]:
    """A text cut at the commas and "and"s that stand in no bracket."""
    flat = re.sub(r"\\(?:text|mathrm)\s?\{\s*(?:,\s*)?and\s*\}|\band\b|;|\\quad|\\qquad", ",", text)
    pieces, depth, start = [], 0, 0
    for position, char in enumerate(flat):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            pieces.append(flat[start:position])
            start = position + 1
    pieces.append(flat[start:])
    return [piece for piece in pieces if piece.strip(" $\\")]


def _order(question: str, found: list[str]) -> list[str] | None:
    """The order in which the question names all of them, where it does so in one order only."""
    wanted = set(found)
    for segment in segments(question):
        listing = re.sub(
            r"\\[a-zA-Z]+|[\s(){}\\]", lambda match: match[0].lstrip("\\") if len(match[0]) > 1 else "", segment
        )
        if set(listing.split(",")) == wanted and len(listing.split(",")) == len(found):
            return listing.split(",")
    known = [name for name in letters(question) if name in wanted]
    if len(known) != len(wanted):
        return None
    return known if known == sorted(known) or _enumerated(question, known) else None


def _enumerated(question: str, known: list[str]) -> bool:
    """The names stand one after the other: "p and q", "$w, d, a$ and $b$"."""
    gap = r"[\s$\\(){},]{1,8}(?:and\s?[\s$\\(){}]{0,6})?"
    return re.search(gap.join(re.escape(name) for name in known), question) is not None


# --------------------------------------------------------------------------- what is defined


def definition(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`left = … = right`, where the question has the left side: its last member. A qualifier that only repeats the
    question's own words about an index (`for all positive integers n`) goes with it."""
    text = _unqualified(question, side.text)
    if len(text) > MAX_TEXT or isinstance(side.value, Function):
        return
    parts = _equal_parts(text)
    if len(parts) < 2:
        if text != side.text and (cut := read(text)) is not None:
            for licence in of_kind(question, LicenceKind.PARAMETER):
                yield cut, other, licence
        return
    if len(_equal_parts(_unqualified(question, other.text))) > 1:
        return
    named = _defined(question, parts[0])
    if named is None and isinstance(side.value, Relation) and side.letters:
        named = _identity(question, side.value, parts[-1])
    if named is not None:
        last = read(_balanced(parts[-1]))
        if last is not None:
            yield last, other, named


def _identity(question: str, value: Relation, right: str) -> Licence | None:
    """The licence where the question has the right side, and the left one is proved to be equal to it."""
    named = _defined(question, right) if set(value.ops) == {"="} else None
    if named is None:
        return None
    trial = Trial(work=20_000, algebra=False)
    proved = (numbers.compare(term, value.terms[-1], trial) for term in value.terms[:-1])
    return named if all(isinstance(verdict, Equal) for verdict in proved) else None


def joined(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`(f(n), g(n)) = (n, 1)` beside `f(n) = n, g(n) = 1`: name by name."""
    parts = _equal_parts(_unqualified(question, side.text))
    named = _pieces(other.text)
    if len(parts) != 2 or len(named) < 2:
        return
    left, right = read(_balanced(parts[0])), read(_balanced(parts[1]))
    if left is None or right is None or not isinstance(left.value, Tuple) or not isinstance(right.value, Tuple):
        return
    heads = _pieces(plain_brackets(parts[0]))
    tails: list[Value] = []
    for head in heads:
        tail = next((piece for piece in named if squeezed(piece).startswith(squeezed(head) + "=")), None)
        value = read(tail.split("=", 1)[1].strip(" $")) if tail is not None else None
        if value is None or value.value is None:
            return
        tails.append(value.value)
    if len(tails) == len(named) == len(right.value.items):
        for licence in of_kind(question, LicenceKind.DEFINITION):
            yield right, other.holding(Tuple(tuple(tails))), licence


def plain_brackets(text: str) -> str:
    """The inside of a bracketed text."""
    inner = re.sub(r"\\(?:left|right)|\\[,;! ]|\$", "", text).strip()
    return inner[1:-1] if inner[:1] == "(" and inner[-1:] == ")" else inner


_OTHER_RELATION = re.compile(
    r"[<>≤≥≠≈]|\b(?:and|or|where)\b|\\(?:le|ge|lt|gt|leq|geq|ne|neq|approx|in|mid|equiv)(?![a-zA-Z])"
)


def _equal_parts(text: str) -> list[str]:
    """A text cut at its equality signs outside brackets; one part where it holds another relation or a list."""
    if _OTHER_RELATION.search(text):
        return [text]
    parts, depth, start = [], 0, 0
    for position, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char in ",;" and depth == 0:
            return [text]
        elif char == "=" and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part.strip() for part in parts] if all(part.strip(" $") for part in parts) else [text]


def _balanced(text: str) -> str:
    return text.strip().strip("$").strip()


def _defined(question: str, left: str) -> Licence | None:
    """The licence where the question holds the left side: as a formula, without its arguments, or as initials."""
    granted = of_kind(question, LicenceKind.DEFINITION)
    wanted = squeezed(left)
    if not granted or not wanted or re.fullmatch(r"[\d.,+\-*^]+", wanted):
        return None
    variants = {wanted, re.sub(r"\([a-zA-Z]\)", "", wanted), wanted.strip("()")}
    for segment in segments(question):
        have = squeezed(segment)
        if any(variant and _holds(have, variant) for variant in variants):
            return granted[0].about(" ".join(segment.split()))
    initials = re.fullmatch(r"([A-Z]{2,5})(?:_.{0,12})?", re.sub(r"\\text|\\mathrm|[{}$\s]", "", left))
    if initials:
        pattern = r"\b" + r"\w*\s+(?:(?:of|the|for|and|in)\s+)?".join(initials[1]) + r"\w*"
        phrase = re.search(pattern, question, re.IGNORECASE)
        if phrase:
            return granted[0].about(" ".join(phrase[0].split()))
    return None


def _holds(have: str, wanted: str) -> bool:
    """The formula stands in the other with no letter or digit touching it."""
    at = have.find(wanted)
    while at >= 0:
        before, after = have[at - 1 : at], have[at + len(wanted) : at + len(wanted) + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (after.isalnum() and wanted[-1].isalnum()):
            return True
        at = have.find(wanted, at + 1)
    return False


_QUALIFIER = re.compile(
    r"[,\s]*(?:\\(?:text|mathrm)\s?\{)?[,\s]*\(?\b(?:for|where|with)\b(?P<rest>[^=<>]{1,120})$",
)


_GENERAL = frozen("all some any every each a an is are be arbitrary constant integer integers")


def _unqualified(question: str, text: str) -> str:
    """The text without a trailing "for all integers n" or "for some integer t" that restricts nothing further: its
    words are general ones or the question's own."""
    match = _QUALIFIER.search(text[:MAX_TEXT])
    if match is None or match.start() == 0:
        return text
    said = words(question)
    general = _GENERAL
    rest = [word for word in re.findall(r"[^\W\d_]{2,}", plain(match["rest"]).lower()) if word not in ("in", "mathbb")]
    if not rest or any(char.isdigit() for char in match["rest"]):
        return text
    ok = all(word in general or word in said or word.rstrip("s") in said or word + "s" in said for word in rest)
    return text[: match.start()].rstrip(" ,\\") if ok and not _NEGATIONS & set(rest) else text


# --------------------------------------------------------------------------- words


def alternatives(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A sentence that names one of the alternatives, beside that alternative."""
    sentence, chosen = side.plain, other.plain
    tokens = re.findall(r"[^\W\d_]+(?:['’]\w+)?", sentence.lower())
    if not chosen or len(tokens) > 30 or len(tokens) < 2 or _NEGATIONS & set(tokens):
        return
    wanted = chosen.lower()
    for licence in of_kind(question, LicenceKind.ALTERNATIVES):
        offered = [word.lower() for word in re.findall(r"[^\W\d_]+", licence.what) if word.lower() not in ("or", "nor")]
        if not offered:
            offered = _people(question)
        if wanted in offered and [word for word in tokens if word in offered] == [wanted]:
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
        or _NEGATIONS & set(ours + theirs)
        or any(word not in said and word not in _FILLERS for word in left)
    ):
        return
    for licence in of_kind(question, LicenceKind.RESTATED):
        yield Side(Words(short), short), Side(Words(short), short), licence
        return
