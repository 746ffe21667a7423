"""Cues: the words that introduce an answer, in any language of `cues/*.toml`, and what follows them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import islice
from typing import NamedTuple, TypeAlias

from ..text.scan import find_backward, rfind_any, skip_blanks

_NOT_BEFORE = frozenset({
    "wrong", "incorrect", "no", "false", "bad", "previous", "first", "earlier", "initial", "student's",
    "students", "any", "an", "his", "her", "their", "your", "each", "every", "partial", "intermediate",
    "possible", "old", "another", "without", "plausible", "tempting", "common", "same", "format",
})  # fmt: skip
"""Words that make an answer somebody else's, an earlier one, or none, where one of them stands just before the word."""
_ENGLISH = re.compile(r"[Aa](?i:ns(?:wers?)?)(?![A-Za-z])")
NEEDLES = ("nswer", "NSWER", "ns:", "NS:", "ns：")
"""What every English cue holds."""

_DIRECT = re.compile(r"[ \t]*(?:[-–—][ \t]+)?(?=[^\s:]{1,40}[ \t]*(?:\n|$))")
_LINE_HEAD = re.compile(
    r"[ \t>#*_\-•`]*(?:(?:\d{1,2}[.)]\s*)?(?:step\s+\d+\s*:\s*)?(?:so|thus|hence|therefore|and)?,?\s*)"
    r"(?:(?:the|my|your|our|final|correct|best|overall|short|exact|numerical|boxed)\s+){0,3}$",
    re.IGNORECASE,
)
_MARKUP = r"[*_`~\"'”’)\]]{0,4}"
_AFTER_ENGLISH = re.compile(
    rf"{_MARKUP}(?P<gap>[ \t]*(?:\([^()\n]{{0,40}}\))?[^.:：\n?!;=]{{0,80}}?){_MARKUP}[ \t]*"
    r"(?:(?P<colon>[:：])|(?P<copula>(?<![A-Za-z])(?:is|are|was|were|equals|becomes|remains|comes out (?:as"
    r"|to)|would be"
    r"|(?:seems|appears|looks)(?: to be| like)?|has got to be"
    r"|would have to be|should be|must be|will be|has to be|can only be|turns out to be"
    r"|(?:is|wo|would|ca)n['’]t(?: be)?"
    r"|cannot be|can['’]t be)"
    r"(?![A-Za-z])|=>|=|→|➜|⇒|->|≈))"
    r"(?P<rest>(?:[ \t]*(?:indeed|simply|just|therefore|thus|then|hence|clearly|now|also|exactly|actually|definitely"
    r"|most likely|probably|likely|given by|equal to|of course|in fact|still|, therefore,|, thus,"
    r"|, of course,)(?![A-Za-z]))*)"
    rf"[ \t]*(?P<not>(?:not|never|neither)\b)?[ \t]*{_MARKUP}[ \t]*[:：]?",
    re.IGNORECASE,
)
_FORM = re.compile(r"(?i)\b(?:form|format|terms of|as an?)\b|,\s*(?:which|who|where)\b|\\[(\[]|\$")
_SEVERAL = re.compile(r"(?i)\s*(?:options|choices|possibilities|candidates|alternatives)\b")
"""`Answer options:` introduces them all."""
_SUPPOSED = re.compile(r"(?i)\b(?:suppos(?:e|ing)|assum(?:e|ing)|imagine|pretend|if|unless|whether)\b")
"""Opens a clause that only supposes what it says."""
_DETERMINED = re.compile(r"(?i)(?:\b(?:the|our|my)\s+(?:(?:final|correct|exact|two|three|only|possible)\s+){0,2})$")
_OPEN_QUOTES = frozenset("\"'“‘")
_STYLED = re.compile(r"\\(?:text(?:bf|it|rm|sf)?|mathbf|mathrm|underline)\{$")
"""A command that only dresses the cue: `\\textbf{Answer:} 42`."""
_ALONE = re.compile(r"(?:\s*[*_`#]{0,4}\s*)(?:\n|$)")
_NEGATED = re.compile(r"(?i)n['’]t\b|\bcannot\b|\bnot\b|\bnever\b|\bneither\b")
_TENTATIVE_GAP = re.compile(
    r"(?i)\b(?:if|whether|depends?|format|might|may|could|should (?:be )?(?:in|of|given)|in the form"
    r"|seems? like|that i|i (?:first|thought))\b"
)


_REACH = 400
"""Characters behind the word in which its cue ends."""
_MOST = 64
"""Mentions of the word that are looked at, from the end of the text."""
_TAIL = 3000
"""Characters at the end of the text where cues of other languages than English are looked for."""
_ENGLISH_TAIL = 1000
"""The same in a text that is English by the look of it."""


@dataclass(frozen=True, slots=True)
class Language:
    """One row of `cues/languages.toml`, as patterns."""

    code: str
    stem: re.Pattern[str]
    after: re.Pattern[str]
    negation: re.Pattern[str] | None
    behind: re.Pattern[str] | None
    words: tuple[str, ...]


