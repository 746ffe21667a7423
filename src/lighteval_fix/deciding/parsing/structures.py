r"""Brackets and what they hold: tuples, intervals, sets, set-builders.

Brackets alone decide the kind: `(…, …)` a tuple, `[…, …]` with two members or a half-open pair an interval, `\{…\}` a
set. A pair in round brackets with an infinite end is an interval, since no point has one.
"""

from __future__ import annotations

from typing import Final

from lighteval_fix.deciding.parsing.expression import Expressions
from lighteval_fix.deciding.parsing.matrices import added, multiplied, scaled
from lighteval_fix.deciding.parsing.nodes import MINUS_ONE, NODES, Part, negate, quotient, written_out
from lighteval_fix.deciding.trees import substitute, symbols
from lighteval_fix.deciding.value import (
    Add,
    Based,
    Call,
    Const,
    Difference,
    Interval,
    Matrix,
    Mul,
    NamedSet,
    Node,
    Num,
    Scalar,
    SetBuilder,
    SetOf,
    Sym,
    Tuple,
    Value,
)

_SEPARATORS: Final = frozenset((",", ";"))
_SETS: Final = (SetOf, SetBuilder, Interval, NamedSet, Difference)
_SYSTEMS: Final = frozenset(("array", "aligned", "matrix", "cases", "gathered", "split", "align", "align*"))
_CLOSING: Final = {"(": ")", "[": "]", "]": "["}


