"""A prompt cut once into instruction, worked examples, the current question and its options.

Two readers use the cut: `reading.asked` looks at the instruction, `deciding.context` at the question alone. The cut
looks at lines only, so its cost is linear. Where nothing tells instruction from question, the text is the question,
and the instruction is what speaks of the reply (its format, its last line, its box).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from .scan import Window, skip_space, strip_window


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its label and its text, each with its span in the prompt."""

    label: str
    text: str
    label_span: Window
    text_span: Window


@dataclass(frozen=True, slots=True)
class PromptParts:
    """The parts of a prompt. Every text comes with its spans (half-open code-point pairs into the prompt).

    `instruction` joins its pieces with line breaks; `examples` are the worked examples, in order; `question` is the
    current question without instruction and options, one piece of text.
    """

    instruction: str
    examples: tuple[str, ...]
    question: str
    options: tuple[Option, ...]
    instruction_spans: tuple[Window, ...]
    example_spans: tuple[Window, ...]
    question_span: Window


_OPTION = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?[(\[]?(?P<label>[A-Za-zΑ-ЯА-я]|\d{1,2}|[ivxIVX]{1,4}|[Ⅰ-Ⅻ]|[أ-ي]|[अ-ह]|[ক-হ]|[๑-๙])"
    r"(?:\*\*)?[)\].:．、）：][ \t]*(?:\*\*)?(?P<text>\S[^\n]*)$",
    re.MULTILINE,
)
_ASKS = re.compile(
    r"(?i)\bANSWER\b\s*:|\$LETTER|\\boxed|\bboxed\b|step[- ]by[- ]step|final (?:answer|line|result)|last line"
    r"|your (?:response|answer|reply|final|solution|result)|without quotes|(?:no|omit the) quotes|#{4}"
    r"|</?answer>|\bJSON\b|\b(?:answer|solve) the following|the following (?:\w+ ){0,4}(?:question|problem)s?\b"
    r"|multiple[- ]choice|respond with|reply with|answer with|(?:only|just) the (?:letter|number|name)"
    r"|end your|finish (?:with|your)|close with|closing line|one of [A-Z]{2,}|think (?:carefully|first)"
    r"|in the (?:form|format)\b|of the (?:form|following format)|wrap(?:ped)? (?:it |your |the )"
    r"|put (?:your|the) (?:final )?(?:answer|result)|choose the (?:right|correct|best)|pick (?:one|the)"
    r"|请|答案|逐步|推理|最终"
)
_QUESTION_MARK = re.compile(
    r"^[ \t#>*]*(?:question|problem|q|input|exercise|task|frage|aufgabe|pregunta|問題|问题|题目)"
    r"[ \t]*(?:\d{1,3})?[ \t]*\**[ \t]*[:：.][ \t*]*",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER_MARK = re.compile(
    r"^[ \t#>*]*(?:answer|solution|response|output|a|antwort|respuesta|réponse|答案|解答|回答)"
    r"[ \t]*\**[ \t]*[:：][ \t*]*(?P<given>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_BLANK = re.compile(r"\n[ \t]*\n")


@lru_cache(maxsize=512)
def cut_prompt(prompt: str) -> PromptParts:
    """Cut `prompt`; the same prompt is cut once."""
    examples, lo = _worked_examples(prompt)
    lead: Window | None = None
    if examples:
        lead = strip_window(prompt, 0, examples[0][0])
    hi = len(prompt)
    trailing = None
    for m in _ANSWER_MARK.finditer(prompt, lo):
        trailing = m
    if trailing is not None and not prompt[trailing.end() :].strip() and not trailing.group("given").strip():
        hi = trailing.start()
    options, first, after = _options(prompt, lo, hi)
    pieces: list[Window] = [] if lead is None or lead[0] == lead[1] else [lead]
    question: list[Window] = []
    for window in _paragraphs(prompt, lo, first):
        _sort(prompt, window, pieces, question)
    for window in _paragraphs(prompt, after, hi):
        (pieces if _ASKS.search(prompt, *window) else question).append(window)
    if not question:
        question, pieces = _split_mixed(prompt, pieces, lo)
    span = (question[0][0], question[-1][1]) if question else (hi, hi)
    if question and options and span[1] > first:
        span = (span[0], max(w[1] for w in question if w[1] <= first) if question[0][1] <= first else span[1])
    span = _without_mark(prompt, span)
    return PromptParts(
        "\n".join(prompt[a:b] for a, b in pieces),
        tuple(prompt[a:b] for a, b in examples),
        prompt[span[0] : span[1]],
        options,
        tuple(pieces),
        tuple(examples),
        span,
    )


def _worked_examples(prompt: str) -> tuple[list[Window], int]:
    """Blocks `Question: … Answer: (something)` before the last question, and where the rest begins."""
    questions = [m.start() for m in _QUESTION_MARK.finditer(prompt)]
    if len(questions) < 2:
        return [], 0
    found: list[Window] = []
    for start, stop in pairwise(questions):
        answered = None
        for m in _ANSWER_MARK.finditer(prompt, start, stop):
            answered = m
        if answered is None or not prompt[answered.start("given") : stop].strip():
            return [], 0
        found.append(strip_window(prompt, start, stop))
    return found, questions[-1]


def _options(prompt: str, lo: int, hi: int) -> tuple[tuple[Option, ...], int, int]:
    """The last run of option lines in `lo:hi`, the offset of its first line and the offset behind its last."""
    runs: list[list[re.Match[str]]] = []
    for m in _OPTION.finditer(prompt, lo, hi):
        label = m.group("label")
        if runs and _follows(runs[-1][-1].group("label"), label):
            runs[-1].append(m)
        elif _is_first(label):
            runs.append([m])
    runs = [r for r in runs if len(r) >= 2]
    if not runs:
        return (), hi, hi
    run = runs[-1]
    options = tuple(
        Option(m.group("label"), m.group("text").rstrip(), m.span("label"), (m.start("text"), _rstrip(prompt, m)))
        for m in run
    )
    return options, run[0].start(), run[-1].end()


def _rstrip(prompt: str, m: re.Match[str]) -> int:
    return m.start("text") + len(m.group("text").rstrip())


_FIRST = frozenset("AaАаΑ1أاअকⅠiI๑")
_SEQUENCES = (
    ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"],
    ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"],
    list("ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ"),
    list("أبجدهوزح"),
    list("АБВГДЕЖЗИК"),
    list("абвгдежзик"),
    list("कखगघङच"),
    list("কখগঘঙচ"),
)


def _is_first(label: str) -> bool:
    return label in _FIRST


def _follows(before: str, label: str) -> bool:
    for sequence in _SEQUENCES:
        if before in sequence and label in sequence and sequence.index(label) == sequence.index(before) + 1:
            return True
    if before.isdecimal() and label.isdecimal():
        return int(label) == int(before) + 1
    return len(before) == 1 and len(label) == 1 and ord(label) == ord(before) + 1


def _paragraphs(prompt: str, lo: int, hi: int) -> list[Window]:
    found: list[Window] = []
    at = lo
    for m in _BLANK.finditer(prompt, lo, hi):
        found.append(strip_window(prompt, at, m.start()))
        at = m.end()
    found.append(strip_window(prompt, at, hi))
    return [w for w in found if w[0] < w[1]]


def _sort(prompt: str, window: Window, pieces: list[Window], question: list[Window]) -> None:
    """Put a paragraph to the instruction or the question; one that holds both is cut between its lines."""
    lo, hi = window
    if _QUESTION_MARK.match(prompt, lo, hi):
        question.append(window)
        return
    if not _ASKS.search(prompt, lo, hi):
        question.append(window)
        return
    at = lo
    while at < hi:
        end = prompt.find("\n", at, hi)
        end = hi if end < 0 else end
        mark = _QUESTION_MARK.match(prompt, at, end)
        if mark is not None and mark.end() < end and at > lo:
            pieces.append(strip_window(prompt, lo, at))
            question.append(strip_window(prompt, at, hi))
            return
        at = end + 1
    pieces.append(window)


_SENTENCE = re.compile(r"(?<=[.!?。？！])(?:[\"'”’)]*)\s+|\n+")


def _split_mixed(prompt: str, pieces: list[Window], lo: int) -> tuple[list[Window], list[Window]]:
    """Question and instruction in one paragraph: sentences that speak of the reply are the instruction."""
    question: list[Window] = []
    asks: list[Window] = []
    for window in pieces:
        at = window[0]
        cuts = [m.end() for m in _SENTENCE.finditer(prompt, window[0], window[1])] + [window[1]]
        for cut in cuts:
            sentence = strip_window(prompt, at, cut)
            at = cut
            if sentence[0] < sentence[1]:
                asked = sentence[0] < lo or _ASKS.search(prompt, *sentence) is not None
                (asks if asked else question).append(sentence)
    if not question or not asks:
        return [], pieces
    # the question is one stretch: sentences between its first and its last belong to it only if they are adjacent
    run = [question[-1]]
    for sentence in reversed(question[:-1]):
        if all(not (sentence[1] <= a[0] < run[0][0]) for a in asks):
            run.insert(0, sentence)
        else:
            asks.append(sentence)
    return run, sorted(asks)


def _without_mark(prompt: str, span: Window) -> Window:
    m = _QUESTION_MARK.match(prompt, span[0], span[1])
    return span if m is None else (skip_space(prompt, m.end(), span[1]), span[1])
