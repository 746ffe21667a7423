"""Brackets and what they hold: tuples, intervals, sets, set-builders, matrices; sums, products and integrals over a range.

Brackets alone decide the kind: `(…, …)` a tuple, `[…, …]` with two members or a half-open pair an interval, `\\{…\\}` a set.
A pair in round brackets with an infinite end is an interval, since no point has one.
"""

from __future__ import annotations

from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.expression import Expressions
from lighteval_fix.deciding.parsing.lex import base_of
from lighteval_fix.deciding.parsing.nodes import MINUS_ONE, NODES, Part, integer, negate
from lighteval_fix.deciding.value import (
    Add,
    Based,
    BigOp,
    Call,
    Const,
    Difference,
    Interval,
    Matrix,
    Mul,
    NamedSet,
    Node,
    Num,
    Relation,
    Scalar,
    SetBuilder,
    SetOf,
    Sym,
    Tuple,
    Value,
)

_SEPARATORS: Final = (",", ";")
_MATRICES: Final = frozenset(
    ("pmatrix", "bmatrix", "matrix", "Bmatrix", "array", "smallmatrix", "psmallmatrix", "bsmallmatrix")
)
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SETLIKE: Final = (SetOf, SetBuilder, Interval, NamedSet, Difference)


class Collections(Expressions):
    """Adds structures to expressions. Items and relations are the business of the class above."""

    __slots__ = ()

    def item(self) -> Value:
        """One member of a collection, with flags of its own."""
        raise NotImplementedError

    def entry(self) -> Part:
        """One member of brackets that may turn out to be mere grouping."""
        raise NotImplementedError

    def scalar(self, node: Node) -> Scalar:
        """`node` with the marks seen since the flags were last cleared."""
        raise NotImplementedError

    def condition(self) -> Value:
        """What stands right of the bar of a set-builder, up to its closing brace."""
        raise NotImplementedError

    # ------------------------------------------------------------------ brackets

    def structure_atom(self, kind: str) -> Part:
        match kind:
            case "(" | "[" | "]":
                return self.bracket(kind)
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
            case "deco":
                return self.decoration()
            case _:
                return super().structure_atom(kind)

    def bracket(self, opening: str) -> Part:
        opened = self.i
        self.i += 1
        bar, self.bar = self.bar, False
        flags = (self.mixed, self.percent, self.degree)
        self.mixed = self.percent = self.degree = False
        if self.kinds[self.i] == ")" and opening == "(":
            raise self.reject("empty brackets")
        first = self.entry()
        kind = self.kinds[self.i]
        if kind not in _SEPARATORS and not (kind == "." and self.kinds[self.i + 1] in _SEPARATORS):
            self.bar = bar
            self.mixed, self.percent, self.degree = (
                self.mixed or flags[0],
                self.percent or flags[1],
                self.degree or flags[2],
            )
            closing = {"(": ")", "[": "]", "]": "["}[opening]
            if kind == "." and self.kinds[self.i + 1] == closing:
                self.i += 1
            if opening == "]":
                raise self.reject("brackets that do not close")
            self.expect(closing)
            return first
        items = [self.closed(first)]
        dots = False
        while self.kinds[self.i] in _SEPARATORS:
            self.i += 1
            if self.kinds[self.i] == "dots":
                self.i += 1
                dots = True
                continue
            items.append(self.item())
        if self.kinds[self.i] == "." and self.kinds[self.i + 1] in (")", "]"):
            self.i += 1
        closing = self.kinds[self.i]
        if closing not in (")", "]", "["):
            raise self.reject("brackets that do not close")
        self.i += 1
        self.bar = bar
        self.mixed, self.percent, self.degree = flags
        if dots:
            raise self.reject("dots inside brackets")
        return self.bracketed(opening, closing, tuple(items), opened)

    def closed(self, part: Part) -> Value:
        value: Value = self.scalar(part) if isinstance(part, NODES) else part
        self.mixed = self.percent = self.degree = False
        return value

    def bracketed(self, opening: str, closing: str, items: tuple[Value, ...], opened: int) -> Value:
        low_closed, high_closed = opening == "[", closing == "]"
        if opening == "(" and closing == ")":
            if len(items) == 2 and all(isinstance(i, Scalar) for i in items) and any(_infinite(i) for i in items):
                return self.interval(items, False, False)
            return Tuple(items)
        if low_closed and high_closed:
            rows = [_row(item) for item in items]
            if len(rows) > 1 and all(row is not None and len(row) == len(rows[0] or ()) for row in rows):
                return Matrix(tuple(row for row in rows if row is not None))
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

    def brace(self) -> Part:
        """A brace that is written, not typeset: grouping, or a set in plain text when it holds a comma."""
        self.i += 1
        bar, self.bar = self.bar, False
        flags = (self.mixed, self.percent, self.degree)
        self.mixed = self.percent = self.degree = False
        if self.kinds[self.i] == "}":
            raise self.reject("an empty group")
        first = self.entry()
        kind = self.kinds[self.i]
        if kind == "choose":
            self.i += 1
            under = self.node(self.sum())
            first = Call("binom", (self.node(first), under))
        elif kind == "over":
            self.i += 1
            from lighteval_fix.deciding.parsing.nodes import quotient

            first = quotient(self.node(first), self.node(self.sum()))
        elif kind in _SEPARATORS or (kind in ("|", "mid") and self.texts[self.i] is not None):
            part = self.members(first, "}")
            self.bar = bar
            self.mixed, self.percent, self.degree = flags
            return part
        self.bar = bar
        self.mixed, self.percent, self.degree = (
            self.mixed or flags[0],
            self.percent or flags[1],
            self.degree or flags[2],
        )
        self.expect("}")
        return first

    def set_of(self) -> Value:
        self.i += 1
        if self.kinds[self.i] == "rset":
            self.i += 1
            return SetOf(())
        bar, self.bar = self.bar, True
        flags = (self.mixed, self.percent, self.degree)
        self.mixed = self.percent = self.degree = False
        if self.kinds[self.i] == "|":
            self.bar = False
        first = self.entry()
        value = self.members(first, "rset")
        self.bar = bar
        self.mixed, self.percent, self.degree = flags
        return value

    def members(self, first: Part, closing: str) -> Value:
        """The rest of a set after its first member."""
        kind = self.kinds[self.i]
        if kind in ("|", "mid", ":", "rabs", "labs"):
            self.i += 1
            element = self.closed(first)
            self.bar = False
            built = SetBuilder(element, self.condition())
            self.expect(closing)
            return built
        items = [self.closed(first)]
        dots = False
        self.bar = False
        while self.kinds[self.i] in _SEPARATORS or self.kinds[self.i] in ("and", "or"):
            self.i += 1
            if self.kinds[self.i] in ("and", "or"):
                self.i += 1
            if self.kinds[self.i] == "dots":
                self.i += 1
                dots = True
                continue
            items.append(self.item())
        if self.kinds[self.i] == "." and self.kinds[self.i + 1] == closing:
            self.i += 1
        self.expect(closing)
        return SetOf(tuple(items), dots)

    def angle(self, closing: str) -> Value:
        self.i += 1
        bar, self.bar = self.bar, False
        items = [self.angle_item()]
        while self.kinds[self.i] in _SEPARATORS:
            self.i += 1
            items.append(self.angle_item())
        self.bar = bar
        if closing == ">":
            if self.kinds[self.i] != "rel" or self.texts[self.i] != ">":
                raise self.reject("brackets that do not close")
            self.i += 1
        else:
            self.expect(closing)
        if len(items) < 2:
            raise self.reject("a vector of one number")
        return Tuple(tuple(items), angle=True)

    def angle_item(self) -> Value:
        part = self.sum()
        return Scalar(part) if isinstance(part, NODES) else part

    def named_set(self) -> Value:
        name = self.texts[self.i]
        self.i += 1
        modifier = ""
        while self.kinds[self.i] in ("^", "_"):
            mark = self.kinds[self.i]
            self.i += 1
            if self.kinds[self.i] == "rel":
                raise self.reject("a modifier without braces")
            text = self.flat()
            if mark == "^" and text.isdigit() and text != "0":
                raise self.reject("a product of sets")
            modifier += ("" if mark == "^" or text[:1] in "<>" else "_") + text
        return NamedSet(name, modifier)

    # ------------------------------------------------------------------ structures in sums and products

    def structure_sum(self, part: Part) -> Part:
        """`A - B` of sets; sums of matrices of one shape, cell by cell."""
        while self.kinds[self.i] in ("+", "-"):
            minus = self.kinds[self.i] == "-"
            self.i += 1
            following = self.term()
            if isinstance(part, Matrix) and isinstance(following, Matrix):
                if [len(r) for r in part.rows] != [len(r) for r in following.rows]:
                    raise self.reject("matrices of two shapes added")
                part = Matrix(
                    tuple(
                        tuple(Add((a, negate(b) if minus else b)) for a, b in zip(r, s, strict=True))
                        for r, s in zip(part.rows, following.rows, strict=True)
                    )
                )
            elif minus and isinstance(part, _SETLIKE) and isinstance(following, _SETLIKE):
                part = Difference(part, following)
            else:
                raise self.reject("a sum of structures")
        return part

    def structure_product(self, factors: list[Node], part: Part) -> Part:
        if isinstance(part, Matrix):
            return Matrix(tuple(tuple(Mul((*factors, cell)) for cell in row) for row in part.rows))
        if factors == [MINUS_ONE] and isinstance(part, Tuple) and part.angle:
            items = [i for i in part.items if isinstance(i, Scalar)]
            if len(items) == len(part.items):
                return Tuple(tuple(Scalar(negate(i.node)) for i in items), angle=True)
        raise self.reject("a product with a structure")

    def structure_power(self, base: Part) -> Part:
        if isinstance(base, Matrix) and self.transposes():
            return Matrix(tuple(zip(*base.rows, strict=True)))
        if isinstance(base, Tuple) and self.transposes():
            nodes = [i.node for i in base.items if isinstance(i, Scalar)]
            if len(nodes) == len(base.items):
                return Matrix(tuple((n,) for n in nodes))
        raise self.reject("a structure raised to a power")

    def transposes(self) -> bool:
        mark = self.i
        if self.kinds[mark] == "{" and self.kinds[mark + 2] == "}":
            mark += 1
        if self.kinds[mark] == "top" or (self.kinds[mark] in ("let", "text") and self.texts[mark] in ("T", "t")):
            self.i = mark + (1 if mark == self.i else 2)
            return True
        return False

    # ------------------------------------------------------------------ environments

    def environment(self) -> Part:
        self.i += 1
        name = self.flat()
        if name in _MATRICES:
            return self.matrix(name)
        if name == "cases":
            return self.cases()
        raise self.reject(f"an environment that is not known: {name[:20]}")

    def cases(self) -> Value:
        raise NotImplementedError

    def end_environment(self, name: str) -> None:
        self.expect("end-env")
        if self.flat() != name:
            raise self.reject("an environment closed under another name")

    def matrix(self, name: str) -> Part:
        if name == "array" and self.kinds[self.i] == "{":
            self.flat()
        bar, self.bar = self.bar, False
        rows: list[tuple[Node, ...]] = []
        row: list[Node] = []
        while True:
            kind = self.kinds[self.i]
            if kind == "end-env" and not row:
                break
            row.append(self.node(self.sum()))
            kind = self.kinds[self.i]
            if kind == "&":
                self.i += 1
                continue
            if kind == "newline":
                self.i += 1
            elif kind != "end-env":
                raise self.reject("a cell that does not end")
            rows.append(tuple(row))
            row = []
        self.end_environment(name)
        self.bar = bar
        if not rows or any(len(r) != len(rows[0]) for r in rows):
            raise self.reject("a matrix with rows of several lengths")
        return Matrix(tuple(rows))

    # ------------------------------------------------------------------ ranges

    def big_operator(self, kind: str) -> Node:
        name = self.texts[self.i]
        self.i += 1
        lower: Node | None = None
        upper: Node | None = None
        variable = ""
        while self.kinds[self.i] in ("_", "^"):
            below = self.kinds[self.i] == "_"
            self.i += 1
            if not below:
                upper = self.script()
            elif kind == "int":
                lower = self.script()
            else:
                variable, lower = self.lower_bound(name)
        if name != "int" and (lower is None or not variable):
            raise self.reject("a range without its variable")
        if kind == "int":
            self.integrals += 1
            body = self.node(self.sum())
            self.integrals -= 1
            variable = self.differential()
        else:
            bound, self.bound = self.bound, self.bound or variable == "i"
            body = self.node(self.term())
            self.bound = bound
        return BigOp(name, variable, lower, upper, body)

    def lower_bound(self, name: str) -> tuple[str, Node]:
        braced = self.kinds[self.i] == "{"
        if not braced or self.kinds[self.i + 1] not in ("let", "const"):
            raise self.reject("a range without its variable")
        self.i += 1
        variable = self.texts[self.i]
        self.i += 1
        if name == "lim":
            self.expect("arrow")
        elif self.kinds[self.i] == "rel" and self.texts[self.i] == "=":
            self.i += 1
        else:
            raise self.reject("a range that is not known")
        lower = self.node(self.sum())
        if self.kinds[self.i] == "^":
            raise self.reject("a one-sided limit")
        self.expect("}")
        return variable, lower

    def differential(self) -> str:
        kind = self.kinds[self.i]
        if kind == "diff":
            self.i += 1
            return self.texts[self.i - 1]
        if (kind in ("let", "text")) and self.texts[self.i] == "d" and self.kinds[self.i + 1] in ("let", "const"):
            self.i += 2
            return self.texts[self.i - 1]
        raise self.reject("an integral without its variable")

    # ------------------------------------------------------------------ names and bases

    def decoration(self) -> Node:
        """`\\vec{v}`, `\\overline{AB}`: a symbol named after its decoration."""
        name = self.texts[self.i]
        self.i += 1
        inner = self.flat()
        if not inner or len(inner) > 40:
            raise self.reject("a decoration over nothing")
        full = f"{name}({inner})"
        return Sym(self.decorated(full))

    def based(self) -> Based:
        text = self.texts[self.i]
        self.i += 1
        digits, _, base_text = text.partition("_")
        digits = digits.strip()
        word = "".join(
            c
            for c in base_text.replace("\\text", "").replace("\\mathrm", "").replace("rm{", "{").replace("\\mbox", "")
            if c.isalnum()
        )
        base = int(word) if word.isdigit() and len(word) <= 2 else base_of(word)
        if base is None or not 2 <= base <= limits.MAX_BASE:
            self.i -= 1
            raise self.reject("a base that is not known")
        if any(_DIGITS.index(d) >= base for d in digits if d != "."):
            self.i -= 1
            raise self.reject("a digit that the base does not have")
        return Based(digits, base)

    def based_number(self) -> Part:
        based = self.based()
        if self.kinds[self.i] in ("end", ",", ")", "rset", "and", "or", "rel", ".", "}", ";") and self.kinds[
            self.i - 2 : self.i - 1
        ] != ["-"]:
            return based
        value = 0
        if "." in based.digits or len(based.digits) > 40:
            raise self.reject("a number in another base inside an expression")
        for digit in based.digits:
            value = value * based.base + _DIGITS.index(digit)
        return integer(str(value))


def _infinite(item: Value) -> bool:
    if not isinstance(item, Scalar):
        return False
    node = item.node
    if isinstance(node, Mul) and node.args[0] == MINUS_ONE and len(node.args) == 2:
        node = node.args[1]
    return node == Const("oo")


def _row(item: Value) -> tuple[Node, ...] | None:
    """The cells of a row that was written in square brackets."""
    if isinstance(item, Interval) and item.low_closed and item.high_closed:
        return (item.low, item.high)
    if isinstance(item, Tuple) and not item.angle:
        nodes = tuple(i.node for i in item.items if isinstance(i, Scalar))
        return nodes if len(nodes) == len(item.items) else None
    return None


__all__ = ["Collections", "Num", "Relation"]
