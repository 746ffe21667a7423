"""A last line that is nothing but a value: the conclusion of the text before it, written once more."""

from __future__ import annotations

import re

from ..model import Rule
from ..text.scan import line_bounds
from .candidate import Candidate
from .trim import trim_value

_VALUE = re.compile(
    r"[-−+]?[$€£]?\d(?:,?\d)*(?:\.\d+)?(?:/\d+)?(?:\\?%)?|[-−]?\d*\\(?:[dt]?frac|sqrt|pi)\S{0,40}|[A-Za-z]\s?=\s?[-−]?\d+(?:[./]\d+)?"
)
_ALSO = re.compile(r"(?<![\w.])[-−+]?\d(?:,?\d)*(?:\.\d+)?(?:/\d+)?%?(?!\w)")
_NEAR = 400
_POINT_OF_LIST = re.compile(r"[\s*]*\d{1,3}[.)][\s*]*")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_LISTS = re.compile(r"(?i)\b(?:step|case|part|question|problem|example)\s*\d*\s*[:.]?\s*$")


def repeated_below(text: str, lo: int, hi: int) -> Candidate | None:
    """`I get 5.` and below it `5`; or a line that ends in a colon, and below it the value alone.

    A value that stands alone and is another than the last one before it is no answer: the text says two things.
    """
    line, end = line_bounds(text, hi, max(lo, hi - 120), hi)
    if line <= lo or text[line - 1] != "\n":
        return None
    a, b = trim_value(text, line, end)
    if a >= b or _VALUE.fullmatch(text, a, b) is None or _POINT_OF_LIST.fullmatch(text, line, end):
        return None
    if not _closed(text[line:end]):
        return None
    before = text[max(lo, line - _NEAR) : line].rstrip()
    above = before.rsplit("\n", 1)[-1]
    if not re.search(r"[^\W\d_]{2,}", _COMMAND.sub("", above)) or _LISTS.search(above):
        return None  # one of several lines that are values
    value = _plain(text[a:b])
    if above.rstrip("*_ ").endswith((":", "：")):
        return Candidate(line, end, ((a, b),), text[a:b], Rule.LAST_NUMBER)
    numbers = _ALSO.findall(above)
    if (numbers and _plain(numbers[-1]) == value) or ("\\" in value and value in _plain(above)):
        return Candidate(line, end, ((a, b),), text[a:b], Rule.LAST_NUMBER)
    return None


def _closed(line: str) -> bool:
    """Whether the formula on a line is closed on it; a text that was cut off leaves it open."""
    return (
        line.count("\\[") == line.count("\\]")
        and line.count("\\(") == line.count("\\)")
        and line.count("{") == line.count("}")
        and (line.count("$") % 2 == 0 or re.search(r"\$\d", line) is not None)
    )


def _plain(text: str) -> str:
    return re.sub(r"[\s,$€£+]|^[A-Za-z]\s?=", "", text).replace("−", "-")
