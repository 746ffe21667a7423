"""Where a model goes on with a question of its own: what stands behind it answers another question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from .candidate import View

_NEXT = re.compile(
    r"\n[ \t>#*_]{0,8}(?=[nNaAqQpPhHuUiIeEfFвВ问题質問題])(?i:(?:(?:next|new|another)[ \t]+)?"
    r"(?:question|problem|human|user|q|instruction|input|exercise|问题|问|题目|質問|問題|frage|pregunta|вопрос)"
    r"[ \t]*[*_]{0,2}[:：])"
)

_BEFORE_COLON = frozenset("nmrqteaNMRQTEAсСт问題题目問*_ \t")
"""Last letters of the words in `_NEXT`, and what may stand between them and the colon."""
_HEAD = 40
_INLINE = re.compile(r"(?<=[.!?})$]) {1,3}(?:Human|User|Question|Problem|Q): (?=\S)")
_SPEAKERS = ("Human: ", "User: ", "Question: ", "Problem: ", "Q: ")

_MOST = 64
"""Lines that open a question, looked at from the start of the text."""


def opens_question(text: str, lo: int, hi: int) -> bool:
    """Whether a line in `lo:hi` opens a question."""
    return next(_openings(text, lo, hi), None) is not None


def _openings(text: str, lo: int, hi: int) -> Iterator[re.Match[str]]:
    """Lines that open a question, and speakers named in the middle of one, in order."""
    lines = _lines(text, lo, hi)
    if not any(text.find(speaker, lo, hi) >= 0 for speaker in _SPEAKERS):
        return lines
    inline = islice(_INLINE.finditer(text, lo, hi), _MOST)
    return iter(sorted((*islice(lines, _MOST), *inline), key=lambda m: m.start()))


def _lines(text: str, lo: int, hi: int) -> Iterator[re.Match[str]]:
    """Matches of `_NEXT`, found from their colons where a text holds fewer colons than lines, as most do."""
    if 2 * text.count(":", lo, hi) > text.count("\n", lo, hi):
        yield from _NEXT.finditer(text, lo, hi)
        return
    colons = (":",) if text.isascii() else (":", "：")
    ends = sorted(at for colon in colons for at in _places(text, colon, lo, hi))
    for at in ends:
        line = text.rfind("\n", max(lo, at - _HEAD), at) if text[at - 1] in _BEFORE_COLON else -1
        m = _NEXT.match(text, line, hi) if line >= 0 else None
        if m is not None:
            yield m


def _places(text: str, sign: str, lo: int, hi: int) -> Iterator[int]:
    at = text.find(sign, lo, hi)
    while at >= 0:
        yield at
        at = text.find(sign, at + 1, hi)


def cut_next_question(view: View, prompt: str | None, has_answer: Callable[[int, int], bool]) -> int:
    """The end of what answers the question: the first line that opens another question behind an answer.

    A line that repeats the question of `prompt` opens none.
    """
    text = view.text
    lo = view.lo
    for m in islice(_openings(text, view.lo, view.hi), _MOST):
        repeated = text[m.end() : m.end() + 200].strip().split("\n", 1)[0].strip(" *_")[:48]
        if prompt is not None and len(repeated) > 8 and repeated in prompt:
            continue
        if has_answer(lo, m.start()):
            return m.start()
        lo = m.start()
    return view.hi
