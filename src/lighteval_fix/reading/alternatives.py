"""Named alternatives: a prompt that offers the words to reply with ("Yes" or "No", true/false, one of a list).

A reply that is one of them is an answer, although the same word alone would be none where nobody offered it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model import Rule, Span
from ..text.scan import line_bounds
from .candidate import Candidate
from .trim import trim_value

_WORD = r"[^\W\d_][\w'’ /-]{0,28}?"
_QUOTED = (
    rf"(?:\"{_WORD}[.,]?\"|“{_WORD}[.,]?”|`{_WORD}`|(?<![A-Za-z])'{_WORD}[.,]?'(?![A-Za-z])|\*\*{_WORD}\*\*"
    rf"|「{_WORD}」)"
)
_LIST = re.compile(rf"{_QUOTED}(?:(?:\s*(?:,|/|\||;|、))?\s*(?:\b(?:or|and|oder|ou|o|или)\b|或)?\s*{_QUOTED}){{1,12}}")
_ONE = re.compile(_QUOTED)
_PAIR = re.compile(
    r"\b(?:(yes)\s*(?:or|/)\s*(no)|(true)\s*(?:or|/)\s*(false)|(correct)\s*(?:or|/)\s*(incorrect)"
    r"|(valid)\s*(?:or|/)\s*(invalid))\b(?:(?:,|\s+or|,\s*or|/)\s*(maybe|unknown|uncertain|unsure|neither)\b)?",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\b(?:one of|either|choose from|choose between|among)\b[^.:\n\[(]{0,40}[:\[(]\s*"
    r"([A-Za-z][\w-]{1,24}(?:\s*(?:,|/|\|)\s*(?:or\s+)?[A-Za-z][\w-]{1,24}){1,12}(?:\s+or\s+[A-Za-z][\w-]{1,24})?)",
    re.IGNORECASE,
)
_SHELL = " \t\"“”'`*「」.,"
_SAYS = re.compile(
    r"(?i)(?:\b(?:is|are|be|say|reply|choose|pick)|:)\s*[*_\"“'`]*(?:clearly |therefore |thus |indeed )?[*_\"“'`]*$"
)
_DENIES = re.compile(r"(?i)\b(?:not|never|if|whether|maybe|perhaps|might|could|neither|cannot|either)\b|n['’]t\b|\?")
_MOST = 4000
_LINE = 400
_HEAD_END = re.compile(r"[*_\"”'`]{0,3}[ \t]*(?:[.,;:!\n。，！]|[–—-]\s)")
_LEAD = re.compile(r"(?i)(?:so|thus|therefore|hence|finally|in conclusion)\b[ \t,:]*")
_REFUSES = re.compile(r"(?i)\b(?:can(?:no|['’])t|unable|not sure|unclear|don['’]t know|no idea|depends)\b")


def named_alternatives(prompt: str | None) -> tuple[str, ...]:
    """The words that `prompt` offers as replies, in lower case; empty where it offers none."""
    if not prompt:
        return ()
    return _named(prompt if len(prompt) <= 2 * _MOST else prompt[:_MOST] + "\n" + prompt[-_MOST:])


@lru_cache(maxsize=256)
def _named(prompt: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    low = prompt.lower()
    for m in _LIST.finditer(prompt) if any(sign in low for sign in "\"“`'*「") else ():
        found.update(dict.fromkeys(w.group().strip(_SHELL).casefold() for w in _ONE.finditer(m.group())))
    for m in _PAIR.finditer(prompt) if any(word in low for word in ("yes", "true", "correct", "valid")) else ():
        found.update(dict.fromkeys(word.casefold() for word in m.groups() if word))
    for m in _ONE_OF.finditer(prompt) if any(word in low for word in ("one of", "either", "choose", "among")) else ():
        words = re.split(r"\s*(?:,|/|\||\bor\b)\s*", m.group(1))
        found.update(dict.fromkeys(word.strip().casefold() for word in words if word.strip()))
    return tuple(word for word in found if word)


def alternative_at(text: str, at: int, hi: int, words: tuple[str, ...]) -> Span | None:
    """The alternative that stands at `at`, behind emphasis and quotation marks, where no letter goes on."""
    while at < hi and (text[at].isspace() or text[at] in "*_\"“'`「:"):
        at += 1
    low = text[at : at + 32].casefold()
    for word in sorted(words, key=len, reverse=True):
        end = at + len(word)
        if low.startswith(word) and end <= hi and not text[end : end + 1].isalnum():
            return at, end
    return None


def stated_alternative(text: str, lo: int, hi: int, words: tuple[str, ...]) -> Candidate | None:
    """The one alternative that a text gives: as the whole of it, as its last line, or as the word it opens with.

    A text that opens with a word and names another one later gives none, unless its last line is one of them alone
    and the first word is no other.
    """
    if not words:
        return None
    first = _opening(text, lo, hi, words)
    last = _closing(text, lo, hi, words)
    if first is not None and last is not None:
        same = text[slice(*first)].casefold() == text[slice(*last)].casefold()
        return _candidate(text, last) if same else None
    if last is not None:
        return _candidate(text, last)
    if first is None or hi - lo > _MOST or _REFUSES.search(text, first[1], hi):
        return None
    said = text[slice(*first)].casefold()
    if _named_in(text, first[1], hi, tuple(word for word in words if word != said)):
        return None
    return _candidate(text, first)


def _opening(text: str, lo: int, hi: int, words: tuple[str, ...]) -> Span | None:
    span = alternative_at(text, lo, hi, words)
    if span is None or (span[1] < hi and _HEAD_END.match(text, span[1], hi) is None):
        return None
    return span


def _closing(text: str, lo: int, hi: int, words: tuple[str, ...]) -> Span | None:
    line, end = line_bounds(text, hi, max(lo, hi - _LINE), hi)
    lead = _LEAD.match(text, line, end)
    a, b = trim_value(text, line if lead is None else lead.end(), end)
    if text[a:b].casefold() in words:
        return a, b
    for word in words:  # `The claim is false.`: the end of the last sentence, which names no other
        if text[max(a, b - len(word)) : b].casefold() != word:
            continue
        start = max(text.rfind(sign, a, b) for sign in ".!?\n") + 1
        said = _SAYS.search(text[start : b - len(word)])
        if said is None or _DENIES.search(text, start, b - len(word)) or _named_in(text, start, b - len(word), words):
            return None
        return b - len(word), b
    return None


def _named_in(text: str, lo: int, hi: int, words: tuple[str, ...]) -> bool:
    part = text[lo:hi].casefold()
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", part) for word in words)


def _candidate(text: str, span: Span) -> Candidate:
    return Candidate(span[0], span[1], (span,), text[slice(*span)], Rule.BARE)
