"""A generation cut into reasoning and answer part.

The answer part is what stands behind the last closing tag. Tags that a model quotes (inside a closed code fence, in
back ticks or in quotation marks) are text. A tag that opens behind the last closing tag was never closed: unfinished.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..model import Split, SplitState
from .angles import angles
from .scan import Fence, fences, inside_fence

TagPair: TypeAlias = tuple[str, str]

DEFAULT_TAGS: tuple[TagPair, ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<Think>", "</Think>"),
    ("<THINK>", "</THINK>"),
    ("<thought>", "</thought>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<longcat_think>", "</longcat_think>"),
    ("<unused94>", "<unused95>"),
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

_BARE_CHANNEL, _FINAL = "analysis", "assistantfinal"
"""What is left of harmony's channels where its special tokens were dropped."""
_MESSAGE = "<|message|>"
_QUOTES = frozenset("`\"'“”‘’«»")
_KEY = 3

_ALL = tuple(dict.fromkeys(tag for pair in DEFAULT_TAGS for tag in pair))
_SQUARE = tuple(tag for tag in _ALL if tag[0] == "[")
_TRIANGLE = tuple(tag for tag in _ALL if tag[0] == "◁")
_ANGLE: dict[str, list[str]] = {}
"""Tags that begin with an angle bracket, by the letters behind it."""
for _tag in _ALL:
    if _tag[0] == "<":
        _ANGLE.setdefault(_tag[1 : 1 + _KEY], []).append(_tag)

Places: TypeAlias = dict[str, tuple[int, int]]
"""First and last offset of every tag that stands in a text."""


def is_default(tags: Sequence[tuple[str, str]]) -> bool:
    """Whether these are the default tags, also as another process unpickles them."""
    return tags is DEFAULT_TAGS or tags == DEFAULT_TAGS


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
    if is_default(tags):
        places = _default_places(text)
        if text.startswith(_BARE_CHANNEL) and _FINAL in text:
            tags = (*DEFAULT_TAGS, (_BARE_CHANNEL, _FINAL))
            places[_BARE_CHANNEL], places[_FINAL] = (0, 0), (text.find(_FINAL), text.rfind(_FINAL))
    elif any(not opening or not closing for opening, closing in tags):
        raise ValueError("a reasoning tag must not be empty")
    else:
        places = _places(text, dict.fromkeys(tag for pair in tags for tag in pair))
    if not places:
        return Split("", text, SplitState.NONE, 0, len(text))
    blocks = _Blocks(text)
    last_close, close_start, last_open, first_open = 0, -1, -1, -1
    for opening, closing in tags:
        if closing in places:
            at = _last_true(text, closing, opening, blocks, places[closing][1])
            if at >= 0 and (at + len(closing) > last_close or close_start < 0):
                close_start, last_close = at, at + len(closing)
        if opening in places:
            first, last = places[opening]
            at = _last_true(text, opening, closing, blocks, last)
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


def _default_places(text: str) -> Places:
    """Places of the default tags. Most texts hold few angle brackets, so looking at each costs far less than a search
    for every tag; formulas are full of square ones."""
    places: Places = {}
    brackets = angles(text)
    if brackets is None:
        return _places(text, _ALL)
    for at in brackets:
        for tag in _ANGLE.get(text[at + 1 : at + 1 + _KEY], ()):
            if text.startswith(tag, at):
                places[tag] = (places[tag][0] if tag in places else at, at)
    if "[" in text and (text.rfind("thinking]") >= 0 or ("K" in text and "THINK]" in text)):
        places |= _places(text, _SQUARE)
    if not text.isascii() and "◁" in text:
        places |= _places(text, _TRIANGLE)
    return places


def _places(text: str, tags: Iterable[str]) -> Places:
    found = ((tag, text.rfind(tag)) for tag in tags)
    return {tag: (text.find(tag), last) for tag, last in found if last >= 0}


class _Blocks:
    """The fenced blocks of a text, looked for only where a tag stands between fence marks."""

    __slots__ = ("_found", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Fence] | None = None

    def around(self, at: int) -> Fence | None:
        """The closed block whose content holds offset `at`, else None."""
        if self._found is None:
            if not self._between_marks(at):
                return None
            self._found = fences(self._text)
        return inside_fence(self._found, at)

    def _between_marks(self, at: int) -> bool:
        text = self._text
        for mark in ("```", "~~~"):  # the shorter side first: a tag mostly stands near one end
            if text.find(mark[0]) < 0:
                continue
            if at < len(text) - at:
                between = text.rfind(mark, 0, at) >= 0 and text.find(mark, at) >= 0
            else:
                between = text.find(mark, at) >= 0 and text.rfind(mark, 0, at) >= 0
            if between:
                return True
        return False


def _last_true(text: str, tag: str, partner: str, blocks: _Blocks, at: int) -> int:
    """Offset of the last occurrence of `tag`, `at` or before it, that the model meant as a tag, or -1."""
    while at >= 0 and _quoted(text, at, tag, partner, blocks):
        at = text.rfind(tag, 0, at)
    return at


def _quoted(text: str, at: int, tag: str, partner: str, blocks: _Blocks) -> bool:
    end = at + len(tag)
    if at > 0 and end < len(text) and text[at - 1] in _QUOTES and text[end] in _QUOTES:
        return not (text.endswith("```", 0, at) or text.startswith("```", end))
    block = blocks.around(at)
    if block is None:
        return False
    line = text.rfind("\n", 0, at) + 1
    if text[line:at].strip():
        return True
    return text.find(partner, block.body, block.body_end) >= 0
