"""From the text of an answer to its typed value, or to the place where it left the language.

The whole text parses or none of it does: there is no value of a fragment.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.glyphs import as_latex, original_position
from lighteval_fix.deciding.parsing.lex import lex
from lighteval_fix.deciding.parsing.nodes import NODES, decimal, may_hold_e, negate, product
from lighteval_fix.deciding.parsing.presentation import repaired, unwrap
from lighteval_fix.deciding.parsing.relations import Relations
from lighteval_fix.deciding.parsing.tokens import Reject, Tokens
from lighteval_fix.deciding.parsing.words import flatten, may_be_words, read_words, unit_factors
from lighteval_fix.deciding.trees import symbols
from lighteval_fix.deciding.value import (
    Based,
    Choice,
    Difference,
    Listing,
    Mul,
    NamedSet,
    Num,
    Parsed,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetOf,
    Sym,
    Unparsed,
    Value,
)

_LABEL: Final = ["(", "let", ")"]
_AFTER_LABEL: Final = frozenset(("end", ",", ";", ".", "and", "or", "^", "+", "-", "rel", "*", "/", "where"))


class Answers(Relations):
    """The grammar of whole answers."""

    __slots__ = ()

    def whole(self) -> Value:
        if self.kinds[:3] == _LABEL and self.texts[1].isupper() and self.kinds[3] not in _AFTER_LABEL:
            raise self.reject("ambiguous: a label before an answer or a factor")
        self.lead()
        value = self.listing()
        if self.kinds[self.i] == ".":
            self.i += 1
        if self.kinds[self.i] != "end":
            raise self.unexpected()
        return labelled(value)

    def lead(self) -> None:
        """`= 5`, `only x = 0`: what leads up to an answer and adds nothing to it."""
        kind, text = self.kinds[0], self.texts[0]
        if (kind == "rel" and text == "=") or (kind in ("text", "word") and text.strip().lower() == "only"):
            self.i = 1


def labelled(value: Value) -> Value:
    """A lone capital letter, and each capital in a list of them, is a label."""
    match value:
        case Scalar(node=Sym(name=name)) if len(name) == 1 and name.isascii() and name.isupper():
            return Choice(name)
        case Listing(items=items, ellipsis=False):
            return Listing(tuple(labelled(i) for i in items), either=value.either)
        case SetOf(items=items, ellipsis=False) if items:
            return SetOf(tuple(labelled(i) for i in items))
        case _:
            return value


_FAST: Final = re.compile(
    r"(-?)(?:(0|[1-9]\d{0,14})|(\d{1,15})\.(\d{1,15})|\\[dt]?frac\{(-?\d{1,15})\}\{(\d{1,15})\}|(\d{1,15})/(\d{1,15}))"
)


def _fast(text: str) -> Value | None:
    """Integers, decimals and plain fractions without the grammar."""
    match = _FAST.fullmatch(text)
    if match is None:
        return None
    sign, whole, front, back, over, under, above, below = match.groups()
    places = None
    if whole is not None:
        value = Fraction(int(whole))
    elif front is not None:
        value, places = Fraction(int(front + back), 10 ** len(back)), len(back)
    else:
        divisor = int(under or below)
        if not divisor:
            return None
        value = Fraction(int(over or above), divisor)
    return Scalar(Num(-value if sign else value, places))


@lru_cache(maxsize=limits.PARSE_CACHE)
def _parse(text: str) -> Parsed | Unparsed:
    value = _fast(text)
    if value is not None:
        return Parsed(value, text)
    sound = repaired(text)
    plain = unwrap(sound)
    if not plain:
        return Unparsed(text, 0, "empty")
    if plain != text:
        value = _fast(plain)
        if value is not None:
            return Parsed(value, plain)
    latex = plain if plain.isascii() and not _HTML.search(plain) else as_latex(plain)
    if may_be_words(latex):
        value = read_words(flatten(latex))
        if value is not None:
            return Parsed(value, plain)
    crossed = _CROSS.search(latex) if "\\times" in latex else None
    if crossed is not None:
        return Unparsed(text, text.find("\\times"), "a cross product")
    try:
        tokens = lex(latex)
        value = Answers(tokens, latex).whole()
    except Reject as rejected:
        again = _exception(latex) or (_measured(latex) if "min" in latex else _divided(latex) if ":" in latex else None)
        if again is not None:
            return Parsed(again, plain)
        position = rejected.position if latex is plain else original_position(plain, rejected.position)
        return Unparsed(text, position + max(0, text.find(plain)), rejected.why, rejected.over_limit)
    comma = _DECIMAL_COMMA.fullmatch(plain)
    hexadecimal = _HEXADECIMAL.fullmatch(latex)
    if hexadecimal is not None:
        other: Value | None = Based(hexadecimal[1], int(hexadecimal[2]))
    elif tokens.comma_groups:
        other = _other(latex)
    elif comma is not None and isinstance(value, Listing):
        other = Scalar(decimal(plain.replace(".", "").replace(",", ".").lstrip("-")))
        other = Scalar(negate(other.node)) if plain[0] == "-" else other
    elif isinstance(value, Listing) and _SPACED.fullmatch(plain) is not None:
        other = Scalar(Num(Fraction(int(_NOT_DIGITS.sub("", plain)))))
    elif "sci" in tokens.kinds:
        other = _with_e(tokens)
    elif isinstance(value, Listing):
        other = _lettered(value)
    else:
        other = _in_units(value, latex)
        if isinstance(other, Quantity) and _RATE.search(plain) is not None:
            return Parsed(other, plain, value)
    return Parsed(value, plain, other)


_EXCEPT: Final = re.compile(
    r"(?:the set of\s)?all\s(?:real\s(?:numbers|values)|reals)(?:\s(?:of\s)?\$?[a-z]\$?)?,?"
    r"\s(?:except|other than|but)(?:\sfor)?\s(?P<rest>.+)",
    re.IGNORECASE,
)


def _exception(latex: str) -> Value | None:
    """`all real numbers except 1 and 2`."""
    match = _EXCEPT.fullmatch(flatten(latex).replace("$", " ").strip()) if "real" in latex else None
    rest = _parse(match["rest"]) if match is not None else None
    if not isinstance(rest, Parsed):
        return None
    found = rest.value
    members = found.items if isinstance(found, (Listing, SetOf)) else (found,)
    left = [i.terms[1] if isinstance(i, Relation) and i.ops == ("=",) else getattr(i, "node", None) for i in members]
    numbers = [node for node in left if isinstance(node, NODES) and not symbols(node)]
    if len(numbers) != len(members):
        return None
    return Difference(NamedSet("R"), SetOf(tuple(Scalar(node) for node in numbers)))


def _divided(latex: str) -> Value | None:
    """The reading in which `:` divides, for a text in brackets that is no ratio and no list: `(1/a : 1/b) - 1`."""
    if "(" not in latex or _NOT_DIVIDED.search(latex) is not None:
        return None
    text = latex.replace(":", "\\div ")
    try:
        return Answers(lex(text), text).whole()
    except Reject:
        return None


def _other(latex: str) -> Value | None:
    """The reading in which no bare comma is a thousands mark."""
    try:
        return Answers(lex(latex, comma_lists=True), latex).whole()
    except Reject:
        return None


_UNIT: Final = r"(?:[kcdmµ]?m|s|k?g|h|[mc]?[Ll]|N|J|W|V|A|K|C|F|T|t|min|in|Hz|Pa|mol|\\Omega|Ω)(?:\^\{?-?\d\}?)?"
_SHORT_UNIT: Final = re.compile(
    rf"(?<=[\d}})])(?:\s|~|\\[ ,;:!])*"
    rf"(?P<unit>{_UNIT}(?:\s?(?:[/*]|\\cdot(?![a-zA-Z])|(?<=[\d}} ]))\s?{_UNIT}){{0,3}})$"
)
_SPACED: Final = re.compile(r"[1-9]\d{0,2}(?:,\s\d{3}){1,5}")
"""A list that may be one number, its thousands marked."""
_NOT_DIGITS: Final = re.compile(r"\D+")
_RATE: Final = re.compile(r"(?<=[\d ])(?:m/s(?:\^(?:2|\{2\}))?|m\^(?:3|\{3\})/s|L/s|g/(?:L|l|mL)|[NV]/m)$")
"""Units of rate that are written without `\\text` and that hardly anybody means as a product of letters."""
_ARROW: Final = (
    r"\\(?:vec|overrightarrow|mathbf|boldsymbol|bm|hat|bold)\s*(?:\{\s*\\?[a-zA-Z]{1,6}\s*\}|\s[a-zA-Z](?![a-zA-Z]))"
)
_CROSS: Final = re.compile(rf"{_ARROW}\s*\\times\s*(?:\\left\s*)?\(?{_ARROW}")
"""`\vec a \times \vec b`: no product of numbers, and another one than the dot."""
_HTML: Final = re.compile(r"<su[bp]>|&[a-z]+\d*;")
_UNIT_LETTERS: Final = frozenset("msghLlNJWVAKCFTt")
_NOT_DIVIDED: Final = re.compile(r"[,;|]|\\[{}]|\\text|(?<![\d)}\s]):|[a-zA-Z]\s*:|(?<![\\a-zA-Z])[a-zA-Z]{3,}")
_DECIMAL_COMMA: Final = re.compile(r"-?(?:\d{1,12}|\d{1,3}(?:\.\d{3}){1,4}),\d{1,12}")
"""A list of two numbers that may be one, its point a comma."""
_HEXADECIMAL: Final = re.compile(r"([A-F]|[a-f]{2,8})\s?_\s?\{?\s?(1[1-6])\s?\}?")
"""A symbol with a subscript that may be a digit in its base."""
_UNIT_ENDS: Final = frozenset("msghLlNJWVAKCFTtnzaΩ}123456789")


def _with_e(tokens: Tokens) -> Value | None:
    """The reading of `3e-2`, where that is the whole text, in which e is the constant."""
    sign, literal = tokens.kinds[0] == "-", tokens.texts[-2]
    if len(tokens.kinds) > 2 + sign or not may_hold_e(literal):
        return None
    mantissa, _, power = literal.lower().partition("e")
    spaced = f"{'-' * sign}{mantissa} e {power}"
    return Answers(lex(spaced), spaced).whole()


def _lettered(value: Listing) -> Value | None:
    """The reading of `x: 3, y: 4` as values beside their names, where it was read as ratios."""
    named: list[Relation] = []
    for item in value.items:
        match item:
            case Ratio(terms=(Sym() as name, right)) if not symbols(right):
                named.append(Relation((name, right), ("=",)))
            case _:
                return None
    return Listing(tuple(named)) if len({relation.terms[0] for relation in named}) == len(named) > 1 else None


def _in_units(value: Value, latex: str) -> Value | None:
    """The reading of `5 m` as five metres, where it was read as a product."""
    if not isinstance(value, Scalar) or not isinstance(value.node, Mul):
        return None
    *rest, last = value.node.args
    if isinstance(last, Sym) and last.name in _UNIT_LETTERS and not any(symbols(n) for n in rest):
        return Quantity(product(rest), ((last.name, 1),))
    return _measured(latex)


def _measured(latex: str) -> Quantity | None:
    """A number with a unit in plain letters behind it: `10 m^2`, `3\\times10^8 m/s`, `5 m/min`."""
    match = _SHORT_UNIT.search(latex) if latex[-1:] in _UNIT_ENDS else None
    if match is None:
        return None
    unit = unit_factors(match["unit"].replace("\\cdot", "*").replace("\\Omega", "ohm"))
    head = _parse(latex[: match.start()].rstrip()) if unit else None
    if unit is None or not isinstance(head, Parsed) or not isinstance(head.value, Scalar) or symbols(head.value.node):
        return None
    return Quantity(head.value.node, unit)


def parse_answer(text: str) -> Parsed | Unparsed:
    """The typed value of the whole of `text`, or where and why it is not in the language. Never raises on a string."""
    if len(text) > limits.MAX_LENGTH:
        return Unparsed(text, limits.MAX_LENGTH, "longer than an answer may be", True)
    try:
        return _parse(text)
    except RecursionError:
        # the caller was already deep in its stack; never remembered, since it says nothing of the text
        return Unparsed(text, 0, "no room left on the stack", True)
