"""How LightEval's extractive match reads, described again in small linear steps, to say why its verdict was another.

It is no copy and no grader: nothing here decides a verdict. LightEval tries its patterns in a fixed order and takes,
within one step, the match that ends last; each function below is one step. Described after LightEval 0.11 to 0.13.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from ..reading.boxes import boxes_backward

_FAR_WORDS = 100
_FAR_ANSWER = 50


class Step(IntEnum):
    """The step of its order by which something was taken."""

    FINAL_PHRASE = 0
    """Behind "final answer … is", wherever that stands."""
    BOX = 1
    ANSWER_COLON = 2
    """Maths or a number within fifty characters of "answer:"."""
    ANSWER_WORD = 3
    """The same behind the word "answer" alone."""
    START = 4
    """A letter at the start of the text or of a line."""
    ALONE = 5
    """The last letter that stands between blanks."""
    ANYWHERE = 6
    """The last formula or number of the text; the last letter of the alphabet of labels, inside words, too."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken: its text, where it stood, and the step."""

    text: str
    start: int
    end: int
    step: Step


# --------------------------------------------------------------------------- maths

_FINAL = "final answer"
_IS = re.compile(r"\sis:?\s*")
_ANSWER = "answer"
_COLON = re.compile(r"\s?:")
_NUMBER = re.compile(r"(?:(?<=[\s=])|^)(?:\*\*)?[$€£¥₹]?(?P<number>-?(?:\d{1,3}(?:[ ,]\d{3})+|\d+)(?:[.,]\d+)?|\.\d+)")
_DELIMITER = re.compile(r"\\\[|\\\]|\\\(|\\\)|\$\$|\$|\\\$")
_OPENS = re.compile(r"[$\\]")


def formulas(text: str) -> list[tuple[int, int, int, int]]:
    """Delimited formulas in order: (start, end, start and end of what is inside). One pass."""
    found = []
    opening: re.Match[str] | None = None
    for sign in _DELIMITER.finditer(text):
        mark = sign.group()
        if mark == "\\$":
            continue
        if opening is None or mark in (r"\[", r"\("):
            if mark not in (r"\]", r"\)"):
                opening = sign
            continue
        wanted = {r"\[": r"\]", r"\(": r"\)", "$$": "$$", "$": "$"}[opening.group()]
        if mark == wanted:
            if sign.start() > opening.end():
                found.append((opening.start(), sign.end(), opening.end(), sign.start()))
            opening = None
        elif opening.group() in ("$", "$$"):
            opening = sign if mark in ("$", "$$") else None
    return found


def maths_taken(text: str) -> Iterator[Taken]:
    """What LightEval's maths metric would take from `text`, step by step in its order, the first one being its
    reading unless its parser cannot read that."""
    shown = _Formulas(text)
    yield from _rightmost(_behind_phrase(shown))
    for box in boxes_backward(text, 0, len(text)):
        if box.closed:
            yield Taken(text[box.inside : box.inside_end], box.inside, box.inside_end, Step.BOX)
            break
    answers = _said(text, _ANSWER)
    colons = [_COLON.match(text, end) for end in answers]
    yield from _rightmost(_behind_answers(shown, [c.end() for c in colons if c], Step.ANSWER_COLON))
    behind = [end if colon is None else colon.end() for end, colon in zip(answers, colons, strict=True)]
    yield from _rightmost(_behind_answers(shown, behind, Step.ANSWER_WORD))
    last = [Taken(text[c:d], c, d, Step.ANYWHERE) for _, _, c, d in shown.spans[-1:]]
    number = None
    for number in _NUMBER.finditer(text):  # noqa: B007 (the last one is wanted)
        pass
    if number is not None:
        last.append(Taken(number["number"], number.start("number"), number.end("number"), Step.ANYWHERE))
    yield from _rightmost(last)


def _rightmost(taken: Sequence[Taken]) -> list[Taken]:
    return sorted(taken, key=lambda t: (-t.end, t.start))[:1]


def _said(text: str, phrase: str) -> list[int]:
    """Where `phrase`, which is in small letters, ends in `text`, in any case."""
    low = text.lower()
    if len(low) != len(text):  # a letter became two: offsets would not hold
        return [match.end() for match in re.finditer(phrase, text, re.IGNORECASE)]
    found = []
    at = low.find(phrase)
    while at >= 0:
        found.append(at + len(phrase))
        at = low.find(phrase, at + len(phrase))
    return found


