"""The plain case of a choice, settled without looking further: the text ends in an answer line, or in an answer
sentence and nothing else, and no other mention of an answer could name another label. The rest is left to `choice`.
"""

from __future__ import annotations

import re

from ..model import Rule
from ..text.scan import has_wide
from .asked import Asked
from .labels import LabelSet
from .turns import opens_question

_HEAD = re.compile(
    r"[ \t>#*_]{0,6}(?:(?:so|thus|therefore|hence|finally|in conclusion),? )?(?:the |my )?(?:final |correct |best )?",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:answer|Answer|ANSWER)(?:[*_]{0,2} ?(?P<colon>:)[*_ ]{0,4}| (?:is|IS|Is):? ?)"
    r"[*_$(\"]{0,4}(?P<x>[A-Z])[)$*_\"]{0,4}[.!]?[*_ ]{0,4}"
)
_REACH_BACK = 48
_HEAD_LENGTH = 60
_LETTER = re.compile(
    r"(?<![A-Za-z])(?:[A-HJ-Z](?![A-Za-z])|I(?= ?[)\].:,;*$}\n(]|$)|(?<!['’])[a-z](?= ?[)\].:,;!?*$}\n(]|$"
    r"| (?:because|since|as|not|and|or|but|for|rather|instead)\b))"
)
"""A letter that could be a label: not the article, the pronoun or what an apostrophe leaves."""
_MENTIONS = ("nswer", "NSWER")
_OTHER_FORMS = ("oxed", "box", "</", "Ans:", "ANS:", " ans:", "\nans:")
_KEYS = ('"answer', "'answer", '"final', "'final", '"solution', "'solution", '"result', "'result")
_WIDE_WORDS = ("ｅ", "Ｅ", "：")
_REACH = 140
"""Characters behind a mention of an answer in which a label could still belong to it."""


def quick_label(
    text: str, lo: int, hi: int, labels: LabelSet, asked: Asked
) -> tuple[str, tuple[int, int], Rule] | None:
    """(label, its span, rule) of the plain case, else None."""
    if not labels.capitals or any(not t.prefix.lower().startswith(("answer", "the answer")) for t in asked.templates):
        return None
    floor = max(lo, hi - _REACH_BACK)
    at = max(text.rfind("nswer", floor, hi), text.rfind("NSWER", floor, hi)) - 1
    m = _TAIL.fullmatch(text, at, hi) if at >= lo else None
    if m is None or text[m.start("x")] not in labels.lookup:
        return None
    start = _opening(text, lo, at, m.group("colon") is not None)
    if start < 0 or any(text.find(sign, lo, start) >= 0 for sign in _OTHER_FORMS):
        return None
    if text.find("{", lo, start) >= 0 and any(text.find(key, lo, start) >= 0 for key in _KEYS):
        return None
    plain = text.isascii()
    if not plain and any(text.find(sign, lo, hi) >= 0 for sign in _WIDE_WORDS):
        return None
    label = m.group("x")
    for word in _MENTIONS:
        seen = text.rfind(word, lo, start)
        while seen >= 0:
            stop = min(hi, seen + _REACH)
            if any(letter != label for letter in _LETTER.findall(text, seen + 5, stop)):
                return None
            if not plain and has_wide(text, seen, stop):
                return None
            seen = text.rfind(word, lo, seen)
    if opens_question(text, lo, hi):
        return None
    return label, m.span("x"), Rule.ANSWER_LINE if m.group("colon") else Rule.CUE_LETTER


def _opening(text: str, lo: int, at: int, line: bool) -> int:
    """Where the line (or the sentence) begins whose subject, the answer, stands at `at`; -1 where it says more."""
    floor = max(lo, at - _HEAD_LENGTH)
    start = text.rfind("\n", floor, at) + 1
    if start == 0:
        start = floor if floor == lo else -1
    if start >= 0 and _HEAD.fullmatch(text, start, at):
        return start
    for end in () if line else (". ", "! ", "? "):
        start = text.rfind(end, floor, at)
        if start >= 0 and _HEAD.fullmatch(text, start + 2, at):
            return start + 2
    return -1
