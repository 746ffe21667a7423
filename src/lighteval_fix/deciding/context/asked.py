"""What kind of thing a question asks for: a length, an area, a time, an age, money. From its asking words alone."""

from __future__ import annotations

import re
from functools import lru_cache

from ..units import Unit, dimension
from .question import bounded

MAX_SENTENCE = 600
"""Characters of the asking sentence that are read."""

_SENTENCE = re.compile(r"[.!?;]\s+|[?!]$|\n")
ASKING = re.compile(
    r"\b(?:how|what|which|find|determine|calculate|compute|give|state|work out|evaluate|after|for how|in how)\b",
    re.IGNORECASE,
)
_KINDS: tuple[tuple[str, str], ...] = (
    ("age", r"how\s+old|\bages?\b"),
    ("length", r"how\s+(?:far|tall|wide|deep|high|thick)|how\s+long\s+(?:is|are|was|were)\b(?!\s+(?:the\s+)?"
     r"(?:trip|journey|movie|film|ride|flight|meeting|lesson|walk|drive|class|game|it\b))|how\s+much\s+(?:farther|further|taller"
     r"|longer|wider|deeper|higher)"),
    ("time", r"how\s+long\b|how\s+much\s+(?:more\s+)?time|how\s+soon|\b(?:the|total|much)\s+(?:time|duration)\b"),
    ("rate", r"how\s+fast|\b(?:speed|velocity|rate|acceleration|density|pace|concentration)\b"),
    ("mass", r"how\s+heavy|how\s+much\s+(?:do|does|did)\s+(?:\w+\s+){1,4}weigh|\b(?:mass|weight)\b"),
    ("money", r"how\s+much\s+(?:\w+\s+){0,6}(?:cost|pay|paid|spend|spent|earn|money|make|profit|charge|owe|save)"
     r"|\b(?:cost|price|profit|salary|wage|revenue|income|amount\s+of\s+money)\b"),
    ("area", r"\b(?:surface\s+)?areas?\b"),
    ("volume", r"\b(?:volumes?|capacity)\b"),
    ("length", r"\b(?:lengths?|distances?|perimeter|circumference|radius|diameter|height|width|depth|altitude"
     r"|hypotenuse|edge|sides?)\b"),
    ("temperature", r"\btemperature\b"),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)
_FITS: dict[str, tuple[tuple[tuple[str, int], ...], ...]] = {
    "age": ((("time", 1),),),
    "length": ((("length", 1),),),
    "time": ((("time", 1),),),
    "mass": ((("mass", 1),), (("force", 1),)),
    "money": ((("money", 1),),),
    "area": ((("length", 2),), (("area", 1),)),
    "volume": ((("length", 3),), (("volume", 1),)),
    "temperature": ((("temperature", 1),),),
}


@lru_cache(maxsize=512)
def asked_kind(question: str) -> tuple[str, str] | None:
    """The kind of thing asked for and the words that say so; None where they say none, or where the question asks
    several things."""
    asking = [part for part in _SENTENCE.split(bounded(question)) if part and ASKING.search(part)]
    if not asking:
        return None
    sentence = asking[-1][-MAX_SENTENCE:]
    starts = [match.start() for match in ASKING.finditer(sentence)]
    text = sentence[starts[0] :]
    found = [(match.start(), order, kind, match.group()) for order, (kind, pattern) in enumerate(_PATTERNS)
             if (match := pattern.search(text)) is not None]  # fmt: skip
    if not found:
        return None
    _, _, kind, words = min(found)
    return kind, " ".join(words.split())


def fits(unit: Unit, kind: str) -> bool:
    """Whether a unit measures that kind of thing."""
    found = dimension(unit)
    if kind == "rate":
        return any(exponent < 0 for _, exponent in found) or found == (("speed", 1),)
    return found in _FITS[kind]


__all__ = ["ASKING", "asked_kind", "fits"]
