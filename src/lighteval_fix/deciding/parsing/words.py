"""Answers that are words: names, days, yes and no, letters, clock times, dates. And the words of units.

Text is words only where nothing in it is mathematics. What is neither is left to the grammar, which may reject it;
a failed parse never becomes a word.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import Final

from lighteval_fix.deciding.parsing.tables import FUNCTIONS, PLAIN_FUNCTIONS, TEXT_COMMANDS, WHERE_WORDS, frozen, listed
from lighteval_fix.deciding.units import pieces
from lighteval_fix.deciding.value import Choice, Listing, NamedSet, SetOf, Value, Words

_WRAPPED: Final = re.compile(r"\\(?:" + TEXT_COMMANDS + r")\s*\{([^{}\\]*)\}")
_SPACES: Final = re.compile(r"(?:\s|~|\\[ ,;:!]|\\q?quad(?![a-zA-Z]))+")
_LETTER: Final = re.compile(r"\(\s*([A-Z])\s*\)|([A-Z])|([A-Z])\)|\[([A-Z])\]")
_PROSE: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .,;:!?'’\"“”()/&-])*")
_TIME: Final = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*([ap])\.?\s?m\.?", re.IGNORECASE)
_MONTHS: Final = listed(
    """
    january february march april may june july august september october november december jan feb mar
    apr jun jul aug sep sept oct nov dec
    """
)
_DATE: Final = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?(?:(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?\s*(?:MONTH)\.?(?:,?\s+\d{1,4})?"
    r"|(?:MONTH)\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|(?:MONTH)\.?,?\s+\d{4})".replace(
        "MONTH", "|".join(_MONTHS)
    ),
    re.IGNORECASE,
)
_NUMERIC_DATE: Final = re.compile(r"\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d\d-\d\d|\d{1,2} o'clock")
_ORDINAL: Final = re.compile(
    r"(?:the\s+)?(\d{1,9})(?:\^?\{\s?(st|nd|rd|th)\s?\}|\s?\^?\s?(st|nd|rd|th))((?:\s+[a-z]{2,20}){0,2})", re.IGNORECASE
)
_ALL_REALS: Final = frozenset(
    (
        "all real numbers",
        "all reals",
        "the real numbers",
        "the set of all real numbers",
        "all real values",
        "real numbers",
        "the set of real numbers",
    )
)
_EMPTY: Final = frozenset(("empty set", "the empty set"))
# Two- and three-letter words of English: a lone run of letters that is one of these is a word, not a product.
_SHORT: Final = frozen(
    """
    no yes am pm so or on in up if is it of to at as he we me my be by do go us an the and not odd all
    any one two six ten red sun mon tue wed thu fri sat jan feb mar apr may jun jul aug sep oct nov dec
    cat act dog cow pig hen man men boy box bag car bus day may nil non mid low hot old new big top his
    her him she you our out off own set sum son mom dad ann amy ben bob dan eve ian jim joe kim leo lee
    liz max meg pam pat ray ron roy sam sue ted tim tom tea eat ate net art rat tar arm ram mat ice ire
    era ear are acute cos both none never east west gcd lcm
    """
)
_CONJUNCTION: Final = re.compile(r"\s*[,;]\s*(?:and\s+|or\s+)?|\s+(?:and|or|&)\s+", re.IGNORECASE)

# Words that no variables and no unit would spell: a text with one of them in the middle of mathematics is a sentence.
STOP_WORDS: Final = frozen(
    """
    is are was were be been has have had the this that these those of if so it its not we you they thus hence then
    therefore and or which who what there here must can will would should because since also only both all any each
    every answer solution result value equals equal equation
    """
)

UNITS: Final[frozenset[str]] = frozen(
    """
    cm mm km in nm dm um ft yd mi mph kph kmh kg mg lb lbs oz mol ml mL dl cl kL gal qt pt sec secs min
    mins hr hrs hz Hz kHz MHz GHz Pa kPa MPa atm kJ MJ kW MW kWh Wh eV keV MeV mA mV kV kN rad sr deg
    degrees degree radians radian meters metres meter metre centimeters centimetres centimeter
    centimetre millimeters millimetres kilometers kilometres kilometer kilometre inches inch feet foot
    yards yard miles mile acres hectares grams gram kilograms kilogram milligrams pounds pound ounces
    ounce tons tonnes liters litres liter litre milliliters millilitres gallons gallon quarts pints cups
    seconds second minutes minute hours hour days day weeks week months month years year dollars dollar
    cents cent euros euro pence units unit percent percents joules joule watts volts newtons hertz
    kelvin kcal cal calories moles mole people students percentage mL cc bits bytes KB MB GB rpm bpm fps USD EUR GBP
    sq square cubic cu per dozen points pieces ways times kmph
    """
)


def flatten(text: str) -> str:
    r"""`text` with `\text{…}` unwrapped and spacing commands made spaces."""
    if "\\" in text:
        text = _WRAPPED.sub(r" \1 ", text)
    return _SPACES.sub(" ", text).strip()


_MATHEMATICS: Final = re.compile(
    r"\\(?!(?:" + TEXT_COMMANDS + r"|q?quad)(?![a-zA-Z])|[ ,;:!])|[=<>+*|$]"
    r"|\d\s*(?:[-/]|\^(?!\{?\s*(?:\\[a-z]+\s*\{\s*)?(?:st|nd|rd|th)\b))|[a-zA-Z)}][_^]"
)


def may_be_words(text: str) -> bool:
    """Whether nothing in `text` shows at a glance that it is mathematics."""
    return _MATHEMATICS.search(text) is None or _NUMERIC_DATE.fullmatch(text) is not None


def fold(text: str) -> str:
    """Case and white space folded, quotes and the stop at the end dropped: the normal form of words."""
    text = " ".join(text.replace('"', "").split()).rstrip(" .!,;").lstrip(" ,;").casefold()
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def read_words(text: str) -> Value | None:
    """The value of a text that holds no mathematics; None where the grammar should have its say."""
    letter = _LETTER.fullmatch(text)
    if letter is not None:
        return Choice(next(group for group in letter.groups() if group))
    if _PROSE.fullmatch(text) is not None:
        return _prose(text)
    if text[:1] == '"' == text[-1:] and '"' not in text[1:-1] and _PROSE.fullmatch(text[1:-1]) is not None:
        return Words(fold(text))
    if text[:1].isdigit() or text[:3].lower() in _STARTS:
        time = _TIME.fullmatch(text)
        if time is not None:
            hour, minute, second, half = time.groups()
            return Words(f"{int(hour)}:{minute or '00'}{':' + second if second else ''} {half.lower()}m")
        if _NUMERIC_DATE.fullmatch(text) is not None:
            return Words(text)
        if _DATE.fullmatch(text) is not None:
            return Words(_date(fold(text)))
        ordinal = _ORDINAL.fullmatch(text)
        if ordinal is not None:
            number, braced, bare, noun = ordinal.groups()
            return Words(fold(f"{number}{braced or bare}{noun}"))
    return None


def _date(text: str) -> str:
    """A date as day, month, year, whichever of them it has and in whatever order they were written."""
    pieces = re.findall(r"\d+|[a-z]+", text)
    months = [month for piece in pieces if piece in _MONTHS for month in _MONTHS[:12] if month[:3] == piece[:3]]
    numbers = sorted((piece for piece in pieces if piece.isdigit()), key=len)
    days = [piece for piece in pieces if piece.endswith("day")]
    return " ".join((*days, *numbers[: len(numbers) > 0], *months[:1], *numbers[1:]))


_STARTS: Final = frozenset({m[:3] for m in _MONTHS} | {"the", "mon", "tue", "wed", "thu", "fri", "sat", "sun"})


def _prose(text: str) -> Value | None:
    runs = re.findall(r"[^\W\d_]+", text)
    if not _wordy(text, runs):
        return None
    folded = fold(text)
    if folded in _ALL_REALS:
        return NamedSet("R")
    if folded in _EMPTY:
        return SetOf(())
    parts = [p for p in _CONJUNCTION.split(text.strip().rstrip(".")) if p]
    if (
        len(parts) > 1
        and all(_NAME.fullmatch(p.strip("()\"' ")) for p in parts)
        and folded.split(",")[0] not in _REPLIES
        and not any(p.lower() in WHERE_WORDS for p in parts)
    ):
        return Listing(tuple(_name(p) for p in parts))
    return Words(_PHRASES.get(folded, folded))


_PHRASES: Final = {
    "dne": "does not exist",
    **{
        phrase.format(kind): f"no {kind}solution"
        for kind in ("", "real ", "integer ")
        for phrase in ("no {}solutions", "there is no {}solution", "there are no {}solutions")
    },
}
"""The same few words in the plural, in a sentence, as an abbreviation."""
_NAME: Final = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)?|[A-Z][a-z]+ [A-Z][a-z]+")
_REPLIES: Final = frozenset(("yes", "no", "true", "false", "none", "neither", "both", "either"))


def _name(text: str) -> Value:
    bare = text.strip("()\"' ")
    return Choice(bare) if len(bare) == 1 and bare.isascii() and bare.isupper() else Words(fold(bare))


def _wordy(text: str, runs: list[str]) -> bool:
    """Whether letters and punctuation are words and not variables, functions or constants."""
    long = [r for r in runs if len(r) > 1]
    if not long:
        return False
    if len(runs) == 1:
        return is_word(runs[0]) and ("(" not in text or text.strip()[0] == "(")
    if any(c in text for c in "()/") and any(r in FUNCTIONS or r.lower() == "sqrt" for r in runs):
        return False
    if any(len(r) > 3 and r not in PLAIN_FUNCTIONS and r.lower() not in _SYMBOLS for r in runs):
        return True
    if any(r.lower() in _SYMBOLS or r in PLAIN_FUNCTIONS for r in runs):
        return False
    return any(is_word(r) for r in long if r.lower() not in ("and", "or"))


_SYMBOLS: Final = frozen(
    """
    pi infinity inf infty sqrt cbrt theta alpha beta gamma lambda omega sigma delta phi union
    """
)


def is_word(run: str) -> bool:
    """Whether a lone run of letters is a word rather than a product of one-letter variables."""
    if run in PLAIN_FUNCTIONS or run.lower() in _SYMBOLS:
        return False
    if run.lower() in _SHORT:
        return True
    if len(run) > 3:
        return not _alphabetic(run)
    if run.isupper():
        return True
    return run[0].isupper() and run[1:].islower()


def _alphabetic(run: str) -> bool:
    """`abcd`, `wxyz`: a stretch of the alphabet is a product of variables, however long."""
    return all(ord(b) - ord(a) == 1 for a, b in itertools.pairwise(run))


_NO_UNITS: Final = frozen("square cubic sq cu per st nd rd th") | frozenset(_MONTHS)


def joined(first: str, second: str) -> bool:
    """Whether two words name one thing that is counted (`chocolate candies`), rather than two units (`kW h`)."""
    return len(first) > 3 and len(second) > 3 and not (first in UNITS and second in UNITS)


def unit_factors(text: str) -> tuple[tuple[str, int], ...] | None:
    """A phrase of units by its own words, those of one counted thing joined; None where the text is none."""
    text = text.strip().strip("~").rstrip(".,").strip()
    found = None if "(" in text else pieces(text)
    if found is None or any(name.lower() in _NO_UNITS for name, _ in found):
        return None
    factors: list[tuple[str, int]] = []
    for name, exponent in found:
        if factors and abs(exponent) == 1 and factors[-1][1] == exponent and joined(factors[-1][0], name):
            factors[-1] = (f"{factors[-1][0]} {name}", exponent)
        else:
            factors.append((name, exponent))
    return tuple(factors)
