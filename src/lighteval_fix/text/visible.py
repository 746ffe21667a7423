"""Model text made safe to print on one line: it must not move the cursor, colour the screen or turn the line round."""

from __future__ import annotations

import unicodedata

_NAMED = {"\n": "⏎", "\t": " ", "\r": "⏎"}
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def visible(text: str, limit: int = 200) -> str:
    """`text` on one line: line breaks as ⏎, control, format and unassigned characters as \\u escapes, cut to `limit`
    characters with an ellipsis (its middle goes: an answer's ends say more)."""
    if len(text) > 4 * limit:
        text = text[: 2 * limit] + "…" + text[-2 * limit :]
    line = "".join(_seen(c) for c in text)
    if len(line) <= limit:
        return line
    tail = limit // 3
    return f"{line[: limit - tail - 1]}…{line[-tail:]}" if tail else line[:limit]


def _seen(c: str) -> str:
    if c.isascii() and c.isprintable():
        return c
    if c in _NAMED:
        return _NAMED[c]
    if unicodedata.category(c) in _HIDDEN:
        return f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"
    return c