class Cue(NamedTuple):
    """A cue in a text: where it starts, where the value may begin, and how it was worded.

    `line`: it opens its line and ends in a colon, or is a heading that stands alone. `negated`: it says what the
    answer is not. `hedged`: it says what the answer may be.
    """

    start: int
    value: int
    line: bool
    negated: bool
    hedged: bool
    language: str


@lru_cache(maxsize=1)
def languages() -> tuple[Language, ...]:
    """The rows of the data file, compiled once."""
    raw = resources.files(__package__).joinpath("cues/languages.toml").read_text(encoding="utf-8")
    return tuple(_compile(row) for row in tomllib.loads(raw)["language"])


def _compile(row: dict[str, object]) -> Language:
    def words(name: str) -> tuple[str, ...]:
        value = row.get(name, [])
        assert isinstance(value, list)
        return tuple(sorted((str(w) for w in value), key=len, reverse=True))

    joined = bool(row.get("joined", False))
    either = "|".join(re.escape(w) for w in words("answer"))
    edge = "" if joined else r"(?<![^\W\d_])"
    stem = re.compile(f"{edge}(?:{either})", re.IGNORECASE)
    copulas = "|".join(re.escape(w) for w in words("is")) or r"(?!)"
    nots = "|".join(re.escape(w) for w in words("not")) or r"(?!)"
    options = "|".join(re.escape(w) for w in words("option")) or r"(?!)"
    close = "" if joined else r"(?![^\W\d_])"
    gap = r"[^\n:：.?!。？！;；]{0,16}?" if joined else r"[^\W\d_]{0,6}(?:[ \t]+[^\W\d_'’]{1,16}){0,4}?"
    direct = r"|(?=[ \t]*[A-Za-z0-9$\\(])" if joined else r"|(?<=[^\W\d_])(?=[ \t]+[\"(*$\\]*(?:[A-ZА-Я0-9]\b|\d))"
    after = re.compile(
        rf"{_MARKUP}(?P<gap>{gap}){_MARKUP}[ \t]*(?:(?P<colon>[:：]|[—–-](?=\s))|(?P<not>(?:{nots}){close})"
        rf"|(?P<copula>(?:{copulas}){close}){direct})[ \t]*[:：]?{_MARKUP}[ \t]*(?:(?:{options}){close}[ \t]*)?[:：]?",
        re.IGNORECASE,
    )
    negation = re.compile(rf"(?:{nots})", re.IGNORECASE) if words("not") else None
    late = "|".join(re.escape(w) for w in words("behind"))
    behind = re.compile(rf"[^\n,、，.。!?！？;；]{{0,24}}?(?:{late})", re.IGNORECASE) if late else None
    return Language(str(row["code"]), stem, after, negation, behind, words("answer"))


_Stems: TypeAlias = tuple[tuple[str, int], ...]


@lru_cache(maxsize=1)
def _stem_words() -> tuple[_Stems, _Stems, re.Pattern[str]]:
    """(word, language) in ASCII, the same with other letters, and a pattern for the first letters of the latter."""
    words = [(word.casefold(), i) for i, language in enumerate(languages()) for word in language.words]
    plain = tuple(pair for pair in words if pair[0].isascii())
    other = tuple(pair for pair in words if not pair[0].isascii())
    # the first letter that is not ASCII: `réponse` is looked for only where there is an é
    first = {next(c for c in word if not c.isascii()) for word, _ in other}
    return plain, other, re.compile("[" + re.escape("".join(sorted(first))) + "]")


def present(text: str, lo: int, hi: int) -> tuple[Language, ...]:
    """Languages of which an answer word stands in `lo:hi` (English apart)."""
    low = text[lo:hi].lower()
    plain, other, first = _stem_words()
    letters = low if low.isascii() else low.encode("ascii", "replace").decode("ascii")
    found = [i for word, i in plain if word in letters]
    if not low.isascii() and first.search(low) is not None:
        found += [i for word, i in other if word in low]
    return tuple(languages()[i] for i in dict.fromkeys(sorted(found)))


def says_answer(text: str, lo: int, hi: int) -> bool:
    """Whether an English cue may stand in `lo:hi`."""
    find = text.find
    return (
        find("nswer", lo, hi) >= 0
        or find("ns:", lo, hi) >= 0
        or find("NSWER", lo, hi) >= 0
        or find("NS:", lo, hi) >= 0
        or find("ns：", lo, hi) >= 0
    )


def english_cues(text: str, lo: int, hi: int) -> Iterator[Cue]:
    """English cues in `lo:hi`, the last one first."""
    for m in islice(_mentions(text, lo, hi), _MOST):
        cue = _english(text, lo, hi, m)
        if cue is not None:
            yield cue


def _mentions(text: str, lo: int, hi: int) -> Iterator[re.Match[str]]:
    """The word in any of its usual spellings, the last one first."""
    for at in rfind_any(text, NEEDLES, lo, hi):
        m = _ENGLISH.match(text, at - 1, hi) if at > lo else None
        if m is not None:
            yield m


