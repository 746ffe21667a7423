"""The weak rules, for a text without cue or box: a bare answer, or the one thing that its last sentence states.

They apply only where the text has come to its end, and only to what stands where a conclusion stands. Where a
sentence holds several things and none is marked as the result, nothing is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from ..model import Rule
from ..text.scan import find_backward, line_bounds, math_at, strip_window
from .alternatives import named_alternatives, stated_alternative
from .asked import Asked, is_slot
from .candidate import Candidate
from .listed import listed_values
from .lone import repeated_below
from .nothing import nothing_in_words
from .trim import trim_value
from .value import is_object, last_side, value_in_sentence

_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_LATEX = re.compile(r"\\[A-Za-z]+|\$")
_ABSTAINS = re.compile(
    r"(?i)\b(?:i|never|neither|unable|unknown|unclear|sure|cannot|can['’]?t|don['’]?t|not|no|sorry|okay|ok|done|hello|hi|yes|help|let|let's|me|n/?a"
    r"|impossible to (?:say|tell)|undetermined|guess|skip|pass|hard|finally|because|incorrect|wrong)\b"
)
_REVERSED = re.compile(
    r"(?<![A-Za-z])(?:is|are) (?:(?:indeed|therefore|thus|clearly|actually) )?"
    r"(?:the|our|my) (?:(?:(?:final|correct|right|required|desired) )?(?:answer|result)"
    r"|(?:correct|right|final|required) [a-z]+)(?![A-Za-z])"
)
_LAST_ITEM = re.compile(
    r"(?:\$[^$\n]{1,200}\$|\\\([^\n]{1,200}?\\\)|\\boxed\{[^{}\n]{1,80}\}|[-−+$€£]{0,2}\d[\d,./]*\s?(?:%|°)?(?:\s[A-Za-z]+)?|[^\W\d_]+)[\s*_]*$"
)
_ANSWERED = (
    r"that(?:['’]?s| is) (?:(?:the|my|our) (?:(?:correct|right|final) )?(?:answer|result|solution))"
    r"|this is (?:the|our|my) (?:(?:correct|right|final) )?answer"
)
_AFFIRMS = re.compile(rf"(?i)\b(?:{_ANSWERED})\b")
"""A closing remark that says what stands before it to be the answer."""
_REMARK = re.compile(
    rf"(?i)[^\d$\\]{{0,140}}\b(?:that(?:['’]?s| is) (?:it|all|correct|right|solid|enough)|{_ANSWERED}"
    r"|hope|confirmed|confirms? (?:the|this|my|our) (?:result|answer|value)|checks out|confident|helps?|let me know"
    r"|matches|convinced|consistent|makes sense|adds? up|seems (?:right|correct|complete|solid)"
    r"|pretty much it|q\.?e\.?d)\b[^\d$\\]{0,60}"
)
_CONCLUDES = re.compile(
    r"(?i)\b(?:so|thus|hence|therefore|consequently|in conclusion|finally|in total|altogether|overall"
    r"|we (?:get|have|find|obtain|conclude))\b"
)
_OPENS_CONCLUSION = re.compile(
    r"(?i)\W*(?:so|thus|hence|therefore|consequently|in conclusion|finally|in total|altogether|overall)\b"
)
_HEDGES = re.compile(
    r"(?i)\b(?:wait|perhaps|maybe|let me|let's|let us|alternatively|might|hmm|suppose|assume|consider|if|try"
    r"|check|verify|not sure)\b|\?"
)
_VERBS = re.compile(
    r"(?:\b(?:is|are|be|equals?|gives?|get|yields?|obtain|becomes)"
    r"(?:\s+(?:indeed|exactly|simply|therefore|equal to))?|[:=])\s*[*_]{0,2}\s*$"
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|equals?|be|get|gives?|has|have|simplif(?:y|ies) to|reduces? to|comes? to|amounts? to"
    r"|holds?|contains?|costs?|takes?|weighs?|measures?|totals?|end up with)\s+"
    r"(?:(?:exactly|simply|then|just|indeed|therefore|thus|also|actually|equal to)\s+){0,2}|[=:]\s*"
)
_DECLARES = re.compile(r"\W*(?:the|this|that|it|in|is|our|my|there)\b", re.IGNORECASE)
_HALF = re.compile(r"[=?]$|^\\(?:text|mathrm|mbox)\{\s*\}$")
"""Half an equation, a question, an empty command."""
_CONTRAST = re.compile(r"([^\s,]{1,40}(?:\s[a-z%]{1,12})?),?\s+(?:not|rather than|instead of)\s+[$\\(]{0,3}[-−]?\d")
_SHORT_LABEL = re.compile(
    r"(?:A|Ans|解|答|答え)[ \t]*(?:[:.][ \t]+|：[ \t]*)|>{2,}\s*|#{1,6}[ \t]+|∴\s*", re.IGNORECASE
)
_POINT = re.compile(r"(\((?:[-−]?\d[\d./]*)(?:,\s*[-−]?\d[\d./]*){1,5}\))[\s.!*]*$")
_BARE_LATEX = re.compile(r"[-−]?\d*\\(?:[dt]?frac|sqrt)\b\S*$")
_HEADING = re.compile(
    r"[#*\-\s]*(?:step|part|case|figure|table|section|example|question|problem|q|a|equation|eq)\b\W*", re.IGNORECASE
)
_LISTED = re.compile(r"[ \t>*_(]*\d{1,3}[.)]\**[ \t]+\S")
"""A line of a numbered list."""
_THEIRS = re.compile(
    r"(?i)\b(?:students?['’]?s?|his|her|their|your|wrong|incorrect|previous|first|initial|earlier|another|old|false|bad"
    r"|someone['’]s|model['’]s)\s+(?:final\s+)?answers?\b"
)
"""Another answer than the writer's own."""
_NUMBER = re.compile(r"(?<![\w.])[-−+]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?(?:_\{?\d+\}?)?%?(?!\w|-[A-Za-z])")
"""A number in a sentence; one that a hyphen binds to a word (`a 20-day trip`) is part of a name."""
_CLAUSE = re.compile(
    r"(?i)\b(?:that|once|when|because|since|which|who|where|and|but|while|as|after|before|until|whether|how|than|though)\b"
)
"""Opens a clause of its own: what is stated behind it is not what the sentence is about."""
_CONFIDENT = re.compile(r"(?i)\bI(?:['’]m| am) (?:\w+ )?(?:confident|certain|sure|convinced) that\b")
_NOT = re.compile(r"(?i)(?:\b(?:not|never|neither|nor|no|cannot|without)|n['’]t)\b\s*(?P<next>[A-Za-z]*)")
_EQUATION = re.compile(
    r"(?i)\W*(?P<opener>(?:so|then|thus|hence|therefore|finally|altogether|in total|overall)\b[ ,]*)?"
    r"(?P<label>[A-Za-z][^=:\d$\\\n]{2,90}?)[ \t]*[:=](?P<chain>[\d\s.,+*×·/÷^()$€£%−–-]+=[\d\s.,+*×·/÷^()$€£%=−–-]*?)"
    r"(?P<value>[-−]?[$€£]?\d[\d,]*(?:\.\d+)?(?:/\d+)?%?)(?:[ \t]+[A-Za-z]{2,12}){0,2}[\s.!*]*"
)
"""`Total cost: 12 + 30 = 42.`: words, and then one chain of sums that ends in a number."""
_SEVERAL = re.compile(r"=[^=]*(?:\b(?:or|and)\b|,\s)")
"""One equation and a joint to the next: the last of several is not the answer."""
_OVERALL = re.compile(r"(?i)(?:the )?(?:grand |final |overall )?(?:totals?|sum|result|profit|final \w+|overall \w+)\b")
_ENDS = re.compile(r"(?:[.!。！]|\\\]|\\\)|\$|\*\*|\}|\)|\d|%)[\s\"'”*_)]*$")
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*")
_SENTENCE = re.compile(r"(?<=[.!?。！？])[\"'”)*]*\s+|\n+")


