"""Factors with limits of their own: fractions, roots, absolute values, repeating decimals."""

from __future__ import annotations

from fractions import Fraction

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.names import Names, single
from lighteval_fix.deciding.parsing.nodes import Part, integer, negate, root
from lighteval_fix.deciding.parsing.tokens import Reject
from lighteval_fix.deciding.value import Add, Call, Node, Num


class Factors(Names):
    __slots__ = ()

    def product(self, first: Part) -> Part:
        """The rest of a product whose first factor has been read."""
        raise NotImplementedError

    def absolute(self, kind: str) -> Node:
        self.i += 1
        closing = {"|": "|", "labs": "rabs", "norm": "norm", "lnorm": "rnorm", "||": "||"}[kind]
        bar, self.bar = self.bar, True
        inner = self.node(self.sum())
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
        if kind == "word" or (kind == "num" and len(text) > 1 and name == "sqrt"):
            raise self.reject("ambiguous: where the root ends")
        node = root(self.node(self.group()), degree)
        # a radical sign without its bar, as in plain text, does not show where it ends
        if name == "surd" and kind not in ("(", "{") and self.kinds[self.i] in ("let", "const", "word"):
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
