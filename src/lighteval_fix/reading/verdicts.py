"""One verdict an option (`A: wrong. B: right. C: wrong.`), and lines that give a label a name (`Prediction: B`)."""

from __future__ import annotations

import re
from itertools import islice

from .labels import Hit, LabelSet, Options, fold_text, match_label
from .statements import Statement

_TAIL, _MOST, _FEW = 4000, 64, 24
_GOOD_WORD = r"correct|right|true|yes|valid|accurate|✓|✔|✅|☑|√"
_BAD_WORD = (
    r"(?:not|partially|partly|half|mostly)[ \t-]+(?:entirely |quite |fully )?(?:correct|right|true|valid)"
    r"|incorrect|wrong|false|no|invalid|inaccurate|eliminated|excluded|ruled out|✗|✘|❌|✖|×"
)
_PLAIN_WORDS = frozenset({"true", "false", "yes", "no"})
"""Verdicts that may as well be the options' own texts."""
_NEGATIVE = re.compile(r"\b(?:NOT|EXCEPT|LEAST)\b|(?i:\b(?:except|incorrect|false|untrue|wrong)\b)")
"""A question that asks for the option that is not so."""


_GOES_ON = re.compile(r",\s{0,2}(?:true|false|yes|no)\b", re.IGNORECASE)
"""`A) True, False`: an option's text."""
_JUDGEMENT = re.compile(
    rf"(?:^|(?<=[\n.;|,!✓✔✅☑✗✘❌✖]))[ \t>#*_•|-]{{0,8}}(?:(?:option|choice|answer|statement)[ \t]+)?[(\[*]{{0,3}}"
    rf"(?P<x>\w{{1,4}})(?![A-Za-z0-9])[)\]*]{{0,3}}"
    rf"[ \t]*(?:[:.|–—=→-]|->|=>|is\b|(?<=[)\]*])|(?=\()|(?=[✓✔✅☑✗✘❌✖]))"
    rf"[ \t]*[*_|(\[]{{0,4}}[ \t]*(?:[^\n.;|]{{1,80}}?[ \t]*"
    rf"(?:[:(–—→]|[ ][-]|[-=]>|(?=[✓✔✅☑✗✘❌✖]))[ \t]*[*_]{{0,2}}"
    rf"(?=(?:{_GOOD_WORD}|{_BAD_WORD})[ \t).!*_]*(?:\n|$)))??"
    rf"(?P<word>(?P<good>{_GOOD_WORD})|{_BAD_WORD})"
    r"(?=[ \t]*(?:[.,;:|)\]*_(–—!\n✓✔✅☑✗✘❌✖-]|$|(?:because|since|as|but|due)\b|(?<=[✓✔✅☑✗✘❌✖])))",
    re.IGNORECASE,
)
"""What may be a label where a line or a sentence begins, and a verdict right behind it or at the end of its line."""


def verdicts(
    text: str, lo: int, hi: int, labels: LabelSet, options: Options, prompt: str | None
) -> list[Statement] | None:
    """The verdicts that the end of `lo:hi` gives on several options. Two options called right are one statement of
    several labels, hence a conflict. Empty where the question asks for what is not so: there a verdict is no choice.
    None: the text does not go through its options.
    """
    lo = max(lo, hi - _TAIL)
    found: dict[str, tuple[re.Match[str], bool]] = {}
    for m in islice(_JUDGEMENT.finditer(text, lo, hi), _MOST):
        label = labels.lookup.get(m.group("x"))
        if (
            label is not None
            and m.group("x") == label
            and not (m.group("word").lower() in _PLAIN_WORDS and _GOES_ON.match(text, m.end()))
        ):
            found[label] = (m, m.group("good") is not None)
    if len(found) < 2:
        return None
    if prompt is not None and _NEGATIVE.search(prompt) is not None:
        return []
    words = {m.group("word").lower() for m, _ in found.values()}
    if words <= _PLAIN_WORDS and (len(found) < 3 or any(fold_text(t) in _PLAIN_WORDS for t in options.texts)):
        return None
    good = [label for label, (_, right) in found.items() if right]
    said = []
    for label, (m, right) in found.items():
        if not right:
            said.append(Statement(m.start("x"), m.end(), (label,), True, True, m.span("x")))
    if good:
        m = found[good[-1]][0]
        said.append(Statement(m.start("x"), m.end(), tuple(good), False, False, m.span("x")))
    return said


def enumerates(text: str, hit: Hit, end: int, labels: LabelSet) -> bool:
    """Whether a line that begins with the first label goes on to the second one in the same dress: `A: 5. B: 6.`"""
    if len(labels.labels) < 2 or hit.label != labels.labels[0]:
        return False
    sign = text[hit.end : hit.end + 1]
    at = text.find(labels.labels[1] + sign, hit.stop, end)
    return sign in (":", ")", ".") and at > 0 and text[at - 1] in " (*|"


_NAMES = (
    r"(?:the|my|your|our)?[ \t]*(?:final|correct|right|best|predicted|selected|chosen|proper)?[ \t]*"
    r"(?:final|correct|prediction|predicted|decision|pick|guess|output|label|verdict|choice|selection|option|letter|response"
    r"|one|ans\.?|선택|선택지|選択|选择|選擇|wahl|auswahl|elección|elecci[oó]n|choix|scelta|escolha|выбор|wybór|keuze|seçim"
    r"|richtig|korrekt|correcta|correcto|correcte?|corretta|lựa chọn|chọn|pilihan|विकल्प|الاختيار)"
)
_NAMED = re.compile(
    rf"[ \t>#*_•✅👉☑-]{{0,8}}(?:(?:so|thus|hence|therefore|finally)[, \t]+)?"
    rf"(?:{_NAMES}[*_]{{0,2}}[ \t]*(?:[:：=→–—-]|->|=>|is\b|(?<=[.])(?=[ \t])|(?<=ns)(?=[ \t]))|→|∴|⇒)[ \t]*",
    re.IGNORECASE,
)
_PLAIN_TAIL = " \t.,;:!)*_`\"'”}$\\。]|"


def named_lines(text: str, lo: int, hi: int, labels: LabelSet, options: Options) -> list[tuple[int, Hit]]:
    """(start, label) of lines that are a name and a label and nothing else, or the label's own text: `Final: C`."""
    found: list[tuple[int, Hit]] = []
    lo = max(lo, hi - _TAIL)
    stop = hi
    for _ in range(_FEW):
        line = max(lo, text.rfind("\n", lo, stop) + 1)
        m = _NAMED.match(text, line, hi)
        stop = line - 1
        if m is not None:
            _named(text, m, hi, labels, options, found)
        if stop <= lo:
            break
    return found


def _named(
    text: str, m: re.Match[str], hi: int, labels: LabelSet, options: Options, found: list[tuple[int, Hit]]
) -> None:
    hit = match_label(text, m.end(), hi, labels, options, line=True)
    if hit is None or hit.label is None or text.find("\n", m.end(), hit.start) >= 0:
        return
    end = text.find("\n", hit.stop, hi)
    tail = text[hit.stop : hi if end < 0 else end]
    if not tail.strip(_PLAIN_TAIL):
        found.append((m.start(), hit))
        return
    index = labels.labels.index(hit.label)
    own = options.texts[index] if index < len(options.texts) else ""
    if own and fold_text(tail) == fold_text(own):
        found.append((m.start(), hit))
