"""A prompt cut once into instruction, worked examples, the current question and its options.

Two readers use the cut: `reading.asked` looks at the instruction, `deciding.context` at the question alone. The cut
looks at lines only, so its cost is linear. Where nothing tells instruction from question, the text is the question,
and the instruction is what speaks of the reply (its format, its last line, its box).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
    r"[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?[(\[]?"
    r"(?P<label>[A-Za-zΑ-ЯА-я]|\d{1,2}|[ivxIVX]{1,4}|[Ⅰ-Ⅻ]|[أ-ي]|[अ-ह]|[ক-হ]|[๑-๙])"
    r"(?:\*\*)?[)\].:．、）：][ \t]*(?:\*\*)?(?P<text>\S.*)$"
)
_OPTION_SIGNS = frozenset(").:]．、）：*")
_FORMAT_WORDS = (
    "answer:", "$letter", "boxed", "step by step", "step-by-step", "final line", "last line", "closing line",
    "without quotes",
    "quotes)", "####", "<answer>", "</answer>", "json", "answer the following", "solve the following",
    "multiple choice",
    "multiple-choice", "respond with", "reply with", "answer with", "only the letter", "just the letter",
    "only the number",
    "just the number", "end your", "finish with", "finish your", "close with", "one of abc", "your response",
    "your reply",
    "in the format", "following format", "this format", "wrap your", "wrap the", "wrap it", "</", "wrapped in",
    "name only", "number only",
    "only the name", "only the word", "only the answer", "only the value", "only the result", "only the option",
    "letter only", "word only", "within <", "inside <", "请", "答案", "逐步", "推理", "最终",
)  # fmt: skip
"""What an instruction says of the form of the reply: plain substrings in lower case, as every prompt is searched."""
_TASK_WORDS = (
    "your answer", "final answer", "your solution", "final result", "your final", "the following",
    "think carefully", "reason",
    "choose the", "pick one", "pick the", "select the", "question", "problem", "you are", "please", "expert",
)  # fmt: skip
"""What a first paragraph says when it is an instruction. In a question the same words license something ("express your
answer in metres"), so they count nowhere else."""
_FIRM_WORDS = (
    "boxed", "without quotes", "####", "last line", "final line", "your response", "your reply",
    "step by step", "step-by-step",
    "<answer>", "answer:", "json",
)  # fmt: skip
"""The same, where the head of the prompt has given the form already."""
_QUOTED_FORM = re.compile(r"[\"“`'][a-z#][^\"”`'\n$\\]{1,40}[:：=>][^\"”`'\n]{0,60}[\"”`']", re.IGNORECASE)
_OPTIONS_HEAD = re.compile(
    r"\n[ \t*]*(?:options|choices|answer choices|answer options|选项|optionen)[ \t*]*[:：][ \t*]*$", re.IGNORECASE
)
_QUESTION_MARK = re.compile(
    r"[ \t#>*]*(?:question|problem|q|input|exercise|task|frage|aufgabe|pregunta|問題|问题|题目)"
    r"[ \t]*(?:\d{1,3})?[ \t]*\**[ \t]*[:：.][ \t*]*",
    re.IGNORECASE,
)
_ANSWER_MARK = re.compile(
    r"[ \t#>*]*(?:answer|solution|response|output|a|antwort|respuesta|réponse|答案|解答|回答)"
    r"[ \t]*\**[ \t]*[:：][ \t*]*(?P<given>.*)",
    re.IGNORECASE,
)
_MARK_STARTS = frozenset("qpietfaöüóéQPIETFAsrSRoO#>* \t問问题答解回")


@lru_cache(maxsize=512)
def cut_prompt(prompt: str) -> PromptParts:
    """Cut `prompt`; the same prompt is cut once."""
    lines = _lines(prompt)
    questions = _marked(prompt, lines, _QUESTION_MARK)
    answers = _marked(prompt, lines, _ANSWER_MARK)
    examples, lo = _worked_examples(prompt, questions, answers)
    lead = strip_window(prompt, 0, examples[0][0]) if examples else (0, 0)
    hi = len(prompt)
    if answers and answers[-1].start() >= lo:
        last = answers[-1]
        if not last.group("given").strip() and not prompt[last.end() :].strip():
            hi = last.start()
    options, first, after = _options(prompt, lines, lo, hi)
    pieces: list[Window] = [lead] if lead[0] < lead[1] else []
    question: list[Window] = []
    low = prompt.lower()
    low = low if len(low) == len(prompt) else prompt
    before, behind = _paragraphs(prompt, lo, first), _paragraphs(prompt, after, hi)
    given = bool(pieces) and _asks(low, pieces[0])
    for i, window in enumerate(before):
        opening = i == 0 and not examples and len(before) > 1
        _sort(prompt, low, window, pieces, question, opening, given)
        given = given or (opening and bool(pieces) and _asks(low, pieces[0]))
    for window in behind:
        (pieces if _asks(low, window, firm=given) else question).append(window)
    if not question:
        question, pieces = _split_mixed(prompt, low, pieces, lo)
    span = (question[0][0], question[-1][1]) if question else (hi, hi)
    if question and options and span[1] > first and question[0][1] <= first:
        span = (span[0], max(w[1] for w in question if w[1] <= first))
    mark = _QUESTION_MARK.match(prompt, *span)
    span = span if mark is None else (skip_space(prompt, mark.end(), span[1]), span[1])
    head = _OPTIONS_HEAD.search(prompt, *span) if options else None
    span = span if head is None else strip_window(prompt, span[0], head.start())
    return PromptParts(
        "\n".join(prompt[a:b] for a, b in pieces),
        tuple(prompt[a:b] for a, b in examples),
        prompt[span[0] : span[1]],
        options,
        tuple(pieces),
        tuple(examples),
        span,
    )


def instruction_of(prompt: str) -> str:
    """`cut_prompt(prompt).instruction`, without the cut where the head alone says how to reply."""
    start = skip_space(prompt, 0, len(prompt))
    stop = prompt.find("\n\n", start)
    if stop > 0:
        head = prompt[start:stop].rstrip()
        if _heads(head):
            rest = prompt[stop:].lower()
            if not (_firm_perhaps(rest) and any(word in rest for word in _FIRM_WORDS)):
                return head
    return cut_prompt(prompt).instruction


_FIRM_PARTS = (
    ("x", "boxed"), ("q", "out quotes"), ("#", "####"), ("j", "json"), ("l", " line"), ("y", "your re"), ("p", "step"),
    ("w", "answer"),
)  # fmt: skip
"""What some word of `_FIRM_WORDS` holds, for every one of them: fewer searches than words. Before each stands a letter
of it that few texts have, because one letter is found, or missed, many times faster than several."""


def _firm_perhaps(rest: str) -> bool:
    for letter, part in _FIRM_PARTS:  # noqa: SIM110 - the loop is three times as fast as `any` with a generator
        if letter in rest and part in rest:
            return True
    return False


@lru_cache(maxsize=256)
def _heads(head: str) -> bool:
    """A first paragraph that gives the form of the reply and holds no question."""
    if _QUESTION_MARK.match(head) or _holds_mark(head, 0, len(head)) or _ANSWER_MARK.match(head):
        return False
    return _asks_text(head.lower(), False, False) and not _options(head, _lines(head), 0, len(head))[0]


def _lines(prompt: str) -> list[Window]:
    found: list[Window] = []
    at = 0
    for line in prompt.split("\n"):
        found.append((at, at + len(line)))
        at += len(line) + 1
    return found


def _marked(prompt: str, lines: list[Window], pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Lines that begin with the mark of `pattern`."""
    found = []
    for a, b in lines:
        if a < b and prompt[a] in _MARK_STARTS:
            m = pattern.match(prompt, a, b)
            if m is not None:
                found.append(m)
    return found


def _worked_examples(
    prompt: str, questions: list[re.Match[str]], answers: list[re.Match[str]]
) -> tuple[list[Window], int]:
    """Blocks `Question: … Answer: (something)` before the last question, and where the rest begins."""
    if len(questions) < 2:
        return [], 0
    found: list[Window] = []
    for start, stop in pairwise(m.start() for m in questions):
        answered = [m for m in answers if start <= m.start() < stop]
        if not answered or not prompt[answered[-1].start("given") : stop].strip():
            return [], 0
        found.append(strip_window(prompt, start, stop))
    return found, questions[-1].start()


def _options(prompt: str, lines: list[Window], lo: int, hi: int) -> tuple[tuple[Option, ...], int, int]:
    """The last run of option lines in `lo:hi`, the offset of its first line and the offset behind its last."""
    runs: list[list[re.Match[str]]] = []
    for a, b in lines:
        if a < lo or b > hi or not _OPTION_SIGNS.intersection(prompt[a : a + 9]):
            continue
        m = _OPTION.match(prompt, a, b)
        if m is None:
            continue
        label = m.group("label")
        if runs and _follows(runs[-1][-1].group("label"), label):
            runs[-1].append(m)
        elif label in _FIRST:
            runs.append([m])
    runs = [r for r in runs if len(r) >= 2]
    if not runs:
        return (), hi, hi
    run = runs[-1]
    return tuple(_option(m) for m in run), run[0].start(), run[-1].end()


def _option(m: re.Match[str]) -> Option:
    text = m.group("text").rstrip()
    return Option(m.group("label"), text, m.span("label"), (m.start("text"), m.start("text") + len(text)))


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


def _follows(before: str, label: str) -> bool:
    if len(before) == 1 and len(label) == 1 and ord(label) == ord(before) + 1:
        return True
    if before.isdecimal() and label.isdecimal():
        return int(label) == int(before) + 1
    return any(before in s and label in s and s.index(label) == s.index(before) + 1 for s in _SEQUENCES)


def _paragraphs(prompt: str, lo: int, hi: int) -> list[Window]:
    found: list[Window] = []
    at = lo
    while at < hi:
        stop = prompt.find("\n", at, hi)
        while stop >= 0:
            after = skip_space(prompt, stop, hi)
            if after >= hi or prompt.find("\n", stop + 1, after) >= 0:
                break
            stop = prompt.find("\n", after, hi)
        stop = hi if stop < 0 else stop
        window = strip_window(prompt, at, stop)
        if window[0] < window[1]:
            found.append(window)
        at = stop + 1
    return found


def _asks(low: str, window: Window, opening: bool = False, firm: bool = False) -> bool:
    """Whether a stretch of the prompt speaks of the form of the reply; `opening`: or gives the task at its head;
    `firm`: in words that a question never uses."""
    return _asks_text(low[window[0] : window[1]], opening, firm)


@lru_cache(maxsize=256)
def _asks_text(part: str, opening: bool, firm: bool) -> bool:
    if any(word in part for word in (_FIRM_WORDS if firm else _FORMAT_WORDS)):
        return True
    if firm:
        return False
    if opening and len(part) < 600 and any(word in part for word in _TASK_WORDS) and "?" not in part:
        return True
    return (":" in part or "=" in part or ">" in part) and _QUOTED_FORM.search(part) is not None


def _sort(
    prompt: str,
    low: str,
    window: Window,
    pieces: list[Window],
    question: list[Window],
    opening: bool,
    firm: bool,
) -> None:
    """Put a paragraph to the instruction or the question; one that holds both is cut between its lines."""
    lo, hi = window
    if not _asks(low, window, opening, firm):
        question.append(window)
        return
    in_question = _QUESTION_MARK.match(prompt, lo, hi) is not None
    if not in_question and not _holds_mark(prompt, lo, hi):
        pieces.append(window)
        return
    at = lo
    while at < hi:
        end = prompt.find("\n", at, hi)
        end = hi if end < 0 else end
        line = strip_window(prompt, at, end)
        if line[0] < line[1]:
            marked = _QUESTION_MARK.match(prompt, at, end) is not None
            in_question = in_question or marked
            asks = not marked and _asks(low, line, firm=firm)
            (pieces if asks or not in_question else question).append(line)
        at = end + 1


def _holds_mark(prompt: str, lo: int, hi: int) -> bool:
    at = prompt.find("\n", lo, hi)
    while at >= 0:
        if prompt[at + 1] in _MARK_STARTS and _QUESTION_MARK.match(prompt, at + 1, hi):
            return True
        at = prompt.find("\n", at + 1, hi)
    return False


_SENTENCE = re.compile(r"(?<=[.!?。？！])(?:[\"'”’)]*)\s+|\n+")


def _split_mixed(prompt: str, low: str, pieces: list[Window], lo: int) -> tuple[list[Window], list[Window]]:
    """Question and instruction in one paragraph: sentences that speak of the reply are the instruction.

    The question is the last unbroken stretch of the other sentences.
    """
    question: list[Window] = []
    asks: list[Window] = []
    for sentence in _sentences(prompt, pieces):
        (asks if sentence[0] < lo or _asks(low, sentence) else question).append(sentence)
    if not question or not asks:
        return [], pieces
    run = [question[-1]]
    for sentence in reversed(question[:-1]):
        if any(sentence[1] <= a[0] < run[0][0] for a in asks):
            asks.append(sentence)
        else:
            run.insert(0, sentence)
    return run, sorted(asks)


def _sentences(prompt: str, windows: Iterable[Window]) -> list[Window]:
    found = []
    for lo, hi in windows:
        at = lo
        for cut in [m.end() for m in _SENTENCE.finditer(prompt, lo, hi)] + [hi]:
            sentence = strip_window(prompt, at, cut)
            at = cut
            if sentence[0] < sentence[1]:
                found.append(sentence)
    return found
