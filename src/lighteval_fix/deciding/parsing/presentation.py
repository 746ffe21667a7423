"""What is only presentation: the marks around an answer, and spacing within it. Never a bracket, comma or operator."""

from __future__ import annotations

import re
from typing import Final

from lighteval_fix.deciding.parsing.tables import TEXT_COMMANDS
from lighteval_fix.text.scan import close_brace

_OUTER: Final = re.compile(
    r"\\(?:boxed|fbox|framebox|underline|displaystyle|textstyle|ensuremath|" + TEXT_COMMANDS + r")(?![a-zA-Z])\s*"
)
_EDGE: Final = re.compile(
    r"(?:\s|~|\\[ ,;:!]|\\q?quad(?![a-zA-Z])|\\displaystyle(?![a-zA-Z])|\\textstyle(?![a-zA-Z]))+"
)
_EDGE_END: Final = re.compile(r"\\(?:[,;:!]|q?quad)$")


def unwrap(text: str) -> str:
    """`text` without the wrappers around all of it: `$…$`, `\\(…\\)`, `\\boxed{…}`, `**…**`, one full stop."""
    stops = 1
    for _ in range(12):
        before = text
        text = text.strip()
        if not text:
            return text
        edge = _EDGE.match(text)
        if edge is not None:
            text = text[edge.end() :]
        if text[-1:].isalpha() or text[-1:] in ",;:! ":
            ending = _EDGE_END.search(text[-6:])
            if ending is not None:
                text = text[: len(text) - (len(text[-6:]) - ending.start())]
        if text[-1:] == "." and stops and text[-2:-1] != "." and not text.endswith("\\right."):
            text = text[:-1].rstrip()
            stops = 0
        first = text[:1]
        if first == "$" or text[-1:] == "$":
            text = _dollars(text)
        elif first == "\\":
            text = _command(text)
        elif first == "*" or text[-1:] == "*":
            if text.startswith("**"):
                text = text[2:]
            if text.endswith("**"):
                text = text[:-2]
            elif text[:1] == "*" == text[-1:] and len(text) > 2:
                text = text[1:-1]
        elif first == '"' == text[-1:] and text.count('"') == 2 and not text[1:-1].isalpha():
            text = text[1:-1]
        elif first == "`" == text[-1:]:
            text = text.strip("`")
        if text == before:
            break
    return text


def _dollars(text: str) -> str:
    if text.startswith("$$") and text.endswith("$$") and len(text) > 4 and "$" not in text[2:-2]:
        return text[2:-2]
    if text.startswith("$") and text.endswith("$") and len(text) > 2 and text[-2] != "\\":
        inner = text[1:-1]
        if inner.count("$") == inner.count("\\$"):
            return inner
    return text


def _command(text: str) -> str:
    two = text[:2]
    if two == "\\(" and text.endswith("\\)") and text.count("\\(") == 1:
        return text[2:-2]
    if two == "\\[" and text.endswith("\\]") and text.count("\\[") == 1:
        return text[2:-2]
    match = _OUTER.match(text)
    if match is None:
        return text
    end = match.end()
    if text[end : end + 1] == "{" and close_brace(text, end, len(text)) == len(text) - 1:
        return text[end + 1 : -1]
    return text


# What is left of a command whose backslash and first letter were read as one control character on the way here.
_CONTROL: Final = re.compile(
    r"\x0c(?=rac|lat|box)|\x08(?=eta|ar|inom|oxed|mod|egin|ig|ullet|ot)|\x07(?=lpha|pprox|rc|st|ngle)"
    r"|\t(?=frac|ext\{|imes|heta|an[ ({\\]|au|o[ \d]|binom|ilde)"
    r"|\r(?=ight|ho|angle)|\x0b(?=ec|ar|ee|ert)|\n(?=eq|e[ \d]|u[ \d])"
)
_LETTERS: Final = {"\x0c": "\\f", "\x08": "\\b", "\x07": "\\a", "\t": "\\t", "\r": "\\r", "\x0b": "\\v", "\n": "\\n"}
_DOUBLED: Final = re.compile(r"\\\\(?=[a-zA-Z]{2})")


_INFIX: Final = re.compile(r"\\(?:over|choose)(?![a-zA-Z])")
_COLON: Final = re.compile(r"(?<![a-z])\{:\}")
_ONE_UNIT: Final = r"(\\(?:text|mathrm)\s*\{[^{}\\$]{1,20}\}(?:\^(?:\d|\{\d\}))?)"
_UNIT_QUOTIENT: Final = re.compile(r"\\[dt]?frac\s*\{\s*" + _ONE_UNIT + r"\s*\}\s*\{\s*" + _ONE_UNIT + r"\s*\}")


def repaired(text: str) -> str:
    """`text` with escapes undone that a string literal or JSON left behind: a form feed before `rac` was `\\f`."""
    if "{:}" in text:
        text = _COLON.sub(":", text)
    if "frac" in text and ("frac{\\t" in text or "frac{\\m" in text):
        text = _UNIT_QUOTIENT.sub(r"\1/\2", text)
    if "\\" in text and "\\\\" in text and "\\begin" not in text:
        text = _DOUBLED.sub(r"\\", text)
    if ("\\over" in text or "\\choose" in text) and "{" not in text and _INFIX.search(text) is not None:
        text = "{" + text.strip("$") + "}"
    if not text.isprintable():
        text = _CONTROL.sub(lambda found: _LETTERS[found.group()], text)
    return text


_SIZES: Final = re.compile(
    r"\\(?:left|right|[bB]igg?[lrm]?|middle)(?![a-zA-Z])\.?|\\displaystyle(?![a-zA-Z])|\\limits(?![a-zA-Z])"
)
_SPACE: Final = re.compile(r"(?:\s|~|\\[ ,;:!]|\\q?quad(?![a-zA-Z])|\$|\\[()])+")
_FRACTION: Final = re.compile(r"\\[dtc]frac(?![a-zA-Z])")
_TIGHT: Final = re.compile(r"(?<![0-9A-Za-z]) | (?![0-9A-Za-z])")


def presentation(text: str) -> str:
    """`text` with presentation removed, within as well as around: equal results are the same answer as written."""
    if text.isascii() and text.isalnum():
        return text
    text = unwrap(text)
    if "\\" in text:
        text = _FRACTION.sub(r"\\frac", _SIZES.sub("", text))
        text = text.replace("\\leqslant", "\\leq").replace("\\geqslant", "\\geq")
    text = _SPACE.sub(" ", text.replace("\\$", "\0")).strip()
    return _TIGHT.sub("", text).replace("\0", "\\$")
