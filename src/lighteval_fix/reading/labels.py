"""Choice labels: what counts as a label where a cue has announced one, and what is just a word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ..text.prompt import cut_prompt

_LEAD = re.compile(r"(?:[\s*_`\"'“”‘’「『:：=~#>–—-]|&nbsp;)+")
_WRAP = re.compile(
    r"\\(?:boxed|fbox|textbf|textit|textrm|textsf|text|mathrm|mathbf|mathsf|mathit|mbox|operatorname|rm|bf|underline|emph)\s*\{?"
    r"|\\[(\[]|\${1,2}|[(\[{（【［]|<(?:b|strong|em|i|u|answer)>|<(?=[^<>/\s]{1,4}>)"
)
_WORDS = re.compile(
    r"(?:the\s+|an?\s+)?(?:(?:correct|right|best|final)\s+)?(?:option|choice|letter|alternative|statement|selection"
    r"|opción|opção|opzione|lettre|letra|buchstabe|вариант|选项|選項|選択肢|optie|alternativa)(?![^\W\d_])\s*[:：#]?\s*",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"(?:[ \t]*(?:\\[)\]]|\}|[)\]）】］]|\${1,2}|[*_`\"'”’」』]|</\w+>|(?<=[^-=\s])>))+")
_STOP = re.compile(
    r"(?:because|since|as|not|rather|instead|unlike|but|for|over|than|which|with|when|where|while|given|due|so|although|though|whereas"
    r"|by|based|per|that|only|alone|here|after|from|according|if|then|and\s+not|i\s+hope|i\s+think|[(\[{<]|=>|→"
    r"|weil|denn|da|nicht|porque|ya|no|car|parce|pas|perché|non|потому|так|а|so)(?![A-Za-z])|[(\[]",
    re.IGNORECASE,
)
_STOP_AFTER_WORD = re.compile(
    r"(?:because|since|given|due|based|rather than|instead of|not)(?![A-Za-z])", re.IGNORECASE
)
_TERMINAL = frozenset(".,;:!?。，、；：！？|।۔\n")
_CHAIN = re.compile(
    r"[ \t]*(?:(?P<slash>[/|&])|(?P<comma>[,、，])[ \t]*(?:(?:and|or|und|oder|et|ou|y|o|e|и|или)\b)?"
    r"|(?P<word>(?:and|or|und|oder|et|ou|y|o|e|и|или)\b|和|或|与|或者))[ \t]*"
)
_OPERATOR = re.compile(r"[ \t]*(?:[=+×<>≤≥^]|\\(?:times|cdot|le|ge)\b)")
_LIST_WORD = re.compile(r"(?:and|or|nor|und|noch|oder|ni|y|o|et|ou)\b")
_LIST_JOINT = re.compile(r"[ \t]*(?:[,/&、，]|(?=(?:and|or|nor|und|noch|oder|ni|y|o|et|ou)\b))[ \t]*|[和或]")
_VERB = re.compile(
    r"[ \t]+(?:is|are|was|were|has|have|can|can't|cannot|could|does|do|would|will|seems?|looks?|fits?|isn't"
    r"|aren't|don't|doesn't"
    r"|describes?|all|both|each|just|had|may|might|must|should|computed|think|am|believe|got|get|see)\b",
    re.IGNORECASE,
)
_WORD_LABELS = frozenset({"A", "I", "a", "i", "e", "o", "y", "O", "Y", "E"})
_DOTTED_CIRCLES = {chr(0x2460 + i): str(i + 1) for i in range(20)}


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The item's labels, ready to be matched."""

    labels: tuple[str, ...]
    lookup: dict[str, str]
    pattern: re.Pattern[str]
    latin: bool
    digits: bool
    capitals: bool


