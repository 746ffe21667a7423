r"""Text to tokens, in one pass of one compiled pattern, with the limits of length and nesting checked on the way.

Presentation (`$`, `\left`, spacing and sizing commands) leaves no token. Brackets, commas and operators always do.

Thousands: groups of three digits after one to three digits, none of them a leading zero, make one number when they are
joined by `{,}`, `,\!`, `\,` or one space. Joined by a bare comma they do so only outside brackets, or where a group
starts with a zero (nobody lists 024): `1,024` is a number, `(1,234)` a pair, `1, 234` a list.
"""

from __future__ import annotations

import re
from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.tables import (
    AND_WORDS,
    COMMANDS,
    FUNCTIONS,
    GREEK,
    PLAIN_FUNCTIONS,
    SKIPPED,
    TEXT_COMMANDS,
    WHERE_WORDS,
)
from lighteval_fix.deciding.parsing.tokens import Reject, Tokens

_TOKEN: Final = re.compile(
    r"""
    (?P<ws>\s+|~)
    |(?P<easy>[{}()\[\],;]|\+(?![-/])|-(?![/>]))
    |(?P<int>\d++(?![.,_{\\\sa-fA-Z~]))
    |(?P<hot>\\(?:frac|sqrt|dfrac|pi|infty|cdot|cup|times|sin|cos|theta|pm|le|leq|ge|geq|tfrac)(?![a-zA-Z]))
    |(?P<cycle>\d{0,15}\.(?P<fixed>\d{0,15}?)(?:(?P<digit>[1-9])(?P=digit){2,99}|(?P<digits>\d{2,6}?)(?P=digits){2,30})\s?(?:\.{3,}|\\l?dots(?![a-zA-Z])))
    |(?P<rep>\d*+\.\d*+(?:\(\d+\)(?![\d(])|\\(?:overline|bar)\s*(?:\{\s*\d+\s*\}|\d)|(?:\\dot\s*(?:\{\d\}|\d)\d*+)+))
    |(?P<based>\d[0-9a-f]{0,20}[a-f]\d[0-9a-f]{0,20}(?=_\{?1\d)_(?:\{\s*1\d\s*\}|1\d)|(?<![_^])\d[0-9A-Z]{0,40}(?:\.[0-9A-Z]{1,40})?\s?_\s?(?:\{\s*(?:\d+|\\(?:text|mathrm|textrm|mbox)\{\s*[A-Za-z]+\s*\}|[a-z]{3,})\s*\}|\d+|\\(?:text|mathrm|textrm|mbox)\{\s*[A-Za-z]+\s*\}))
    |(?P<hex>(?:[A-F]{1,20}\d[0-9A-F]{0,40}|\\(?:text|mathrm|texttt|mathtt)\s*\{\s*[0-9A-F]{1,40}\s*\})\s?_\s?(?:1[1-6](?!\d)|\{\s*1[1-6]\s*\})|[A-F]{2,40}\s?_\s?\{\s*16\s*\})
    |(?P<thou>[1-9]\d{0,2}(?:(?:\\!,\\!\s?|,(?:\s?\\!\s*)?|\{,\}(?:\\!)?\s?|\\[,;:]\s?|[ ])\d{3})+(?!\d)(?:\.\d+)?)
    |(?P<decomma>\d+\{,\}\d+)
    |(?P<sci>(?:\d++(?:\.\d*+)?|\.\d++)[eE](?:[+-]?\d+|\{[+-]?\d+\})(?![\w^({\\]))
    |(?P<num>\d+(?:\.\d+)?|\.\d+)
    |(?P<word>[^\W\d_]+)
    |(?P<temperature>\\(?:text|mathrm)\s*\{\s*\^\\circ\s*(?P<scale2>[CF])\s*\}|\^\s*(?:\{\s*\\circ\s*\}|\\circ)\s*(?P<scale>\\(?:text|mathrm|textrm)\s*\{\s*[CF]\s*\}|[CF])(?![a-zA-Z]))
    |(?P<textsign>\\(?:TEXT)\s*\{\s*\\(?P<sign>[$%])\s*\})
    |(?P<text>\\(?:TEXT)\s*\{(?P<inner>[^{}\\$]*(?:(?:\^\{[^{}\\$]{0,9}\}|\\[,;:!\ ]|\\cdot(?![a-zA-Z]))[^{}\\$]*)*)\})
    |(?P<textone>\\(?:mathbf|mathrm|mathit|mathsf|mathcal|bm|boldsymbol)\s+(?P<lone>[a-zA-Z0-9])(?![a-zA-Z0-9]))
    |(?P<textopen>\\(?:TEXT)(?![a-zA-Z])\s*(?=\{))
    |(?P<blackboard>\\(?:mathbb|mathds|Bbb)\s*(?:\{\s*(?P<bb>[A-Z])\s*\}|\s(?P<bb2>[A-Z])|(?P<bb3>[A-Z])(?![a-zA-Z])))
    |(?P<newline>\\\\(?:\[[^\]]{0,12}\])?)
    |(?P<sized>\\(?P<side>left|right|middle|[bB]igg?[lrm]?)\s*(?P<delim>\\?[|.]|\\[lr]?[vV]ert(?![a-zA-Z])|[<>/])?(?![a-zA-Z]))
    |(?P<hspace>\\(?:hspace|vspace|hskip|kern|mkern|phantom|hphantom|vphantom|color|label|tag|qedhere)\*?\s*\{[^{}]*\})
    |(?P<math>\\[()\[\]])
    |(?P<command>\\[a-zA-Z]+)
    |(?P<escape>\\.)
    |(?P<two><=|>=|=<|=>|!=|<>|\+/-|\+-|-/\+|\*\*|==|:=|->|\|\||/=|\.\.\.+|&&)
    |(?P<one>[-+*/^_=<>|:!'%&."?`@\#$])
    |(?P<bad>.)
    """.replace("TEXT", TEXT_COMMANDS),
    re.VERBOSE | re.DOTALL,
)

