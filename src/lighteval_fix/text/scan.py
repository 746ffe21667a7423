"""Linear-time scanners over a `str`: everything that looks for structure in model text goes through here.

Every function takes the whole text and a half-open window `lo:hi`, so that offsets stay those of the text as passed
and nothing is copied. Each visits a character a bounded number of times.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Window: TypeAlias = tuple[int, int]

LOOK_AHEAD = 512
"""Longest match, in characters, that `find_backward` sees whole unless told otherwise."""

_BRACES = re.compile(r"(?:\\[\s\S])+|\{+|\}+")
"""A run of equal braces, or of escaped characters (which are none)."""
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}")
_FENCE_LINE = re.compile(r"^[ \t]{0,12}(?:>[ \t]?)?(`{3,}|~{3,})[ \t]*([^\n`]*)$", re.MULTILINE)

_INLINE_CLOSE = re.compile(r"(?<=[^\s`])```[ \t]*$", re.MULTILINE)
"""Back ticks at the end of the last code line, where a model forgot the line break."""


def find_backward(
    pattern: re.Pattern[str], text: str, lo: int, hi: int, step: int = 4096, ahead: int = LOOK_AHEAD
) -> Iterator[re.Match[str]]:
    """Matches of `pattern` that start in `lo:hi`, the last one first.

    The text is cut into pieces of `step` characters from its end, so a caller that stops early has paid only for the
    tail. A match may reach up to `ahead` characters beyond its piece.
    """
    stop = hi
    while stop > lo:
        start = max(lo, stop - step)
        found = [m for m in pattern.finditer(text, start, min(hi, stop + ahead)) if m.start() < stop]
        yield from reversed(found)
        stop = start


_NEAR = 1024
"""Characters from the end that are searched first: what is looked for mostly stands there."""


def rfind_any(text: str, needles: tuple[str, ...], lo: int, hi: int) -> Iterator[int]:
    """Offsets of any of `needles` in `lo:hi`, the last one first. `str.rfind` outruns every pattern.

    The end of the text is searched first, so a caller that stops at what it finds there has not paid for the rest.
    """
    stop, reach = hi, _NEAR
    while stop > lo:
        start = max(lo, stop - reach)
        found = []
        for needle in needles:
            end = min(hi, stop + len(needle) - 1)
            at = text.rfind(needle, start, end)
            if at >= 0:
                found.append((at, needle))
        while found:
            last = max(found)
            yield last[0]
            found.remove(last)
            at = text.rfind(last[1], start, last[0])
            if at >= 0:
                found.append((at, last[1]))
        stop, reach = start, reach * 8


def close_brace(text: str, opening: int, hi: int) -> int:
    """Offset of the brace that closes the one at `opening`, or -1. An escaped brace (`\\{`) does not count."""
    return -1 if text.find("}", opening, hi) < 0 else closing_at(text, opening, hi, 0)[0]


def closing_at(text: str, at: int, hi: int, depth: int) -> tuple[int, int]:
    """(offset of the brace that closes the outermost of `depth` open ones or -1, how many are open at `hi`)."""
    for m in _BRACES.finditer(text, at, hi):
        start, end = m.span()
        c = text[start]
        if c == "{":
            depth += end - start
        elif c == "}":
            if depth <= end - start:
                return start + max(depth, 1) - 1, 0
            depth -= end - start
    return -1, depth


def close_environment(text: str, begin: int, hi: int) -> int:
    """Offset just behind the `\\end{…}` of the environment that begins at `begin`, or -1."""
    depth = 0
    for m in _ENVIRONMENT.finditer(text, begin, hi):
        depth += 1 if m.group(1) == "begin" else -1
        if depth == 0:
            return m.end()
    return -1


def find_unescaped(text: str, needle: str, lo: int, hi: int) -> int:
    """First `needle` in `lo:hi` that no odd run of backslashes precedes, or -1."""
    at = text.find(needle, lo, hi)
    while at >= 0:
        slashes = at
        while slashes > lo and text[slashes - 1] == "\\":
            slashes -= 1
        if (at - slashes) % 2 == 0:
            return at
        at = text.find(needle, at + 1, hi)
    return -1


MATH_PAIRS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
"""Delimiters of LaTeX maths, the longer ones first."""


_MONEY = re.compile(r"\d[\d,.]*(?![\d,.])(?:[^\\$\n]*?[\s(][A-Za-z]{3,}){2}")
"""An amount of dollars and the words up to the next one: `$5 for the pen and $`."""


def math_at(text: str, at: int, hi: int) -> tuple[int, int, int] | None:
    """(start of content, end of content, end) of the delimited maths that opens at `at`, else None."""
    for opening, closing in MATH_PAIRS:
        if text.startswith(opening, at):
            inside = at + len(opening)
            if closing[0] == "\\":
                end = text.find(closing, inside, hi)
            else:
                end = find_unescaped(text, closing, inside, hi)
            if end < 0 or (opening == "$" and (_MONEY.match(text, inside, end) or _amounts(text, inside, end, hi))):
                return None
            return inside, end, end + len(closing)
    return None


def _amounts(text: str, inside: int, end: int, hi: int) -> bool:
    """`$93 - $15`: a digit behind either dollar and white space before the second one are two amounts, no maths."""
    return (
        text[inside : inside + 1].isdecimal()
        and text[end - 1].isspace()
        and text[end + 1 : min(end + 2, hi)].isdecimal()
    )


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block: the whole block, its content, the info string, and whether it was closed."""

    start: int
    body: int
    body_end: int
    end: int
    info: str
    closed: bool


