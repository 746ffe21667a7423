"""Angle brackets with which a tag or a token may begin, found once a text: formulas are full of others."""

from __future__ import annotations

import re
from itertools import islice

_BEGINS = re.compile(r"<(?=[/|｜]|[^\W\d_])")
_SIGNS = frozenset("/|｜")
_FEW = 12
"""Brackets that are stepped over, which costs nothing between them, before a pattern takes over."""
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
    found: list[int] = []
    at = text.find("<")
    steps = 0
    while at >= 0:
        if steps == _FEW:
            found += [m.start() for m in islice(_BEGINS.finditer(text, at), MANY + 1 - len(found))]
            break
        behind = text[at + 1 : at + 2]
        if behind in _SIGNS or behind.isalpha():
            found.append(at)
        steps += 1
        at = text.find("<", at + 1)
    kept = tuple(found) if len(found) <= MANY else None
    _held = (text, kept)
    return kept


def may_close(text: str, lo: int, hi: int) -> bool:
    """Whether a closing tag may begin in `lo:hi`."""
    found = angles(text)
    if found is None:
        return text.find("</", lo, hi) >= 0
    return bool(found) and any(lo <= at < hi and text[at + 1] == "/" for at in found)