_AFTER_WORD: Final = frozenset(" \t\n~\\$,:")
_ENDS_SET: Final = frozenset((")", "]", "rset", "}"))
_UNION: Final = re.compile(r"U\s*(?:\\left\s*)?(?:\\?\{|[(\[])")
_TWO: Final[dict[str, tuple[str, str]]] = {
    "<=": ("rel", "<="), ">=": ("rel", ">="), "=<": ("rel", "<="), "=>": ("arrow", "implies"), "!=": ("rel", "!="),
    "<>": ("rel", "!="), "+/-": ("pm", ""), "-/+": ("mp", ""), "**": ("^", ""), "==": ("rel", "="),
    ":=": ("rel", "="), "->": ("arrow", "to"), "||": ("||", ""), "/=": ("rel", "!="), "&&": ("and", ""),
}  # fmt: skip
_ONE: Final[dict[str, str]] = {"=": "rel", "<": "rel", ">": "rel", "'": "prime"}
_MARKS: Final = re.compile(r"\\!,\\!\s?|,(?:\s?\\!\s*)?|\{,\}(?:\\!)?\s?|\\[,;:]\s?| ")
_OPEN: Final = frozenset(("(", "[", "{", "lset", "langle", "lfloor", "lceil"))
_CLOSE: Final = frozenset((")", "]", "}", "rset", "rangle", "rfloor", "rceil"))
_ORDINAL: Final = frozenset(("st", "nd", "rd", "th"))


