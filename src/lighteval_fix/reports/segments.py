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
    marks = _marks(list(read), [span for span in passed if span[1] > span[0]], harness)
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
    """Spans to mark, in order; where the harness took what we read, it is marked once, as both."""
    kinds = dict.fromkeys(passed, "passed")
    if harness is not None and harness[1] > harness[0]:
        met = next((span for span in read if span[0] < harness[1] and harness[0] < span[1]), None)
        kinds[harness if met is None else met] = "harness" if met is None else "both"
    for span in read:
        if kinds.get(span) != "both":
            kinds[span] = "read"
    return sorted((start, stop, kind) for (start, stop), kind in kinds.items())


def _shorten(text: str, head: int, tail: int) -> str:
    left_out = len(text) - head - tail
    if left_out <= 200:
        return text
    return f"{text[:head]}\n[… {left_out:,} characters left out …]\n{text[-tail:]}"
