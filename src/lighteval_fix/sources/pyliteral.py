"""Python literals that old LightEval wrote with `str()`: lists, tuples, objects, strings, numbers.

Nothing is evaluated. One pass, linear in the length; depth is bounded.
"""

from __future__ import annotations

import re
from typing import Any

_DEPTH = 50
_STRING = re.compile(r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\"", re.DOTALL)
_WORD = re.compile(r"[^\s,:()\[\]{}'\"]+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_WORDS: dict[str, Any] = {
    "None": None,
    "True": True,
    "False": False,
    "nan": float("nan"),
    "inf": float("inf"),
    "-inf": float("-inf"),
}
_CLOSING = {"[": "]", "(": ")", "{": "}"}


def parse(source: str) -> Any:
    """The value.

    Raises:
        ValueError: no literal, or nested too deeply.
    """
    value, at = _value(source, 0, 0)
    if source[at:].strip():
        raise ValueError(f"more text after the literal, at {at}")
    return value


def _value(source: str, at: int, depth: int) -> tuple[Any, int]:
    at = _blank(source, at)
    first = source[at : at + 1]
    if depth > _DEPTH:
        raise ValueError("nested too deeply")
    if first in ("'", '"'):
        match = _STRING.match(source, at)
        if match is None:
            raise ValueError(f"string without an end, at {at}")
        return _ESCAPE.sub(_unescaped, match[0][1:-1]), match.end()
    if first in _CLOSING and first:
        return _collection(source, at, depth)
    match = _WORD.match(source, at)
    if match is None:
        raise ValueError(f"no literal at {at}")
    word = match[0]
    if word in _WORDS:
        return _WORDS[word], match.end()
    if source[match.end() : match.end() + 1] == "(":  # `array([1, 2])`, `np.float64(0.5)`: its first argument
        inner, at = _collection(source, match.end(), depth)
        return (inner[0] if inner else None), at
    return _number(word), match.end()


def _number(word: str) -> int | float:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    raise ValueError(f"no literal: {word[:40]!r}")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else match[0]
    return _PLAIN.get(match[4], match[0])


def _collection(source: str, at: int, depth: int) -> tuple[Any, int]:
    opening = source[at]
    members: list[Any] = []
    keyed: dict[Any, Any] = {}
    at = _blank(source, at + 1)
    while source[at : at + 1] != _CLOSING[opening]:
        member, at = _value(source, at, depth + 1)
        at = _blank(source, at)
        if opening == "{" and source[at : at + 1] == ":":
            keyed[str(member)], at = _value(source, at + 1, depth + 1)
            at = _blank(source, at)
        else:
            members.append(member)
        if source[at : at + 1] == ",":
            at = _blank(source, at + 1)
        elif source[at : at + 1] != _CLOSING[opening]:
            raise ValueError(f"no comma at {at}")
    return (keyed if opening == "{" and not members else members), at + 1


def _blank(source: str, at: int) -> int:
    while at < len(source) and source[at] in " \t\r\n":
        at += 1
    return at
