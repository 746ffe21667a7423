"""Parts on their way through other processes: a number of them at once, their results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from ..model import Part
from .alike import Result

Graded: TypeAlias = tuple[Part, list[Result]]


def in_order(
    parts: Iterator[Part],
    at_once: int,
    submit: Callable[[Part], Any],
    collect: Callable[[Part, Any], list[Result]],
    drop: Callable[[Any], None] = lambda future: None,
) -> Iterator[Graded]:
    """Every part with its results.

    Args:
        parts: taken only as others are done, so that memory stays bounded.
        at_once: parts that are under way at a time.
        submit: starts a part and returns what stands for its results.
        collect: waits for them.
        drop: called on what is still under way when the rest is not wanted any more.
    """
    waiting = deque((part, submit(part)) for part in islice(parts, at_once))
    try:
        while waiting:
            part, future = waiting.popleft()
            yield part, collect(part, future)
            waiting.extend((following, submit(following)) for following in islice(parts, 1))
    finally:
        for _, future in waiting:
            drop(future)
