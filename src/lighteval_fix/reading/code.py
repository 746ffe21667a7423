"""The program that the model gave, and where it stands."""

from __future__ import annotations

import re

from ..model import NoAnswer, NoAnswerReason, Reading, Rule, Span, Split, SplitState, Unfinished
from ..text.reasoning import split_reasoning
from ..text.scan import Fence, fences, strip_window

_BOUNDARY = re.compile(r"<\|(?:im_end|eot_id|endoftext|end_of_solution|return|end)\|>|</s>|<end_of_turn>|<eos>")
_PYTHON = frozenset({"python", "py", "python3", "py3", "pypy", "pypy3", "python2", "ipython"})
_TAGS = (("[PYTHON]", "[/PYTHON]"), ("<python>", "</python>"), ("<code>", "</code>"), ("<answer>", "</answer>"))
"""What some models and prompts put around a program in place of a fence."""
_CODE_LINE = re.compile(
    r"^(?:import\b|from\s+\w|def\s|class\s|@\w|for\s.{1,200}:|while\s.{1,200}:|if\s.{1,200}:|print\s*\(|return\b|#include|using\s"
    r"|int\s+main|package\s|func\s|fn\s|public\s|let\s|const\s|var\s|[A-Za-z_][\w.,\[\] ]{0,80}[-+*/|&]?=[^=])",
    re.MULTILINE,
)


def read_code(text: str, *, unfinished: str = Unfinished.NO_ANSWER, split: Split | None = None) -> Reading | NoAnswer:
    """The last complete fenced block of the answer part. Behind a block that says it is Python, those that say they are
    something else (how to start it, what it prints, the same in another language) are passed over.

    Without a complete one: the content of the block that was never closed (rule `unclosed`); without any fence: the
    whole text, where it reads as a program (rule `bare`). `Reading.text` is the program without the fence lines.
    """
    unfinished = Unfinished(unfinished)
    split = split_reasoning(text) if split is None else split
    lo, hi, inside = split.answer_start, split.answer_end or len(text), False
    if split.state is SplitState.UNFINISHED:
        if unfinished is Unfinished.NO_ANSWER:
            return NoAnswer(NoAnswerReason.UNFINISHED)
        lo, hi, inside = 0, len(text), True
    if lo == hi or not text[lo:hi].strip():
        return NoAnswer(NoAnswerReason.EMPTY)
    blocks = fences(text, lo, hi)
    closed = [b for b in blocks if b.closed and text[b.body : b.body_end].strip()]
    over = tuple(((b.body, b.body_end), Rule.FENCED if b.closed else Rule.UNCLOSED) for b in blocks[-6:])
    if closed:
        return _reading(text, _program(closed), Rule.FENCED, inside, over)
    opened = [b for b in blocks if not b.closed and text[b.body : b.body_end].strip()]
    if opened:
        return _reading(text, opened[-1], Rule.UNCLOSED, inside, over)
    lo, hi = strip_window(text, lo, hi)
    end = _BOUNDARY.search(text, lo, hi)
    if end is not None and end.start() > lo:
        lo, hi = strip_window(text, lo, end.start())
    if len(blocks) == 1 and not text[blocks[0].start : hi].strip(" \t\r\n`~"):  # only the closing fence was written
        body = strip_window(text, lo, blocks[0].start)
        if _CODE_LINE.match(text, *body):
            return Reading(text[slice(*body)], (body,), Rule.BARE, inside)
    if not blocks:
        lo, hi = _inside_tags(text, lo, hi)
    if not blocks and _CODE_LINE.search(text, lo, hi):
        return Reading(text[lo:hi], ((lo, hi),), Rule.BARE, inside)
    return NoAnswer(NoAnswerReason.NOT_STATED)


def _program(blocks: list[Fence]) -> Fence:
    named = [_language(block) for block in blocks]
    if any(name in _PYTHON for name in named):
        return [block for block, name in zip(blocks, named, strict=True) if not name or name in _PYTHON][-1]
    return blocks[-1]


def _language(block: Fence) -> str:
    return block.info.split(maxsplit=1)[0].strip("{}.").lower() if block.info else ""


def _inside_tags(text: str, lo: int, hi: int) -> Span:
    """The last window between such tags, else the same one."""
    for opening, closing in _TAGS:
        end = text.rfind(closing, lo, hi)
        start = text.rfind(opening, lo, end) if end >= 0 else -1
        if start >= 0:
            return strip_window(text, start + len(opening), end)
    return lo, hi


def _dedented(text: str, block: Fence, lo: int, hi: int) -> str:
    """The block's lines without the blanks by which its fence is indented, as Markdown has it."""
    fence = text[block.start : block.body]
    indent = len(fence) - len(fence.lstrip(" "))
    program = text[lo:hi]
    return re.sub(rf"(?m)^ {{1,{indent}}}", "", program) if indent else program


def _reading(text: str, block: Fence, rule: Rule, inside: bool, over: tuple[tuple[Span, Rule], ...]) -> Reading:
    lo, hi = block.body, block.body_end
    if hi > lo and text[hi - 1] == "\n":
        hi -= 1
    if hi > lo and text[hi - 1] == "\r":
        hi -= 1
    end = _BOUNDARY.search(text, lo, hi) if rule is Rule.UNCLOSED else None
    if end is not None:
        hi = end.start()
    passed = tuple((s, r) for s, r in over if s[0] != block.body)
    return Reading(_dedented(text, block, lo, hi), ((lo, hi),), rule, inside, passed_over=passed)


def read_code_as_lighteval(text: str) -> str:
    """What LightEval 0.13.0's LiveCodeBench task takes for the program: the lines between the last two lines that
    hold three back ticks, and nothing where there are fewer than two such lines."""
    lines = text.split("\n")
    marks = [i for i, line in enumerate(lines) if "```" in line]
    return "" if len(marks) < 2 else "\n".join(lines[marks[-2] + 1 : marks[-1]])
