"""A bounded parser of the language in which answers are written."""

from lighteval_fix.deciding.parsing.answer import parse_answer
from lighteval_fix.deciding.parsing.kinds import kind_of
from lighteval_fix.deciding.parsing.presentation import presentation
from lighteval_fix.deciding.parsing.show import show, show_node

parse = parse_answer

__all__ = ["kind_of", "parse", "parse_answer", "presentation", "show", "show_node"]