def lex(text: str, comma_lists: bool = False) -> Tokens:
    """Raises `Reject` where the text leaves the language or exceeds a limit. With `comma_lists` no bare comma is a
    thousands mark."""
    if len(text) > limits.MAX_LENGTH:
        raise Reject(limits.MAX_LENGTH, "longer than an answer may be", True)
    tokens = Tokens()
    kinds, texts, starts, gaps = tokens.kinds, tokens.texts, tokens.starts, tokens.gaps
    gap = 0
    braces = depth = dollars = parens = 0
    integral = "\\int" in text
    has_dollar = "$" in text and _dollars_pair(text)
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "bad"
        start = match.start()
        piece = match.group()
        if kind == "easy":
            kind = piece
            if kind in _OPEN:
                depth += 1
                if kind == "{":
                    braces += 1
                if depth > limits.MAX_DEPTH:
                    raise Reject(start, "nested too deeply", True)
            elif kind in _CLOSE:
                depth -= 1
                if kind == "}":
                    braces -= 1
                    if braces < 0:
                        raise Reject(start, "a closing brace without its opening one")
        elif kind == "hot":
            kind, piece = COMMANDS[piece[1:]]
        elif kind == "one":
            if piece == "$" and has_dollar:
                dollars += 1
                gap = gap or 1
                continue
            kind = _ONE.get(piece, piece)
            if kind == "$":
                kind = "cur"
            if len(kinds) > limits.MAX_TOKENS:
                break
        elif kind == "ws":
            gap = gap or 1
            continue
        elif kind == "num" or kind == "int":
            kind = "num"
            if len(piece) == 3 and piece[0] == "0" and piece.isdigit() and gap and kinds[-2:] == ["num", ","]:
                raise Reject(start, "ambiguous: a thousands mark or a list")
            if len(piece) > limits.MAX_DIGITS:
                raise Reject(start, "more digits than a number may have", True)
        elif kind == "word":
            if len(kinds) > limits.MAX_TOKENS:
                break
            if len(piece) == 1:
                kind = "const" if piece in "ei" else "let"
                if not piece.isalpha():
                    raise Reject(start, f"a character outside the language: {piece!r}")
                if piece == "U" and kinds and kinds[-1] in _ENDS_SET and _UNION.match(text, start):
                    kind = "cup"
                if piece == "x" and _is_times(text, start, kinds):
                    kind = "*"
            elif not piece.isascii() and not piece.isalpha():
                raise Reject(start, f"a character outside the language: {piece[:40]!r}")
            else:
                kind, piece = _word(piece, integral, tokens, start, gap)
                if kind == "where" and not (gap and text[match.end() : match.end() + 1] in _AFTER_WORD):
                    kind = "word"
        elif kind == "command":
            name = piece[1:]
            if name in SKIPPED:
                gap = 2 if name in ("quad", "qquad") else gap or 1
                continue
            found = COMMANDS.get(name)
            if found is None:
                if name == "boxed" or name == "fbox":
                    continue
                if piece[1:-1] not in GREEK:
                    raise Reject(start, f"unknown command {piece[:40]}")
                # a Greek letter that lost the space before the letter after it: no such command exists
                _emit(tokens, "let", piece[1:-1], start, gap)
                found, start, gap = ("let", piece[-1]), match.end() - 1, 0
            kind, piece = found
            if kind in _OPEN:
                depth += 1
            elif kind in _CLOSE:
                depth -= 1
            elif kind == "skip":
                continue
        elif kind == "blackboard":
            kind, piece = "named", match.group("bb") or match.group("bb2") or match.group("bb3")
        elif kind == "text":
            kind, piece = _text(match.group("inner") or "", text[start : start + 12])
            if not kind:
                gap = gap or 1
                continue
        elif kind == "textone":
            kind, piece = _text(match.group("lone"), piece)
        elif kind == "textsign":
            kind, piece = ("%", "%") if match.group("sign") == "%" else ("cur", "$")
        elif kind == "hspace":
            gap = gap or 1
            continue
        elif kind == "two":
            if piece == "+-":
                raise Reject(start, "ambiguous: plus-minus or a sum with a negative number")
            kind, piece = _TWO.get(piece, ("dots", ""))
        elif kind == "sized":
            delim = match.group("delim")
            if delim is None or delim == ".":
                continue
            if "|" in delim or "ert" in delim:
                side = match.group("side")
                double = delim[:2] == "\\|" or "Vert" in delim
                if side[-1] == "m" or side == "middle":
                    kind = "mid"
                elif side == "right" or side[-1] == "r":
                    kind = "rnorm" if double else "rabs"
                elif side == "left" or side[-1] == "l":
                    kind = "lnorm" if double else "labs"
                else:
                    kind = "norm" if double else "|"
            elif delim == "<":
                kind = "langle"
            elif delim == ">":
                kind = "rangle"
            else:
                kind = delim
        elif kind == "escape":
            name = piece[1]
            if name in SKIPPED:
                gap = gap or 1
                continue
            found = COMMANDS.get(name)
            if found is None:
                raise Reject(start, f"unknown command {piece}")
            kind, piece = found
            if kind in _OPEN:
                depth += 1
            elif kind in _CLOSE:
                depth -= 1
        elif kind == "math":
            parens += 1 if piece in "\\(\\[" else -1
            gap = gap or 1
            continue
        elif kind == "thou":
            if _thousands(match, piece, depth - braces, tokens, gap, comma_lists):
                gap = 0
                continue
            kind, piece = "num", _MARKS.sub("", piece)
        elif kind == "sci":
            size = piece.lower().rpartition("e")[2].strip("{}+-")
            if len(piece) > limits.MAX_DIGITS or len(size) > 9 or int(size) > limits.MAX_DECIMAL_EXPONENT:
                raise Reject(start, "an exponent larger than a number may have", True)
        elif kind == "temperature":
            kind, piece = "text", "°" + (match.group("scale") or match.group("scale2")).strip("} ")[-1]
        elif kind == "cycle":
            whole, part = piece.partition(".")[0], match["fixed"]
            kind, piece = "rep", f"{whole}.{part}({match['digit'] or match['digits']})"
        elif kind == "hex":
            kind, piece = "based", re.sub(r"\\[a-z]+|[\s{}]", "", piece)
        elif kind == "decomma":
            kind, piece = "num", piece.replace("{,}", ".")
        elif kind == "bad":
            raise Reject(start, f"a character outside the language: {piece!r}")
        kinds.append(kind)
        texts.append(piece)
        starts.append(start)
        gaps.append(gap)
        gap = 0
    if len(kinds) > limits.MAX_TOKENS:
        raise Reject(starts[limits.MAX_TOKENS], "more tokens than an answer may have", True)
    if braces:
        raise Reject(len(text), "an opening brace without its closing one")
    if parens or dollars % 2:
        raise Reject(len(text), "unbalanced mathematics delimiters")
    if "begin" in kinds and not any(name in text for name in _TABLES):
        _drop_alignment(tokens)
    kinds.append("end")
    texts.append("")
    starts.append(len(text))
    gaps.append(gap)
    return tokens


