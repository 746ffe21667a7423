"""The string behind a cue: where it begins, where it ends, and what round it is presentation."""

from __future__ import annotations

import re

from ..model import Span
from ..text.scan import close_brace, close_environment, math_at, skip_space
from .trim import trim_value

LONGEST = 2000
"""An answer is never longer than this many characters."""
MOST_WORDS = 14
"""Nor does it hold more words than this, maths aside."""

_LEAD = re.compile(r"(?:\*{1,3}|_{2}|[`~}]|(?<=\n)(?:>|[-=]{3,}(?=\n))|[:：]|\s)+")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_MATH_PART = re.compile(
    r"\$[^$\n]{0,400}\$|\\\([^\n]{0,400}?\\\)|\\(?:text|mathrm|textbf|mbox)\s*\{[^{}\n]{0,80}\}|\\[A-Za-z]+"
)
_SENTENCE_END = re.compile(r"(?:[.!?](?=[\s*_\"')\]]|$)|[。！？]|;(?=\s))")
_TAIL_NOTE = re.compile(
    r"\s*[,，–—]?\s*(?:\(\s*(?:since|because|as|i\.e\.|see|approx\w*|about|roughly|rounded|exact\w*|not|assuming|after|using|by|from|which|corrected|previously|formerly)\b"
    r"|(?<![A-Za-z])(?:because|since|rather than|instead of|as required|as desired|as shown|as expected)\b)|\s[–—]\s"
)
_COMMA_NOTE = re.compile(
    r",\s+(?:not|but|so|right|correct|which|where|as|when|while|if|giving|that|meaning|thus|hence|therefore|for|obtained|achieved|after|by"
    r"|including|excluding|per|plus or minus)\b"
)
_ASIDE = re.compile(
    r",\s+(?:in (?:total|all|sum|that order|this order|order)|altogether|overall|all told|all in all|respectively"
    r"|on average|approximately|roughly|exactly|to the nearest|(?:as )?I (?:think|believe|guess|suppose)|rounded"
    r"|then(?=[.!\s*]*$)|of course|indeed|at (?:last|once))\b"
)
"""What is said beside the value, and belongs to no value: `72, in total`."""
_PLACE = re.compile(
    r"(?<=[\d%])\s+(?:left|remaining|altogether|in (?:total|all)|total|overall|now|today|each|every)\b"
    r"|(?<=[A-Za-z])\s+(?:from|away|at|during|before|after|left|remaining|altogether|in (?:total|all)|total|overall"
    r"|now|today|each|every|on|into|with|among|when|for (?:the|a|his|her|their|all|each|every)"
    r"|in (?:the|his|her|their|one|a|each))\b"
)
"""What follows a number and its unit without being part of either: `45 miles from home`, `12 apples left`."""
_TOLD = re.compile(r"([-−+]?[$€£]?\d[\d,.]*)\s+(?:is|are|was|were)\s+(?:the|a|an|what|how|our|his|her|their)\b")
"""`7 is the sum of …`: a line whose value is the subject of a sentence."""
_NUMBER_WORD = re.compile(
    r"(?i)(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|(?:one |a )?(?:hundred|thousand|million))\b"
)
_NUMBER = re.compile(r"[-−+]?\s?[$€£¥]?\d(?:,?\d)*(?:\.\d+)?(?:\s?/\s?\d+)?\s?\\?%?")
_NO_VALUE = re.compile(
    r"(?i)(?:(?:greater|less|more|fewer|larger|smaller|bigger|higher|lower)\s+than\b|(?:an?|the|one|some)\s+(?:\w+\s+){0,2}(?:integers?|numbers?|fractions?|decimals?|expressions?|values?|forms?|formats?|ones?)\b"
    r"|(?:the same|same|real numbers|in|given|expressed|of the form|based|unique|correct|right|wrong"
    r"|simplified|as|to|within|below|above"
    r"|clear|here|that|what|determined|known|unknown|provided|consistent|complete|ready|independent|found"
    r"|obtained|indeed|supposed|asked|unclear|uncertain|ambiguous|undefined in|hard to|not"
    r"|also|incorrect|possible|whether|yes(?=,))(?![A-Za-z\d]))"
)
_NOT_GIVEN = re.compile(
    r"(?i)(?:I(?:['’]m)?\s+(?:am\s+)?(?:can|could|don|do|am|not|have|was|un|think|would|sorry)|let(?:['’]s"
    r"| me| us)\b|sorry\b|unable\b|unclear\b"
    r"|not sure\b|we (?:need|have|can|must|first)\b|to (?:find|solve|determine|answer)\b|first,|step\s+\d)"
)
"""How a line begins that comes before an answer, or instead of one."""
_JOINED_TAIL = re.compile(r"(?:です|だ|である|となります|になります|입니다|이다|이에요|입니다)(?:[。.]|$)")
_OPEN_ONLY = ("\\[", "$$", "\\begin")