@dataclass(frozen=True, slots=True)
class _Ending:
    """The last sentence that is no closing remark: its window, and whether a remark behind it calls it the answer."""

    lo: int
    hi: int
    affirmed: bool


def conclude(text: str, lo: int, hi: int, asked: Asked, prompt: str | None = None) -> Candidate | None:
    """The answer of a text that names none, if its end states exactly one."""
    offered = stated_alternative(text, lo, hi, named_alternatives(prompt))
    if offered is not None:
        return offered
    bare = _bare(text, lo, hi, asked)
    if bare is not None:
        return bare
    turned = _reversed_phrase(text, lo, hi)
    if turned is not None:
        return turned
    found: Candidate | None = None
    if ends_well(text, hi):
        end = _last_sentence(text, lo, hi)
        if _THEIRS.search(text, end.lo, end.hi):
            return None
        found = (
            nothing_in_words(text, (end.lo, end.hi))
            or listed_values(text, end.lo, end.hi)
            or _last_maths(text, end)
            or _last_bold(text, end)
            or _statement(text, end)
        )
        found = found or _only_in_conclusion(text, end, prompt) or _equation(text, end)
        if found is not None and not is_slot(found.text, asked):
            return found
    return repeated_below(text, lo, hi) or _only_number(text, lo, hi, prompt)


