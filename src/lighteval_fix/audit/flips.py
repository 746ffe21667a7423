"""Why a verdict changed."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Cause, Grade, Item


def infer(item: Item, grade: Grade, grades: Sequence[Grade]) -> Cause:
    """The smallest change to the recorded grader's behaviour that explains the change."""
    return Cause.UNEXPLAINED
