"""Licences about words and text: options and their letters, names beside values, what is being defined, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model import Equal
from .. import numbers
from ..parsing.tables import frozen
from ..trial import Trial
from ..value import Choice, Function, Relation, Tuple, Value
from .measured import Pair
from .named import cut_outside, pieces
from .question import options, segments, words
from .restated import NEGATIONS
from .sides import MAX_TEXT, Side, plain, read, squeezed
from .table import Licence, LicenceKind, of_kind

_LABEL = re.compile(r"^\(?\s?([A-K])\s?\)?[.:]?$")
_LABELLED = re.compile(r"^\(?\s?([A-K])\s?[).:]+\s?(\S.*)$", re.DOTALL)
# --------------------------------------------------------------------------- options


def option(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A label on this side stands for its option's text; a label with its own text beside it, for the label."""
    bare = side.plain
    label, both = _LABEL.match(bare), _LABELLED.match(bare)
    found = options(question) if label or both else ()
    if not found:
        return
    licence = of_kind(question, LicenceKind.OPTION)[0]
    texts = {entry.label: entry.text for entry in found}
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
    if both and both[1] in texts and _same_text(both[2], texts[both[1]]):
        yield Side(Choice(both[1]), both[1]), other, licence.about(f"({both[1]}) {texts[both[1]]}")


def _same_text(one: str, two: str) -> bool:
    return squeezed(one).casefold().rstrip(".") == squeezed(two).casefold().rstrip(".")


# --------------------------------------------------------------------------- what is defined


def definition(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`left = … = right`, where the question has the left side: its last member. A qualifier that only repeats the
    question's own words about an index (`for all positive integers n`) goes with it."""
    text = _unqualified(question, side.text)
    if len(text) > MAX_TEXT or isinstance(side.value, Function):
        return
    parts = _equal_parts(text)
    if text != side.text and (cut := read(text)) is not None:
        for licence in of_kind(question, LicenceKind.PARAMETER):
            yield cut, other, licence
    if len(parts) < 2:
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
    named = pieces(other.text)
    if len(parts) != 2 or len(named) < 2:
        return
    left, right = read(_balanced(parts[0])), read(_balanced(parts[1]))
    if left is None or right is None or not isinstance(left.value, Tuple) or not isinstance(right.value, Tuple):
        return
    heads = pieces(plain_brackets(parts[0]))
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
    if _OTHER_RELATION.search(text) or len(cut_outside(text, ",;")) > 1:
        return [text]
    parts = cut_outside(text, "=")
    return [part.strip() for part in parts] if all(part.strip(" $") for part in parts) else [text]


def _balanced(text: str) -> str:
    return text.strip().strip("$").strip()


_WHAT_IS_ASKED = tuple(
    (re.compile(shape), tuple(names.split()))
    for shape, names in (
        (r"(?:\\?Pr?|\\mathbbP)(?:\(.{1,60}\)|_.{1,20})?", "probability chance"),
        (r"\\?det(?:\([A-Z]\)|[A-Z])|\|[A-Z]\|", "determinant"),
        (r"\\?(?:mathbb)?E(?:\(.{1,20}\)|\[.{1,20}\])", "expected expectation"),
        (r"(?:\\?Var|V)(?:\(.{1,20}\))", "variance"),
        (r"\|\\?(?:vec)?[a-zA-Z]\|", "magnitude modulus absolute norm"),
    )
)
"""Notations for what a question asks for in words."""
_GIVEN = re.compile(r"=-?\d+(?:\.\d+)?(?:\^\\?circ)?$")


def _defined(question: str, left: str) -> Licence | None:
    """The licence where the question holds the left side: as a formula, without its arguments, or as initials."""
    granted = of_kind(question, LicenceKind.DEFINITION)
    wanted = squeezed(left)
    if not granted or not wanted or re.fullmatch(r"[\d.,+\-*^]+", wanted):
        return None
    variants = {wanted, re.sub(r"\([a-zA-Z]\)", "", wanted), wanted.strip("()")}
    for segment in segments(question):
        have = squeezed(segment)
        if any(have == f"{variant}={have[len(variant) + 1 :]}" and _GIVEN.search(have) for variant in variants):
            return None  # the question itself says what it is
        if any(variant and _holds(have, variant) for variant in variants):
            return granted[0].about(" ".join(segment.split()))
    for shape, names in _WHAT_IS_ASKED:
        said = next((name for name in names if name in words(question)), None)
        if said is not None and shape.fullmatch(wanted):
            return granted[0].about(said)
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
    return text[: match.start()].rstrip(" ,\\") if ok and not NEGATIONS & set(rest) else text