def is_prose(text: str) -> bool:
    """Whether `text` is a sentence or a paragraph rather than an answer."""
    if len(text) > LONGEST:
        return True
    if len(text) < 24:
        return False
    plain = _MATH_PART.sub(" ", text)
    words = _WORD.findall(plain)
    return len(words) > MOST_WORDS


def skip_lead(text: str, at: int, hi: int) -> int:
    """Behind white space on this line, emphasis, quotes of a block and colons."""
    m = _LEAD.match(text, at, hi)
    return at if m is None else m.end()


def value_on_line(text: str, at: int, hi: int) -> Span | None:
    """The value behind a label: the rest of its line as written, or the next line where the label stands alone.

    Maths, boxes, environments and fences that open on the line are followed to where they close. None: no value.
    """
    start = _value_start(text, at, hi)
    if start is None:
        return None
    end = _block_end(text, start, hi)
    if end is None:
        return None
    if end < 0:
        stop = text.find("\n", start, hi)
        stop = hi if stop < 0 else stop
        if text[start:stop].rstrip(" \t*_").endswith((":", "：")) and stop < hi:
            # a sentence that leads to the value, which stands below it
            lead_in = _block_at(text, stop, hi)
            return None if lead_in is None else _checked(text, *lead_in)
        reach = _reach(text, start, stop, hi)
        if reach < 0 or reach - start > LONGEST:
            return None
        end = _cut_sentence(text, start, reach)
        if _NOT_GIVEN.match(text, start, end) or (text[end:reach].strip(' .!?*_`"”') and _only_words(text[start:end])):
            return None
        told = _TOLD.match(text, start, end)
        end = end if told is None else told.end(1)
        note = _note(text, start, end) or _search_comma(text, start, end, not_only=True)
        end = note.start() if note is not None and note.start() > start else end
    return _checked(text, start, end)


def value_in_sentence(text: str, at: int, hi: int) -> Span | None:
    """The value behind a concluding phrase: up to the end of its sentence, without what explains it."""
    start = _value_start(text, at, hi)
    if start is None:
        return None
    end = _block_end(text, start, hi)
    if end is None:
        return None
    if end < 0:
        if _NO_VALUE.match(text, start, hi):
            return None
        reach = min(hi, start + LONGEST)
        stop = text.find("\n", start, reach)
        end = _reach(text, start, reach if stop < 0 else stop, hi)
        if end < 0:
            return None
        end = _cut_sentence(text, start, end)
        for note in (_note(text, start, end), _search_comma(text, start, end)):
            end = note.start() if note is not None and start < note.start() < end else end
        maths = math_at(text, start, end)
        if maths is not None and len(_WORD.findall(_MATH_PART.sub(" ", text[maths[2] : end]))) > 3:
            end = maths[2]
        elif maths is None:
            number = _NUMBER.match(text, start, end)
            place = _PLACE.search(text, number.end() - 1, end) if number is not None else None
            end = end if place is None else place.start()
            number = number or _NUMBER_WORD.match(text, start, end)
            if number is not None and len(_WORD.findall(text[number.end() : end])) > 4:
                end = number.end()
            elif number is None and _only_words(text[start:end], 3):
                return None
    return _checked(text, start, end)


def _only_words(text: str, most: int = 1) -> bool:
    """More than `most` words and nothing that is a number or maths."""
    return not any(c.isdigit() or c in "\\$=^" for c in text) and len(_WORD.findall(text)) > most


