"""Conclusions in words: that there is no solution, that something does not exist, that there are infinitely many."""

from __future__ import annotations

import re

from ..model import Rule, Span
from .candidate import Candidate

_KINDS = (
    r"(?:solutions?|roots?|zeros|values?|integers?|numbers?|pairs?|triples?|tuples?|points?|primes?|functions?"
    r"|polynomials?|answers?|matches|intersections?|extrem(?:a|um)|maxim(?:a|um)|minim(?:a|um)|limit|inverse|asymptotes?)"
)
_SORTS = (
    r"(?:(?:real|such|valid|possible|integer|integral|positive|negative|rational|complex|natural|finite"
    r"|common)\s+){0,3}"
)
_MANY = rf"(?:infinitely many|an infinite number of)(?:\s+{_SORTS}{_KINDS})?"
_OPENS = (
    r"(?:[*_\s]*(?:so|thus|hence|therefore|consequently|finally|in conclusion|as a result|we (?:conclude|see|find) that"
    r"|this means(?: that)?|it follows that|and)\b[ ,*_]*){0,3}"
)
_OF_WHAT = (
    r"(?:\s+(?:to|of|for)\s+(?:the|this|our)\s+(?:given\s+|original\s+)?"
    r"(?:equation|system|inequality|problem|question)s?)?"
)
_SUBJECT = (
    r"(?:(?:the|this|our|that)\s+(?:\w+\s+){0,3}|[^.!?;:\n]{0,120}?\b)(?:equations?|systems?|inequalit(?:y|ies)|problem|congruence)"
    r"[^.!?;:\n]{0,80}?"
)
_NOTHING = re.compile(
    rf"{_OPENS}there\s+(?:is|are|exists?)\s+(?P<there>no\s+{_SORTS}{_KINDS}|{_MANY}){_OF_WHAT}"
    rf"|{_OPENS}(?:{_SUBJECT}|it)\s*(?:has|have|admits?|possess(?:es)?)\s+(?P<has>no\s+{_SORTS}{_KINDS}|{_MANY})"
    r"|[^.!?;:\n]{0,160}?\b(?:limit|integral|sum|series|inverse|maximum|minimum|expression|value|derivative|function|it"
    r"|triangle|number)\b[^.!?;:\n]{0,60}?\s(?P<exist>(?:does|do)\s+not\s+exist|is\s+undefined|is\s+not\s+defined)"
    rf"|(?:[^.!?;:\n]{{0,120}}?,\s+)?{_OPENS}(?P<such>no\s+(?:such\s+)?{_SORTS}{_KINDS}\s+exists?)",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?i)\b(?:other|more|further|else|if|unless|when|case|suppose|assume|would|could|may|might|maybe|perhaps|need|check"
    r"|whether|where|point|which|let|consider|already|except|until|not that|not true|contradict\w*"
    r"|for (?:negative|positive|even|odd|all|any|every|each))\b|\?"
)
"""What makes the sentence one about a case, or about what is left."""
_SUPPOSES = re.compile(
    r"(?i)\b(?:if|unless|when|where|suppos\w+|assum\w+|let|consider|whether|maybe|perhaps|case \d|for|otherwise)\b"
    r"|\bin (?:this|that|which) case\b|\?"
)
"""What makes the clause before the comma a condition."""
_LONGEST = 400


def nothing_in_words(text: str, span: Span) -> Candidate | None:
    """`There are no real solutions.`: what the sentence `span` says in words, if that is the whole of what it says.

    What follows the last comma is looked at, too: `The lines are parallel, so there are no solutions.`
    """
    lo, hi = span
    if hi - lo > _LONGEST:
        return None
    while hi > lo and text[hi - 1] in " \t\n.!*_$":
        hi -= 1
    comma = text.rfind(",", lo, hi) + 1
    for start in (lo, comma) if comma > 0 else (lo,):
        if _LESS.search(text, start, hi) or _SUPPOSES.search(text, lo, start):
            continue
        while start < hi and text[start] in " \t\n*_#>-":
            start += 1
        m = _NOTHING.fullmatch(text, start, hi)
        if m is not None:
            a, b = next(m.span(name) for name in ("there", "has", "exist", "such") if m.group(name))
            if m.group("exist") and text[a:b].lower().startswith("is "):
                a += 3
            return Candidate(lo, hi, ((a, b),), text[a:b], Rule.PHRASE)
    return None
