"""Where a model goes on with a question of its own: what stands behind it answers another question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from .candidate import View

_NEXT = re.compile(
    r"\n[ \t>#*_]{0,8}(?=[nNaAqQpPhHuUiIeEfFвВ问题質問題])(?i:(?:(?:next|new|another)[ \t]+)?"
    r"(?:question|problem|human|user|q|instruction|input|exercise|问题|问|题目|質問|問題|frage|pregunta|вопрос)"
    r"(?:[ \t]*#?(?P<number>\d{1,3}))?[ \t]*[*_]{0,2}[:：])"
)
_PART_ONE = re.compile(r"(?i)[#*_ \t]{0,8}(?:question|problem|q|exercise|part|step)[ \t]*#?1\b")
_INLINE = re.compile(r"(?<=[.!?})$]) {1,3}(?:Human|User|Question|Problem|Q): (?=\S)")
_HEAD = 40
"""How far before its colon the line of an opening begins."""
_ENDS = frozenset(
    tail
    for word in ("on", "em", "an", "er", "ut", "se", "ge", "ta", "ос")
    for tail in (word, word.upper(), word.capitalize())
)
"""Last two letters of the words before the colon (`question`, `problem`, …)."""
_LAST = frozenset(word[-1] for word in _ENDS)
_END = frozenset("qQ问题目問題")
"""The same for words of one letter or sign."""
_BETWEEN = "*_ \t#0123456789"
"""What may stand between a word and its colon."""
_FAR = 12
_WORDS = (
    "question", "problem", "human", "user", "q", "instruction", "input", "exercise", "问", "题目", "質問", "問題",
    "frage", "pregunta", "вопрос",
)  # fmt: skip
_SPEAKERS = ("human: ", "user: ", "question: ", "problem: ", "q: ")
_MANY = 256
"""Colons that are stepped over before a pattern takes over."""
_MOST = 64
"""Lines that open a question, looked at from the start of the text."""


def opens_question(text: str, lo: int, hi: int) -> bool:
    """Whether a line in `lo:hi` opens a question."""
    return next(_openings(text, lo, hi), None) is not None


def _openings(text: str, lo: int, hi: int) -> Iterator[re.Match[str]]:
    """Lines that open a question, and speakers named in the middle of one, in order.

    They are found from their colons: stepping from colon to colon costs far less than a search for every word.
    """
    wide = not text.isascii() and text.find("：", lo, hi) >= 0
    at = _colon(text, lo, hi, wide)
    steps = 0
    while at >= 0:
        c, end = text[at - 1], at
        if c in _BETWEEN:
            end = max(lo, at - _FAR) + len(text[max(lo, at - _FAR) : at].rstrip(_BETWEEN))
            c = text[end - 1]
        if c in _END or (c in _LAST and text[end - 2 : end] in _ENDS):
            m = _opening(text, lo, at, hi)
            if m is not None:
                yield m
        steps += 1
        if steps > _MANY:
            yield from _rest(text, max(lo, at - _HEAD), at + 1, hi)
            return
        at = _colon(text, at + 1, hi, True) if wide else text.find(":", at + 1, hi)


def _rest(text: str, lo: int, seen: int, hi: int) -> Iterator[re.Match[str]]:
    """Openings that end behind `seen`, found by patterns: the text is one of many colons."""
    low = text[lo:hi].lower()
    if not any(word in low for word in _WORDS):
        return
    inline = _INLINE.finditer(text, lo, hi) if any(speaker in low for speaker in _SPEAKERS) else iter(())
    found = (*islice(_NEXT.finditer(text, lo, hi), _MOST), *islice(inline, _MOST))
    yield from sorted((m for m in found if m.end() > seen), key=lambda m: m.start())


def _colon(text: str, lo: int, hi: int, wide: bool) -> int:
    """The next colon, or the next full-width one if it comes first."""
    at = text.find(":", lo, hi)
    other = text.find("：", lo, hi if at < 0 else at) if wide else -1
    return at if other < 0 else other


def _opening(text: str, lo: int, at: int, hi: int) -> re.Match[str] | None:
    """The opening whose colon stands at `at`."""
    floor = max(lo, at - _HEAD)
    line = text.rfind("\n", floor, at)
    m = _NEXT.match(text, line, hi) if line >= 0 else None
    if m is None and text[at + 1 : at + 2] == " ":
        space = text.rfind(" ", floor, at)
        while space > floor and text[space - 1] == " ":
            space -= 1
        m = _INLINE.match(text, space, hi) if space >= 0 else None
    return m


def cut_next_question(view: View, prompt: str | None, has_answer: Callable[[int, int], bool]) -> int:
    """The end of what answers the question: the first line that opens another question behind an answer.

    A line that repeats the question of `prompt` opens none; nor does a numbered one where the text has itself begun
    with number one: it takes the question apart.
    """
    text = view.text
    lo = view.lo
    apart: bool | None = None
    for m in islice(_openings(text, view.lo, view.hi), _MOST):
        repeated = text[m.end() : m.end() + 200].strip().split("\n", 1)[0].strip(" *_")[:48]
        number = m.groupdict().get("number")
        if apart is None:
            apart = _PART_ONE.match(text, lo, view.hi) is not None
        apart = apart or number == "1"
        if number is not None and apart:
            continue
        if prompt is not None and len(repeated) > 8 and repeated in prompt:
            continue
        if has_answer(lo, m.start()):
            return m.start()
        lo = m.start()
    return view.hi
