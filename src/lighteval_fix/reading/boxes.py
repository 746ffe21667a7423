"""Boxes: `\\boxed{…}`, `\\fbox{…}`, `\\boxed 5`; nested, in a list, or never closed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..model import Rule
from ..text.scan import Window, closing_at, find_backward
from .asked import Asked, is_slot
from .candidate import Candidate, PassedOver
from .trim import trim_value
from .value import is_prose

# A JSON writer that did not escape its backslash leaves a backspace (\x08) before `oxed`.
_BOX = re.compile(r"(?:\\(?:boxed|fbox|framebox)|\x08oxed|(?<![A-Za-z\\])boxed(?=\{))(?!\s{0,3}\{[\s.]{0,3}\})\s{0,3}")
"""A box that is not empty: a model in a loop writes thousands of empty ones."""
_BARE = re.compile(
    r"\\[dt]?frac\s*(?:\d\s*\d|\{[^{}\n]{1,40}\}\s*\{[^{}\n]{1,40}\})|-?\d+(?:[.,]\d+)*(?:\\?%)?|\\[A-Za-z]+|[A-Za-z](?![A-Za-z])"
)
_JOINTS = r"and|or|und|oder|et|ou|y|o|e|и|или"
_BETWEEN = re.compile(
    rf"(?:[\s$.()\[\]&~]|(?P<sign>[,;、，和或]|\\(?:q?quad|enspace|[;: ]|land|lor|wedge|vee)(?![A-Za-z])"
    rf"|\\hspace\*?\{{[^{{}}\n]{{1,12}}\}}|\b(?:{_JOINTS})\b"
    rf"|\\(?:text(?:rm|bf|it)?|mathrm|mbox)\s*\{{[\s~,;]{{0,6}}(?:{_JOINTS})[\s~,;]{{0,6}}\}}|(?P<row>\\\\))"
    r"|者|\\[()\[\],!>]|\\(?:text|mathrm|mbox)\s*\{[\s~]{0,6}(?:[,;][\s~]{0,4})?\})*"
    r"(?P<name>(?:\\?[A-Za-z](?:_\{?\w\}?)?\s*&?=\s*)?[\s$]{0,3})"
)
"""What makes the boxes before and behind it one list: commas, joining words and wide spaces; a new row of a formula
only where another name is given its value."""
_RESTATED = re.compile(r",\s{0,4}(?:\$|\\[)\]])+\s{1,4}or\b")
"""`$\\boxed{1\\frac12},$ or $\\boxed{\\frac32}$`: the value once more in another form."""
_EMPTY = re.compile(r"(?:\\(?:q?quad|[,;:! ]|hspace\{[^{}]*\}|phantom\{[^{}]*\}|text\{\s*\}|square|Box)|[\s~.])+")
"""Space and placeholders, nothing else."""
_FAR = 64
_MOST = 24
_MOST_UNCLOSED = 256
_MOST_NESTED = 8
_MANY = 256
"""Other words that are stepped over before a pattern takes over."""


class Box(NamedTuple):
    """A box: its whole extent and its content. `closed` is False where its brace is never closed."""

    start: int
    end: int
    inside: int
    inside_end: int
    closed: bool


def boxes_backward(text: str, lo: int, hi: int) -> Iterator[Box]:
    """Boxes in `lo:hi` that are not empty, the last one first.

    Linear: neither what an unclosed box has scanned nor what lies in an inner box is scanned again.
    """
    limit = hi
    unclosed = 0
    inner: list[Window] = []
    for m in _openings(text, lo, hi):
        at = m.end()
        if at < hi and text[at] == "{":
            closing = _close(text, at, limit, inner)
            if closing < 0:
                limit = m.start()
                unclosed += 1
                if unclosed > _MOST_UNCLOSED:
                    return
                yield Box(m.start(), hi, at + 1, hi, False)
            else:
                inner.append((at, closing))
                yield Box(m.start(), closing + 1, at + 1, closing, True)
            continue
        bare = _BARE.match(text, at, hi)
        if bare is not None:
            yield Box(m.start(), bare.end(), at, bare.end(), True)


def _close(text: str, at: int, limit: int, inner: list[Window]) -> int:
    """The brace that closes the one at `at`, boxes known to lie behind it skipped over; those inside are forgotten."""
    first = text.find("}", at, limit)
    if first < 0:
        return -1
    if text.find("{", at + 1, first) < 0 and text[first - 1] != "\\":
        return first  # nothing is nested: no box behind can lie inside
    depth = 0
    start = at
    while True:
        closing, depth = closing_at(text, start, inner[-1][0] if inner else limit, depth)
        if closing >= 0:
            return closing
        if not inner:
            return -1
        start = inner.pop()[1] + 1


def _openings(text: str, lo: int, hi: int) -> Iterator[re.Match[str]]:
    if text.find("\x08", lo, hi) >= 0:
        yield from find_backward(_BOX, text, lo, hi)
        return
    at = text.rfind("box", lo, hi)
    others = 0
    while at >= 0:
        if not text.startswith("ed{}", at + 3):
            back = _back(text, lo, at)
            box = _BOX.match(text, at - back, hi) if back >= 0 else None
            if box is not None:
                yield box
            else:
                others += 1
                if others > _MANY:
                    yield from find_backward(_BOX, text, lo, at)
                    return
        at = text.rfind("box", lo, at)


def _back(text: str, lo: int, at: int) -> int:
    """How far before the letters `box` at `at` the command begins, or -1 where they are part of another word."""
    before = text[at - 1] if at > lo else ""
    if before == "\\":
        return 1  # `\boxed`
    if before == "f" and text.endswith("\\f", lo, at):
        return 2  # `\fbox`
    if before == "e" and text.endswith("\\frame", lo, at):
        return 6  # `\framebox`
    return 0 if text.startswith("ed{", at + 3) else -1


class BoxFinding(NamedTuple):
    """The last readable box (or list of boxes), and the offset of an unclosed box behind it, or -1."""

    candidate: Candidate | None
    cut_off: int


def last_box(text: str, lo: int, hi: int, asked: Asked, over: PassedOver) -> BoxFinding:
    """The box that counts: the last one that is complete, not empty and no restated template."""
    cut_off = -1
    found: Box | None = None
    members: list[Box] = []
    nested = 0
    for box in boxes_backward(text, lo, hi):
        if not box.closed:
            if found is None and cut_off < 0:
                cut_off = box.start
            if found is not None:
                break
            continue
        if found is None:
            if _readable(text, box, asked):
                found = box
                members = [box]
            continue
        if box.end >= members[0].end and box.start < members[0].start:  # the former one lies inside this one
            nested += 1
            if nested > _MOST_NESTED:
                break
            if _readable(text, box, asked):
                members[0] = box
            continue
        if (
            members[0].start - box.end <= _FAR
            and len(members) < _MOST
            and _joins(text, box.end, members[0].start)
            and _readable(text, box, asked)
        ):
            members.insert(0, box)
            continue
        if _readable(text, box, asked):
            over.note((box.inside, box.inside_end), Rule.BOX)
        break
    if found is None:
        return BoxFinding(None, cut_off)
    return BoxFinding(_candidate(text, members), cut_off)


def _joins(text: str, lo: int, hi: int) -> bool:
    m = _BETWEEN.fullmatch(text, lo, hi)
    if m is None or m.group("sign") is None or _RESTATED.search(text, lo, hi):
        return False
    return m.group("row") is None or "=" in m.group("name")


def _readable(text: str, box: Box, asked: Asked) -> bool:
    if box.inside_end - box.inside > 4000:
        return False
    content = text[box.inside : box.inside_end].strip(" \t\n$.,~")
    if not content or (content[0] == "\\" and (content.startswith("\\boxed{}") or _EMPTY.fullmatch(content))):
        return False
    if not content[0].isalnum() and not any(c.isalnum() or c in "∞∅\\" for c in content):
        return False
    return not is_slot(content, asked) and not is_prose(content)


def _candidate(text: str, members: list[Box]) -> Candidate:
    if len(members) == 1:
        box = members[0]
        a, b = trim_value(text, box.inside, box.inside_end, maths=True)
        return Candidate(box.start, box.end, ((a, b),), unbox(text[a:b]), Rule.BOX)
    spans = tuple(trim_value(text, b.inside, b.inside_end, maths=True) for b in members)
    parts = [unbox(text[a:b]) for a, b in spans]
    if len(set(parts)) == 1:
        spans, parts = spans[-1:], parts[-1:]
    rule = Rule.BOX if len(parts) == 1 else Rule.BOX_LIST
    return Candidate(members[0].start, members[-1].end, spans, ", ".join(parts), rule)


def unbox(text: str) -> str:
    """`text` with every complete box inside it replaced by its content."""
    if "oxed" not in text and "fbox" not in text:
        return text
    for _ in range(6):
        box = next(boxes_backward(text, 0, len(text)), None)
        if box is None or not box.closed:
            break
        text = text[: box.start] + text[box.inside : box.inside_end] + text[box.end :]
    return text.strip()
