"""Factors with limits of their own: fractions, roots, absolute values, repeating decimals."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.names import Names, single
from lighteval_fix.deciding.parsing.nodes import Part, choices, decimal, integer, negate, root
from lighteval_fix.deciding.parsing.ranges import dotted
from lighteval_fix.deciding.parsing.tokens import Reject
from lighteval_fix.deciding.value import Add, Call, Matrix, Node, Num

# Tokens that may begin a factor written next to another one; the bar and the number only under conditions.
FACTORS: Final = frozenset(
    ("let", "const", "word", "func", "(", "[", "{", "frac", "sqrt", "surd", "binom", "labs", "lnorm", "lfloor")
    + ("lceil", "bigop", "int", "deco", "begin", "rep", "sci", "|", "num", "bmod")
)
_OPEN: Final = frozenset("([{")
_SHUT: Final = frozenset(")]}")
_AFTER_ROOT: Final = frozenset(("end", "+", "-", "*", "/", ",", ";", ")", "]", "}", "rel", "and", "or"))


class Factors(Names):
    __slots__ = ()

    def dots(self, kind: str, leading: list[Node]) -> Node:
        r"""`\cdots` and the last term of a range whose first terms have been read."""
        self.i += 1
        if kind == "sum":
            if self.kinds[self.i] != "+":
                raise self.reject("dots without a last term")
            self.i += 1
            last = self.node(self.term())
        else:
            if self.kinds[self.i] == "*":
                self.i += 1
            last = self.node(self.power())
            if self.kinds[self.i] in FACTORS:
                raise self.reject("ambiguous: a factor after the last one of a range")
        found = dotted(kind, leading, last)
        if found is None:
            raise self.reject("dots between terms that show no one range")
        return found

    def degrees(self, base: Part) -> Part:
        """An angle in degrees, minutes and seconds. The mark is resolved when the item ends or a function takes it."""
        self.degree = True
        node = self.node(base)
        for divisor, mark in ((60, 1), (3600, 2)):
            if self.kinds[self.i] == "num" and self.kinds[self.i + 1 : self.i + 1 + mark] == ["prime"] * mark:
                part = decimal(self.texts[self.i])
                if not isinstance(node, Num):
                    raise self.reject("minutes after an expression")
                node = Num(node.value + part.value / divisor)
                self.i += 1 + mark
        return Call("deg", (node,))

    def product(self, first: Part) -> Part:
        """The rest of a product whose first factor has been read."""
        raise NotImplementedError

    def next_power(self) -> bool:
        """`e^xe^y`: of the letters after an unbraced `^` the second is the same base again, raised as well."""
        i = self.i
        word = self.texts[i]
        return len(word) == 2 and self.kinds[i - 1] == self.kinds[i + 1] == "^" and self.texts[i - 2] == word[1]

    def past_modulo(self) -> None:
        """Goes past `mod`, but not after an open sum or sign, which may be taken whole: `-7 mod 3`, `n + 1 mod 3`."""
        depth = 0
        for kind in reversed(self.kinds[: self.i]):
            depth += (kind in _SHUT) - (kind in _OPEN)
            if depth < 0 or (depth == 0 and kind in ("rel", ",", ";", "and", "or")):
                break
            if depth == 0 and kind in ("+", "-"):
                raise self.reject("ambiguous: what is taken modulo")
        self.i += 1

    def combinations(self) -> Node:
        r"""`{}_5C_2`, `^{5}P_{2}`: the number of choices, or of ordered choices."""
        self.i += 1
        count = self.script()
        letter = self.texts[self.i]
        if self.kinds[self.i] != "let" or letter not in ("C", "P") or self.kinds[self.i + 1] != "_":
            raise self.unexpected()
        self.i += 2
        chosen = self.script()
        return choices(letter, count, chosen)

    def absolute(self, kind: str) -> Node:
        self.i += 1
        closing = {"|": "|", "labs": "rabs", "norm": "norm", "lnorm": "rnorm", "||": "||"}[kind]
        bar, self.bar = self.bar, True
        content = self.sum()
        inner = self.determinant(content) if isinstance(content, Matrix) else self.node(content)
        if kind == "||" and self.kinds[self.i] == "|":
            # `||x|-1|`: what looked like a double bar is two openings
            self.i += 1
            inner = Call("abs", (inner,))
            inner = self.node(self.continued(inner))
            kind = closing = "|"
        self.bar = bar
        found = self.kinds[self.i]
        if found != closing and not (kind == "|" and found == "rabs") and not (kind == "labs" and found == "|"):
            raise self.reject("a bar that is not closed")
        self.i += 1
        if kind == "|" and self.kinds[self.i] in ("let", "const", "word", "(") and "|" in self.kinds[self.i :]:
            raise self.reject("ambiguous: which bars belong together")
        if isinstance(content, Matrix):
            if closing == "norm":
                raise self.reject("the norm of a matrix")
            return inner
        return Call("norm" if kind in ("norm", "lnorm", "||") else "abs", (inner,))

    def continued(self, first: Node) -> Part:
        """The rest of a sum whose first factor has been read."""
        terms: list[Node] = [self.node(self.product(first))]
        while self.kinds[self.i] in ("+", "-"):
            minus = self.kinds[self.i] == "-"
            self.i += 1
            term = self.node(self.term())
            terms.append(negate(term) if minus else term)
        return terms[0] if len(terms) == 1 else Add(tuple(terms))

    def two_arguments(self) -> tuple[Node, Node]:
        r"""The arguments of `\frac` and `\binom`, braced or not: `\frac12`, `\frac1{20}`, `\frac ab`."""
        kind, text = self.kinds[self.i], self.texts[self.i]
        if kind in ("num", "word") and len(text) > 1:
            if len(text) > 2 or not text.isalnum():
                raise self.reject("ambiguous: where the numerator ends")
            self.i += 1
            return single(text[0]), single(text[1])
        over = self.node(self.group())
        kind, text = self.kinds[self.i], self.texts[self.i]
        if kind in ("num", "word") and len(text) > 1:
            raise self.reject("ambiguous: where the denominator ends")
        return over, self.node(self.group())

    def radical(self, name: str) -> Node:
        self.i += 1
        degree: Node = integer(self.texts[self.i - 1])
        if self.kinds[self.i] == "[" and name == "sqrt":
            self.i += 1
            degree = self.inside()
            self.expect("]")
        kind, text = self.kinds[self.i], self.texts[self.i]
        if kind == "num" and self.source[self.starts[self.i - 1]] != "\\":
            following = self.kinds[self.i + 1], self.texts[self.i + 1]
            if following[0] in ("let", "word") or following == ("const", "pi"):
                raise self.reject("ambiguous: where the root ends")
            if following[0] in _AFTER_ROOT:
                self.i += 1
                return root(decimal(text), degree)  # `sqrt66`: plain text does not cut a number in two
        if kind == "word" or (kind == "num" and len(text) > 1 and name == "sqrt"):
            raise self.reject("ambiguous: where the root ends")
        node = root(self.node(self.group()), degree)
        # a radical sign without its bar, as in plain text, does not show where it ends
        ends = self.kinds[self.i] not in ("let", "const", "word") or self.texts[self.i] == "i"
        if name == "surd" and kind not in ("(", "{") and not ends:
            raise self.reject("ambiguous: where the root ends")
        return node


def repeating(text: str, start: int) -> Num:
    r"""`0.1\overline{6}`, `0.(3)`, `0.\dot{1}2\dot{3}`."""
    whole, _, part = text.partition(".")
    if "\\dot" in part:
        plain = part.replace("{", "").replace("}", "").replace(" ", "")
        fixed, *dotted = plain.split("\\dot")
        if len(dotted[-1]) != 1:
            raise Reject(start, "a repeating part that does not end")
        cycle = "".join(dotted)
    else:
        cut = min(index for index in (part.find("("), part.find("\\")) if index >= 0)
        fixed = part[:cut]
        cycle = "".join(c for c in part[cut:] if c.isdigit())
    if len(whole) + len(fixed) + len(cycle) > limits.MAX_DIGITS:
        raise Reject(start, "more digits than a number may have", True)
    scale = 10 ** len(fixed)
    value = Fraction(int((whole + fixed) or "0"), scale) + Fraction(int(cycle), scale * (10 ** len(cycle) - 1))
    return Num(value)
