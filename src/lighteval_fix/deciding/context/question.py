"""What stands in a question: its formulas, letters, options, units and numbers in words. No judgement here.

Everything is one pass over at most `MAX_QUESTION` characters and cached by the question's text, since a run asks about
the same question once a sample.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ..units import Unit, unit_of, unit_phrase

MAX_QUESTION = 20_000
"""Characters; of a longer question only the end is read, where the asking is done."""
MAX_SEGMENTS = 80
MAX_MENTIONS = 60

_SEGMENT = re.compile(r"\$\$(.{1,2000}?)\$\$|\$([^$]{1,500})\$|\\\((.{1,500}?)\\\)|\\\[(.{1,2000}?)\\\]", re.DOTALL)
_COMMAND = re.compile(r"\\[a-zA-Z]+|\\.")
_ROMAN = re.compile(r"\\(?:text|mathrm|textrm|mbox|operatorname|textbf|textit|mathit|tag)\s?\{[^{}]{0,200}\}")
_LETTER = re.compile(r"[^\W\d_](?:_\{?\w{1,3}\}?)?")
_GREEK = re.compile(
    r"\\(?:var)?(alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|chi|psi|omega"
    r"|Gamma|Delta|Theta|Lambda|Xi|Sigma|Phi|Psi|Omega|ell)(?![a-zA-Z])"
)
_TOKEN = re.compile(
    r"(?P<roman>\\(?:text|mathrm|textrm|mbox|operatorname|rm|mathbf|textbf)\b\s?\{?)"
    r"|(?P<mul>\\(?:cdot|times)\b|/|·)"
    r"|(?P<degree>\\(?:circ|degree)\b|°)"
    r"|(?P<angstrom>\\(?:AA|r\s?A)\b)"
    r"|(?P<percent>\\?%)"
    r"|(?P<dollar>\\\$)"
    r"|(?P<skip>\\[ ,;:!()]|[\s~{}$])"
    r"|(?P<command>\\[a-zA-Z]+)"
    r"|(?P<number>\d[\d,.]*)"
    r"|(?P<power>\^\s?\{?\s?-?\d(?!\d)\}?|[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]|\^(?=\s?\{?\s?\\circ))"
    r"|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_ASKED = re.compile(
    r"(?:\bhow\s+(?:many|much)(?:\s+[\w-]+){0,2}|\bnumber\s+of(?:\s+[\w-]+){0,2}|\b(?:in|into|nearest|whole)(?:\s+(?:the|whole))?"
    r"|\b(?:tenth|hundredth|thousandth)\s+of\s+an?|\bmeasured\s+in|\bconvert(?:ed)?\b[^.?!]{0,30}\bto|\bunits?\s+of)"
    r"[\s$\\({,~]{0,6}(?:\\(?:text|mathrm|rm)\s?\{?\s?)?$",
    re.IGNORECASE,
)
_CONNECT = frozenset(("per", "a", "an", "square", "sq", "cubic", "squared", "cubed", "each"))
_COMPOSED = ("/", "^", "·", "²", "³", "⁻")
"""What follows a single letter that is a unit, and no variable: `in m/s`."""
_TRAILING = _CONNECT - {"squared", "cubed"}
_OPTION = re.compile(
    r"(?:\\(?:textbf|text|mathrm|mathbf|bf)\s?\{\s?)?\(\s?(?P<round>[A-K])\s?\)(?:\s?\})?"
    r"|(?:^|\n)\s{0,8}(?P<line>[A-K])\s?[.):]\s|(?<=\s)(?P<inline>[A-K])[.)]\s"
)
_ONES = (
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    + ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_BASES = {"binary": 2, "ternary": 3, "octal": 8, "decimal": 10, "hexadecimal": 16}


@dataclass(frozen=True, slots=True)
class Mention:
    """A unit in the question: which, in what words, and whether the question asks for it."""

    unit: Unit
    quote: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Option:
    """A multiple-choice option inside the question."""

    label: str
    text: str


def bounded(question: str) -> str:
    """The part of a question that is read."""
    return question[-MAX_QUESTION:]


@lru_cache(maxsize=128)
def lowered(question: str) -> str:
    """The part of a question that is read, in lower case."""
    return bounded(question).lower()


@lru_cache(maxsize=128)
def segments(question: str) -> tuple[str, ...]:
    """The formulas of a question, without their delimiters."""
    found = []
    for match in _SEGMENT.finditer(bounded(question)):
        found.append(next(part for part in match.groups() if part is not None).strip())
        if len(found) >= MAX_SEGMENTS:
            break
    return tuple(found)


@lru_cache(maxsize=128)
def letters(question: str) -> tuple[str, ...]:
    """The variables in the question's formulas in the order they first appear: single letters and Greek names,
    subscripts dropped; a formula-less question has those letters that stand alone."""
    seen: dict[str, None] = {}
    parts = segments(question)
    if parts:
        for part in parts:
            text = _ROMAN.sub(" ", part)
            text = _GREEK.sub(lambda match: f" \x00{match.group(1)}\x00 ", text)
            text = _COMMAND.sub(" ", text)
            for piece in re.findall(r"\x00\w+\x00|[^\W\d_]", text):
                seen[piece.strip("\x00")] = None
    else:
        for piece in re.findall(r"(?<![\w'’])[b-zB-HJ-Z](?![\w'’])", bounded(question)):
            seen[piece] = None
    return tuple(seen)


@lru_cache(maxsize=128)
def words(question: str) -> frozenset[str]:
    """Every word of the question, in lower case."""
    return frozenset(re.findall(r"[^\W\d_]+", bounded(question).lower()))


@lru_cache(maxsize=128)
def mentions(question: str) -> tuple[Mention, ...]:
    """The units of a question, in order. A unit's word in the singular counts only where a number or `per`, `a`,
    `nearest` stands before it: `the second train` is no unit of time."""
    text = bounded(question)
    found: list[Mention] = []
    run: list[str] = []
    start = end = 0
    roman = False
    before = ""
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup or "other", match.group()
        if kind == "roman":
            roman = token.endswith("{")
            continue
        if kind == "skip":
            if "}" in token:
                roman = False
            continue
        if kind == "word" and before == "in" and len(token) == 1 and text[match.end() : match.end() + 1] in _COMPOSED:
            before = "mul"
        part = _part(kind, token, roman, before, run)
        if part is not None:
            if not run:
                start = match.start()
            run.append(part)
            end = match.end()
        else:
            _close(text, run, start, end, found)
            run = []
        before = token.lower() if kind in ("word", "number") else kind
        if len(found) >= MAX_MENTIONS:
            return tuple(found)
    _close(text, run, start, end, found)
    return tuple(found)


def _part(kind: str, token: str, roman: bool, before: str, run: list[str]) -> str | None:
    """The token as a piece of a unit phrase, or None where a unit cannot go on."""
    counted = before[:1].isdigit() or before == "mul"
    match kind:
        case "word":
            if token.lower() in _CONNECT:
                return token if run or token.lower() in ("square", "sq", "cubic") else None
            if token == "in" and not roman:
                return None
            unit = unit_of(token, bare=not (roman or counted or bool(run)))
            if unit is None:
                return None
            plural = token.lower().endswith(("s", "feet", "celsius", "fahrenheit", "hertz", "degrees"))
            settled = roman or run or counted or plural or not token.islower() or len(token) <= 4
            return token if settled or before in ("per", "nearest", "a", "an", "each", "every", "of", "one") else None
        case "mul":
            return token.replace("\\cdot", "·").replace("\\times", "·") if run else None
        case "degree":
            return "°" if counted or run == ["^"] else None
        case "angstrom":
            return "Å"
        case "dollar":
            return "$"
        case "power":
            return token if run or token == "^" else None
        case _:
            return None


def _close(text: str, run: list[str], start: int, end: int, found: list[Mention]) -> None:
    phrase = " ".join(run).removeprefix("^ ").replace(" ^", "^").replace("° C", "°C").replace("° F", "°F")
    while phrase and (phrase.split()[-1].lower() in _TRAILING or phrase[-1] in "/·^"):
        phrase = phrase.rsplit(None, 1)[0] if " " in phrase else ""
    unit = unit_phrase(phrase) if phrase else None
    if unit:
        asked = _ASKED.search(text[max(0, start - 60) : start])
        begin = max(0, start - 60) + asked.start() if asked else start
        found.append(Mention(unit, _quote(text[begin:end]), asked is not None))


def _quote(text: str) -> str:
    text = " ".join(text.split())
    return text + "}" * max(text.count("{") - text.count("}"), 0)


@lru_cache(maxsize=128)
def options(question: str) -> tuple[Option, ...]:
    """The options of a multiple-choice question: labels that run on from A (or F) without a gap, each with its text;
    empty where there are none, or where a label comes twice."""
    text = bounded(question)
    marks = [
        (match["round"] or match["line"] or match["inline"], match.start(), match.end(), match["inline"] is not None)
        for match in _OPTION.finditer(text)
    ]
    for first in ("A", "F"):
        run: list[tuple[str, int, int]] = []
        inline = 0
        for label, start, end, loose in marks:
            if label == first:
                run, inline = [(label, start, end)], int(loose)
            elif run and _follows(run[-1][0], label):
                run.append((label, start, end))
                inline += loose
        if len(run) >= (3 if inline else 2):
            ends = [start for _, start, _ in run[1:]] + [len(text)]
            found = tuple(
                Option(label, _trimmed(text[end:stop], last=stop == len(text)))
                for (label, _, end), stop in zip(run, ends, strict=True)
            )
            return found if all(option.text for option in found) else ()
    return ()


def _follows(one: str, two: str) -> bool:
    step = ord(two) - ord(one)
    return step == 1 or (one == "H" and two == "J")


def _trimmed(text: str, *, last: bool) -> str:
    text = re.sub(r"\\(?:q?quad|newline|hfill|hspace\{[^{}]{0,20}\}|\\)(?![a-zA-Z])", " ", text)
    if last:
        text = re.split(r"\n\s*\n|\bAnswer\s*:", text, maxsplit=1)[0]
    text = text.strip()
    if text.count("$") % 2:
        text = text.strip("$").strip()
    text = text.rstrip(",;?").rstrip()
    return text if len(text) <= 400 else ""


def number_word(text: str) -> int | None:
    """An English number in words below a million, else None."""
    total = current = 0
    seen = False
    parts = text.lower().replace("-", " ").split()
    if len(parts) > 12:
        return None
    for part in parts:
        if part in _ONES:
            current += _ONES.index(part)
        elif part in _TENS:
            current += 20 + 10 * _TENS.index(part)
        elif part == "hundred" and seen:
            current *= 100
        elif part == "thousand" and seen:
            total, current = total + current * 1000, 0
        elif part == "and" and seen:
            continue
        else:
            return None
        seen = True
    return total + current if seen else None


_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}


def ordinal_word(text: str) -> int | None:
    """An English ordinal below a hundred in words (fifth, twenty-first), else None."""
    head, _, last = text.lower().strip().replace("-", " ").rpartition(" ")
    tens = number_word(head) if head else 0
    ones = _ORDINALS.get(last)
    if ones is None and last.endswith("ieth"):
        ones = number_word(last[:-4] + "y")
    elif ones is None and last.endswith("th"):
        ones = number_word(last[:-2])
    if tens is None or ones is None or (head and not (tens >= 20 and tens % 10 == 0 and ones < 10)):
        return None
    return tens + ones


def base_of(word: str) -> int | None:
    """A base by its digits or its name (7, seven, binary), 2 to 62."""
    word = word.strip().lower().split()[0] if word.strip() else ""
    base = int(word) if word.isdigit() and len(word) <= 2 else _BASES.get(word, number_word(word) or 0)
    return base if 2 <= base <= 62 else None
