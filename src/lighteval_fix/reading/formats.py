"""Answers in a requested form: template lines, tags, JSON values, line marks. Used for maths and for choice labels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from ..model import Rule, Span
from ..text.angles import may_close
from ..text.scan import find_backward, rfind_any
from .asked import Asked, Template
from .trim import trim_value
from .value import LONGEST, value_on_line

_MOST = 64
"""Marks and keys looked at, from the end of the text: what stands before so many others is no conclusion."""
_MOST_WORDS = 2000
"""The same for the word that a requested line opens with, which a text may hold in any other sense."""
CUSTOMARY_TAGS = ("answer", "final_answer", "finalanswer", "final")
CUSTOMARY_KEYS = ("answer", "final_answer", "finalAnswer", "final answer", "solution", "result")
_HASHES = re.compile(r"#{4}(?!#)[ \t]*(?=[^\s#])")
_NUMERIC = re.compile(r"[-−+($€£¥\\]*\d|[-−(]?\\(?:d?frac|sqrt|pi|text|boxed)|\$|\\\(")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.){0,2000}\"|'(?:[^'\\\n]|\\.){0,2000}'")
_SCALAR = re.compile(r"-?[\w.+/^\\{}()-]{1,200}|\[[^\[\]\n]{0,200}\]")


@lru_cache(maxsize=512)
def _template_pattern(prefix: str) -> re.Pattern[str]:
    """`prefix` in any case, with any white space and emphasis between its words."""
    parts = re.findall(r"[^\W_]+|[^\w\s]|_+", prefix)
    pieces = []
    for part in parts:
        if part in (":", "："):
            pieces.append(r"[\s*_`]{0,6}[:：]")
        elif part[0].isalnum():
            pieces.append((r"[\s*_`]{0,6}" if pieces else "") + re.escape(part))
        else:
            pieces.append(r"\s{0,4}" + re.escape(part))
    first = parts[0][0]
    head = f"[{re.escape(first.lower())}{re.escape(first.upper())}]" if first.isalpha() else re.escape(first)
    rest = "".join(pieces)
    rest = rest[len(re.escape(first)) :] if first.isalnum() else rest.split(re.escape(first), 1)[1]
    edge = r"(?<![^\W_])" if first.isalnum() else ""
    return re.compile(f"{head}{edge[:0]}(?i:{rest})(?![^\\W\\d_])" if parts[-1][0].isalnum() else f"{head}(?i:{rest})")


@lru_cache(maxsize=512)
def _is_told_apart(prefix: str) -> bool:
    """Whether a prefix has letters enough to be found."""
    return len(re.findall(r"[^\W\d_]|#", prefix)) > 1


@lru_cache(maxsize=512)
def _first_word(prefix: str) -> str:
    """The first word of a prefix where it is in capitals, else nothing."""
    word = re.match(r"\W*([^\W_]+)", prefix)
    return word.group(1) if word is not None and len(word.group(1)) > 1 and word.group(1).isupper() else ""


@lru_cache(maxsize=512)
def _needles(prefix: str) -> tuple[tuple[str, ...], int]:
    """What the first word of a prefix holds in any usual spelling, and how far behind its start: a long word without
    its first letter, which leaves one spelling fewer to look for."""
    word = re.findall(r"[^\W_]+|[^\w\s]|_+", prefix)[0]
    spelled = dict.fromkeys((word, word.lower(), word.upper(), word.capitalize()))
    skip = 1 if len(word) > 4 else 0
    return tuple(dict.fromkeys(each[skip:] for each in spelled)), skip


def prefix_at(text: str, at: int, hi: int, template: Template) -> int:
    """Where the value of a requested line begins whose prefix stands at `at`, or -1."""
    m = _template_pattern(template.prefix).match(text, at, hi) if _is_told_apart(template.prefix) else None
    return -1 if m is None else m.end()


def template_matches(text: str, lo: int, hi: int, template: Template) -> Iterator[Span]:
    """(start of the line's prefix, offset where its value may begin), the last one first."""
    if not _is_told_apart(template.prefix):
        return
    pattern = _template_pattern(template.prefix)
    needles, skip = _needles(template.prefix)
    for at in islice(rfind_any(text, needles, lo, hi), _MOST_WORDS):
        m = pattern.match(text, at - skip, hi) if at - skip >= lo else None
        if m is None:
            continue
        before = text[m.start() - 1 : m.start()] if m.start() > lo else ""
        if before.isalnum() or before == "\\" or not _opens(text, m, lo, template.prefix):
            continue
        yield m.start(), m.end()


def _opens(text: str, m: re.Match[str], lo: int, prefix: str) -> bool:
    """Whether a prefix stands where a line or a sentence begins, or is spelled as in the prompt."""
    capitals = _first_word(prefix)
    if capitals and capitals in m.group():
        return True
    at = m.start()
    while at > lo and text[at - 1] in " \t*_#>`~\"'“‘([-":
        at -= 1
    return at <= lo or text[at - 1] in "\n.!?:;。！？：)]}$" or prefix[:1].islower()


def template_value(text: str, at: int, hi: int, template: Template) -> Span | None:
    """The value of a requested line whose prefix ends at `at`; the template's suffix is cut off where it is there."""
    suffix = template.suffix.strip()
    if suffix and re.search(r"\w", suffix):
        found = text.find(suffix, at, min(hi, at + LONGEST))
        line_end = text.find("\n", at, hi)
        if found >= 0 and (line_end < 0 or found < line_end):
            lo, end = trim_value(text, at, found)
            return (lo, end) if lo < end else None
    return value_on_line(text, at, hi)


def tag_spans(text: str, lo: int, hi: int, names: tuple[str, ...]) -> Iterator[tuple[int, int, Span]]:
    """(start, end, content) of the last complete `<name>…</name>` of each name, the last one first."""
    if not names or not may_close(text, lo, hi):
        return
    found = []
    for name in names:
        closing = text.rfind(f"</{name}>", lo, hi)
        if closing < 0:
            continue
        opening = text.rfind(f"<{name}>", lo, closing)
        if opening < 0 or closing - opening > 20_000:
            continue
        found.append((opening, closing + len(name) + 3, trim_value(text, opening + len(name) + 2, closing, maths=True)))
    yield from sorted(found, reverse=True)


@lru_cache(maxsize=64)
def _key_pattern(keys: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(re.escape(k) for k in sorted(keys, key=len, reverse=True))
    return re.compile(rf"[\"'](?:{either})[\"'][ \t]?:\s{{0,8}}")


_MANY = 200
"""Quotation marks that are stepped over before a pattern takes over."""


def may_hold_keys(text: str, lo: int, hi: int) -> bool:
    """Whether a quotation mark stands before a colon. Stepping from mark to mark costs less than six searches."""
    for mark in ('"', "'"):
        at = text.find(mark, lo, hi)
        steps = 0
        while at >= 0:
            c = text[at + 1 : at + 2]
            if c == ":" or (c and c in " \t" and text[at + 2 : at + 3] == ":"):
                return True
            steps += 1
            if steps > _MANY:
                return True
            at = text.find(mark, at + 1, hi)
    return False


def json_values(text: str, lo: int, hi: int, keys: tuple[str, ...]) -> Iterator[tuple[int, int, Span, str]]:
    """(start, end, span of the value, its text) of JSON members named by `keys`, the last one first."""
    if not may_hold_keys(text, lo, hi):
        return
    for m in islice(find_backward(_key_pattern(keys), text, lo, hi), _MOST):
        string = _STRING.match(text, m.end(), hi)
        if string is not None:
            span = (string.start() + 1, string.end() - 1)
            yield m.start(), string.end(), span, _decoded(string.group())
            continue
        scalar = _SCALAR.match(text, m.end(), hi)
        if scalar is not None:
            yield m.start(), scalar.end(), scalar.span(), scalar.group().rstrip("}.")


def _decoded(literal: str) -> str:
    """The text of a JSON string. A LaTeX command in it (`"\\frac12"`) is no escape: kept as written."""
    inner = literal[1:-1]
    if "\\" not in inner or re.search(r"\\[^\"/]", inner.replace("\\\\", "")):
        return inner
    if literal[0] == "'":
        return inner.replace("\\'", "'").replace("\\\\", "\\")
    value = json.loads(literal)
    return value if isinstance(value, str) else inner


def hash_marks(text: str, lo: int, hi: int, asked: Asked) -> Iterator[tuple[int, Span]]:
    """(start, value) of `#### value` lines, the last one first; without a request only where the value is a number
    or maths, because `####` heads a section as well."""
    if text.find("#", lo, hi) < 0 or text.find("####", lo, hi) < 0:
        return
    for m in islice(find_backward(_HASHES, text, lo, hi), _MOST):
        if "####" not in asked.marks and not _NUMERIC.match(text, m.end(), hi):
            continue
        value = value_on_line(text, m.end(), hi)
        if value is not None:
            yield m.start(), value


def tag_names(asked: Asked) -> tuple[str, ...]:
    """The tags to look for: requested ones, then customary ones."""
    return tuple(dict.fromkeys((*asked.tags, *CUSTOMARY_TAGS))) if asked.tags else CUSTOMARY_TAGS


def key_names(asked: Asked) -> tuple[str, ...]:
    """The JSON keys to look for: requested ones, then customary ones."""
    return tuple(dict.fromkeys((*asked.keys, *CUSTOMARY_KEYS))) if asked.keys else CUSTOMARY_KEYS


def rule_for(template: Template) -> Rule:
    """A template that ends in a colon is an answer line, any other a requested format."""
    return Rule.ANSWER_LINE if template.prefix.rstrip("*_ ").endswith((":", "：")) else Rule.REQUESTED