class Structures(Expressions):
    __slots__ = ()

    def structure_atom(self, kind: str) -> Part:
        match kind:
            case "(" | "[" | "]":
                return self.bracket(kind)
            case "textopen":
                self.i += 1
                return self.brace()
            case "{":
                return self.brace()
            case "lset":
                return self.set_of()
            case "langle":
                return self.angle("rangle")
            case "rel" if self.texts[self.i] == "<":
                return self.angle(">")
            case "empty":
                self.i += 1
                return SetOf(())
            case "named":
                return self.named_set()
            case "begin":
                return self.environment()
            case "bigop" | "int":
                return self.big_operator(kind)
            case _:
                return super().structure_atom(kind)

    # ------------------------------------------------------------------ brackets

    def bracket(self, opening: str) -> Part:
        opened = self.i
        self.i += 1
        outer = (self.bar, self.colon)
        self.bar = self.colon = False
        marks = self.take_marks()
        first = self.entry()
        if self.kinds[self.i] not in _SEPARATORS:
            self.bar, self.colon = outer
            self.merge(marks)
            self.stop_before(_CLOSING[opening])
            if opening == "]":
                raise self.reject("brackets that do not close")
            self.expect(_CLOSING[opening])
            if self.kinds[self.i] == "_":
                return self.with_base(first, opened) if opening == "(" else self.between(self.node(first))
            return first
        items = [self.closed(first)]
        while self.kinds[self.i] in _SEPARATORS:
            self.i += 1
            if self.kinds[self.i] == "dots":
                raise self.reject("dots inside brackets")
            items.append(self.item())
        self.stop_before(")")
        self.stop_before("]")
        closing = self.kinds[self.i]
        if closing not in (")", "]", "["):
            raise self.reject("brackets that do not close")
        self.i += 1
        self.bar, self.colon = outer
        self.mixed, self.percent, self.degree = marks
        return self.bracketed(opening, closing, tuple(items), opened)

    def with_base(self, part: Part, opened: int) -> Part:
        """`(1011)_2`: digits in brackets with their base."""
        if self.kinds[opened + 1] != "num" or self.i != opened + 3 or opened:
            raise self.unexpected()
        digits = self.texts[opened + 1]
        self.i += 1
        base = self.script()
        if not isinstance(base, Num) or base.value not in range(2, 11) or int(max(digits)) >= base.value:
            raise self.reject("a base that is not known")
        return Based(digits, int(base.value))

    def between(self, body: Node) -> Node:
        r"""`\left. F \right|_a^b`, `[F]_a^b`: the value at the upper end less that at the lower one."""
        ends: dict[str, Node] = {}
        while self.kinds[self.i] in ("_", "^") and self.kinds[self.i] not in ends:
            mark = self.kinds[self.i]
            self.i += 1
            ends[mark] = self.script()
        names = symbols(body)
        if len(ends) != 2 or len(names) != 1:
            raise self.reject("ends without one variable to put them in")
        (name,) = names
        if not written_out((body, body, *ends.values())):
            raise self.reject("too long between its ends")
        return Add((substitute(body, {name: ends["^"]}), negate(substitute(body, {name: ends["_"]}))))

    def merge(self, marks: tuple[bool, bool, bool]) -> None:
        """Brackets that only grouped hand their marks on to the item around them."""
        self.mixed |= marks[0]
        self.percent |= marks[1]
        self.degree |= marks[2]

    def stop_before(self, closing: str) -> None:
        """A full stop that slipped inside the closing bracket."""
        if self.kinds[self.i] == "." and self.kinds[self.i + 1] == closing:
            self.i += 1

    def bracketed(self, opening: str, closing: str, items: tuple[Value, ...], opened: int) -> Value:
        low_closed, high_closed = opening == "[", closing == "]"
        if opening == "(" and closing == ")":
            if len(items) == 2 and any(_infinite(i) for i in items):
                return self.interval(items, False, False)
            return Tuple(items)
        if low_closed and high_closed:
            if self.kinds[opened + 1] == "[":
                rows = [_row(item) for item in items]
                cells = tuple(row for row in rows if row is not None)
                if len(cells) == len(items) and all(len(row) == len(cells[0]) for row in cells):
                    return Matrix(cells)
            if len(items) != 2 or not all(isinstance(i, Scalar) for i in items):
                return Tuple(items)
        if len(items) != 2:
            self.i = opened
            raise self.reject("an interval with other than two ends")
        return self.interval(items, low_closed, high_closed)

    def interval(self, items: tuple[Value, ...], low_closed: bool, high_closed: bool) -> Interval:
        low, high = items
        if not isinstance(low, Scalar) or not isinstance(high, Scalar):
            raise self.reject("an interval whose end is no number")
        return Interval(low.node, high.node, low_closed, high_closed)

    # ------------------------------------------------------------------ braces

    def brace(self) -> Part:
        """A brace that is written and not the argument of a command: grouping, or a set in plain text."""
        opened = self.i
        self.i += 1
        if self.kinds[self.i] == "}" and self.kinds[self.i + 1] in ("_", "^"):
            self.i += 1
            return self.combinations()
        outer = (self.bar, self.colon)
        self.bar, self.colon = self.kinds[self.i] != "|", True
        marks = self.take_marks()
        first = self.entry()
        kind = self.kinds[self.i]
        if kind in _SEPARATORS or kind in ("|", "mid", ":"):
            value = self.members(first, "}")
            self.bar, self.colon = outer
            self.mixed, self.percent, self.degree = marks
            return value
        if kind == "choose":
            self.i += 1
            first = Call("binom", (self.node(first), self.node(self.sum())))
        elif kind == "over":
            self.i += 1
            first = quotient(self.node(first), self.node(self.sum()))
        self.bar, self.colon = outer
        self.merge(marks)
        self.expect("}")
        if self.kinds[self.i] == "_" and isinstance(first, Sym) and self.i == opened + 3:
            return Sym(self.decorated(first.name))
        return first

    def set_of(self) -> Value:
        self.i += 1
        if self.kinds[self.i] == "rset":
            self.i += 1
            return SetOf(())
        if self.kinds[self.i] == "begin" and self.texts[self.i + 2] in _SYSTEMS:
            # a brace that opens a system of equations and closes with `\right.`
            system = self.system()
            if self.kinds[self.i] == "rset":
                self.i += 1
            return system
        outer = (self.bar, self.colon)
        self.bar, self.colon = self.kinds[self.i] != "|", True
        marks = self.take_marks()
        value = self.members(self.entry(), "rset")
        self.bar, self.colon = outer
        self.mixed, self.percent, self.degree = marks
        return value

    def system(self) -> Value:
        raise NotImplementedError

    def members(self, first: Part, closing: str) -> Value:
        """The rest of a set after its first member."""
        element = self.closed(first)
        self.bar = False
        if self.kinds[self.i] in ("|", "mid", ":", "rabs", "labs"):
            self.i += 1
            self.colon = False
            built = SetBuilder(element, self.condition())
            self.expect(closing)
            return built
        self.colon = False
        items = [element]
        dots = False
        while self.kinds[self.i] in _SEPARATORS or self.kinds[self.i] in ("and", "or"):
            self.i += 1
            if self.kinds[self.i] in ("and", "or"):
                self.i += 1
            if self.kinds[self.i] == "dots":
                self.i += 1
                dots = True
                continue
            items.append(self.item())
        self.stop_before(closing)
        self.expect(closing)
        return SetOf(tuple(items), dots)

    def angle(self, closing: str) -> Value:
        self.i += 1
        outer = (self.bar, self.colon)
        self.bar = self.colon = False
        items = [self.angle_item()]
        while self.kinds[self.i] in _SEPARATORS:
            self.i += 1
            items.append(self.angle_item())
        self.bar, self.colon = outer
        if self.kinds[self.i] != "rangle" and self.texts[self.i] != closing:
            raise self.reject("brackets that do not close")
        self.i += 1
        if len(items) < 2:
            raise self.reject("a vector of one number")
        return Tuple(tuple(items), angle=True)

    def angle_item(self) -> Value:
        """Inside `<…>` a `>` closes, so a member is never a relation."""
        marks = self.take_marks()
        value = self.closed(self.sum())
        self.mixed, self.percent, self.degree = marks
        return value

    def named_set(self) -> NamedSet:
        name = self.texts[self.i]
        self.i += 1
        modifier = ""
        while self.kinds[self.i] in ("^", "_"):
            mark = self.kinds[self.i]
            self.i += 1
            text = self.flat()
            if mark == "^" and text.isalnum():
                raise self.reject("a product of sets")
            modifier += text if mark == "^" or text[:1] in "<>" else "_" + text
        return NamedSet(name, modifier)

    # ------------------------------------------------------------------ structures in sums and products

    def structure_sum(self, part: Part) -> Part:
        """`A - B` of sets; sums of matrices and vectors of one shape, cell by cell."""
        while self.kinds[self.i] in ("+", "-"):
            minus = self.kinds[self.i] == "-"
            self.i += 1
            following = self.term()
            if isinstance(part, NODES) or isinstance(following, NODES):
                raise self.reject("a number added to a structure")
            total = added(part, following, minus=minus)
            if total is not None:
                part = total
            elif minus and isinstance(part, _SETS) and isinstance(following, _SETS):
                part = Difference(part, following)
            else:
                raise self.reject("a sum of structures")
        return part

    def structure_product(self, factors: list[Node], part: Part) -> Part:
        multiple = None if isinstance(part, NODES) else scaled(factors, part)
        if multiple is None:
            raise self.reject("a product with a structure")
        return multiple

    def structures_product(self, left: Part, right: Part) -> Part:
        found = multiplied(left, right) if isinstance(left, Matrix) and isinstance(right, Matrix) else None
        if found is None:
            raise self.reject("a product of structures")
        return found

    def structure_power(self, base: Part) -> Part:
        if isinstance(base, Matrix) and self.transposes():
            return Matrix(tuple(zip(*base.rows, strict=True)))
        if isinstance(base, Tuple) and self.transposes():
            cells = tuple((i.node,) for i in base.items if isinstance(i, Scalar))
            if len(cells) == len(base.items):
                return Matrix(cells)
        raise self.reject("a structure raised to a power")

    def transposes(self) -> bool:
        """Take a mark of transposition (`^T`, `^{\\top}`)."""
        braced = self.kinds[self.i] == "{"
        mark = self.i + braced
        if self.kinds[mark] == "top" or (self.kinds[mark] in ("let", "text") and self.texts[mark] in ("T", "t")):
            if braced and self.kinds[mark + 1] != "}":
                return False
            self.i = mark + 1 + braced
            return True
        return False


def _infinite(item: Value) -> bool:
    if not isinstance(item, Scalar):
        return False
    node = item.node
    if isinstance(node, Mul) and len(node.args) == 2 and node.args[0] == MINUS_ONE:
        node = node.args[1]
    return isinstance(node, Const) and node.name == "oo"


def _row(item: Value) -> tuple[Node, ...] | None:
    """The cells of a row that was written in square brackets."""
    if isinstance(item, Interval) and item.low_closed and item.high_closed:
        return (item.low, item.high)
    if isinstance(item, Tuple) and not item.angle:
        nodes = tuple(i.node for i in item.items if isinstance(i, Scalar))
        return nodes if len(nodes) == len(item.items) else None
    return None


__all__ = ["NODES", "Structures"]