_TABLES: Final = ("matrix", "cases", "array")


def _drop_alignment(tokens: Tokens) -> None:
    """In a display of lines `&` is spacing."""
    keep = [index for index, kind in enumerate(tokens.kinds) if kind != "&"]
    tokens.kinds[:] = [tokens.kinds[index] for index in keep]
    tokens.texts[:] = [tokens.texts[index] for index in keep]
    tokens.starts[:] = [tokens.starts[index] for index in keep]
    tokens.gaps[:] = [tokens.gaps[index] for index in keep]


def _dollars_pair(text: str) -> bool:
    """Unescaped dollar signs that come in pairs are delimiters of mathematics; a lone one is the currency."""
    return (text.count("$") - text.count("\\$")) % 2 == 0


def _is_times(text: str, start: int, kinds: list[str]) -> bool:
    """The letter x written for a multiplication sign: `4.5 x 10^6`, `4.5x10^6`."""
    return kinds[-1:] == ["num"] and kinds[-2:-1] not in (["^"], ["_"]) and _TIMES.match(text, start) is not None


_TIMES: Final = re.compile(r"x\s*10\s*(?:\^|\*\*)")


def _word(piece: str, integral: bool, tokens: Tokens, start: int, gap: int) -> tuple[str, str]:
    """The kind of a run of two or more letters."""
    if piece in PLAIN_FUNCTIONS:
        return "func", FUNCTIONS[piece]
    lower = piece.lower()
    if lower == "sqrt":
        return "sqrt", "2"
    if lower == "cbrt":
        return "sqrt", "3"
    if lower == "pi" and piece != "PI":
        return "const", "pi"
    if lower in ("infinity", "inf", "infty", "oo"):
        return "const", "oo"
    if lower in AND_WORDS:
        return "and", lower
    if lower == "or":
        return "or", lower
    if lower in WHERE_WORDS:
        return "where", lower
    if lower == "mod":
        return "bmod", ""
    if lower == "union" or (lower == "cup" and tokens.kinds and tokens.kinds[-1] in _ENDS_SET):
        return "cup", ""
    if lower in ("theta", "alpha", "beta", "gamma", "lambda", "omega", "phi", "sigma", "delta"):
        return "let", lower
    if lower in _ORDINAL and tokens.kinds and tokens.kinds[-1] == "num" and not gap:
        return "ordinal", lower
    if integral and len(piece) <= 4 and piece[-2] == "d":
        for offset, letter in enumerate(piece[:-2]):
            tokens.kinds.append("const" if letter in "ei" else "let")
            tokens.texts.append(letter)
            tokens.starts.append(start + offset)
            tokens.gaps.append(gap)
        return "diff", piece[-1]
    return "word", piece


