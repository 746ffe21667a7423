"""A generation cut into pieces for display: folded reasoning, plain text, what was read, what was passed over.

Spans are code points and JavaScript strings are UTF-16, so the cutting is done here and the page only shows pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

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
    harness: Span | None = None,
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
        harness: span of what the harness graded, where that is known.

    Returns:
        (kind, text) pairs in order; kind is `reasoning`, `plain`, `read`, `harness`, `both` or `passed`. Where text is
        left out, the piece says how much.
    """
    marks = _marks(list(read), list(passed), harness)
    out: list[Piece] = []
    at = 0
    if 0 < answer_start <= len(text) and not any(a < answer_start for a, _, kind in marks if kind != "passed"):
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


def _marks(read: list[Span], passed: list[Span], harness: Span | None) -> list[tuple[int, int, str]]:
    """Spans to mark, in order and apart; what the harness took of what we read is marked as both."""
    graded = [harness] if harness is not None else []
    edges = sorted({edge for span in (*read, *passed, *graded) for edge in span})
    out: list[tuple[int, int, str]] = []
    for start, stop in pairwise(edges):
        ours, theirs, other = (any(a <= start and stop <= b for a, b in spans) for spans in (read, graded, passed))
        kind = "both" if ours and theirs else "read" if ours else "harness" if theirs else "passed" if other else ""
        if kind and out and out[-1][1:] == (start, kind):
            out[-1] = (out[-1][0], stop, kind)
        elif kind:
            out.append((start, stop, kind))
    return out


def _shorten(text: str, head: int, tail: int) -> str:
    left_out = len(text) - head - tail
    if left_out <= 200:
        return text
    return f"{text[:head]}\n[… {left_out:,} characters left out …]\n{text[-tail:]}"
