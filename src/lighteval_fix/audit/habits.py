"""How LightEval's extractive match reads, described again in small linear steps, to say why its verdict was another.

It is no copy and no grader: nothing here decides a verdict. LightEval tries its patterns in a fixed order and takes,
within one step, the match that ends last; each function below is one step. Described after LightEval 0.11 to 0.13.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

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

_FINAL = re.compile(r"(?i)final answer")
_IS = re.compile(r"\sis:?\s*")
_ANSWER = re.compile(r"(?i)answer(\s?:)?")
_NUMBER = re.compile(r"(?:(?<=[\s=])|^)(?:\*\*)?[$€£¥₹]?(?P<number>-?(?:\d{1,3}(?:[ ,]\d{3})+|\d+)(?:[.,]\d+)?|\.\d+)")
_DELIMITER = re.compile(r"\\\[|\\\]|\\\(|\\\)|\$\$|\$|\\\$")


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
    spans = formulas(text)
    starts = [span[0] for span in spans]
    yield from _rightmost(_behind_phrase(text, spans, starts))
    for box in boxes_backward(text, 0, len(text)):
        if box.closed:
            yield Taken(text[box.inside : box.inside_end], box.inside, box.inside_end, Step.BOX)
            break
    answers = list(_ANSWER.finditer(text))
    yield from _rightmost(_behind_answers(text, [a for a in answers if a.group(1)], spans, starts, Step.ANSWER_COLON))
    yield from _rightmost(_behind_answers(text, answers, spans, starts, Step.ANSWER_WORD))
    last = [Taken(text[c:d], c, d, Step.ANYWHERE) for _, _, c, d in spans[-1:]]
    number = None
    for number in _NUMBER.finditer(text):  # noqa: B007 (the last one is wanted)
        pass
    if number is not None:
        last.append(Taken(number["number"], number.start("number"), number.end("number"), Step.ANYWHERE))
    yield from _rightmost(last)


def _rightmost(taken: Sequence[Taken]) -> list[Taken]:
    return sorted(taken, key=lambda t: (-t.end, t.start))[:1]


def _behind_phrase(text: str, spans: Sequence[tuple[int, int, int, int]], starts: Sequence[int]) -> list[Taken]:
    found = []
    for phrase in _FINAL.finditer(text):
        for said in _IS.finditer(text, phrase.end(), min(len(text), phrase.end() + _FAR_WORDS + 4)):
            taken = _formula_at(text, said.end(), said.end(), spans, starts) or _number_at(text, said.end())
            if taken is not None:
                found.append(Taken(taken[0], taken[1], taken[2], Step.FINAL_PHRASE))
                break
    return found


def _behind_answers(
    text: str,
    answers: Sequence[re.Match[str]],
    spans: Sequence[tuple[int, int, int, int]],
    starts: Sequence[int],
    step: Step,
) -> list[Taken]:
    found = []
    for answer in answers:
        at = answer.end()
        formula = _formula_at(text, at, at + _FAR_ANSWER, spans, starts)
        if formula is not None:
            found.append(Taken(*formula, step))
        line_end = text.find("\n", at)
        number = _NUMBER.search(text, at, min(len(text) if line_end < 0 else line_end, at + _FAR_ANSWER + 24))
        if number is not None and number.start("number") <= at + _FAR_ANSWER + 2:
            found.append(Taken(number["number"], number.start("number"), number.end("number"), step))
    return found


def _formula_at(
    text: str, low: int, high: int, spans: Sequence[tuple[int, int, int, int]], starts: Sequence[int]
) -> tuple[str, int, int] | None:
    """The first formula that starts in `low` to `high`."""
    from bisect import bisect_left

    place = bisect_left(starts, low)
    if place < len(spans) and spans[place][0] <= high:
        _, _, inside, inside_end = spans[place]
        return text[inside:inside_end], inside, inside_end
    return None


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
    for phrase in _FINAL.finditer(text):
        line_end = text.find("\n", phrase.end())
        stop = min(len(text) if line_end < 0 else line_end + 4, phrase.end() + _FAR_WORDS + 12)
        if (match := behind.search(text, phrase.end(), stop)) is not None:
            found.append(_letter(match, Step.FINAL_PHRASE))
    return max(found, key=lambda t: t.end, default=None)


def _after_answer(text: str, alone: str, *, colon: bool) -> Taken | None:
    pattern = re.compile(alone)
    found = []
    for answer in _ANSWER.finditer(text):
        if colon and not answer.group(1):
            continue
        line_end = text.find("\n", answer.end())
        stop = min(len(text) if line_end < 0 else line_end, answer.end() + _FAR_ANSWER + 6)
        if (match := pattern.search(text, answer.end(), stop)) is not None:
            found.append(_letter(match, Step.ANSWER_COLON if colon else Step.ANSWER_WORD))
    return max(found, key=lambda t: t.end, default=None)
