"""A generation cut into pieces for display: folded reasoning, plain text, what was read, what was passed over.

Spans are code points and JavaScript strings are UTF-16, so the cutting is done here and the page only shows pieces.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Span

KEEP = 4_000
"""Characters of reasoning shown at either end, and round a span that lies inside it."""
ANSWER_KEEP = 20_000
"""Characters of the answer part shown at the most."""

Piece = tuple[str, str]


def segments(
    text: str,
    answer_start: int,
    read: Iterable[Span],
    passed: Iterable[Span],
    *,
    keep: int = KEEP,
    answer_keep: int = ANSWER_KEEP,
) -> list[Piece]:
    """Cut `text` for display.

    Args:
        text: the generation as recorded.
        answer_start: where the answer part begins (0 where there is no reasoning), in code points.
        read: spans of the answer as read.
        passed: spans of candidates that were outranked.

    Returns:
        (kind, text) pairs in order; kind is `reasoning`, `plain`, `read` or `passed`. Where text is left out, the
        piece says how much.
    """
    marks = sorted([(a, b, "read") for a, b in read] + [(a, b, "passed") for a, b in passed if b > a])
    out: list[Piece] = []
    at = 0
    if 0 < answer_start <= len(text) and not any(a < answer_start for a, _, kind in marks if kind == "read"):
        out.append(("reasoning", _shorten(text[:answer_start], keep, keep)))
        at = answer_start
    for start, stop, kind in marks:
        if start < at or stop > len(text):
            continue
        if start > at:
            out.append(("plain", _shorten(text[at:start], answer_keep // 2, keep)))
        out.append((kind, text[start:stop]))
        at = stop
    if at < len(text):
        out.append(("plain", _shorten(text[at:], answer_keep // 2, keep)))
    return out


def _shorten(text: str, head: int, tail: int) -> str:
    left_out = len(text) - head - tail
    if left_out <= 200:
        return text
    return f"{text[:head]}\n[… {left_out:,} characters left out …]\n{text[-tail:]}"
