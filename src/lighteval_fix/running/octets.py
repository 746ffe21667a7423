"""Text as the bytes that a program is given, and those bytes as text again.

Test inputs come from JSON, which may hold half of a surrogate pair; such text has no UTF-8, and StringIO, which
LightEval puts in the place of standard input, does not mind.
"""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def octets(text: str) -> bytes:
    """UTF-8. Never raises.

    Surrogates that stand for undecodable bytes (surrogateescape) become these bytes, if the text comes back from them;
    all others, three bytes each (surrogatepass).
    """
    if not _has_surrogate(text):
        return text.encode("utf-8")
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return data if data.decode("utf-8", "surrogateescape") == text else text.encode("utf-8", "surrogatepass")


def as_seen(text: str) -> str:
    """The text as it looks once it has been bytes: what a program's output is compared with."""
    return text if not _has_surrogate(text) else octets(text).decode("utf-8", "surrogateescape")


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and _SURROGATE.search(text) is not None