class Options:
    """The options' texts in the order of the labels; a prompt is looked through only when they are needed."""

    __slots__ = ("_find", "_texts")

    def __init__(self, find: Callable[[], tuple[str, ...]]) -> None:
        self._find = find
        self._texts: tuple[str, ...] | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts; empty where they are unknown, or are the labels themselves."""
        if self._texts is None:
            self._texts = self._find()
        return self._texts


class Hit(NamedTuple):
    """What stands behind a cue: one label, several (`many`), or a single letter that is no label (`label` None).

    `start:end` is the label itself, `stop` the end of what wraps it. `alone`: nothing but punctuation follows on the
    line. `others`: the further labels of a chain.
    """

    label: str | None
    start: int
    end: int
    stop: int
    alone: bool
    wrapped: bool
    many: bool = False
    others: tuple[str, ...] = ()


def label_set(labels: str | Sequence[str]) -> LabelSet:
    """Labels as a string of single characters or as a sequence.

    Raises:
        ValueError: no labels, or the same one twice.
    """
    return _label_set(tuple(labels))


@lru_cache(maxsize=256)
def _label_set(names: tuple[str, ...]) -> LabelSet:
    if not names or any(not n.strip() for n in names):
        raise ValueError("labels must not be empty")
    if len(set(names)) != len(names):
        raise ValueError("every label must occur once")
    lookup: dict[str, str] = {}
    for name in names:
        for form in (name.casefold(), name.lower(), unicodedata.normalize("NFKC", name).casefold()):
            lookup.setdefault(form, name)
    for name in names:
        lookup[name] = name
    spelled = sorted({*names, *lookup}, key=len, reverse=True)
    for circle, digit in _DOTTED_CIRCLES.items():
        if digit in names:
            lookup.setdefault(circle, digit)
            spelled.append(circle)
    either = "|".join(re.escape(s) for s in spelled)
    latin = all(n.isascii() and n.isalpha() for n in names)
    return LabelSet(
        names,
        lookup,
        re.compile(f"(?:{either})", re.IGNORECASE),
        latin,
        all(n.isdecimal() for n in names),
        latin and all(len(n) == 1 and n.isupper() for n in names),
    )


def label_of(labels: LabelSet, spelled: str) -> str | None:
    """The label as given that `spelled` names, in any case."""
    return labels.lookup.get(spelled) or labels.lookup.get(spelled.casefold())


def match_label(text: str, at: int, hi: int, labels: LabelSet, options: Options, *, line: bool = False) -> Hit | None:
    """The label that stands at `at`, behind wrappers and words such as "option".

    `line`: the cue opened its line (`Answer: C 14`), so that an option's text may follow the label directly.
    """
    start, wrapped, named = _skip_to_label(text, at, hi)
    m = labels.pattern.match(text, start, hi)
    if m is None or not _edge(text, m.end(), hi, m.group()):
        return _off_list(text, start, hi, labels, wrapped)
    stop, closed = _skip_close(text, m.end(), hi)
    label = label_of(labels, m.group())
    if label is None:
        return None
    others, chain_end, chained = _chain(text, stop, hi, labels)
    if chained:
        return Hit(label, m.start(), m.end(), chain_end, False, wrapped, True, others)
    alone = _ends(text, stop, hi)
    if not _allowed(text, m, stop, hi, label, labels, options, line, (wrapped and closed) or named, alone):
        return None
    return Hit(label, m.start(), m.end(), stop, alone, wrapped or named)


def _skip_to_label(text: str, at: int, hi: int) -> tuple[int, bool, bool]:
    wrapped = named = False
    reach = min(hi, at + 80)
    for _ in range(12):
        m = _LEAD.match(text, at, reach)
        if m is not None:
            wrapped = wrapped or any(c in m.group() for c in "*_`\"'“‘「")
            at = m.end()
            continue
        m = _WRAP.match(text, at, reach)
        if m is not None:
            wrapped = True
            at = m.end()
            continue
        m = _WORDS.match(text, at, reach)
        if m is not None:
            named = True
            at = m.end()
            continue
        break
    return at, wrapped, named


def _skip_close(text: str, at: int, hi: int) -> tuple[int, bool]:
    m = _CLOSE.match(text, at, min(hi, at + 40))
    if m is None:
        return at, False
    if m.group().strip(" \t")[:1] in "'’" and text[m.end() : m.end() + 1].isalpha():
        return at, False
    return m.end(), True


def _edge(text: str, end: int, hi: int, spelled: str) -> bool:
    """Whether a label may end here: no letter or digit goes on, no hyphen, decimal point or operator binds it."""
    if end >= hi:
        return True
    c = text[end]
    if c.isalnum():
        return (spelled.isascii() and ord(c) >= 0x0E00) or (not spelled.isascii() and c.isascii())
    nxt = text[end + 1 : end + 2]
    if c in "-‐‑" and nxt.isalnum():
        return False
    if c in "'’" and nxt.isalpha():
        return nxt in "dt" and spelled not in ("I", "i")  # Turkish C'dir; never I'd
    if c in ".," and nxt.isdecimal() and spelled.isdecimal():
        return False
    if c == "." and nxt.isupper() and text[end + 2 : end + 3] in ("", "\n", ".", ","):
        return False  # `B.C` names two
    if c in "_^+%°":
        return c == "_" and not nxt.isalnum()
    if c == "(":
        return False
    if text.startswith("</", end) or (c == ">" and text[end - len(spelled) - 1 : end - len(spelled)] == "<"):
        return True
    return _OPERATOR.match(text, end) is None


def _ends(text: str, stop: int, hi: int) -> bool:
    rest = stop
    while rest < hi and text[rest] in " \t*_`\"'”’)]}$":
        rest += 1
    return rest >= hi or text[rest] in _TERMINAL


def _allowed(
    text: str,
    m: re.Match[str],
    stop: int,
    hi: int,
    label: str,
    labels: LabelSet,
    options: Options,
    line: bool,
    marked: bool,
    alone: bool,
) -> bool:
    spelled = m.group()
    if alone or marked or text[m.end() : m.end() + 1] in (")", "]", "）", "'", "’"):
        return True
    rest = text[stop : min(hi, stop + 200)].lstrip(" \t")
    if rest[:1] in "–—-" and rest[1:2] == " ":
        return True
    if spelled in _WORD_LABELS:
        if _STOP_AFTER_WORD.match(rest) or _begins_option(rest, label, labels, options):
            return True
        return _other_script(rest, spelled)
    if _STOP.match(rest) or _other_script(rest, spelled):
        return True
    if _begins_option(rest, label, labels, options):
        return True
    return line and not spelled.islower() and not labels.digits


def _other_script(rest: str, spelled: str) -> bool:
    """Whether what follows a label is written in another script, of which the label can be no word."""
    c = rest[:1]
    return c.isalpha() and ord(c) >= (0x0370 if spelled.isascii() else 0x0E00)


def _begins_option(rest: str, label: str, labels: LabelSet, options: Options) -> bool:
    index = labels.labels.index(label)
    own = options.texts[index] if index < len(options.texts) else ""
    head = fold_text(own)[:24]
    return bool(head) and fold_text(rest).startswith(head)


def _off_list(text: str, start: int, hi: int, labels: LabelSet, wrapped: bool) -> Hit | None:
    """A single capital letter that names no option, stated as a label is."""
    if not labels.latin or start >= hi or not ("A" <= text[start] <= "Z") or text[start] in labels.lookup:
        return None
    if text[start] == "X":
        return None  # a template's slot: `Answer: X`
    if not _edge(text, start + 1, hi, text[start]):
        return None
    stop, _ = _skip_close(text, start + 1, hi)
    return Hit(None, start, start + 1, stop, True, wrapped) if _ends(text, stop, hi) else None


def _chain(text: str, stop: int, hi: int, labels: LabelSet) -> tuple[tuple[str, ...], int, bool]:
    """Further labels joined to the one before `stop`: `A, B or C`, `B/D`."""
    found: list[str] = []
    at = stop
    for _ in range(len(labels.labels)):
        joint = _CHAIN.match(text, at, min(hi, at + 24))
        if joint is None:
            break
        start, wrapped, named = _skip_to_label(text, joint.end(), min(hi, joint.end() + 24))
        m = labels.pattern.match(text, start, hi)
        if m is None or "\n" in text[joint.end() : start] or not _edge(text, m.end(), hi, m.group()):
            break
        if m.group().islower() and not wrapped and not named:
            break
        end, _ = _skip_close(text, m.end(), hi)
        word = m.group() in _WORD_LABELS and not wrapped and not named
        if word and not _ends(text, end, hi) and not _CHAIN.match(text, end, min(hi, end + 24)):
            break
        label = label_of(labels, m.group())
        if label is None:
            break
        found.append(label)
        at = end
    if not found or _VERB.match(text, at, hi):
        return (), stop, False
    return tuple(found), at, True


def labels_listed(text: str, at: int, hi: int, labels: LabelSet) -> tuple[str, ...]:
    """The label at `at` and those joined to it, for exclusions: `A, B and D`, `A or B`, `A nor B`."""
    found: list[str] = []
    for _ in range(len(labels.labels)):
        start, wrapped, named = _skip_to_label(text, at, min(hi, at + 40))
        if found and _LIST_WORD.match(text, start, hi):
            start, wrapped, named = _skip_to_label(text, start + text[start:].find(" ") + 1, hi)
        m = labels.pattern.match(text, start, hi)
        if m is None or not _edge(text, m.end(), hi, m.group()):
            break
        if m.group().islower() and not (wrapped or named or _ends(text, m.end(), hi)):
            break
        if m.group() == "I" and re.match(r"\s+[a-z]", text[m.end() : m.end() + 2]) and not wrapped:
            break
        label = label_of(labels, m.group())
        if label is None:
            break
        found.append(label)
        at, _ = _skip_close(text, m.end(), hi)
        joint = _LIST_JOINT.match(text, at, hi)
        if joint is None:
            break
        at = joint.end()
    return tuple(found)


_FOLD = re.compile(r"[\s$*_`\"'“”‘’.,;:!?()\[\]{}]+|\\(?:text|mathrm|left|right|,|;|!|\(|\)|\[|\])")
_ARTICLE = re.compile(r"^(?:the|an?|der|die|das|el|la|le|un|une|una)\s+")


def fold_text(text: str) -> str:
    """An option's text without case, markup and punctuation, for equality only."""
    return _ARTICLE.sub("", _FOLD.sub(" ", text.casefold()).strip()).strip()


def option_texts(labels: LabelSet, options: Sequence[str] | None, prompt: str | None) -> tuple[str, ...]:
    """The options' texts in the order of the labels; empty where they are unknown or are the labels themselves."""
    if options is not None:
        texts = tuple(options)
        if [fold_text(t) for t in texts] == [fold_text(n) for n in labels.labels[: len(texts)]]:
            texts = ()
        if texts or prompt is None:
            return texts
    if prompt is None:
        return ()
    shown = {label_of(labels, o.label): o.text for o in cut_prompt(prompt).options}
    return tuple(shown.get(name, "") for name in labels.labels) if len(shown) >= 2 else ()
