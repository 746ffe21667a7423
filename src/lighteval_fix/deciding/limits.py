"""Bounds on what one answer may cost. Each is checked before the work it bounds is begun.

They count work (characters, tokens, digits, nesting), never seconds, so a verdict does not depend on the machine.
"""

from __future__ import annotations

from typing import Final

MAX_LENGTH: Final = 10_000
"""Characters of one answer. The longest honest answers known are a few hundred; a longer text is a whole
solution or a loop, and reading it could only yield a fragment."""

MAX_TOKENS: Final = 3_000
"""Tokens of one answer: bounds the parse even where every character is a token of its own."""

MAX_WRITTEN_OUT: Final = 4_000
"""Nodes of an expression that a notation stands for without being written itself (a determinant, a product of
matrices, a range of members of a sequence, a value between two ends)."""

MAX_DEPTH: Final = 40
"""Nested brackets, scripts and prefix functions. Each level costs about six Python frames of a stack of a thousand,
part of which the caller may already have used."""

MAX_DIGITS: Final = 2_000
"""Digits of one literal. Below the interpreter's own conversion limit (4,300), above every honest number."""

MAX_DECIMAL_EXPONENT: Final = 2_000
"""Size of the exponent of scientific notation, since `1e9999999` would build a number of that many digits."""

MAX_BASE: Final = 62
"""Largest base whose digits can be written with 0-9, A-Z, a-z."""

PARSE_CACHE: Final = 4_096
"""Parsed texts that are remembered: one gold is compared with many answers."""