MOST_FENCES = 512
"""Fence marks that are looked at: of a text with more of them (a loop), the last ones only, an even number skipped."""


def _last_marks(text: str, mark: str, lo: int, hi: int, count: int) -> int:
    """Start of the line that holds the last but `count` mark."""
    at = hi
    for _ in range(count):
        at = text.rfind(mark, lo, at)
    return max(lo, text.rfind("\n", lo, at) + 1)


def fences(text: str, lo: int = 0, hi: int | None = None) -> list[Fence]:
    """Fenced blocks in `lo:hi`, in order.

    A fence line with an info string never closes a block: it opens a new one, and the block before it is unclosed
    (a model that was cut off while drafting begins its next block that way).
    """
    hi = len(text) if hi is None else hi
    found: list[Fence] = []
    marks = [(mark, text.count(mark, lo, hi)) for mark in ("```", "~~~")]
    if not any(count for _, count in marks):
        return found
    for mark, count in marks:
        if count > MOST_FENCES:
            lo = max(lo, _last_marks(text, mark, lo, hi, MOST_FENCES + count % 2))
    opened: re.Match[str] | None = None
    for m in _FENCE_LINE.finditer(text, lo, hi):
        mark, info = m.group(1), m.group(2).strip()
        if opened is None:
            opened = m
            continue
        same = opened.group(1)
        if mark[0] == same[0] and len(mark) >= len(same) and not info:
            found.append(_fence(text, opened, m.start(), m.end(), hi, True))
            opened = None
        elif mark[0] == same[0] and info and len(mark) <= len(same):
            found.append(_fence(text, opened, m.start(), m.start(), hi, False))
            opened = m
    if opened is not None:
        inline = _INLINE_CLOSE.search(text, min(opened.end() + 1, hi), hi)
        if inline is not None:
            found.append(_fence(text, opened, inline.start(), inline.end(), hi, True))
        else:
            found.append(_fence(text, opened, hi, hi, hi, False))
    return found


def _fence(text: str, opened: re.Match[str], body_end: int, end: int, hi: int, closed: bool) -> Fence:
    body = min(opened.end() + 1, hi)
    return Fence(opened.start(), body, max(body, body_end), end, opened.group(2).strip(), closed)


