"""The plain case of a choice, settled without looking further: the last line is an answer line or sentence and nothing
else, and no other mention of an answer could name another label. Everything less plain is left to `choice`."""

from __future__ import annotations

import re

from ..model import Rule
from ..text.scan import has_wide, rfind_any
from .asked import Asked
from .labels import LabelSet
from .turns import opens_question

_LAST = re.compile(
    r"[ \t>#*_]{0,6}(?:(?:so|thus|therefore|hence|finally|in conclusion),? )?(?:the |my )?(?:final |correct |best )?"
    r"answer(?:[*_]{0,2} ?(?P<colon>:)[*_ ]{0,4}| is:? ?)[*_$(\"]{0,4}(?P<x>[A-Z])[)$*_\"]{0,4}[.!]?[*_ ]{0,4}",
    re.IGNORECASE,
)
_LONGEST_LINE = 80
_LETTER = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
_MENTIONS = ("nswer", "NSWER")
_OTHER_FORMS = (
    "oxed", "fbox", "framebox", "</", "ns:", "NS:", '"answer', "'answer", '"final', "'final", '"solution', "'solution",
    '"result', "'result",
)  # fmt: skip
_REACH = 140
"""Characters behind a mention of an answer in which a label could still belong to it."""


def quick_label(
    text: str, lo: int, hi: int, labels: LabelSet, asked: Asked
) -> tuple[str, tuple[int, int], Rule] | None:
    """(label, its span, rule) of the plain case, else None."""
    if not labels.capitals or any(not t.prefix.lower().startswith(("answer", "the answer")) for t in asked.templates):
        return None
    start = max(text.rfind("\n", lo, hi) + 1, lo)
    if hi - start > _LONGEST_LINE:
        return None
    m = _LAST.fullmatch(text, start, hi)
    if m is None or text[m.start("x")] not in labels.lookup or m.group("x").islower():
        return None
    if any(text.find(sign, lo, start) >= 0 for sign in _OTHER_FORMS) or has_wide(text, lo, hi):
        return None
    label = m.group("x")
    for at in rfind_any(text, _MENTIONS, lo, start):
        if any(letter != label for letter in _LETTER.findall(text, at + 5, min(hi, at + _REACH))):
            return None
    if opens_question(text, lo, hi):
        return None
    return label, m.span("x"), Rule.ANSWER_LINE if m.group("colon") else Rule.CUE_LETTER
