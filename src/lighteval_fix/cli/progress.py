"""A progress line on stderr, on a terminal only. It wraps the iterator of results; nothing below knows of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from ..audit.alike import Alike, Result
from ..text.visible import visible

_EVERY = 0.2


def watched(results: Iterator[Result], title: str, quiet: bool = False) -> Iterator[Result]:
    """The same results, with a line that counts them while they pass."""
    if quiet or not sys.stderr.isatty():
        yield from results
        return
    start = shown = time.monotonic()
    count = 0
    try:
        for result in results:
            yield result
            count += result.times if isinstance(result, Alike) else 1
            now = time.monotonic()
            if now - shown >= _EVERY:
                shown = now
                _write(f"{title}: {count:,} graded, {count / (now - start):,.0f} a second")
    finally:
        _write("")


def _write(line: str) -> None:
    sys.stderr.write(f"\r\x1b[K{visible(line, 100)}")
    sys.stderr.flush()