def _denied(text: str, lo: int, at: int, prompt: str | None) -> bool:
    """Whether a negation stands in `lo:at`; one that the prompt holds too ("how many did not vote") denies nothing."""
    for m in _NOT.finditer(text, lo, at):
        word = m.group("next").lower()
        if not word or prompt is None or re.search(rf"(?i)\b(?:not|n['’]t)\s+{word}", prompt) is None:
            return True
    return False


_TURNED = re.compile(r"(?i)(?:\b(?:not|never|cannot|neither|nor)|n['’]t)(?:\s+\w+){0,2}\s*[*_$\\(\[]*$")


def _turned_round(text: str, lo: int, at: int) -> bool:
    """Whether the words just before `at` deny what stands there: `the value cannot be`."""
    return _TURNED.search(text[max(lo, at - 48) : at]) is not None


def ends_well(text: str, hi: int) -> bool:
    """Whether the text stops where a sentence, a formula or an emphasis does."""
    return _ENDS.search(text, max(0, hi - 80), hi) is not None


_WORKING = re.compile(
    r"(?i)\b(?:let|set|solv(?:e|ing)|given|substitut\w+|define|denote|start|begin|since|consider|example|see|theorem|lemma"
    r"|corollary|proposition|equation|figure|section|chapter|page|exercise|need|asked|know|would|should|gives us|when"
    r"|answers?)\b"
)
"""The text is at work: the number in it is a step."""
_LONG = 300
"""A shorter text without a full stop may be a note; a longer one that stops amid a sentence was cut off."""


def breaks_off(text: str, lo: int, hi: int) -> bool:
    """Whether a text that gives no answer stops inside a formula that it opened, or amid a sentence."""
    line, _ = line_bounds(text, hi, lo, hi)
    dollars = text.count("$", line, hi) - text.count("\\$", line, hi)
    money = re.search(r"(?<!\\)\$\d[\d,.]*[^$]*$", text[max(line, hi - 80) : hi]) is not None
    opened = text.rfind("\\(", line, hi) > text.rfind("\\)", line, hi) or text.rfind(
        "\\[", max(lo, hi - 2000), hi
    ) > text.rfind("\\]", max(lo, hi - 2000), hi)
    if opened or (dollars % 2 and not money):
        return True
    return hi - lo > _LONG and not ends_well(text, hi) and text[hi - 1] not in ":?*`>\"'”’]"


def _bare(text: str, lo: int, hi: int, asked: Asked) -> Candidate | None:
    if hi - lo > 400:
        return None
    label = _SHORT_LABEL.match(text, lo, hi)
    a, b = trim_value(text, lo if label is None else label.end(), hi)
    value = text[a:b]
    if label is not None and text[lo] == "#" and (":" in value or not any(c.isdigit() or c in "\\$" for c in value)):
        return None  # a heading
    if not value or is_slot(value, asked) or not any(c.isalnum() or c in "\\∞∅√" for c in value):
        return None
    if value[0] == "<" and value[-1] == ">" and "/" in value:
        return None  # an empty tag
    if "oxed" in value or "\n\n" in value or is_object(text, a, b) or _HALF.search(value):
        return None
    words = _WORD.findall(_LATEX.sub(" ", value))
    if not words or (len(words) <= (6 if asked.brief else 2) and not _ABSTAINS.search(value) and "\n" not in value):
        sentence = len(words) > 1 and not asked.brief and text[b:hi].strip()[:1] in (".", "!", "?")
        if not sentence and not (words and not asked.brief and any(c.isdigit() for c in value)):
            return Candidate(a, b, ((a, b),), value, Rule.BARE)
    return None


def _reversed_phrase(text: str, lo: int, hi: int) -> Candidate | None:
    """`70 is the answer`."""
    for m in find_backward(_REVERSED, text, max(lo, hi - 400), hi):
        start, _ = line_bounds(text, m.start(), max(lo, m.start() - 120), hi)
        for cut in _SENTENCE.finditer(text, start, m.start()):
            start = cut.end()
        item = _LAST_ITEM.search(text, start, m.start())
        if item is None:
            return None
        a, b = trim_value(text, item.start(), m.start())
        if a < b and any(c.isdigit() or c in "\\$" for c in text[a:b]):
            return Candidate(a, m.end(), ((a, b),), text[a:b], Rule.PHRASE)
        return None
    return None


