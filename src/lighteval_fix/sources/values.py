"""Lenient conversions of what runs hold: numbers and booleans as strings, lists as JSON, scalars for lists.

Nothing here guesses: what does not fit gives None.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

Record = Mapping[str, Any]
"""One row as its file holds it."""

_TRUE = frozenset(("true", "yes"))
_FALSE = frozenset(("false", "no"))


def loads(text: str | bytes) -> Any:
    """JSON with `NaN` and `Infinity`; an integer too long for Python's guard stays text.

    Raises:
        ValueError: no JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return json.loads(text, parse_int=_long_int)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _long_int(digits: str) -> int | str:
    return int(digits) if len(digits) < 4000 else digits


_MOST = 1e100
"""No score is larger, and squares of what is larger overflow."""


def number(value: object) -> float | None:
    """A score: a number, a boolean, or either as text; NaN, infinities and what is beyond 1e100 are no scores."""
    if type(value) is float:
        return value if -_MOST <= value <= _MOST else None
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _TRUE:
            return 1.0
        if word in _FALSE:
            return 0.0
        try:
            value = float(word)
        except ValueError:
            return None
    if isinstance(value, (float, int)):
        try:
            result = float(value)
        except OverflowError:
            return None
        return result if -_MOST <= result <= _MOST else None
    return None


def integer(value: object) -> int | None:
    """A whole number, also as a float or as text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    result = None if isinstance(value, bool) else number(value)
    return int(result) if result is not None and result == int(result) else None


def text(value: object) -> str | None:
    """A scalar as text: a gold of 70, 70.0 or true is written as a person would write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _digits(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)
    return None


def _digits(value: int) -> str | None:
    try:
        return str(value)
    except ValueError:  # beyond Python's guard on the length of integers
        return None


def listed(value: object) -> list[Any]:
    """A list as itself, None as nothing, a scalar as its only member."""
    if type(value) is list:  # the usual case by far, and an ABC's check is slow
        return value
    if value is None:
        return []
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return list(value)
    return [value]


def decoded(value: object) -> Any:
    """JSON text that holds a list, an object or a string becomes that; everything else stays."""
    if isinstance(value, str) and value[:1] in '[{"':
        try:
            return loads(value)
        except ValueError:
            return value
    return value


def is_object(value: object) -> TypeGuard[Record]:
    """Whether it is an object, as JSON calls it."""
    return type(value) is dict or isinstance(value, Mapping)  # the first is the usual case; an ABC's check is slow


def mapping(value: object) -> Record:
    """An object as itself (also where it is written as JSON text), everything else as an empty one."""
    if not is_object(value):
        value = decoded(value)
    return value if is_object(value) else {}


def first_text(record: Record, *names: str) -> str | None:
    """The first of these fields that holds a scalar, as text."""
    for name in names:
        found = text(record.get(name))
        if found is not None:
            return found
    return None


def message_text(content: object) -> str:
    """The text of a chat message: a string, or a list of parts of which those with text count."""
    if isinstance(content, str):
        return content
    return "\n".join(
        part if isinstance(part, str) else str(part.get("text") or "")
        for part in listed(content)
        if isinstance(part, str) or (isinstance(part, Mapping) and part.get("type", "text") == "text")
    )


def chat_text(messages: object) -> str:
    """A prompt as one text: a string, or chat messages one after the other with a blank line between."""
    if isinstance(messages, str):
        inner = decoded(messages)
        is_chat = isinstance(inner, list) and all(isinstance(part, Mapping) and "content" in part for part in inner)
        return chat_text(inner) if is_chat and inner else messages
    pieces = [
        message_text(message.get("content")) if isinstance(message, Mapping) else chat_text(message)
        for message in listed(messages)
        if isinstance(message, Mapping | str)
    ]
    return "\n\n".join(piece for piece in pieces if piece)


def last_user_text(messages: object) -> str | None:
    """The last user message of a chat, None where there is no chat."""
    for message in reversed(listed(decoded(messages))):
        if isinstance(message, str):
            message = last_user_text(message) if message.startswith("[") else None
            if message is not None:
                return message
        if isinstance(message, Mapping) and message.get("role") == "user":
            return message_text(message.get("content"))
    return None
