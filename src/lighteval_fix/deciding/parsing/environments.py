"""Matrices, cases and systems; sums, products, integrals and limits; digits in a base."""

from __future__ import annotations

from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.nodes import Part, integer
from lighteval_fix.deciding.parsing.ranges import ranged
from lighteval_fix.deciding.parsing.structures import Structures
from lighteval_fix.deciding.parsing.tables import NUMBER_WORDS
from lighteval_fix.deciding.parsing.words import fold
from lighteval_fix.deciding.value import (
    Assignment,
    Based,
    BigOp,
    Cases,
    Compound,
    Function,
    Listing,
    Matrix,
    Node,
    Relation,
    Value,
    Words,
)

_MATRICES: Final = frozenset(
    ("pmatrix", "bmatrix", "matrix", "Bmatrix", "array", "smallmatrix", "psmallmatrix", "bsmallmatrix")
)
_ALIGNED: Final = frozenset(
    ("aligned", "align", "align*", "gathered", "split", "gather", "gather*", "equation", "equation*", "multline*")
)
_RELATED: Final = (Relation, Assignment, Function)
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_AFTER_BASED: Final = frozenset(("end", ",", ";", ".", ")", "]", "}", "rset", "and", "or", "rel", "where", "newline"))


class Environments(Structures):
    __slots__ = ()

    def environment(self) -> Part:
        self.i += 1
        name = self.flat()
        if name in _MATRICES:
            return self.matrix(name)
        if name == "vmatrix":
            return self.determinant(self.matrix(name))
        if name == "cases" or name == "dcases" or name == "rcases":
            return self.cases(name)
        if name in _ALIGNED:
            return self.lines(name)
        raise self.reject(f"an environment that is not known: {name[:20]}")

    def end_environment(self, name: str) -> None:
        self.expect("end-env")
        if self.flat() != name:
            raise self.reject("an environment closed under another name")

    def matrix(self, name: str) -> Matrix:
        if name == "array" and self.kinds[self.i] == "{":
            self.flat()
        bar, self.bar = self.bar, False
        marks = self.take_marks()
        rows: list[tuple[Node, ...]] = []
        row: list[Node] = []
        while self.kinds[self.i] != "end-env" or row:
            row.append(self.plain(self.sum()))
            self.take_marks()
            kind = self.kinds[self.i]
            if kind == "&":
                self.i += 1
                continue
            if kind == "newline":
                self.i += 1
            elif kind != "end-env":
                raise self.unexpected()
            rows.append(tuple(row))
            row = []
        self.end_environment(name)
        self.bar = bar
        self.mixed, self.percent, self.degree = marks
        if not rows or any(len(r) != len(rows[0]) for r in rows):
            raise self.reject("a matrix with rows of several lengths")
        return Matrix(tuple(rows))

    # ------------------------------------------------------------------ cases and systems

    def system(self) -> Value:
        """A brace over several lines."""
        self.i += 1
        name = self.flat()
        if name == "array" and self.kinds[self.i] == "{":
            self.flat()
        return self.cases(name)

    def cases(self, name: str) -> Value:
        rows: list[tuple[Value, Value | None]] = []
        while self.kinds[self.i] != "end-env":
            value = self.item()
            condition: Value | None = None
            if self.kinds[self.i] in (",", ";"):
                self.i += 1
            if self.kinds[self.i] == "&":
                self.i += 1
                if self.kinds[self.i] not in ("newline", "end-env"):
                    condition = self.case_condition()
            elif self.kinds[self.i] == "where":
                condition = self.case_condition()
            if self.kinds[self.i] in (",", ";", "."):
                self.i += 1
            rows.append((value, condition))
            if self.kinds[self.i] == "newline":
                self.i += 1
            elif self.kinds[self.i] != "end-env":
                raise self.unexpected()
        self.end_environment(name)
        if not rows:
            raise self.reject("cases of nothing")
        if all(c is None and isinstance(v, _RELATED) for v, c in rows):
            return Compound("and", tuple(v for v, _ in rows)) if len(rows) > 1 else rows[0][0]
        return Cases(tuple(rows))

    def case_condition(self) -> Value:
        kind, text = self.kinds[self.i], self.texts[self.i]
        if kind == "text" or (kind == "word" and text == "otherwise") or (kind == "where" and " " in text):
            self.i += 1
            if self.kinds[self.i] in ("newline", "end-env", ".", ",", ";"):
                return Words(fold(text))
            raise self.unexpected()
        if kind == "where":
            self.i += 1
        return self.condition()

    def lines(self, name: str) -> Value:
        """The lines of a display, where `&` only aligns."""
        rows: list[Value] = []
        while self.kinds[self.i] != "end-env":
            rows.append(self.item())
            if self.kinds[self.i] in (",", ";", "."):
                self.i += 1
            if self.kinds[self.i] == "newline":
                self.i += 1
            elif self.kinds[self.i] != "end-env":
                raise self.unexpected()
        self.end_environment(name)
        if not rows:
            raise self.reject("a display of nothing")
        return rows[0] if len(rows) == 1 else Listing(tuple(rows))

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
        if kind == "int":
            self.integrals += 1
            body = self.node(self.sum())
            self.integrals -= 1
            return BigOp(name, self.differential(), lower, upper, body)
        if lower is None or not variable:
            raise self.reject("a range without its variable")
        bound, self.bound = self.bound, self.bound or variable == "i"
        body = self.node(self.term())
        self.bound = bound
        found = ranged(name, variable, lower, upper, body)
        if found is None:
            raise self.reject("a subscript that is not understood")
        return found

    def lower_bound(self, name: str) -> tuple[str, Node]:
        if self.kinds[self.i] != "{" or self.kinds[self.i + 1] not in ("let", "const"):
            raise self.reject("a range without its variable")
        self.i += 1
        variable = self.texts[self.i]
        self.i += 1
        if self.kinds[self.i] == "_":
            variable = self.decorated(variable)
        if name == "lim":
            self.expect("arrow")
        elif self.kinds[self.i] == "rel" and self.texts[self.i] == "=":
            self.i += 1
        else:
            raise self.unexpected()
        lower = self.node(self.sum())
        self.expect("}")
        return variable, lower

    def differential(self) -> str:
        kind = self.kinds[self.i]
        if kind == "diff":
            self.i += 1
            return self.texts[self.i - 1]
        if kind in ("let", "text") and self.texts[self.i] == "d" and self.kinds[self.i + 1] in ("let", "const"):
            self.i += 2
            return self.texts[self.i - 1]
        raise self.reject("an integral without its variable")

    # ------------------------------------------------------------------ bases

    def structure_atom(self, kind: str) -> Part:
        return self.based() if kind == "based" else super().structure_atom(kind)

    def based(self) -> Part:
        """Digits with their base: a value where they stand alone, the number they name inside an expression."""
        text = self.texts[self.i]
        digits, _, mark = text.partition("_")
        digits = digits.strip()
        if digits.islower() or digits.isupper():
            digits = digits.upper()
        word = "".join(c for c in mark.rpartition("{")[2] if c.isalnum())
        base = int(word) if word.isdigit() and len(word) < 3 else NUMBER_WORDS.get(word.lower())
        if base is None or not 2 <= base <= limits.MAX_BASE:
            raise self.reject("a base that is not known")
        if any(_DIGITS.index(d) >= base for d in digits if d != "."):
            raise self.reject("a digit that the base does not have")
        alone = self.i == 0 or self.kinds[self.i - 1] in (",", ";", "(", "[", "{", "lset", "rel", "and", "or", "in")
        self.i += 1
        if alone and self.kinds[self.i] in _AFTER_BASED:
            return Based(digits, base)
        if "." in digits:
            raise self.reject("a fraction in another base inside an expression")
        value = 0
        for digit in digits:
            value = value * base + _DIGITS.index(digit)
        return integer(str(value))
