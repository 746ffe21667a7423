"""Tokens to expressions: sums, products, powers, functions. One token of look-ahead, no backtracking, no evaluation.

Where a notation has two readings in use (`1/2x`, `\\sin x/2`, `2 9/4`) the parser rejects it as ambiguous instead of
choosing one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.lex import Reject, Tokens
from lighteval_fix.deciding.parsing.nodes import (
    INFINITY,
    MINUS_ONE,
    NODES,
    ZERO,
    E,
    Part,
    decimal,
    integer,
    inverse,
    negate,
    product,
    quotient,
    radians,
    root,
    scientific,
)
from lighteval_fix.deciding.parsing.tables import INVERTIBLE, TRIG
from lighteval_fix.deciding.value import Add, Call, Const, Mul, Node, Num, PlusMinus, Pow, Sym

_SUMS: Final = frozenset(("+", "-", "pm", "mp"))
# Tokens that may begin a factor written next to another one.
FACTORS: Final = frozenset(
    ["let", "const", "word", "func", "(", "[", "{", "frac", "sqrt", "surd", "binom", "labs", "lnorm", "lfloor", "lceil", "bigop", "int", "deco", "begin", "rep", "sci"]
)
_FUNCTION_LETTERS: Final = frozenset("fghFGH")
_PERCENT: Final = Num(Fraction(1, 100))


class Expressions:
    """The state of one parse. `bar` is true where a `|` closes instead of opening."""

    __slots__ = (
        "bar",
        "bound",
        "degree",
        "depth",
        "gaps",
        "i",
        "integrals",
        "kinds",
        "mixed",
        "percent",
        "starts",
        "texts",
    )

    def __init__(self, tokens: Tokens) -> None:
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.gaps = tokens.gaps
        self.i = 0
        self.depth = 0
        self.integrals = 0
        self.bar = self.mixed = self.percent = self.degree = self.bound = False

    # ------------------------------------------------------------------ helpers

    def reject(self, why: str) -> Reject:
        return Reject(self.starts[self.i], why)

    def expect(self, kind: str) -> None:
        if self.kinds[self.i] != kind:
            raise self.reject(f"{kind} expected")
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

    # ------------------------------------------------------------------ sums and products

    def sum(self) -> Part:
        part = self.term()
        kind = self.kinds[self.i]
        if kind not in _SUMS:
            return part
        if not isinstance(part, NODES):
            return self.structure_sum(part)
        terms: list[Node] = [part]
        while kind in _SUMS:
            self.i += 1
            following = self.term()
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
        return terms[0] if len(terms) == 1 else Add(tuple(terms))

    def structure_sum(self, part: Part) -> Part:
        raise self.reject("a structure where a number is expected")

    def structure_product(self, factors: list[Node], part: Part) -> Part:
        raise self.reject("a structure where a number is expected")

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
        first = self.power()
        kind = kinds[self.i]
        if kind not in FACTORS and kind != "*" and kind != "/" and kind not in _RARE:
            if sign > 0:
                return first
            return negate(first) if isinstance(first, NODES) else self.structure_product([MINUS_ONE], first)
        part = self.product(first)
        if sign > 0:
            return part
        return negate(part) if isinstance(part, NODES) else self.structure_product([MINUS_ONE], part)

    def leading_plus_minus(self, sign: int) -> Part:
        kind = self.kinds[self.i]
        self.i += 1
        self.enter()
        right = self.node(self.term())
        self.depth -= 1
        return PlusMinus(ZERO, right, (kind == "mp") ^ (sign < 0))

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
                under = self.node(self.signed())
                if not factors:
                    raise self.reject("a structure divided")
                if len(factors) == 1:
                    factors = [quotient(factors[0], under)]
                else:
                    factors.append(inverse(under))
                slash = True
                continue
            elif kind in FACTORS or kind in _RARE:
                if kind == "|" and self.bar:
                    break
                if self.stops():
                    break
                if kind == "num" and not self.is_mixed():
                    break
                if slash and kind != "bmod":
                    raise self.reject("ambiguous: a factor after a slash")
                mixed = self.is_mixed() and len(factors) == 1 and self.literal_before()
                if kind == "bmod":
                    self.i += 1
                    factors = [Call("mod", (product(factors), self.node(self.power())))]
                    continue
                following = self.fraction_part() if kind == "num" else self.power()
                if mixed and isinstance(following, Num) and isinstance(factors[0], Num):
                    if not 0 < following.value < 1:
                        raise self.reject("ambiguous: a mixed number or a product")
                    factors = [Num(factors[0].value + following.value)]
                    self.mixed = True
                    continue
            else:
                break
            if isinstance(following, NODES):
                factors.append(following)
            elif structure is None:
                structure = following
            else:
                raise self.reject("a product of structures")
        if structure is not None:
            return self.structure_product(factors, structure) if factors else structure
        return product(factors)

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
        """Whether the word or letter at hand is not a factor but the end of the expression."""
        kind = self.kinds[self.i]
        if kind == "word":
            return not splits(self.texts[self.i]) or self.is_unit()
        if self.integrals and kind == "let" and self.texts[self.i] == "d":
            return self.kinds[self.i + 1] in ("let", "const")
        return False

    def is_unit(self) -> bool:
        return False

    def literal_before(self) -> bool:
        return self.kinds[self.i - 1] == "num" and self.texts[self.i - 1].isdigit()

    def is_mixed(self) -> bool:
        """Whether a fraction of literals follows, as in `7\\frac12` or `3 1/2`."""
        kind = self.kinds[self.i]
        if kind == "frac":
            return True
        following = self.kinds[self.i + 1 : self.i + 3]
        return kind == "num" and self.gaps[self.i] and following == ["/", "num"] and self.literal_before()

    def fraction_part(self) -> Part:
        over, under = self.texts[self.i], self.texts[self.i + 2]
        if not over.isdigit() or not under.isdigit() or not int(under):
            raise self.reject("two numbers side by side")
        self.i += 3
        return Num(Fraction(int(over), int(under)))

    # ------------------------------------------------------------------ powers

    def power(self) -> Part:
        base = self.atom()
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

    def degrees(self, base: Part) -> Part:
        self.degree = True
        return Call("deg", (self.node(base),))

    def raised(self, base: Part) -> Part:
        self.i += 1
        kinds = self.kinds
        kind = kinds[self.i]
        if kind == "circ":
            self.i += 1
            return self.degrees(base)
        if kind == "{" and kinds[self.i + 1] == "circ" and kinds[self.i + 2] == "}":
            self.i += 3
            return self.degrees(base)
        if not isinstance(base, NODES):
            return self.structure_power(base)
        exponent = self.exponent()
        return Pow(base, exponent)

    def structure_power(self, base: Part) -> Part:
        raise self.reject("a structure raised to a power")

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
        """What a superscript or a subscript applies to: a brace group, or one atom with its sign."""
        sign = 1
        while self.kinds[self.i] in ("-", "+"):
            sign = -sign if self.kinds[self.i] == "-" else sign
            self.i += 1
        if self.kinds[self.i] == "word" and len(self.texts[self.i]) > 1:
            raise self.reject("ambiguous: several letters in an unbraced exponent")
        node = self.node(self.atom())
        while self.kinds[self.i] == "!":
            self.i += 1
            node = Call("factorial", (node,))
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
            if (name == "i" and self.bound) or (self.kinds[i + 1] == "_" and name in ("e", "i", "pi")):
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
                over, under = self.two_arguments()
                if not isinstance(over, NODES):
                    raise self.reject("a structure in a fraction")
                return quotient(over, under)
            case "sqrt":
                return self.radical()
            case "surd":
                degree = self.texts[self.i]
                self.i += 1
                part = self.atom()
                if self.kinds[self.i] in ("let", "const", "word") and self.kinds[self.i - 1] not in (")", "}"):
                    raise self.reject("ambiguous: where the root ends")
                return root(self.node(part), integer(degree))
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
                number = scientific(self.texts[self.i])
                if number is None:
                    raise self.reject("ambiguous: scientific notation or the constant e")
                self.i += 1
                return number
            case "based":
                return self.based_number()
            case _:
                return self.structure_atom(kind)

    def structure_atom(self, kind: str) -> Part:
        raise self.reject(
            "the end of the text" if kind == "end" else f"{self.texts[self.i] or kind} is not expected here"
        )

    def based_number(self) -> Part:
        raise self.reject("a number in another base inside an expression")

    def inside(self) -> Node:
        """An expression in brackets of its own, where `|` opens again."""
        bar, self.bar = self.bar, False
        node = self.node(self.sum())
        self.bar = bar
        return node

    def absolute(self, kind: str) -> Node:
        self.i += 1
        closing = {"|": "|", "labs": "rabs", "norm": "norm", "lnorm": "rnorm", "||": "||"}[kind]
        bar, self.bar = self.bar, True
        inner = self.node(self.sum())
        self.bar = bar
        if kind == "||" and self.kinds[self.i] == "|":
            # `||x|-1|`: what looked like a double bar is two openings
            self.i += 1
            self.bar = True
            rest = self.node(self.rest_of_sum(Call("abs", (inner,))))
            self.bar = bar
            self.expect("|")
            return Call("abs", (rest,))
        if self.kinds[self.i] not in (closing, "rabs" if kind == "|" else closing):
            raise self.reject("a bar that is not closed")
        self.i += 1
        return Call("norm" if kind in ("norm", "lnorm", "||") else "abs", (inner,))

    def rest_of_sum(self, first: Node) -> Part:
        terms: list[Node] = [self.node(self.product(first))]
        while self.kinds[self.i] in ("+", "-"):
            minus = self.kinds[self.i] == "-"
            self.i += 1
            term = self.node(self.term())
            terms.append(negate(term) if minus else term)
        return terms[0] if len(terms) == 1 else Add(tuple(terms))

    def group(self) -> Part:
        """A brace group, or one atom."""
        if self.kinds[self.i] != "{":
            return self.atom()
        self.i += 1
        bar, self.bar = self.bar, False
        part = self.sum()
        self.bar = bar
        self.expect("}")
        return part

    def two_arguments(self) -> tuple[Node, Node]:
        """The arguments of `\\frac` and `\\binom`, braced or not: `\\frac12`, `\\frac1{20}`, `\\frac ab`."""
        i = self.i
        kind, text = self.kinds[i], self.texts[i]
        if kind == "num" or kind == "word":
            if len(text) == 2 and text.isalnum():
                self.i += 1
                return self.single(text[0]), self.single(text[1])
            if len(text) > 1:
                raise self.reject("ambiguous: where the numerator ends")
        over = self.node(self.group())
        if self.kinds[self.i] == "/" and kind == "(":
            raise self.reject("a slash inside a fraction")
        kind, text = self.kinds[self.i], self.texts[self.i]
        if len(text) > 1 and (kind == "num" or kind == "word"):
            raise self.reject("ambiguous: where the denominator ends")
        if kind in ("-", "+", "pm"):
            raise self.reject("a fraction without its denominator")
        return over, self.node(self.group())

    def single(self, letter: str) -> Node:
        if letter.isdigit():
            return integer(letter)
        return Const(letter) if letter in "ei" else Sym(letter)

    def radical(self) -> Node:
        self.i += 1
        degree: Node = integer(self.texts[self.i - 1])
        if self.kinds[self.i] == "[":
            self.i += 1
            degree = self.inside()
            self.expect("]")
        kind, text = self.kinds[self.i], self.texts[self.i]
        if (kind == "num" and len(text) > 1 and "\\" not in text) or (kind == "word" and len(text) > 1):
            raise self.reject("ambiguous: where the root ends")
        return root(self.node(self.group()), degree)

    # ------------------------------------------------------------------ functions

    def function(self) -> Node:
        name = self.texts[self.i]
        self.i += 1
        base: Node | None = None
        power: Node | None = None
        while self.kinds[self.i] in ("^", "_"):
            if self.kinds[self.i] == "_":
                if name != "log" or base is not None:
                    raise self.reject("a subscript on a function")
                self.i += 1
                base = self.script()
            else:
                if power is not None:
                    raise self.reject("ambiguous: a double superscript")
                self.i += 1
                power = self.script()
        kind = self.kinds[self.i]
        if kind in ("(", "["):
            arguments = self.arguments()
        elif kind in ("{", "|", "labs", "lfloor", "lceil") and not (kind == "|" and self.bar):
            braces = kind == "{"
            arguments = (self.node(self.group() if braces else self.atom()),)
        elif kind == "lset" and name in ("max", "min", "gcd", "lcm", "sup", "inf"):
            arguments = self.arguments()
        else:
            arguments = (self.bare_argument(),)
        if name in TRIG and self.degree:
            arguments = tuple(radians(a) for a in arguments)
        return self.called(name, arguments, base, power)

    def called(self, name: str, arguments: tuple[Node, ...], base: Node | None, power: Node | None) -> Node:
        if power is not None and isinstance(power, Num) and power.value == -1:
            if name not in INVERTIBLE:
                raise self.reject(f"ambiguous: the inverse of {name}")
            name, power = INVERTIBLE[name], None
        node: Node
        if name == "exp" and len(arguments) == 1:
            node = Pow(E, arguments[0])
        elif name == "lg":
            node = Call("log", (*arguments, integer("10")))
        elif base is not None:
            node = Call("log", (*arguments, base))
        elif name == "cis":
            angle = arguments[0]
            node = Add((Call("cos", (angle,)), Mul((Const("i"), Call("sin", (angle,))))))
        else:
            node = Call(name, arguments)
        return node if power is None else Pow(node, power)

    def arguments(self) -> tuple[Node, ...]:
        closing = {"(": ")", "[": "]", "lset": "rset"}[self.kinds[self.i]]
        self.i += 1
        bar, self.bar = self.bar, False
        found = [self.node(self.sum())]
        while self.kinds[self.i] == ",":
            self.i += 1
            found.append(self.node(self.sum()))
        self.bar = bar
        self.expect(closing)
        return tuple(found)

    def bare_argument(self) -> Node:
        """The argument of a function without brackets: `2x`, `n\\theta`, `\\frac{\\pi}{3}`, `60^\\circ`."""
        sign = 1
        if self.kinds[self.i] in ("-", "+"):
            sign = -1 if self.kinds[self.i] == "-" else 1
            self.i += 1
        factors: list[Node] = [self.node(self.power())]
        while self.kinds[self.i] in ("let", "const", "word", "frac"):
            if self.stops():
                break
            if (
                (self.kinds[self.i] == "const"
                and self.texts[self.i] == "e")
                or not isinstance(factors[-1], Num | Sym | Const | Pow | Mul)
            ):
                raise self.reject("ambiguous: where the argument ends")
            factors.append(self.node(self.power()))
        kind = self.kinds[self.i]
        if kind in ("(", "[", "sqrt", "surd", "labs", "num") or (kind == "|" and not self.bar):
            raise self.reject("ambiguous: where the argument ends")
        if kind == "/" and self.kinds[self.i + 1] != "func":
            raise self.reject("ambiguous: a slash after a bare argument")
        node = product(factors)
        return node if sign > 0 else negate(node)

    # ------------------------------------------------------------------ names

    def symbol(self) -> Node:
        """A letter with its subscript and primes; f, g and h before a bracket are functions."""
        i = self.i
        name = self.texts[i]
        self.i = i + 1
        kind = self.kinds[i + 1]
        if kind in _MARKS:
            name = self.decorated(name)
            kind = self.kinds[self.i]
        if kind == "(" and (name[0] in _FUNCTION_LETTERS and (len(name) == 1 or name[1] in "'_")):
            return Call(name, self.arguments())
        return Sym(name)

    def decorated(self, name: str) -> str:
        """`name` with the subscript and the primes that follow."""
        while True:
            kind = self.kinds[self.i]
            if kind == "prime":
                self.i += 1
                name += "'"
            elif kind == "^" and self.kinds[self.i + 1] == "prime":
                self.i += 2
                name += "'"
            elif kind == "^" and self.kinds[self.i + 1] == "{" and self.kinds[self.i + 2] == "prime":
                self.i += 2
                while self.kinds[self.i] == "prime":
                    self.i += 1
                    name += "'"
                self.expect("}")
            elif kind == "_":
                self.i += 1
                name += "_" + self.flat()
            else:
                return name

    def flat(self) -> str:
        """A subscript as text: its tokens without spaces and braces."""
        start = self.i
        if self.kinds[start] != "{":
            self.i = start + 1
            if self.kinds[start] not in ("num", "let", "const", "word", "text", "*", "+", "-"):
                raise self.reject("a subscript expected")
            return self.texts[start] or self.kinds[start]
        depth = 0
        pieces: list[str] = []
        while True:
            kind = self.kinds[self.i]
            if kind == "end":
                raise self.reject("a subscript that is not closed")
            depth += (kind == "{") - (kind == "}")
            self.i += 1
            if depth == 0:
                return "".join(pieces)
            if kind not in ("{", "}"):
                pieces.append(self.texts[self.i - 1] or kind)

    def letters(self) -> Node:
        """A run of letters as the product of its letters."""
        run = self.texts[self.i]
        if not splits(run):
            raise self.reject(f"a word inside mathematics: {run[:40]}")
        factors = [self.single(letter) for letter in run]
        self.i += 1
        if self.kinds[self.i] in _MARKS:
            factors[-1] = Sym(self.decorated(run[-1]))
        if self.kinds[self.i] == "(" and run[-1] in _FUNCTION_LETTERS:
            factors[-1] = Call(run[-1], self.arguments())
        if self.kinds[self.i] == "^":
            factors[-1] = self.node(self.raised(factors[-1]))
        if self.kinds[self.i] == "!":
            self.i += 1
            factors[-1] = Call("factorial", (factors[-1],))
        return Mul(tuple(factors))


_POSTFIX: Final = frozenset(("^", "!", "%", "degree"))
_MARKS: Final = frozenset(("_", "prime", "^"))
_RARE: Final = frozenset(("|", "num", "bmod", "based"))


def splits(run: str) -> bool:
    """Whether a run of letters may be a product of single letters: up to three of them, or a stretch of the alphabet
    (`abcd`, `wxyz`). A longer run is a word, and no word is taken apart."""
    if len(run) <= 3:
        return True
    return len(run) <= 6 and all(0 <= ord(b) - ord(a) <= 1 for a, b in zip(run, run[1:], strict=False))


def repeating(text: str, start: int) -> Num:
    """`0.1\\overline{6}`, `0.(3)`, `0.\\dot{1}2\\dot{3}`."""
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