def _last_sentence(text: str, lo: int, hi: int) -> _Ending:
    """The last sentence that is no closing remark, with the line before it where it is maths or emphasis alone."""
    lo = max(lo, hi - 1200)
    affirmed = False
    for cut in islice(find_backward(_SENTENCE, text, lo, hi, 400, 16), 12):
        if cut.end() >= hi:
            continue
        rest = text[cut.end() : hi]
        if _REMARK.fullmatch(rest.strip()):
            affirmed = affirmed or _AFFIRMS.search(rest) is not None
            hi = cut.start()
            continue
        opened = rest.count("\\]") > rest.count("\\[") or rest.count("$$") % 2 or rest.count("\\)") > rest.count("\\(")
        if not opened and _WORD.search(_LATEX.sub(" ", rest)):
            return _Ending(cut.end(), hi, affirmed)
    return _Ending(lo, hi, affirmed)


def _maths_in(text: str, lo: int, hi: int) -> list[tuple[int, int, int, int]]:
    found = []
    at = lo
    while at < hi:
        nexts = [p for p in (text.find("$", at, hi), text.find("\\(", at, hi), text.find("\\[", at, hi)) if p >= 0]
        if not nexts:
            break
        start = min(nexts)
        if text[start] == "$" and start > lo and text[start - 1] == "\\":
            at = start + 1
            continue
        inner = math_at(text, start, hi)
        if inner is None:
            break
        found.append((start, *inner))
        at = inner[2]
    return found


def _last_maths(text: str, end: _Ending) -> Candidate | None:
    a, b = end.lo, end.hi
    maths = _maths_in(text, a, b)
    if not maths:
        return None
    plain = "".join(text[x:y] for x, y in zip([a, *(m[3] for m in maths)], [*(m[0] for m in maths), b], strict=True))
    if _HEDGES.search(plain):
        return None
    marked = [m for m in maths if _VERBS.search(text, max(a, m[0] - 60), m[0])]
    chosen = (
        marked[-1] if marked else maths[0] if len(maths) == 1 and not _WORD.search(_CONCLUDES.sub("", plain)) else None
    )
    if (
        chosen is None
        or _turned_round(text, a, chosen[0])
        or len(_WORD.findall(text[chosen[3] : b])) > 4
        or _STATES.search(text, chosen[3], b)
    ):
        return None
    whole = re.search(r"(?i)\b(?:equation|formula|inequalit)", plain) is not None
    display = text.startswith(("$$", "\\["), chosen[0])
    if not display and not _CONCLUDES.search(plain) and not _STATES.search(plain):
        return None
    x, y = trim_value(text, chosen[1], chosen[2], maths=True)
    if not whole:
        x, y = trim_value(text, *last_side(text, x, y), maths=True)
    if x < y and text[x] == "{" and text.find("}", x, y) == y - 1:
        x, y = trim_value(text, x + 1, y - 1, maths=True)
    if x >= y or any(c in text[x:y] for c in "?…") or "\\dots" in text[x:y]:
        return None
    return Candidate(chosen[0], chosen[3], ((x, y),), text[x:y], Rule.DISPLAY_MATH if display else Rule.INLINE_MATH)


def _last_bold(text: str, end: _Ending) -> Candidate | None:
    a, b = end.lo, end.hi
    bolds = list(_BOLD.finditer(text, a, b))
    if len(bolds) != 1 or _HEDGES.search(text, a, b):
        return None
    m = bolds[0]
    x, y = trim_value(text, *m.span(1))
    alone = not text[a : m.start()].strip() and not text[m.end() : b].strip(" .!\n")
    marked = _VERBS.search(text, max(a, m.start() - 60), m.start()) is not None
    number = any(c.isdigit() for c in text[x:y])
    concluded = number and _OPENS_CONCLUSION.match(text, a, b) is not None
    if x >= y or not (alone or marked or concluded) or _turned_round(text, a, m.start()):
        return None
    if len(_WORD.findall(text[x:y])) > 4 or (alone and not number):
        return None
    return Candidate(m.start(), m.end(), ((x, y),), text[x:y], Rule.BOLD)