def inside_fence(blocks: list[Fence], at: int) -> Fence | None:
    """The closed block whose content holds offset `at`, else None."""
    i = bisect_right(blocks, at, key=lambda b: b.start) - 1
    if i >= 0 and blocks[i].closed and blocks[i].body <= at < blocks[i].body_end:
        return blocks[i]
    return None


_WIDE = {chr(0xFF01 + i): chr(0x21 + i) for i in range(94)} | {"\u3000": " ", "。": ".", "﹕": ":"}
_NARROW = str.maketrans(_WIDE)
_WIDE_SIGN = re.compile("[\uff01-\uff5e\u3000。﹕]")


def has_wide(text: str, lo: int, hi: int) -> bool:
    """Whether `narrow` would change `text[lo:hi]`."""
    return not text.isascii() and _WIDE_SIGN.search(text, lo, hi) is not None


def narrow(text: str) -> str:
    """Full-width letters, digits and punctuation as their ASCII forms, one for one, so that offsets stay valid."""
    return text.translate(_NARROW) if has_wide(text, 0, len(text)) else text


def line_bounds(text: str, at: int, lo: int, hi: int) -> Window:
    """The line that holds offset `at`, without its line break, inside `lo:hi`."""
    start = text.rfind("\n", lo, at) + 1
    end = text.find("\n", at, hi)
    return (max(start, lo), hi if end < 0 else end)


def skip_space(text: str, at: int, hi: int) -> int:
    """First offset from `at` that holds no white space, at most `hi`."""
    while at < hi and text[at].isspace():
        at += 1
    return at


_BLANKS = re.compile(r"[ \t]*")


def skip_blanks(text: str, at: int, hi: int) -> int:
    """First offset from `at` that holds no blank of a line, at most `hi`; as fast for a million of them."""
    m = _BLANKS.match(text, at, hi)
    return at if m is None else m.end()


_WIDE_WINDOW = 512
"""Characters from which on a copy is cheaper than a step for every blank."""


def strip_window(text: str, lo: int, hi: int) -> Window:
    """`lo:hi` without the white space at its ends."""
    if lo < hi and not (text[lo].isspace() or text[hi - 1].isspace()):
        return lo, hi
    if hi - lo > _WIDE_WINDOW:
        inside = text[lo:hi]
        lo, hi = hi - len(inside.lstrip()), lo + len(inside.rstrip())
        return (lo, hi) if lo < hi else (lo, lo)
    lo = skip_space(text, lo, hi)
    while hi > lo and text[hi - 1].isspace():
        hi -= 1
    return lo, hi


_FILLED = re.compile(r"\s*\S")


def last_filled(text: str, lo: int, hi: int) -> int:
    """The end of `lo:hi` without the white space there; `lo` where there is nothing else."""
    while hi > lo:
        start = max(lo, hi - _WIDE_WINDOW)
        kept = len(text[start:hi].rstrip())
        if kept:
            return start + kept
        hi = start
    return lo


def edge_lines(text: str, lo: int, hi: int) -> list[tuple[int, int, bool]]:
    """(start, end, whether it is the first or the last) of the first two and the last ten lines that hold something."""
    first: list[tuple[int, int]] = []
    at = lo
    while len(first) < 2:
        m = _FILLED.match(text, at, hi)
        if m is None:
            break
        start, end = line_bounds(text, m.end() - 1, at, hi)
        first.append((start, end))
        at = end + 1
    last: list[tuple[int, int]] = []
    stop = hi
    while len(last) < 10:
        stop = last_filled(text, at, stop)
        if stop <= at:
            break
        last.append(line_bounds(text, stop - 1, at, hi))
        stop = last[-1][0] - 1
    lines = [*first, *reversed(last)]
    return [(a, b, i in (0, len(lines) - 1)) for i, (a, b) in enumerate(lines)]