class _Formulas:
    """The formulas of a text, looked for when one may stand where it is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def spans(self) -> list[tuple[int, int, int, int]]:
        return formulas(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [span[0] for span in self.spans]

    def first(self, low: int, high: int) -> tuple[str, int, int] | None:
        """The first one that starts in `low` to `high`: what is inside, and where."""
        if _OPENS.search(self.text, low, high + 1) is None:
            return None
        place = bisect_left(self._starts, low)
        if place < len(self.spans) and self.spans[place][0] <= high:
            _, _, inside, inside_end = self.spans[place]
            return self.text[inside:inside_end], inside, inside_end
        return None


def _behind_phrase(shown: _Formulas) -> list[Taken]:
    text, found = shown.text, []
    for end in _said(text, _FINAL):
        for said in _IS.finditer(text, end, min(len(text), end + _FAR_WORDS + 4)):
            taken = shown.first(said.end(), said.end()) or _number_at(text, said.end())
            if taken is not None:
                found.append(Taken(*taken, Step.FINAL_PHRASE))
                break
    return found


def _behind_answers(shown: _Formulas, ends: Sequence[int], step: Step) -> list[Taken]:
    text, found = shown.text, []
    for at in ends:
        formula = shown.first(at, at + _FAR_ANSWER)
        if formula is not None:
            found.append(Taken(*formula, step))
        line_end = text.find("\n", at)
        number = _NUMBER.search(text, at, min(len(text) if line_end < 0 else line_end, at + _FAR_ANSWER + 24))
        if number is not None and number.start("number") <= at + _FAR_ANSWER + 2:
            found.append(Taken(number["number"], number.start("number"), number.end("number"), step))
    return found


def _number_at(text: str, at: int) -> tuple[str, int, int] | None:
    number = _NUMBER.match(text, at)
    return None if number is None else (number["number"], number.start("number"), number.end("number"))


# --------------------------------------------------------------------------- letters


def letter_taken(text: str, labels: Sequence[str]) -> Taken | None:
    """What LightEval's letter metric (as GPQA uses it) would take: the first step that finds anything."""
    one = "|".join(rf"{re.escape(label)}|\({re.escape(label)}\)" for label in labels)
    letter = rf"(?P<letter>{one})"
    after = r"(?:\*\*)?(?:[.,]|\s?:| |$)"
    alone = rf"(?:^| )(?:\*\*)?{letter}{after}"
    return (
        _after_phrase(text, letter)
        or _after_answer(text, alone, colon=True)
        or _after_answer(text, alone, colon=False)
        or _last(re.compile(rf"(?:\A|\n)(?:\*\*)?{letter}{after}"), text, Step.START)
        or _last(re.compile(alone), text, Step.ALONE)
        or _last(re.compile(letter), text, Step.ANYWHERE)
    )


def _letter(match: re.Match[str], step: Step) -> Taken:
    return Taken(match["letter"].strip("()"), match.start("letter"), match.end("letter"), step)


def _last(pattern: re.Pattern[str], text: str, step: Step) -> Taken | None:
    last = None
    for last in pattern.finditer(text):  # noqa: B007 (the last one is wanted)
        pass
    return None if last is None else _letter(last, step)


def _after_phrase(text: str, letter: str) -> Taken | None:
    behind = re.compile(rf"\sis:?\s*{letter}")
    found = []
    for end in _said(text, _FINAL):
        line_end = text.find("\n", end)
        stop = min(len(text) if line_end < 0 else line_end + 4, end + _FAR_WORDS + 12)
        if (match := behind.search(text, end, stop)) is not None:
            found.append(_letter(match, Step.FINAL_PHRASE))
    return max(found, key=lambda t: t.end, default=None)


def _after_answer(text: str, alone: str, *, colon: bool) -> Taken | None:
    pattern = re.compile(alone)
    found = []
    for end in _said(text, _ANSWER):
        said = _COLON.match(text, end)
        if colon and not said:
            continue
        at = said.end() if said else end
        line_end = text.find("\n", at)
        stop = min(len(text) if line_end < 0 else line_end, at + _FAR_ANSWER + 6)
        if (match := pattern.search(text, at, stop)) is not None:
            found.append(_letter(match, Step.ANSWER_COLON if colon else Step.ANSWER_WORD))
    return max(found, key=lambda t: t.end, default=None)