def _statement(text: str, end: _Ending) -> Candidate | None:
    """`Thus the total is 36 dollars.`: the last sentence concludes (or a remark calls it the answer), and states one
    number."""
    a, b = strip_window(text, end.lo, end.hi)
    concludes = end.affirmed or _CONCLUDES.search(text, a, b) is not None
    if _HEDGES.search(text, a, b) or not (concludes or _DECLARES.match(text, a, b)):
        return None
    states = [m for m in _STATES.finditer(text, a, b) if concludes or m.group()[0].isalpha()]
    if not concludes:
        states = [m for m in states if not _CLAUSE.search(text, min(a + 5, m.start()), m.start())]
    words = [m for m in states if m.group()[0].isalpha()]
    for m in reversed(words or states):
        if _turned_round(text, a, m.end()):
            return None
        point = _POINT.match(text, m.end(), b)
        if point is not None and (concludes or m is words[0]):
            return Candidate(a, b, (point.span(1),), point.group(1), Rule.PHRASE)
        contrast = _CONTRAST.match(text, m.end(), b)
        b = b if contrast is None else contrast.end(1)
        if re.search(r"(?:\b(?:and|or)\b|,\s)", text[m.end() : b]) and len(_NUMBER.findall(text, m.end(), b)) > 1:
            return None
        if m.group()[0] == "=" and _SEVERAL.search(text, a, m.start()):
            return None
        span = value_in_sentence(text, m.end(), b)
        if span is not None and "=" in text[span[0] : span[1]]:
            span = last_side(text, *span)
        if span is not None and (len(_NUMBER.findall(text, *span)) == 1 or _BARE_LATEX.match(text, *span)):
            break
    else:
        return None
    value = text[span[0] : span[1]]
    if not re.match(r"[-−+$€£¥(\\]*\d|[-−]?\\(?:[dt]?frac|sqrt)\b", value) or len(_WORD.findall(value)) > 4:
        return None
    return Candidate(a, b, (span,), value, Rule.PHRASE)


def _only_in_conclusion(text: str, end: _Ending, prompt: str | None) -> Candidate | None:
    """`So the farmer sells 18 eggs every day.`: a last sentence that opens as a conclusion, or says that the writer is
    sure of it, and holds one number."""
    a, b = strip_window(text, end.lo, end.hi)
    sure = _CONFIDENT.search(text, a, b)
    opens = end.affirmed or sure is not None or _OPENS_CONCLUSION.match(text, a, b) is not None
    if not opens or text.find("\\", a, b) >= 0 or _HEDGES.search(text, a, b):
        return None
    numbers = list(_NUMBER.finditer(text, a, b))
    if len(numbers) != 1 or (sure is not None and numbers[0].start() < sure.end()):
        return None
    m = numbers[0]
    if _denied(text, a, m.start(), prompt):
        return None
    return Candidate(m.start(), m.end(), (m.span(),), m.group(), Rule.LAST_NUMBER)


def _equation(text: str, end: _Ending) -> Candidate | None:
    """`Then the total: 12 + 30 = 42.`: a last sentence that is one labelled sum, and concludes or names the whole."""
    a, b = strip_window(text, end.lo, end.hi)
    m = _EQUATION.fullmatch(text, a, b) if b - a < 400 else None
    if m is None or _HEDGES.search(text, a, b) or _HEADING.match(text, a, m.end("label")):
        return None
    if not (end.affirmed or m.group("opener") or _OVERALL.match(text, m.start("label"), m.end("label"))):
        return None
    return Candidate(a, b, (m.span("value"),), m.group("value"), Rule.PHRASE)


def _only_number(text: str, lo: int, hi: int, prompt: str | None) -> Candidate | None:
    """The number of a text that holds no other."""
    if hi - lo > 2000 or text.find("oxed", lo, hi) >= 0 or text.count("{", lo, hi) > text.count("}", lo, hi):
        return None
    numbers = list(islice(_NUMBER.finditer(text, lo, hi), 2))
    if len(numbers) != 1 or _HEDGES.search(text, lo, hi) or _WORKING.search(text, lo, hi):
        return None
    m = numbers[0]
    for no in _ABSTAINS.finditer(text, lo, hi):
        if no.group().lower() != "not" or no.start() > m.start() or _denied(text, no.start(), m.start(), prompt):
            return None
    line, _ = line_bounds(text, m.start(), lo, hi)
    if _LISTED.match(text, line, hi) and text[line : m.start()].strip(" \t>*_(") == "":
        return None
    if _HEADING.fullmatch(text, line, m.start()) or _HEADING.search(text, max(line, m.start() - 8), m.start()):
        return None  # a numbered heading, or "step 3"
    return Candidate(m.start(), m.end(), (m.span(),), m.group(), Rule.LAST_NUMBER)
