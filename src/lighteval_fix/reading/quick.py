"""The plain cases, settled without looking further.

A choice: the text ends in an answer line, or in an answer sentence and nothing else, and no other mention of an answer
could name another label. A value: the text ends in the answer line, and nothing near it speaks of an answer. The rest
is left to `choice` and `math`, which would come to the same reading.
"""

from __future__ import annotations

import re

from ..model import Reading, Rule, Span
from ..text.angles import may_close
from ..text.scan import has_wide
from .asked import Asked, is_slot, slot_follows
from .boxes import last_box
from .candidate import PassedOver, View
from .cuewords import says_answer
from .formats import may_hold_keys, prefix_at
from .labels import LabelSet
from .turns import opens_question
from .value import value_on_line

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
_SHORT_LABELS = ("Ans:", " ans:", "\nans:")
_KEYS = ('"answer', "'answer", '"final', "'final", '"solution', "'solution", '"result', "'result")
_WIDE_WORDS = ("ｅ", "Ｅ", "：")
_REACH = 140
"""Characters behind a mention of an answer in which a label could still belong to it."""


_MOST_MENTIONS = 64


def quick_label(
    text: str, lo: int, hi: int, labels: LabelSet, asked: Asked
) -> tuple[str, tuple[int, int], Rule] | None:
    """(label, its span, rule) of the plain case, else None."""
    if not (labels.capitals and asked.customary):
        return None
    floor = max(lo, hi - _REACH_BACK)
    at = max(text.rfind("nswer", floor, hi), text.rfind("NSWER", floor, hi)) - 1
    m = _TAIL.fullmatch(text, at, hi) if at >= lo else None
    if m is None or text[m.start("x")] not in labels.lookup:
        return None
    start = _opening(text, lo, at, m.group("colon") is not None)
    if start < 0 or _other_label(text, lo, start):
        return None
    plain = text.isascii()
    if not plain and any(text.find(sign, lo, hi) >= 0 for sign in _WIDE_WORDS):
        return None
    label = m.group("x")
    for word in _MENTIONS:
        seen = text.rfind(word, lo, start)
        looked = 0
        while seen >= 0:
            looked += 1
            if looked > _MOST_MENTIONS:
                return None
            stop = min(hi, seen + _REACH)
            for letter in _LETTER.findall(text, seen + 5, stop):
                if letter != label:
                    return None
            if not plain and has_wide(text, seen, stop):
                return None
            seen = text.rfind(word, lo, seen)
    if opens_question(text, lo, hi):
        return None
    return label, m.span("x"), Rule.ANSWER_LINE if m.group("colon") else Rule.CUE_LETTER


def _other_label(text: str, lo: int, hi: int) -> bool:
    """Whether the text may give a label in another form: a box, a tag, `Ans:`, a JSON member."""
    find = text.find
    return (
        find("box", lo, hi) >= 0
        or find("\x08", lo, hi) >= 0
        or may_close(text, lo, hi)
        or find("ANS:", lo, hi) >= 0
        or (find("ns:", lo, hi) >= 0 and any(find(sign, lo, hi) >= 0 for sign in _SHORT_LABELS))
        or (find("{", lo, hi) >= 0 and any(find(key, lo, hi) >= 0 for key in _KEYS))
    )


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


_LINE = re.compile(r"(?:(?:[Tt]he|[Ff]inal|FINAL) )?(?:ANSWER|Answer|answer)[*_]{0,2}:[*_]{0,2}[ \t]{0,4}")
_VALUE = (
    r"-?(?:\d+(?:[.,/]\d+)*|\d*\\(?:pi|sqrt\{\d+\}|[dt]?frac(?:\d\d|\{-?\d*\\?[a-z]*\}\{\d+\}))|\(-?\d+,[ ]?-?\d+\))"
)
_PLAIN = re.compile(rf"(?:\$({_VALUE})\$|({_VALUE}))\.?")
_LAST_LINE = 200
BEFORE = 300
"""How far before a box or a requested line cues are looked for: an earlier one could not win."""


def quick_answer(view: View, asked: Asked) -> Reading | None:
    """The reading of a text that ends in a plain answer line, if that line is what was asked for or nothing was."""
    text, lo, hi = view.text, view.lo, view.hi
    if len(asked.templates) > 1 or asked.tags or asked.keys or asked.marks or (asked.box and not asked.templates):
        return None
    floor = max(lo, hi - _LAST_LINE)
    start = text.rfind("\n", floor, hi) + 1
    if start == 0:
        if floor > lo:
            return None
        start = lo
    m = _LINE.match(text, start, hi)
    if m is None:
        return None
    at = m.end()
    if at >= hi or says_answer(text, at, hi):
        return None
    if asked.templates and (prefix_at(text, start, hi, asked.templates[0]) < 0 or asked.templates[0].suffix):
        return None
    span = _value_at_end(text, at, hi, asked)
    if span is None or _other_form(text, lo, hi):
        return None
    before = max(lo, start - BEFORE) if asked.templates else lo
    if says_answer(text, before, start) or opens_question(text, lo, hi):
        return None
    over = PassedOver()
    if text.rfind("box", lo, hi) >= 0:
        over.add(last_box(text, lo, hi, asked, over).candidate)
    value = text[span[0] : span[1]]
    return Reading(value, (span,), Rule.ANSWER_LINE, view.in_reasoning, passed_over=over.without((span,)))


def _value_at_end(text: str, at: int, hi: int, asked: Asked) -> Span | None:
    """The value that fills the rest of the text from `at` on, closing punctuation aside."""
    m = _PLAIN.fullmatch(text, at, hi)
    if m is not None:
        span = m.span(m.lastindex or 0)
        return None if is_slot(text[span[0] : span[1]], asked) else span
    if not asked.templates or text[at].islower() or slot_follows(text, at, hi, asked):
        return None
    found = value_on_line(text, at, hi)
    if found is None or hi - found[1] > 4 or text[found[1] : hi].strip(" \n*_.$"):
        return None
    value = text[found[0] : found[1]]
    return None if "oxed" in value or "fbox" in value or is_slot(value, asked) else found


def _other_form(text: str, lo: int, hi: int) -> bool:
    """Whether the text may hold a tag, a JSON member or a mark."""
    return (
        may_close(text, lo, hi)
        or (text.find("#", lo, hi) >= 0 and text.find("####", lo, hi) >= 0)
        or text.find("\x08", lo, hi) >= 0
        or may_hold_keys(text, lo, hi)
    )