_INNER_SPACE: Final = re.compile(r"\\[,;:! ]")
_BOLD: Final = ("\\mathbf", "\\bm", "\\bold", "\\pmb")


def _text(inner: str, command: str) -> tuple[str, str]:
    r"""The kind of `\text{inner}`; an empty kind where it is only space."""
    if "\\" in inner:
        inner = _INNER_SPACE.sub(" ", inner.replace("\\cdot", "·"))
    word = inner.strip().strip("~").strip()
    if not word:
        return "", ""
    if word == "e" or (word == "i" and not command.startswith(_BOLD)):
        return "const", word
    lower = word.lower()
    bare = lower.strip(" ,;.")
    if bare in AND_WORDS:
        return "and", bare
    if bare in ("or", "and/or"):
        return "or", "or"
    if word in FUNCTIONS and (len(word) > 2 or word in PLAIN_FUNCTIONS or word in ("Re", "Im") or command[1:3] == "op"):
        return "func", FUNCTIONS[word]
    first = bare.split(None, 1)[0] if bare else ""
    if first in WHERE_WORDS:
        return "where", word
    if word in (",", ";", ":"):
        return word, word
    if word == ".":
        return ".", word
    if word.isdigit():
        return "num", word
    if len(word) == 1 and word.isalpha() and command.startswith((*_BOLD, "\\mathit", "\\mathcal", "\\mathnormal")):
        return "let", word
    if lower == "union":
        return "cup", ""
    return "text", word


def _thousands(match: re.Match[str], piece: str, depth: int, tokens: Tokens, gap: int, lists: bool) -> bool:
    """Emit the tokens of a list of numbers that only looks like one with thousands marks; say whether it was one."""
    marks = _MARKS.findall(piece)
    start = match.start()
    if len({mark.replace("\\!", "").strip() for mark in marks}) > 1:
        raise Reject(start, "ambiguous: mixed thousands marks")
    text = match.string
    if all(mark == "," for mark in marks):
        groups = piece.split(",")
        follows = text[match.end() : match.end() + 2]
        before = text[max(0, start - 2) : start]
        chained = (follows[:1] == "," and follows[1:].isdigit()) or (before[1:] == "," and before[:1].isdigit())
        if not lists and not chained and (depth <= 0 or any(group[0] == "0" for group in groups[1:])):
            tokens.comma_groups |= tokens.kinds[-1:] != ["cur"] and all(group[0] != "0" for group in groups[1:])
            return False
        at = start
        for index, group in enumerate(groups):
            if index:
                _emit(tokens, ",", ",", at - 1, 0)
            _emit(tokens, "num", group, at, gap if index == 0 else 0)
            at += len(group) + 1
        return True
    if marks[0] == " ":
        after = text[match.end() : match.end() + 6].lstrip()
        if after[:1] == "/" or after[:5] == "\\frac":
            groups = piece.split(" ")
            _emit(tokens, "num", "".join(groups[:-1]), start, gap)
            _emit(tokens, "num", groups[-1], match.end() - len(groups[-1]), 1)
            return True
    return False


def _emit(tokens: Tokens, kind: str, text: str, start: int, gap: int) -> None:
    tokens.kinds.append(kind)
    tokens.texts.append(text)
    tokens.starts.append(start)
    tokens.gaps.append(gap)
