r"""Tokens to expressions: sums, products, powers. One token of look-ahead, no backtracking, no evaluation.

Where a notation has two readings in use (`1/2x`, `\sin x/2`, `2 9/4`) the parser rejects it as ambiguous instead of
choosing one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from lighteval_fix.deciding.parsing.factors import FACTORS, Factors, repeating
from lighteval_fix.deciding.parsing.names import single
from lighteval_fix.deciding.parsing.nodes import (
    INFINITY,
    MINUS_ONE,
    NODES,
    ZERO,
    Part,
    decimal,
    integer,
    inverse,
    may_hold_e,
    negate,
    product,
    quotient,
    scientific,
)
from lighteval_fix.deciding.value import Add, Call, Const, Mul, Node, Num, PlusMinus, Pow

_SUMS: Final = frozenset(("+", "-", "pm", "mp"))
_CONTINUES: Final = FACTORS | {"*", "/", "dots"}
_DOTTED: Final = FACTORS | {"*"}
_POSTFIX: Final = frozenset(("^", "!", "%", "degree", "prime"))
_AFTER_BRACKET: Final = frozenset(
    ("end", ",", ";", ".", "cup", "cap", "minus", "and", "or", "rset", ")", "}", "]", "where")
)
_STOPPABLE: Final = frozenset(("word", "let", "(", "func"))
_PERCENT: Final = Num(Fraction(1, 100))


class Expressions(Factors):
    __slots__ = ()

    # ------------------------------------------------------------------ sums and products

    def sum(self) -> Part:
        percent, self.percent = self.percent, False
        part = self.term()
        kind = self.kinds[self.i]
        if kind not in _SUMS:
            self.percent |= percent
            return part
        if not isinstance(part, NODES):
            return self.structure_sum(part)
        terms: list[Node] = [part]
        shared, self.percent = self.percent, False
        plain = True
        while kind in _SUMS:
            self.i += 1
            plain &= kind == "+"
            if self.kinds[self.i] == "dots" and plain:
                terms = [self.dots("sum", terms)]
                kind = self.kinds[self.i]
                continue
            following = self.term()
            if self.percent != shared:
                raise self.reject("ambiguous: percent on one term of a sum")
            self.percent = False
            if not isinstance(following, NODES):
                raise self.reject("a structure added to a number")
            if kind == "+":
                terms.append(following)
            elif kind == "-":
                terms.append(negate(following))
            else:
                left = terms[0] if len(terms) == 1 else Add(tuple(terms))
                terms = [PlusMinus(left, following, kind == "mp")]
            kind = self.kinds[self.i]
        self.percent = percent or shared
        return terms[0] if len(terms) == 1 else Add(tuple(terms))

    def term(self) -> Part:
        kinds = self.kinds
        kind = kinds[self.i]
        sign = 1
        while kind in _SUMS:
            if kind == "-":
                sign = -sign
            elif kind != "+":
                return self.leading_plus_minus(sign)
            self.i += 1
            kind = kinds[self.i]
        part = self.power()
        if kinds[self.i] in _CONTINUES:
            part = self.product(part)
        if sign > 0:
            return part
        return negate(part) if isinstance(part, NODES) else self.structure_product([MINUS_ONE], part)

    def leading_plus_minus(self, sign: int) -> Part:
        flipped = self.kinds[self.i] == "mp"
        self.i += 1
        self.enter()
        right = self.node(self.term())
        self.depth -= 1
        return PlusMinus(ZERO, right, flipped ^ (sign < 0))

    def product(self, first: Part) -> Part:
        """The rest of a product whose first factor has been read."""
        kinds = self.kinds
        factors: list[Node] = []
        structure: Part | None = None
        if isinstance(first, NODES):
            factors.append(first)
        else:
            structure = first
        slash = False
        while True:
            kind = kinds[self.i]
            if kind == "*":
                self.i += 1
                following = self.signed()
                slash = False
            elif kind == "/":
                self.i += 1
                self.divide(factors)
                slash = True
                continue
            elif kind == "dots" and factors and structure is None and not slash and self.kinds[self.i + 1] in _DOTTED:
                factors = [self.dots("prod", factors)]
                break
            elif kind in FACTORS:
                if not self.is_factor(kind):
                    break
                if kind == "bmod":
                    self.past_modulo()
                    factors = [Call("mod", (product(factors), self.node(self.power())))]
                    continue
                if slash:
                    raise self.reject("ambiguous: a factor after a slash")
                if (kind == "num" or kind == "frac") and self.follows_whole(factors):
                    following = self.mixed_part(kind, factors)
                    if not factors:
                        factors = [self.node(following)]
                        continue
                elif kind == "num" and self.kinds[self.i - 1] != "!":
                    raise self.reject("two numbers side by side")
                else:
                    following = self.power()
            else:
                break
            if isinstance(following, NODES):
                factors.append(following)
            elif structure is None:
                structure = following
            else:
                structure = self.structures_product(structure, following)
        if structure is not None:
            return self.structure_product(factors, structure) if factors else structure
        return product(factors)

    def is_factor(self, kind: str) -> bool:
        """Whether the token at hand, which may begin a factor, does so here."""
        if self.gaps[self.i] > 1:
            return False
        if kind == "|":
            return not self.bar and self.kinds[self.i + 1] != "_"
        if kind == "num":
            # the only numbers side by side are those of a mixed number
            if self.kinds[self.i - 1] == "!":
                return True
            return (
                self.gaps[self.i] > 0
                and self.literal_before()
                and self.kinds[self.i + 1 : self.i + 3] == ["/", "num"]
                and self.texts[self.i].isdigit()
                and self.texts[self.i + 2].isdigit()
            )
        if kind == "[":
            return self.kinds[self.i + 1] not in _AFTER_BRACKET
        return kind not in _STOPPABLE or not self.stops()

    def divide(self, factors: list[Node]) -> None:
        over = self.i - 2
        under = self.node(self.signed())
        if self.kinds[self.i - 1] == "%":
            raise self.reject("ambiguous: percent after a slash")
        if not factors:
            raise self.reject("a structure divided")
        if self.kinds[over] == "word" and self.texts[over][0] == "d" and self.texts[over + 2][:1] == "d":
            raise self.reject("a derivative")
        if len(factors) == 1:
            factors[0] = quotient(factors[0], under)
        else:
            factors.append(inverse(under))

    def signed(self) -> Part:
        """A factor that may carry its own sign: `2 * -3`."""
        sign = 1
        while self.kinds[self.i] in ("+", "-"):
            if self.kinds[self.i] == "-":
                sign = -sign
            self.i += 1
        part = self.power()
        return part if sign > 0 else negate(self.node(part))

    def stops(self) -> bool:
        kind = self.kinds[self.i]
        return bool(
            self.integrals
            and kind == "let"
            and self.texts[self.i] == "d"
            and self.kinds[self.i + 1] in ("let", "const")
        )

    def literal_before(self) -> bool:
        return self.kinds[self.i - 1] == "num" and self.texts[self.i - 1].isdigit()

    def follows_whole(self, factors: list[Node]) -> bool:
        """Whether the product so far is nothing but the whole number written just before."""
        if len(factors) != 1 or not self.literal_before():
            return False
        whole = factors[0]
        return isinstance(whole, Num) and whole == integer(self.texts[self.i - 1])

    def mixed_part(self, kind: str, factors: list[Node]) -> Part:
        r"""The fraction after a whole number: `7\frac12`, `3 1/2`. Takes the whole number out of `factors` where the
        two are one mixed number, and leaves it where they are a product (`2\frac{x}{3}`)."""
        if kind == "frac":
            fraction = self.atom()
        else:
            below = int(self.texts[self.i + 2])
            if not below:
                raise self.reject("a division by zero")
            fraction = Num(Fraction(int(self.texts[self.i]), below))
            self.i += 3
        whole = factors[0]
        if not isinstance(whole, Num) or not isinstance(fraction, Num):
            return self.postfixed(fraction)
        if not 0 < fraction.value < 1:
            raise self.reject("ambiguous: a mixed number or a product")
        if self.kinds[self.i] in ("^", "!") and self.kinds[self.i + 1] not in ("circ", "{"):
            raise self.reject("ambiguous: what the power applies to")
        self.mixed = True
        factors.clear()
        return self.postfixed(Num(whole.value + fraction.value))

    # ------------------------------------------------------------------ powers

    def power(self) -> Part:
        base = self.atom()
        return self.postfixed(base) if self.kinds[self.i] in _POSTFIX else base

    def postfixed(self, base: Part) -> Part:
        """Powers, factorials and marks after `base`."""
        kind = self.kinds[self.i]
        while kind in _POSTFIX:
            if kind == "^":
                base = self.raised(base)
            elif kind == "!":
                self.i += 1
                name = "factorial"
                if self.kinds[self.i] == "!":
                    self.i += 1
                    name = "factorial2"
                base = Call(name, (self.node(base),))
            elif kind == "%":
                self.i += 1
                node = self.node(base)
                self.percent = True
                base = Num(node.value / 100) if isinstance(node, Num) else Mul((node, _PERCENT))
            elif kind == "degree":
                self.i += 1
                base = self.degrees(base)
            else:
                raise self.reject("a prime after an expression")
            kind = self.kinds[self.i]
        return base

    def raised(self, base: Part) -> Part:
        self.i += 1
        kinds = self.kinds
        kind = kinds[self.i]
        if kind == "circ" or kind == "degree":
            self.i += 1
            return self.degrees(base)
        if kind == "{" and kinds[self.i + 1] in ("circ", "degree") and kinds[self.i + 2] == "}":
            self.i += 3
            return self.degrees(base)
        if not isinstance(base, NODES):
            return self.structure_power(base)
        return Pow(base, self.exponent())

    def exponent(self) -> Node:
        braced = self.kinds[self.i] == "{"
        self.enter()
        exponent = self.script()
        if self.kinds[self.i] == "^":
            if braced:
                raise self.reject("ambiguous: a double superscript")
            self.i += 1
            exponent = Pow(exponent, self.exponent())
        self.depth -= 1
        if not braced and isinstance(exponent, Num) and exponent.value == 1 and self.kinds[self.i] == "/":
            raise self.reject("ambiguous: a slash after an exponent")
        return exponent

    def script(self) -> Node:
        sign = 1
        while self.kinds[self.i] in ("-", "+"):
            sign = -sign if self.kinds[self.i] == "-" else sign
            self.i += 1
        if self.kinds[self.i] == "word":
            if not self.next_power():
                raise self.reject("ambiguous: several letters in an unbraced exponent")
            node = single(self.texts[self.i][0])
            self.texts[self.i] = self.texts[self.i][1]
            self.kinds[self.i] = "const" if self.texts[self.i] in "ei" else "let"
            return node if sign > 0 else negate(node)
        node = self.node(self.group())
        return node if sign > 0 else negate(node)

    # ------------------------------------------------------------------ atoms

    def atom(self) -> Part:
        i = self.i
        kind = self.kinds[i]
        if kind == "num":
            self.i = i + 1
            return decimal(self.texts[i])
        if kind == "let":
            return self.symbol()
        if kind == "const":
            name = self.texts[i]
            if (name == "i" and self.bound) or (name != "oo" and self.kinds[i + 1] in ("_", "prime")):
                return self.symbol()
            self.i = i + 1
            return Const(name) if name != "oo" else INFINITY
        self.enter()
        part = self.complex_atom(kind)
        self.depth -= 1
        return part

    def complex_atom(self, kind: str) -> Part:
        match kind:
            case "frac":
                self.i += 1
                known = self.derivative()
                if known is not None:
                    return known
                return quotient(*self.two_arguments())
            case "sqrt" | "surd":
                return self.radical(kind)
            case "binom":
                self.i += 1
                return Call("binom", self.two_arguments())
            case "func":
                return self.function()
            case "word":
                return self.letters()
            case "|" | "labs" | "norm" | "lnorm" | "||":
                return self.absolute(kind)
            case "lfloor" | "lceil":
                self.i += 1
                inner = self.inside()
                self.expect("r" + kind[1:])
                return Call("floor" if kind == "lfloor" else "ceil", (inner,))
            case "rep":
                self.i += 1
                return repeating(self.texts[self.i - 1], self.starts[self.i - 1])
            case "sci":
                text = self.texts[self.i]
                if may_hold_e(text) and len(self.kinds) > 2 + (self.kinds[0] == "-"):
                    raise self.reject("ambiguous: scientific notation or the constant e")
                self.i += 1
                return scientific(text)
            case "deco":
                return self.decoration()
            case "geo":
                return self.figure()
            case "_" | "^":
                return self.combinations()
            case _:
                return self.structure_atom(kind)

    def group(self) -> Part:
        if self.kinds[self.i] != "{":
            return self.atom()
        self.enter()
        self.i += 1
        bar, self.bar = self.bar, False
        part = self.sum()
        self.bar = bar
        self.depth -= 1
        self.expect("}")
        return part
