"""Angle brackets with which a tag or a token may begin, found once a text: formulas are full of others."""

from __future__ import annotations

import re
from itertools import islice

_BEGINS = re.compile(r"<(?=[/|｜A-Za-z])")
MANY = 400
"""Brackets that are kept; where a text has more of them, whoever looks for tags searches for each."""

_held: tuple[str, tuple[int, ...] | None] = ("", ())
"""The last text and its brackets: reading asks several times in a row. One tuple, so that threads see both or none."""


def angles(text: str) -> tuple[int, ...] | None:
    """Offsets of `<` with a letter, a slash or a bar behind it, in order; None where there are more than `MANY`."""
    global _held
    held = _held
    if held[0] is text:
        return held[1]
    first = text.find("<")  # most texts have none, and this is the quickest way to know
    found = () if first < 0 else tuple([m.start() for m in islice(_BEGINS.finditer(text, first), MANY + 1)])
    kept = found if len(found) <= MANY else None
    _held = (text, kept)
    return kept


def may_close(text: str, lo: int, hi: int) -> bool:
    """Whether a closing tag may begin in `lo:hi`."""
    found = angles(text)
    if found is None:
        return text.find("</", lo, hi) >= 0
    return bool(found) and any(lo <= at < hi and text[at + 1] == "/" for at in found)
