"""What a text says about labels without an answer cue: `B is correct`, `I pick B`, `A is ruled out`, `leaving C`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ..text.scan import Window, find_backward
from .labels import LabelSet, Options, label_of, labels_listed, match_label

_TAIL, _MOST, _BEFORE, _BEHIND = 8000, 40, 96, 48
_SURE = (
    r"(?:correct|right|best|most (?:\w+ )?(?:\w+)|true|proper)[ \t]+(?:option|choice|one|letter|statement"
    r"|response|alternative|selection"
    r"|match|pick|conclusion|description|explanation|interpretation|reason|cause|example|definition|term|category"
    r"|diagnosis|treatment|step|action)[ \t]+(?:is|was|would be|should be|must be|has to be|seems to be)"
    r"|(?:^|[\s(])(?:i|we|i'll|i'd|we'll)(?:[ \t]+(?:would|will|should|must|can|shall|have to|am going to"
    r"|therefore|thus|then|do|now"
    r"|finally|believe i should)){0,3}[ \t]+(?:pick|choose|select|go with|settle on|settle for|opt for"
    r"|vote for|mark|take|say|go for|guess)"
    r"|(?:picked|chose|chosen|selected|settled on|settled for|went with|going with|opted for|opting for"
    r"|decided on|picking"
    r"|choosing|selecting)|my (?:best |final )?(?:choice|pick|selection|vote|conclusion|verdict|guess) (?:is|would be)"
    r"|(?:the[ \t]+)?only (?:option|choice|one|answer|statement)[^.,;:\n]{0,40}? is"
    r"|only (?:option|choice|one|answer)[ \t]+(?:left|remaining)(?=[ \t]*:)|(?:solution|choice"
    r"|selection|verdict|conclusion|response|result)[ \t]*(?=[:：])"
    r"|(?:actually|correction|i mean|make that|wait|sorry)(?:[ \t]*[,:–—-][ \t]*"
    r"|[ \t]+)(?:no,?[ \t]*)?(?:it(?:['’]s| is)(?=[ \t]))?"
    r"|let['’]?s (?:go with|go for|choose|pick|select|take)"
    r"|(?:it|this|that|answer) should (?:actually |instead )?(?:have been|be)"
    r"|(?:one|option|choice|statement|answer|alternative)[ \t]+(?:that|which)(?:[ \t]+\w+){1,5}?[ \t]+(?:is|would be)"
    r"|(?:richtig|korrekt) ist|(?:la )?correcta es"
    r"|(?:elijo|escolho|je choisis|scelgo|ik kies)(?:[ \t]+(?:la|a|le|o|de))?"
    r"(?:[ \t]+(?:opci[oó]n|op[cç][aã]o|option|r[eé]ponse|lettre|letra|lettera|opzione|alternativa|optie))?"
    r"|my verdict is|(?:option|choice|selection|response|conclusion)[ \t]+is"
    r"|(?:so|thus|hence|therefore),?[ \t]+(?:choose|pick|select)"
    r"|answer[ \t]+(?:with|as)|(?:so|thus|hence|therefore|then)(?:,| I)?[ \t]+answer(?=[ \t]+(?-i:[(\[*]{0,3}[A-Z]\b))"
)
_WEAK = (
    r"(?:that |which |this )?leav(?:ing|es)(?:[ \t]+(?:only|us with|just|us|behind))*|left with(?: only)?"
    r"|remaining (?:option|choice|one|candidate) (?:is|must be)|therefore|thus|hence|\bso|must be|has to be"
    r"|\bit(?: is|['’]s)(?: (?:definitely|clearly|certainly|therefore|thus|obviously))?|it must be|\bthat['’]s"
    r"|(?:get|got|obtain|gives?|reach|arrive at|choose|pick|select|mark)[ \t]+(?:the[ \t]+)?"
    r"(?:final[ \t]+|correct[ \t]+)?answer"
    r"|(?:^|(?<=\n)|(?<=[.!?:][ ]))(?:choose|pick|select|choosing|picking|selecting|mark)"
    r"|by (?:process of |the process of )?elimination"
    r"|(?:^|(?<=\n)|(?<=[.!?][ ]))(?:surely|definitely|clearly|certainly)"
    r"|best (?:described|explained|captured|summari[sz]ed|represented|answered) by|matching|aligns? with"
    r"|only|which is|points? to|corresponds? to|matches|this is|that is|conclude"
)
_PICK = re.compile(rf"(?<![A-Za-z])(?:(?P<sure>{_SURE})|(?P<weak>{_WEAK}))(?![A-Za-z])[ \t]*[,:]?[ \t]*", re.IGNORECASE)
_BUT = re.compile(
    r"(?<![A-Za-z])(?:but|rather|instead|sondern|sino|mais|ma|maar|men|mas"
    r"|(?<![^\W\d_])а(?![^\W\d_]))(?![A-Za-z])[ \t,:]*(?:rather[ \t]+"
    r"|it(?:['’]s| is)[ \t]+)?|(?P<joined>而是|而应是|ではなく|아니라)[ \t,、]*",
    re.IGNORECASE,
)
_OTHER_PICK = re.compile(
    r"(?:故选|应选|应该选|我选择?|所以选择?|因此选择?|选择|選擇|選ぶ|(?<!可)选择?|只有选项|只有"
    r"|chọn(?: đáp án| phương án)?"
    r"|ich wähle|elijo|escolho|je choisis|scelgo|выбираю"
    r"|seçiyorum)"
    r"[ \t]*[:：]?[ \t]*",
    re.IGNORECASE,
)
_EXCLUDE = re.compile(
    r"(?<![A-Za-z])(?:(?:can|could|may)?not be|can['’]?t be|cannot be|isn['’]t|is not|(?:^|(?<=[.!?,;]\s)|(?<=\n))not|"
    r"rul(?:e|es|ed|ing) out|eliminat(?:e|es|ed|ing)|exclud(?:e|es|ed|ing)|neither|discard(?:ed|ing)?"
    r"|reject(?:ed|ing)?|rather than"
    r"|instead of|unlike|nicht|no es|n'est pas|排除|不是|不选)(?![A-Za-z])[ \t]*",
    re.IGNORECASE,
)
_GOOD = (
    r"(?:(?:the|a|an|our|my|clearly|therefore|thus|indeed|actually|definitely|obviously|also|only|most|more"
    r"|then|hence|best|single)[ \t]+){0,4}"
    r"(?P<good>(?<=the )(?:only )?(?:one|option|choice|winner|pick)(?! of)|(?<=only )(?:one|option|choice)"
    r"|(?<=the )closest|(?<=most )(?:plausible|likely|logical|sensible|probable|convincing|fitting|relevant|reasonable)"
    r"|correct|right|best|true|answer|accurate|appropriate|valid|suitable|richtig|korrekt|correct[ae]"
    r"|correcto|corretto|corretta|bonne)"
)
_BAD = (
    r"(?:\w+[ \t]+){0,2}?(?P<bad>incorrect|wrong|false|ruled out|eliminated|excluded|impossible|invalid|irrelevant"
    r"|not|out|unlikely|falsch|incorrecta?)"
)
_LISTED_BAD = re.compile(
    r"(?:[ \t]+(?:do|does)[ \t]+not|[ \t]+(?:don['’]?t|doesn['’]?t|fail))(?![A-Za-z])"
    r"|(?:[ \t]+(?:are|were|can be|have been|is|could be))(?:[ \t]+(?:all|both|each|therefore|thus|clearly"
    r"|also))*[ \t]+"
    r"(?:incorrect|wrong|false|ruled out|eliminated|excluded|impossible|invalid|not correct|not right|out)(?![A-Za-z])"
    r"|都?(?:不符合|不对|错误|是错)",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"(?i)\b(?:maybe|perhaps|might|could|may|if|suppose|supposing|assum(?:e|ing)|looks? as if|looks? like"
    r"|at first|initially|first|leaning|lean"
    r"|tempt(?:ed|ing)|whether|someone|one might|students?|unless|seems?|guess|would have|either|were)\b"
)
_AFTERTHOUGHT = re.compile(r"(?i)[^.!?\n]{0,30}\b(?:at first|initially|at first sight|at first glance)\b")


class Statement(NamedTuple):
    """A label that a text states (or excludes): its place, how firmly, and which labels."""

    start: int
    end: int
    labels: tuple[str, ...]
    weak: bool
    excluded: bool
    span: tuple[int, int]


@lru_cache(maxsize=256)
def _subject(names: tuple[str, ...]) -> re.Pattern[str]:
    """`B is correct`, `option B fits best`, `B is wrong`: the label as the subject of a judgement."""
    upper = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
    named = (
        r"(?:[Oo]ption|[Cc]hoice|[Aa]nswer|[Ss]tatement|[Aa]lternative|[Ll]etter|[Oo]pción|[Oo]pção|选项|選項)[ \t]*"
    )
    verb = r"(?:is|are|was|would be|must be|has to be|ist|es|est|è|é|是|seems|appears|looks|isn['’]t|are(?:n['’]t)?)"
    return re.compile(
        rf"(?<![A-Za-z0-9'’_\\])(?:(?P<named>{named}))?[(\[*\"“]{{0,3}}(?P<x>{upper})(?![A-Za-z0-9_])[)\]*\"”]{{0,3}}"
        rf"(?:(?:[ \t]+alone)?[ \t]*(?P<verb>{verb})[ \t]*(?:{_GOOD}|{_BAD})"
        r"|[ \t]*(?:选项|選項|项|項)?[ \t]*是?[ \t]*(?P<cn>对的|正确|不正确|不对|错"
        r"|[がは]正しい|[がは]正解|[이가] (?:정답|맞))"
        r"|[ \t]+(?P<itis>it is)(?=[.!\s]*(?:$|\n))"
        r"|[ \t]+(?P<fails>fails?(?![A-Za-z])|(?:does|do|did)[ \t]+not[ \t]+[a-z]+"
        r"|(?:doesn|don|didn|can)['’]t[ \t]+[a-z]+"
        r"|cannot[ \t]+[a-z]+)"
        r"|[ \t]+(?P<pre>best|alone|most closely|clearly)?[ \t]*(?P<fits>fits?|works?|remains?|stands?|satisf(?:y"
        r"|ies)|match(?:es)?|holds|survives?|applies|qualifies|makes|describes|captures|explains|answers|represents)(?![a-z])"
        r"(?:[ \t]+(?P<how>better|best|both|all|perfectly|exactly|well|out|(?:the )?most sense))?)"
    )


@lru_cache(maxsize=256)
def _token(labels: tuple[str, ...]) -> re.Pattern[str]:
    """A label as written, or in lower case where punctuation follows it."""
    upper = "|".join(re.escape(n) for n in sorted(labels, key=len, reverse=True))
    lower = "|".join(re.escape(n.lower()) for n in sorted(labels, key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:(?:{upper})(?![A-Za-z0-9])|(?:{lower})(?=[)\]*\"'.,;:!?$\s]*(?:$|[.,;:)\]*\n])))"
    )


def statements(text: str, lo: int, hi: int, labels: LabelSet, options: Options) -> list[Statement]:
    """Statements about labels at the end of `lo:hi`, in no particular order.

    Only the surroundings of the last `_MOST` labels in the last `_TAIL` characters are looked at: what is stated
    further from the end is no conclusion.
    """
    found: list[Statement] = []
    for a, b in _windows(text, lo, hi, labels):
        found += _picked(text, a, b, hi, labels, options)
        found += _judged(text, a, b, labels)
        found += _excluded(text, a, b, hi, labels)
        found += _listed(text, a, b, labels)
        found += _all_but(text, a, b, hi, labels, options)
    return found


def _windows(text: str, lo: int, hi: int, labels: LabelSet) -> list[Window]:
    """Surroundings of the last labels, merged where they meet."""
    merged: list[Window] = []
    lo = max(lo, hi - _TAIL)
    for m in islice(find_backward(_token(labels.labels), text, lo, hi), _MOST):
        a, b = max(lo, m.start() - _BEFORE), min(hi, m.end() + _BEHIND)
        if merged and b >= merged[-1][0]:
            merged[-1] = (a, max(b, merged[-1][1]))
        else:
            merged.append((a, b))
    return merged


_DENIED_BEFORE = re.compile(r"(?i)\b(?:not|n['’]t|nicht|niet|ikke|inte|no|não|n'est pas|non|не)\b[^.\n]{0,50}$")


_AS = re.compile(r"[ \t]+as[ \t]+(?:the|our|my)\b")


def _picked(text: str, lo: int, stop: int, hi: int, labels: LabelSet, options: Options) -> Iterator[Statement]:
    for m in _PICK.finditer(text, lo, stop):
        hit = match_label(text, m.end(), hi, labels, options)
        weak = m.group("weak") is not None
        if hit is None or hit.label is None or "\n" in text[m.end() : hit.start]:
            continue
        if weak and not (
            hit.alone
            or (m.group("weak").lower().startswith("only") and hit.stop < hi)
            or ("leav" in m.group("weak").lower() and _AS.match(text, hit.stop, hi))
        ):
            continue
        if weak and text[hit.start : hit.end].islower() and not hit.wrapped:
            continue
        yield Statement(m.start(), hit.stop, (hit.label, *hit.others), weak, False, (hit.start, hit.end))
    for m in _BUT.finditer(text, lo, stop):
        hit = match_label(text, m.end(), hi, labels, options)
        before = text[max(lo, m.start() - 60) : m.start()]
        if hit is None or hit.label is None or hit.many:
            continue
        if m.group("joined"):
            if hit.alone or text[hit.stop : hit.stop + 1] > "\u2e80":
                yield Statement(m.start(), hit.stop, (hit.label,), True, False, (hit.start, hit.end))
            continue
        if hit.alone and _DENIED_BEFORE.search(before):
            yield Statement(m.start(), hit.stop, (hit.label,), True, False, (hit.start, hit.end))
    if not text.isascii():
        for m in _OTHER_PICK.finditer(text, lo, stop):
            hit = match_label(text, m.end(), hi, labels, options)
            if hit is not None and hit.label is not None:
                weak = not hit.alone and m.group().startswith("只有")
                yield Statement(m.start(), hit.stop, (hit.label, *hit.others), weak, False, (hit.start, hit.end))


_SECOND = re.compile(
    r"(?i)\b(?:rather than|instead of|unlike|than|over|not)[ \t]+(?:(?:option|choice)[ \t]+)?[(\[*\"“]{0,3}$"
)
"""What makes the label behind it the one that is set aside: `B rather than C is right`."""


_WORD_BEFORE = re.compile(r"([A-Za-z]+)[ \t]+[(\[*\"“]{0,3}$")
_BEFORE_LABEL = frozenset({
    "so", "thus", "hence", "therefore", "that", "then", "but", "and", "or", "nor", "while", "because", "since", "as",
    "only", "if", "where", "which", "both", "either", "neither", "however", "conclude", "concluded", "conclusion",
    "believe", "think", "say", "see", "know", "mean", "means", "show", "shows", "suggests", "suggest", "indeed",
    "now", "sure", "confident", "certain", "with", "here", "although", "though", "whereas", "yes", "no", "not",
    "find", "found", "infer", "deduce", "confirms", "confirm", "leaving", "making", "makes", "answer", "is", "was",
    "today", "out", "for", "unless", "whether", "than", "also", "indicates", "implies", "assume", "suppose", "argue",
    "guess", "determine", "choose", "letter",
})  # fmt: skip
"""Words after which a label may be the subject of a judgement; after any other it is part of a name."""


_UNSURE = re.compile(r"[ \t]*(?:\?|(?:answer |choice |option )?(?:only )?(?:if|when|unless)\b)")
"""Behind a judgement: it is asked, or holds in a case only."""
_ALL_BUT = re.compile(
    r"(?i)\b(?:all|everything|every (?:option|choice|one|other)|each|none)\b[^.;:\n]{0,24}?"
    r"\b(?:but|except(?: for)?|besides|other than)"
    r"[ \t]+(?=[^.;:\n]{1,24}?\b(?:is|are|can be|could be)[ \t]+(?P<word>wrong|incorrect|false|ruled out"
    r"|eliminated|excluded|impossible|correct|right|true)\b)"
)
"""`All but C are wrong`, `none but C is right`."""


def _all_but(text: str, lo: int, stop: int, hi: int, labels: LabelSet, options: Options) -> Iterator[Statement]:
    for m in _ALL_BUT.finditer(text, lo, stop):
        hit = match_label(text, m.end(), hi, labels, options, line=True)
        right = m.group("word").lower() in ("correct", "right", "true")
        if hit is not None and hit.label is not None and right == m.group().lower().startswith("none"):
            yield Statement(m.start(), hit.stop, (hit.label, *hit.others), True, False, (hit.start, hit.end))


def _judged(text: str, lo: int, stop: int, labels: LabelSet) -> Iterator[Statement]:
    for m in _subject(labels.labels).finditer(text, lo, stop):
        label = label_of(labels, m.group("x"))
        if label is None or (labels.digits and not m.group("named")):
            continue
        if m.group("x") in ("A", "I") and not m.group("named") and text[m.start()] in "AI" and m.group("fits"):
            continue
        joined = re.search(
            r"(?:\b(?:and|or|nor|both|und|et|y)|[&/])[ \t]+[(*]{0,2}$", text[max(lo, m.start() - 12) : m.start()]
        )
        if _SECOND.search(text[max(lo, m.start() - 24) : m.start()]):
            continue
        noun = None if m.group("named") else _WORD_BEFORE.search(text, max(lo, m.start() - 24), m.start())
        if noun is not None and not (noun.group(1).lower() in _BEFORE_LABEL or noun.group(1).endswith("ly")):
            continue  # `angle B is right`
        span = m.span("x")
        if m.group("fails"):
            yield Statement(m.start(), m.end(), (label,), True, True, span)
            continue
        verb = (m.group("verb") or "").lower()
        several = joined is not None or verb.startswith("are")
        if m.group("fits"):
            only = re.search(r"(?i)\bonly[ \t]+$", text[max(lo, m.start() - 8) : m.start()])
            if (m.group("how") or m.group("pre") or only) and not joined:
                yield Statement(m.start(), m.end(), (label,), True, False, span)
            continue
        negative = (
            "n'" in verb or "n’" in verb or m.group("bad") is not None or m.group("cn") in ("不对", "不正确", "错")
        )
        if m.group("bad") == "not":
            tail = text[m.end() : m.end() + 40]
            if re.match(r"[ \t]+(?:only|just|merely)\b", tail):
                continue
        if negative:
            yield Statement(m.start(), m.end(), (label,), True, True, span)
        elif not several and not _UNSURE.match(text, m.end()):
            yield Statement(m.start(), m.end(), (label,), False, False, span)


def _excluded(text: str, lo: int, stop: int, hi: int, labels: LabelSet) -> Iterator[Statement]:
    """Labels that the text rules out."""
    for m in _EXCLUDE.finditer(text, lo, stop):
        named = labels_listed(text, m.end(), hi, labels)
        if named:
            yield Statement(m.start(), m.end(), named, True, True, (m.end(), m.end()))


def _listed(text: str, lo: int, stop: int, labels: LabelSet) -> Iterator[Statement]:
    """`A, B and D are wrong`."""
    for m in _LISTED_BAD.finditer(text, lo, stop):
        at = m.start()
        floor = max(lo, at - 60)
        while at > floor and text[at - 1] not in ".!?;:\n":
            at -= 1
        for start in range(at, m.start()):
            if not labels.pattern.match(text, start) or (start > lo and text[start - 1].isalnum()):
                continue
            named = labels_listed(text, start, m.start(), labels)
            if len(named) > 1:
                yield Statement(start, m.end(), named, True, True, (start, m.start()))
                break


def tentative(text: str, lo: int, start: int, end: int, hi: int) -> bool:
    """Whether its sentence only weighs the label at `start:end`: a condition, a first impression, a question."""
    head = start
    floor = max(lo, start - 90)
    while head > floor and text[head - 1] not in ".!?\n;:":
        head -= 1
    if _LIKELY.search(text, head, start) is not None:
        return True
    if _AFTERTHOUGHT.match(text, end, hi):
        return True
    return text[end : end + 4].lstrip(" )*_\"'")[:1] == "?"
