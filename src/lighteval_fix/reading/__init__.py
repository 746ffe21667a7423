"""Floor 2, reading: which string is the answer, and where it stands. No room here compares or guesses."""

from .choice import read_letter
from .code import read_code, read_code_as_lighteval
from .gold import read_gold
from .math import read_answer

__all__ = ["read_answer", "read_code", "read_code_as_lighteval", "read_gold", "read_letter"]