def _english(text: str, lo: int, hi: int, m: re.Match[str]) -> Cue | None:
    at = m.start()
    if at > lo and (text[at - 1].isalnum() or text[at - 1] in "\\{") and not _STYLED.search(text, max(lo, at - 12), at):
        return None
    line = max(text.rfind("\n", max(lo, at - 64), at) + 1, lo, at - 64)
    head = text[line:at]
    opens = _LINE_HEAD.fullmatch(head) is not None
    if opens and _ALONE.match(text, m.end(), hi):
        return Cue(at, m.end(), True, False, False, "en") if m.end() < hi else None
    stop = min(hi, m.end() + _REACH)
    after = _AFTER_ENGLISH.match(text, m.end(), stop)
    if m.end() - at == 3 and (after is None or not after.group("colon") or after.group("gap").strip()):
        return None  # `ans` counts as a label only
    if after is None and opens:
        direct = _DIRECT.match(text, m.end(), hi)
        if direct is not None and direct.end() > m.end():
            return Cue(at, direct.end(), True, False, False, "en")
    if after is None or _is_other(head):
        return None
    gap = after.group("gap")
    copula = after.group("copula") or ""
    if copula and not copula[0].isalpha() and gap.strip():
        return None
    if not opens and (_FORM.search(gap) or (text[m.end() - 1] == "s" and not _DETERMINED.search(head))):
        return None
    if text[at] != "A" and not opens and after.group("colon") and gap.strip():
        return None
    if _SEVERAL.match(gap):
        return None
    negated = (
        bool(after.group("not")) or _doubted(head) or bool(_NEGATED.search(gap + " " + (after.group("copula") or "")))
    )
    hedged = bool(_TENTATIVE_GAP.search(gap)) or copula.startswith(("was", "were", "seem", "appear", "look"))
    hedged = hedged or "likely" in after.group("rest") or "probably" in after.group("rest")
    value = after.end() if after.end() < stop else skip_blanks(text, stop, hi)
    if text[value - 1] in _OPEN_QUOTES and value < hi and not text[value].isspace():
        value -= 1  # the quotation mark opens the value
    return Cue(at, value, opens and bool(after.group("colon")) and len(gap) < 30, negated, hedged, "en")


_DOUBTS = re.compile(
    r"(?i)\b(?:(?:do|does|did|would|could|can)(?:n['’]t| not) (?:think|believe|say|see|agree|accept)"
    r"|doubt|doubtful|unlikely|not (?:sure|certain|convinced|clear|true|the case)|deny|denies|disagree)\b"
    r"(?P<rest>[^.!?;:,\n]{0,40})$"
)
_TURNS = re.compile(r"(?i)\b(?:so|but|thus|hence|therefore|and|because|since)\b")


def _doubted(head: str) -> bool:
    """Whether the words before deny the clause: `I doubt that the answer is`."""
    m = _DOUBTS.search(head)
    return m is not None and _TURNS.search(m.group("rest")) is None


def _is_other(head: str) -> bool:
    """Whether the words just before, in the same sentence, make it another answer than the writer's own."""
    head = head[max(head.rfind(sign) for sign in (". ", "! ", "? ", "; ", ": ", ") ", ", ")) + 1 :]
    if _SUPPOSED.search(head):
        return True
    return any(word.strip("\"'(*_,.").lower() in _NOT_BEFORE for word in head.split()[-2:])


def other_cues(text: str, lo: int, hi: int) -> Iterator[Cue]:
    """Cues in the other languages in `lo:hi`, the last one first."""
    lo = max(lo, hi - (_ENGLISH_TAIL if text.find(" the ", max(lo, hi - _ENGLISH_TAIL), hi) >= 0 else _TAIL))
    found = present(text, lo, hi)
    if not found:
        return
    cues = [cue for language in found for cue in _cues_in(language, text, lo, hi)]
    # a word that two languages share is turned round by the negation of either
    denied = [c for c in cues if c.negated]
    cues = [c for c in cues if c.negated or not any(d.start <= c.value and c.start <= d.value for d in denied)]
    yield from sorted(cues, key=lambda c: (c.value, c.start), reverse=True)


def _cues_in(language: Language, text: str, lo: int, hi: int) -> Iterator[Cue]:
    for m in islice(find_backward(language.stem, text, lo, hi), _MOST // 2):
        after = language.after.match(text, m.end(), hi)
        floor = max(lo, m.start() - 80)
        line = max(text.rfind("\n", floor, m.start()) + 1, floor)
        opens = not re.search(r"[^\s>#*_\-`]", text[line : m.start()])
        if after is None:
            if opens and _ALONE.match(text, m.end(), hi) and m.end() < hi:
                yield Cue(m.start(), m.end(), True, False, False, language.code)
            continue
        negated = bool(after.group("not"))
        if not negated and language.negation is not None:
            negated = language.negation.search(after.group("gap")) is not None and language.code not in ("ru", "uk")
        if language.behind is not None and language.behind.match(text, after.end(), hi):
            negated = True
        if language.negation is not None and after.group("colon"):
            word = language.negation.match(text, skip_blanks(text, after.end(), hi), hi)
            negated = negated or (word is not None and not text[word.end() : word.end() + 1].isalnum())
        yield Cue(m.start(), after.end(), bool(after.group("colon")), negated, False, language.code)
