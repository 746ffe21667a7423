"""What a reference says: read by the opposite rule, its box first and then the whole of it."""

from __future__ import annotations

import re

from ..model import NoAnswer, NoAnswerReason, Reading, Rule
from .asked import NOTHING
from .boxes import last_box
from .candidate import PassedOver, View
from .formats import hash_marks
from .trim import trim_value
from .value import is_prose

_LABEL = re.compile(
    r"\s*(?:\*\*)?(?:(?:the\s+)?(?:final\s+)?answer)(?:\*\*)?\s*(?:is)?\s*[:：](?:\*\*)?\s*", re.IGNORECASE
)


def read_gold(text: str) -> Reading | NoAnswer:
    """The answer of a reference solution.

    Its last complete box (rule `gold_box`); else the number behind `####`; else the whole text without an `ANSWER:`
    label (rule `gold_whole`), unless that is a paragraph, which is never an answer.
    """
    view = View(text, 0, len(text), False)
    over = PassedOver()
    if not text.strip():
        return NoAnswer(NoAnswerReason.EMPTY)
    boxed = last_box(text, 0, len(text), NOTHING, over).candidate
    if boxed is not None:
        return boxed.reading(view, over, Rule.GOLD_BOX if len(boxed.spans) == 1 else Rule.BOX_LIST)
    for _, (lo, hi) in hash_marks(text, 0, len(text), NOTHING):
        return Reading(text[lo:hi], ((lo, hi),), Rule.GOLD_WHOLE)
    label = _LABEL.match(text)
    lo, hi = trim_value(text, label.end() if label is not None else 0, len(text), maths=True)
    if lo >= hi:
        return NoAnswer(NoAnswerReason.EMPTY)
    if is_prose(text[lo:hi]) or "\n\n" in text[lo:hi]:
        return NoAnswer(NoAnswerReason.NOT_STATED)
    return Reading(text[lo:hi], ((lo, hi),), Rule.GOLD_WHOLE)