def _block_at(text: str, at: int, hi: int) -> Span | None:
    """The display, environment or box that opens the next line that holds something."""
    start = skip_lead(text, at, min(hi, at + 200))
    end = _block_end(text, start, hi)
    if end is not None and end > 0:
        return start, end
    if text.startswith(("\\boxed", "$", "\\("), start):
        stop = text.find("\n", start, hi)
        end = _reach(text, start, hi if stop < 0 else stop, hi)
        return None if end < 0 else (start, end)
    return None


def _note(text: str, start: int, end: int) -> re.Match[str] | None:
    """The explanation behind a value, which has a blank, a parenthesis or one of two words in it."""
    if all(text.find(sign, start, end) < 0 for sign in (" ", "(", "\t", "cause", "since")) and text.isascii():
        return None
    return _TAIL_NOTE.search(text, start + 1, end)


def _search_comma(text: str, start: int, end: int, not_only: bool = False) -> re.Match[str] | None:
    if text.find(",", start, end) < 0:
        return None
    aside = _ASIDE.search(text, start + 1, end)
    for m in _COMMA_NOTE.finditer(text, start + 1, end if aside is None else aside.start()):
        if not not_only or m.group().endswith(" not"):
            return m
    return aside


def _value_start(text: str, at: int, hi: int) -> int | None:
    """Behind the cue's emphasis; on the next line that holds something where the rest of this one is empty."""
    start = skip_lead(text, at, min(hi, at + 200))
    if text.startswith("~~", start - 2):  # the first thought, struck through
        struck = text.find("~~", start, min(hi, start + 60))
        start = start if struck < 0 or not text[struck + 2 : struck + 8].strip(" .\n*") else struck + 2
        start = skip_lead(text, start, hi)
    return None if start >= hi else start


def _block_end(text: str, start: int, hi: int) -> int | None:
    """End of the display, environment, box or fence that opens at `start`; -1 where none does; None: never closed."""
    reach = min(hi, start + LONGEST)
    if text.startswith("```", start):
        line = text.find("\n", start, reach)
        closing = text.find("```", line, reach) if line >= 0 else -1
        return None if closing < 0 else closing + 3
    if text.startswith(_OPEN_ONLY, start):
        if text.startswith("\\begin", start):
            end = close_environment(text, start, reach)
        else:
            maths = math_at(text, start, reach)
            end = -1 if maths is None else maths[2]
        if end < 0:
            return None
        rest = text.find("\n", end, hi)
        tail = text[end : hi if rest < 0 else rest].strip(" \t.,;*。")
        return end if not tail or len(tail) > 60 else -1
    return -1


def _reach(text: str, start: int, end: int, hi: int) -> int:
    """`end` moved behind braces and environments that the line opens and does not close; -1: never closed."""
    opening = text.find("\\begin", start, end)
    if opening >= 0:
        closing = close_environment(text, opening, min(hi, start + LONGEST))
        if closing < 0:
            return -1
        end = max(end, closing)
    at = max(text.rfind("oxed{", start, end), text.rfind("fbox{", start, end))
    if at >= 0:
        closing = close_brace(text, at + 4, min(hi, start + LONGEST))
        if closing < 0:
            return -1
        end = max(end, closing + 1)
    return end


_OPERATED = re.compile(r"[ \t]*(?:[=+*/<>≈^)·×−-]|\\(?:cdot|times|div|le|ge|approx)\b)")
"""What follows a factorial, and no exclamation."""


def _cut_sentence(text: str, start: int, end: int) -> int:
    """The end of the first sentence in `start:end`, maths skipped over."""
    at = start
    while at < end:
        m = _SENTENCE_END.search(text, at, end)
        if m is None:
            return end
        opened = text.find("$", at, m.start())
        opened = opened if opened < 0 or text[opened - 1 : opened] != "\\" else -1
        paren = text.find("\\(", at, m.start())
        first = min((o for o in (opened, paren) if o >= 0), default=-1)
        maths = math_at(text, first, end) if first >= 0 else None
        if maths is not None and maths[2] > m.start():
            at = maths[2]
            continue
        if text[m.start()] == "!" and _OPERATED.match(text, m.end(), end):
            at = m.end()
            continue
        if not _abbreviated(text, start, m.start()):
            return m.start() if text[m.start()] != "!" or not text[m.start() - 1].isalnum() else m.end()
        at = m.end()
    return end


