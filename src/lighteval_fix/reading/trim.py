"""What is presentation at the ends of a value, and taken off."""

from __future__ import annotations

import re

from ..model import Span
from ..text.scan import close_brace, find_unescaped, math_at, strip_window

_FACTORIAL = re.compile(r"(?:(?<![A-Za-z])[a-z]|\))!$")
"""`n!` and `(n-1)!`; behind a number the sign may as well be an exclamation, and is taken for one."""
_QUOTES = {'"': '"', "”": "“", "'": "'", "’": "‘", "」": "「", "»": "«"}
"""Opening quotation marks by the closing one."""
_STOPS = frozenset(".,;:。，；：．!！")
_LAST = _STOPS | frozenset("*`_})]~\\") | frozenset(_QUOTES)
"""Last characters of a value that may be presentation."""
_FIRST = frozenset("*`_~\\")
"""First characters of a value that may be presentation."""
_WRAPS = frozenset("$\\")
_WRAPPED = frozenset("$)]")


def trim_value(text: str, lo: int, hi: int, maths: bool = False) -> Span:
    """`lo:hi` without what is presentation: white space, emphasis, quotation marks, closing punctuation, delimiters
    of maths round the whole, a box round the whole. In maths, as everything in such delimiters is, `!` is a factorial.
    """
    while True:
        lo, hi = strip_window(text, lo, hi)
        if lo >= hi:
            return lo, hi
        first, last = text[lo], text[hi - 1]
        before = (lo, hi)
        if (last in _LAST and not (maths and last == "!" and text[hi - 2] != "\\")) or first in _FIRST:
            lo, hi = _trim_ends(text, lo, hi, maths)
            if lo < hi:
                first, last = text[lo], text[hi - 1]
        if first in _WRAPS or last in _WRAPPED:
            inside = _trim_wrap(text, lo, hi)
            maths = maths or inside != (lo, hi)
            lo, hi = inside
        if (lo, hi) == before:
            return lo, hi


def _trim_ends(text: str, lo: int, hi: int, maths: bool) -> Span:
    last = text[hi - 1]
    if (
        last in _STOPS
        and not (last == "." and _dotted(text, lo, hi))
        and not (last == "!" and (maths or _FACTORIAL.search(text, max(lo, hi - 3), hi)))
    ):
        escaped = hi - 2 >= lo and text[hi - 2] == "\\"
        return lo, hi - 2 if escaped and last in ",;:!" else hi if escaped else hi - 1
    if last in "*`_" and hi - lo > 1 and (last != "_" or text[hi - 2] == "_"):
        return lo, hi - 1
    if text[lo] in "*`" or text.startswith("__", lo):
        return lo + (2 if text[lo] == "_" else 1), hi
    opening = _QUOTES.get(last)
    if opening is not None:
        if text[lo] == opening and hi - lo > 2:
            return lo + 1, hi - 1
        if last not in "'’\"" and text.find(opening, lo, hi) < 0:
            return lo, hi - 1
        if last == '"' and text.count('"', lo, hi) == 1 and hi - lo > 1:
            line = max(text.rfind("\n", 0, lo) + 1, lo - 80)
            if not text[hi - 2].isdigit() or text.count('"', line, lo) % 2:  # behind a number it may mean inches
                return lo, hi - 1
    if last == "}" and text[hi - 2] != "\\":
        surplus = text.count("}", lo, hi) - text.count("{", lo, hi)
        run = min(surplus, hi - lo - len(text[lo:hi].rstrip("}")))
        if run > 0:
            return lo, hi - run + (text[hi - run - 1] == "\\")
    if last in ")]" and hi - lo > 1 and text.find("(", lo, hi) < 0 and text.find("[", lo, hi) < 0:
        return lo, hi - 1
    if text.startswith(("~", "\\ ", "\\,", "\\;"), lo):
        return lo + (1 if text[lo] == "~" else 2), hi
    if last == "~" or (last == "\\" and hi - lo > 1):
        return lo, hi - 1
    return lo, hi


def _dotted(text: str, lo: int, hi: int) -> bool:
    """`\\right.` and an ellipsis keep their dot."""
    return text.endswith(("\\right.", "\\left."), lo, hi) or text.endswith("..", lo, hi)


def _trim_wrap(text: str, lo: int, hi: int) -> Span:
    if hi - lo < 2:
        return lo, hi
    inner = math_at(text, lo, hi)
    if inner is not None:
        if inner[2] == hi and inner[0] < inner[1]:
            return inner[0], inner[1]
    elif text[lo] == "$" and not text[lo + 1].isdigit() and find_unescaped(text, "$", lo + 1, hi) < 0:
        return lo + 1, hi
    elif text.startswith(("\\(", "\\["), lo):
        return lo + 2, hi
    if inner is None:
        for closing in ("\\)", "\\]", "$$", "$"):
            if text.endswith(closing, lo, hi) and _unopened(text, closing, lo, hi):
                return lo, hi - len(closing)
    for command in ("\\boxed{", "\\fbox{", "\\displaystyle", "\\bf ", "\\textbf{", "\\mathbf{", "\\boldsymbol{"):
        if text.startswith(command, lo):
            if not command.endswith("{"):
                return lo + len(command), hi
            if close_brace(text, lo + len(command) - 1, hi) == hi - 1:
                return lo + len(command), hi - 1
    return lo, hi


def _unopened(text: str, closing: str, lo: int, hi: int) -> bool:
    if closing[0] == "$":
        return (
            hi - len(closing) > lo and text.count("$", lo, hi) == len(closing) and text[hi - len(closing) - 1] != "\\"
        )
    return text.find("\\(" if closing == "\\)" else "\\[", lo, hi) < 0
