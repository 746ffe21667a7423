"""A generation cut into reasoning and answer part.

The answer part is what stands behind the last closing tag. Tags that a model quotes (inside a closed code fence, in
back ticks or in quotation marks) are text. A tag that opens behind the last closing tag was never closed: unfinished.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ..model import Split, SplitState
from .scan import Fence, fences, inside_fence

TagPair: TypeAlias = tuple[str, str]

DEFAULT_TAGS: tuple[TagPair, ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|begin_of_thought|>", "<|begin_of_solution|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|thinking|>", "<|/thinking|>"),
    ("[THINK]", "[/THINK]"),
    ("[thinking]", "[/thinking]"),
    ("◁think▷", "◁/think▷"),
    ("<|channel|>analysis", "<|channel|>final"),
    ("<|channel|>commentary", "<|channel|>final"),
)
"""(opening, closing) pairs that models in use write, most usual first."""

_MESSAGE = "<|message|>"
_QUOTES = frozenset("`\"'“”‘’«»")
_KEY = 3


def _keys(tag: str) -> str:
    return tag[1 : 1 + _KEY]


_BY_KEY: dict[str, list[TagPair]] = {}
for _pair in DEFAULT_TAGS:
    for _tag in _pair:
        if _tag[0] == "<":
            _BY_KEY.setdefault(_keys(_tag), []).append(_pair)
_SQUARE = tuple(pair for pair in DEFAULT_TAGS if pair[0][0] == "[")
_TRIANGLE = tuple(pair for pair in DEFAULT_TAGS if pair[0][0] == "◁")
_MANY = 400


def split_reasoning(text: str, tags: Sequence[tuple[str, str]] = DEFAULT_TAGS) -> Split:
    """Cut `text` into reasoning and answer.

    Args:
        text: the generation.
        tags: (opening, closing) pairs; every pair counts.

    Returns:
        `none`: no tag, everything is the answer. `closed`: something was opened and the last tag closes it.
        `closed_only`: a closing tag with no opening one before it (the chat template opened the reasoning).
        `unfinished`: opened and never closed; the answer is empty.

    Raises:
        ValueError: a tag is empty.
    """
    if tags is DEFAULT_TAGS:
        tags = _possible(text)
    elif any(not opening or not closing for opening, closing in tags):
        raise ValueError("a reasoning tag must not be empty")
    blocks: list[Fence] | None = None
    last_close, close_start, last_open, first_open = 0, -1, -1, -1
    for opening, closing in tags:
        at = text.rfind(closing)
        if at >= 0:
            blocks = fences(text) if blocks is None else blocks
            at = _last_true(text, closing, opening, blocks, at)
            if at >= 0 and (at + len(closing) > last_close or close_start < 0):
                close_start, last_close = at, at + len(closing)
        first = text.find(opening)
        if first >= 0:
            blocks = fences(text) if blocks is None else blocks
            at = _last_true(text, opening, closing, blocks, text.rfind(opening))
            last_open = max(last_open, at)
            if at >= 0:
                first_open = first if first_open < 0 else min(first, first_open)
    if last_open >= 0 and last_open > close_start:
        return Split(text, "", SplitState.UNFINISHED, len(text), len(text))
    if close_start < 0:
        return Split("", text, SplitState.NONE, 0, len(text))
    start = last_close
    if text.startswith(_MESSAGE, start):
        start += len(_MESSAGE)
    state = SplitState.CLOSED if 0 <= first_open < close_start else SplitState.CLOSED_ONLY
    return Split(text[:close_start], text[start:], state, start, len(text))


def _possible(text: str) -> list[TagPair]:
    """The default pairs of which a tag may stand in `text`, by the first letters behind every `<`.

    Stepping from `<` to `<` costs far less than a search for every tag, because most texts hold few of them.
    """
    pairs: dict[TagPair, None] = {}
    at = text.find("<")
    steps = 0
    while at >= 0:
        for pair in _BY_KEY.get(text[at + 1 : at + 1 + _KEY], ()):
            if text.startswith(pair, at):
                pairs[pair] = None
        steps += 1
        if steps > _MANY:
            pairs.update(dict.fromkeys(p for group in _BY_KEY.values() for p in group))
            break
        at = text.find("<", at + 1)
    if "THINK]" in text or "thinking]" in text:
        pairs.update(dict.fromkeys(_SQUARE))
    if not text.isascii() and "◁" in text:
        pairs.update(dict.fromkeys(_TRIANGLE))
    return list(pairs)


def _last_true(text: str, tag: str, partner: str, blocks: list[Fence], at: int) -> int:
    """Offset of the last occurrence of `tag`, `at` or before it, that the model meant as a tag, or -1."""
    while at >= 0 and _quoted(text, at, tag, partner, blocks):
        at = text.rfind(tag, 0, at)
    return at


def _quoted(text: str, at: int, tag: str, partner: str, blocks: list[Fence]) -> bool:
    end = at + len(tag)
    if at > 0 and end < len(text) and text[at - 1] in _QUOTES and text[end] in _QUOTES:
        return not (text.endswith("```", 0, at) or text.startswith("```", end))
    block = inside_fence(blocks, at)
    if block is None:
        return False
    line = text.rfind("\n", 0, at) + 1
    if text[line:at].strip():
        return True
    return text.find(partner, block.body, block.body_end) >= 0
