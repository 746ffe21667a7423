"""Claims about the chosen label, and how much each weighs."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..model import Rule, Span
from .labels import Hit

REQUESTED, FORMAL, PHRASE, STATED, WEAK, TENTATIVE = 6, 5, 4, 3, 2, 1
"""Ranks: the form that was asked for, a customary form, a phrase, a statement, a weak one, a weighed one."""
CORRECTION = re.compile(
    r"(?i)\b(?:wait|no|actually|however|but|instead|correction|corrected|sorry|oops|mistake|mistaken|error|reconsider(?:ing)?|re-?check(?:ing)?"
    r"|reflection|second thoughts?|rather|hmm|hold on|scratch|misread|misunderstood|incorrect|wrong|not right"
    r"|revised?|revising"
    r"|changed?|changing|after all|at first|initially|re-?evaluat\w+|re-?examin\w+|overlooked|forgot|on closer|so)\b"
    r"|不对|更正|等等|错了|但|而|moment|espera|warte|attends|нет"
)
TALKS = re.compile(
    r"[ \t)\].:*]*(?:says?|states?|claims?|describes?|suggests?|means?|refers|mentions?|talks?|deals|concerns?)\b"
)
"""What makes the label before it the subject of a sentence: `(A) says that`."""
JOINED = re.compile(r"[ \t)\].:*]*(?:(?:and|or|und|et|y)[ \t]+|[&/,][ \t]*)[(\[*]*(\w{1,4})(?!\w)")
"""A further label joined to the one before: `A) and B) are about water`."""
MENTIONED = re.compile(r"(?:\(|\*\*|(?i:\b(?:option|choice)) )(\w{1,4})(?:\)|\*\*|\b)")
"""A label in parentheses, in bold, or behind the word option."""


class Claim(NamedTuple):
    """A label stated somewhere: `label` None for a letter that is no option, `many` for several at once."""

    start: int
    end: int
    label: str | None
    many: bool
    rank: int
    rule: Rule
    span: Span


_LEADS = ("", *(word + end for word in ("so", "thus", "therefore", "hence") for end in (" ", ", ")))
HEADS = frozenset(
    lead + tail
    for lead in (*_LEADS, "finally, ", "in conclusion, ")
    for tail in ("", "the", "the final", "the correct", "final", "my", "my final", "correct", "the best", "our")
)


def claim_of(hit: Hit, start: int, rank: int, rule: Rule) -> Claim:
    return Claim(start, hit.stop, hit.label, hit.many, rank, rule, (hit.start, hit.end))
