"""Several values that a last sentence lists, all of them the answer."""

from __future__ import annotations

import re

from ..model import Rule
from ..text.scan import strip_window
from .candidate import Candidate
from .trim import trim_value

_ROOT = r"(?:\$|\\\()?\s*[A-Za-z] ?= ?[-−+\d./\\a-z{}]{1,40}?\s*(?:\$|\\\))?"
_ROOTS = re.compile(
    rf"(?i)\W*(?:so|thus|hence|therefore|consequently)[ ,]+(?:we (?:get|have|find) )?"
    rf"(?P<all>{_ROOT}(?:(?:,? (?:or|and) |, ){_ROOT}){{1,8}})[.\s]*"
)
"""`So x = 5 or x = -5.`: the values of a variable, all of them the answer."""
_FORMULA = r"(?:\$[^$\n]{1,60}\$|\\\([^\n]{1,60}?\\\))"
_NAMED = re.compile(
    r"(?i)[^$\\\n.!?;:]{0,120}?\b(?:solutions?|roots?|zeros|values?|answers?|integers?|numbers?|intercepts?|primes?|pairs?)\b"
    r"[^$\\\n.!?;]{0,40}?\b(?:are|is):?\s+"
    rf"(?P<all>{_FORMULA}(?:(?:,? (?:or|and) |, ){_FORMULA}){{1,8}})[.\s]*"
)
"""`The solutions are $x = 3$ and $x = -2$.`"""


def listed_values(text: str, lo: int, hi: int) -> Candidate | None:
    """The list that the sentence `lo:hi` ends in, from its first value to its last."""
    a, b = strip_window(text, lo, hi)
    if b - a >= 300:
        return None
    m = _ROOTS.fullmatch(text, a, b) or _NAMED.fullmatch(text, a, b)
    if m is None or _WEIGHED.search(text, a, m.start("all")):
        return None
    x, y = trim_value(text, *m.span("all"))
    return Candidate(a, b, ((x, y),), text[x:y], Rule.PHRASE)


_WEIGHED = re.compile(
    r"(?i)\b(?:not|if|possible|potential|candidates?|suppose|could|might|may|maybe|perhaps|consider|try)\b|n['’]t\b"
)
