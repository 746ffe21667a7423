"""A bounded parser of the language in which answers are written."""

from lighteval_fix.deciding.parsing.answer import parse_answer
from lighteval_fix.deciding.parsing.presentation import presentation

parse = parse_answer

__all__ = ["parse", "parse_answer", "presentation"]