def _abbreviated(text: str, start: int, at: int) -> bool:
    head = text[max(start, at - 5) : at].lower()
    return head.split(" ")[-1] in ("mr", "mrs", "ms", "dr", "st", "prof") or head.endswith(
        (" a.m", " p.m", "u.s", "approx", " no", "e.g", "i.e", "a.m", "p.m", "\\right", "\\left", "..")
    )


_BLANK = re.compile(
    r"(?i)[\s$\\({\[<\"'*_`]*(?:none|null|nil|nan|n/?a|unknown|tbd|tba|to be determined"
    r"|not (?:given|provided|available)"
    r"|(?:insert|enter|write|your|put)\b[^\n\])}>]{1,40}(?=[\])}>]))[\s$\\)}\]>\"'*_`.!]*"
)


def is_blank(text: str) -> bool:
    """Whether what stands in the place of an answer only says that none is there: `None`, `N/A`, `[insert number]`."""
    return len(text) < 60 and (_BLANK.fullmatch(text) is not None or not any(c.isalnum() or c in "\\∞∅√" for c in text))


_OBJECT = re.compile(r"\{\s*[\"'][^\"'\n]{0,60}[\"']\s*:")
"""A JSON object, which may hold an answer and is none."""


def is_object(text: str, lo: int, hi: int) -> bool:
    """Whether a JSON object begins at `lo`."""
    return lo < hi and text[lo] == "{" and _OBJECT.match(text, lo, hi) is not None


_SIGNS = re.compile(r"[\s*]*[\u2600-\u27bf\u2b50\ufe0f\U0001f300-\U0001faff\s*]+$")
"""Signs of joy behind a value."""
_ENVIRONMENT_END = re.compile(
    r"\s*\\end\{(?:center|flushleft|flushright|quote|itemize|enumerate|document)\}.*$", re.DOTALL
)


def _checked(text: str, start: int, end: int) -> Span | None:
    closing = text.find("\\end{", start, end)
    if closing >= 0:
        closed = _ENVIRONMENT_END.match(text, closing, end)
        end = end if closed is None else closing
    if not text.isascii():
        signs = _SIGNS.search(text, max(start + 1, end - 24), end)
        end = end if signs is None else signs.start()
    tail = None if text.isascii() else _JOINED_TAIL.search(text, start + 1, end)
    lo, hi = trim_value(text, start, end if tail is None else tail.start())
    if lo >= hi or is_prose(text[lo:hi]) or not any(c.isalnum() or c in "\\∞∅√" for c in text[lo:hi]):
        return None
    if text.count("{", lo, hi) > text.count("}", lo, hi):
        return None  # broken off inside a group
    if is_object(text, lo, hi):
        return None
    return lo, hi


def last_side(text: str, lo: int, hi: int) -> Span:
    """The right-hand side of the last `=` of a chain; a definition such as `x = 5` or `f(x) = …` stays whole."""
    depth, equals = 0, []
    i = lo
    while i < hi:
        c = text[i]
        if c == "\\":
            i += 2
            continue
        if c in "{([":
            depth += 1
        elif c in "})]":
            depth -= 1
        elif c == "=" and depth == 0 and text[i - 1 : i] not in ("<", ">", "!", "≤", "≥"):
            equals.append(i)
        i += 1
    if not equals:
        return lo, hi
    if len(equals) == 1 and re.fullmatch(
        r"\s*(?!\\(?:sum|int|max|min|gcd|lcm)\b)\\?[A-Za-z]\w{0,3}(?:_\{?\w{1,4}\}?)?(?:\([a-z](?:,\s*[a-z])*\))?\s*",
        text[lo : equals[0]],
    ):
        return lo, hi
    start = skip_space(text, equals[-1] + 1, hi)
    if len(equals) == 1 and text[start:hi].strip() == "0" and re.search(r"[A-Za-z]", text[lo : equals[0]]):
        return lo, hi  # an equation in implicit form
    return (start, hi) if start < hi else (lo, hi)
