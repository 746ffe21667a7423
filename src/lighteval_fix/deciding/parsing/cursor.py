"""The state of one parse, and what the layers of the grammar ask of one another.

The grammar is one recursive descent, cut into layers by subject: names and functions, expressions, structures,
environments, quantities, relations, answers. Each layer adds its part and calls the others through these names.
"""

from __future__ import annotations

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.nodes import NODES, Part, has_degrees, radians, without_degrees
from lighteval_fix.deciding.parsing.tokens import Reject, Tokens
from lighteval_fix.deciding.value import Node, Scalar, Value


class Cursor:
    """`bar` and `colon` are true where a `|` or `:` closes or divides instead of belonging to an expression; `bound`
    where `i` is an index; `percent`, `degree` and `mixed` collect the marks seen in the current item."""

    __slots__ = (
        "bar",
        "bound",
        "colon",
        "degree",
        "depth",
        "gaps",
        "i",
        "integrals",
        "kinds",
        "mixed",
        "percent",
        "plain_unit",
        "source",
        "starts",
        "texts",
    )

    def __init__(self, tokens: Tokens, source: str) -> None:
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.gaps = tokens.gaps
        self.source = source
        self.i = 0
        self.depth = 0
        self.integrals = 0
        self.bar = self.colon = self.bound = False
        self.mixed = self.percent = self.degree = False
        self.plain_unit = False

    # ------------------------------------------------------------------ helpers

    def reject(self, why: str) -> Reject:
        return Reject(self.starts[self.i], why)

    def unexpected(self) -> Reject:
        kind = self.kinds[self.i]
        seen = "the end of the text" if kind == "end" else repr((self.texts[self.i] or kind)[:40])
        return Reject(self.starts[self.i], f"{seen} is not expected here")

    def expect(self, kind: str) -> None:
        if self.kinds[self.i] != kind:
            raise self.unexpected()
        self.i += 1

    def node(self, part: Part) -> Node:
        """`part`, which must be an expression."""
        if isinstance(part, NODES):
            return part
        raise self.reject("a structure where a number is expected")

    def enter(self) -> None:
        self.depth += 1
        if self.depth > limits.MAX_DEPTH:
            raise Reject(self.starts[self.i], "nested too deeply", True)

    def inside(self) -> Node:
        """An expression in brackets of its own, where `|` opens again."""
        bar, self.bar = self.bar, False
        node = self.node(self.sum())
        self.bar = bar
        return node

    # ------------------------------------------------------------------ marks

    def take_marks(self) -> tuple[bool, bool, bool]:
        """Clear the marks for a new item and hand back those of the one around it."""
        marks = (self.mixed, self.percent, self.degree)
        self.mixed = self.percent = self.degree = False
        return marks

    def scalar(self, node: Node) -> Scalar:
        """`node` with the marks seen since they were last cleared. A sum of angles in degrees keeps its numbers."""
        if not (self.percent or self.degree or self.mixed):
            return Scalar(node)
        if self.degree and has_degrees(node):
            bare = without_degrees(node)
            if bare is not None:
                return Scalar(bare, degree=True, mixed=self.mixed)
            return Scalar(radians(node), mixed=self.mixed)
        return Scalar(node, percent=self.percent, mixed=self.mixed and not self.percent)

    def closed(self, part: Part) -> Value:
        """`part` as a finished item."""
        value: Value = self.scalar(part) if isinstance(part, NODES) else part
        self.mixed = self.percent = self.degree = False
        return value

    def plain(self, part: Part) -> Node:
        """`part` as a number of its own, degrees in radians unless it is nothing but an angle."""
        node = self.node(part)
        return self.scalar(node).node if self.degree else node

    # ------------------------------------------------------------------ layers

    def sum(self) -> Part:
        """A sum of terms, or one structure."""
        raise NotImplementedError

    def term(self) -> Part:
        raise NotImplementedError

    def power(self) -> Part:
        raise NotImplementedError

    def atom(self) -> Part:
        raise NotImplementedError

    def group(self) -> Part:
        """A brace group, or one atom."""
        raise NotImplementedError

    def script(self) -> Node:
        """What a superscript or subscript applies to."""
        raise NotImplementedError

    def raised(self, base: Part) -> Part:
        raise NotImplementedError

    def stops(self) -> bool:
        """Whether the word or letter at hand is no factor but the end of the expression."""
        raise NotImplementedError

    def structure_atom(self, kind: str) -> Part:
        raise self.unexpected()

    def structure_sum(self, part: Part) -> Part:
        raise self.reject("a structure where a number is expected")

    def structure_product(self, factors: list[Node], part: Part) -> Part:
        raise self.reject("a structure where a number is expected")

    def structures_product(self, left: Part, right: Part) -> Part:
        raise self.reject("a product of structures")

    def structure_power(self, base: Part) -> Part:
        raise self.reject("a structure raised to a power")

    def environment(self) -> Part:
        raise self.unexpected()

    def big_operator(self, kind: str) -> Part:
        raise self.unexpected()

    def entry(self) -> Part:
        """One member of brackets that may turn out to be mere grouping: an expression, a structure or a relation."""
        raise NotImplementedError

    def item(self) -> Value:
        """One member of a collection, with marks of its own."""
        self.mixed = self.percent = self.degree = False
        return self.closed(self.entry())

    def condition(self) -> Value:
        """One or several conditions, as in a set-builder."""
        raise NotImplementedError
