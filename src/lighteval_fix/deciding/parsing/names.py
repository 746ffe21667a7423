"""Symbols with their subscripts and primes, runs of letters, and functions with their arguments."""

from __future__ import annotations

import itertools
import re
from typing import Final

from lighteval_fix.deciding.parsing.cursor import Cursor
from lighteval_fix.deciding.parsing.matrices import determinant
from lighteval_fix.deciding.parsing.nodes import E, I, Part, choices, integer, negate, product, radians
from lighteval_fix.deciding.parsing.tables import INVERTIBLE, TRIG
from lighteval_fix.deciding.parsing.tokens import Reject
from lighteval_fix.deciding.value import Add, Call, Const, Matrix, Mul, Node, Num, Pow, Sym

_COUNTS: Final = frozenset("CPA")
FUNCTION_LETTERS: Final = frozenset("fghFGH")
_MARKS: Final = frozenset(("_", "prime", "^"))
_SUBSCRIPTS: Final = frozenset(("num", "let", "const", "word", "text", "func", "*", "+", "-"))
_IN_SUBSCRIPT: Final = _SUBSCRIPTS | {"{", "}", "/", ",", "(", ")", "rel", "_", "^", "prime", "named", "begin"}
_CLOSING: Final = {"(": ")", "[": "]", "lset": "rset"}
_BRACKETED: Final = frozenset(("{", "|", "labs", "lfloor", "lceil"))
_OF_SETS: Final = frozenset(("max", "min", "gcd", "lcm", "sup", "inf"))
_SMALL: Final = re.compile(r"\d{1,3}")
_NO_ARGUMENT: Final = frozenset(("end", "+", "-", ",", ")", "}", "]", "rel", "*", "/", ".", ";", "and", "or"))
_TWO_IN_ONE: Final = re.compile(r"[2-9]\d+$")
_UNCLEAR: Final = frozenset(("(", "[", "sqrt", "surd", "labs", "num"))


class Names(Cursor):
    __slots__ = ()

    # ------------------------------------------------------------------ symbols

    def symbol(self) -> Node:
        """A letter with its subscript and primes; f, g and h before a bracket are functions, other letters factors."""
        i = self.i
        name = self.texts[i]
        self.i = i + 1
        kind = self.kinds[i + 1]
        if kind == "_" or kind == "prime" or (kind == "^" and self.kinds[i + 2] in ("prime", "{")):
            name = self.decorated(name)
            kind = self.kinds[self.i]
        if kind == "^" and name[0] in _COUNTS and "_" in name:
            return self.counted(name)
        if kind == "geo" and name == "m":
            return self.figure()
        if name[0] in FUNCTION_LETTERS and (len(name) == 1 or name[1] in "'_"):
            if kind == "(":
                return Call(name, self.arguments())
            if kind == "^" and self.inverse_mark():
                self.i += 5
                if self.kinds[self.i] != "(":
                    return Sym(name + "^-1")
                return Call(name + "^-1", self.arguments())
        return Sym(name)

    def counted(self, name: str) -> Node:
        """`C_5^2` and `A_5^2`, as they are written in many countries: choices, or ordered choices, of 2 out of 5. Only
        where the answer has no other letters, since among symbols this may be one, raised to a power."""
        letter, _, count = name.partition("_")
        above = self.i + (2 if self.kinds[self.i + 1] == "{" else 1)
        chosen = self.texts[above]
        lone = all(
            kind not in ("let", "word") or (text in ("C", "A") and after == "_")
            for kind, text, after in zip(self.kinds, self.texts, self.kinds[1:], strict=False)
        )
        if not (lone and letter in ("C", "A") and _SMALL.fullmatch(count) and _SMALL.fullmatch(chosen)):
            raise self.ambiguous()
        if int(chosen) > int(count) or (self.kinds[above - 1] == "{" and self.kinds[above + 1] != "}"):
            raise self.ambiguous()
        self.i += 1
        self.script()
        return choices(letter, integer(count), integer(chosen))

    def ambiguous(self) -> Reject:
        return self.reject("ambiguous: a power or a number of combinations")

    def inverse_mark(self) -> bool:
        i = self.i
        return self.kinds[i + 1 : i + 5] == ["{", "-", "num", "}"] and self.texts[i + 3] == "1"

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
            if self.kinds[start] not in _SUBSCRIPTS:
                raise self.reject("a subscript expected")
            self.i = start + 1
            return self.label(start)
        depth = 0
        pieces: list[str] = []
        while True:
            kind = self.kinds[self.i]
            if kind == "end":
                raise self.reject("a subscript that is not closed")
            depth += (kind == "{") - (kind == "}")
            self.i += 1
            if depth == 0:
                if not pieces:
                    raise self.reject("an empty subscript")
                return "".join(pieces)
            if kind not in _IN_SUBSCRIPT:
                raise self.reject("a subscript expected")
            if kind not in ("{", "}"):
                pieces.append(self.label(self.i - 1))

    def label(self, at: int) -> str:
        """One token of a subscript."""
        text = "".join(self.texts[at].split())
        if self.kinds[at] == "text" and not text.isalnum():
            raise self.reject("a subscript expected")
        return text or self.kinds[at]

    def letters(self) -> Node:
        """A run of letters as the product of its letters."""
        run = self.texts[self.i]
        if not splits(run):
            raise self.reject(f"a word inside mathematics: {run[:40]}")
        factors = [single(letter) for letter in run]
        self.i += 1
        if self.kinds[self.i] in _MARKS:
            name = self.decorated(run[-1])
            if name != run[-1]:
                factors[-1] = Sym(name)
            if self.kinds[self.i] == "^" and name[0] in _COUNTS and "_" in name:
                raise self.ambiguous()
        if self.kinds[self.i] == "(" and run[-1] in FUNCTION_LETTERS:
            factors[-1] = Call(run[-1], self.arguments())
        while self.kinds[self.i] == "^":
            factors[-1] = self.node(self.raised(factors[-1]))
        if self.kinds[self.i] == "!":
            self.i += 1
            factors[-1] = Call("factorial", (factors[-1],))
        return Mul(tuple(factors))

    def decoration(self) -> Node:
        r"""`\vec{v}`, `\overline{AB}`: a symbol named after its decoration."""
        name = self.texts[self.i]
        self.i += 1
        if name == "overline" and self.kinds[self.i] == "{" and self.complex_number():
            return Call("conj", (self.node(self.group()),))
        inner = self.flat()
        if not inner.replace("'", "").replace("\\", "").isalnum() or len(inner) > 40:
            raise self.reject("a decoration over nothing")
        if inner in ("imath", "jmath"):
            inner = inner[0]
        return Sym(self.decorated(f"{name}({inner})"))

    def complex_number(self) -> bool:
        """Whether the braces at hand hold a sum with `i`."""
        end = self.i
        while self.kinds[end] not in ("}", "end"):
            end += 1
        inside = range(self.i + 1, end)
        return any(self.kinds[j] in ("+", "-") for j in inside) and any(self.texts[j] == "i" for j in inside)

    def figure(self) -> Node:
        r"""`\triangle ABC`, `\angle A`: a figure named by its letters."""
        name = self.texts[self.i]
        self.i += 1
        if self.kinds[self.i] not in ("word", "let", "text"):
            raise self.reject("a figure without its letters")
        self.i += 1
        return Sym(self.decorated(f"{name} {self.texts[self.i - 1]}"))

    def derivative(self) -> Node | None:
        r"""`\frac{dy}{dx}` as a symbol: its d is no factor that might cancel. Other derivatives are rejected."""
        kinds, texts, i = self.kinds, self.texts, self.i
        if kinds[i] != "{" or texts[i + 1][:1] not in ("d", "p"):
            return None
        over = self.differentials(i + 1)
        close = i + 1
        while kinds[close] not in ("}", "end") and close < i + 12:
            close += 1
        if kinds[close] != "}" or kinds[close + 1] != "{":
            return None
        under = self.differentials(close + 2)
        if not over or not under:
            return None
        ends = [j for j in (i + 1 + over[1], close + 2 + under[1]) if kinds[j] != "}"]
        if ends or not over[0] or not under[0]:
            raise self.reject("a derivative")
        self.i = close + 3 + under[1]
        return Sym(f"d{over[0]}/d{under[0]}")

    def differentials(self, at: int) -> tuple[str, int] | None:
        """The variable after a d at token `at`, and how many tokens it takes; an empty one for a bare d."""
        kind, text = self.kinds[at], self.texts[at]
        if kind == "word" and text[0] == "d" and len(text) == 2:
            return text[1], 1
        if kind in ("let", "text") and text in ("d", "partial"):
            if self.kinds[at + 1] in ("let", "const"):
                return self.texts[at + 1], 2
            return "", 1
        return None

    # ------------------------------------------------------------------ functions

    def determinant(self, part: Part) -> Node:
        """The determinant of a matrix that is written out."""
        found = determinant(part) if isinstance(part, Matrix) else None
        if found is None:
            raise self.reject("a determinant of something else than a small square matrix")
        return found

    def function(self) -> Node:
        name = self.texts[self.i]
        self.i += 1
        if name in ("max", "min") and (self.kinds[self.i], self.texts[self.i]) in (("rel", "="), (":", ":")):
            return Sym(name)  # what is said of the largest value
        base: Node | None = None
        power: Node | None = None
        while self.kinds[self.i] in ("^", "_"):
            if self.kinds[self.i] == "_":
                if name != "log" or base is not None:
                    raise self.reject("a subscript on a function")
                self.i += 1
                digits = self.texts[self.i]
                if self.kinds[self.i] == "num" and self.kinds[self.i + 1] in _NO_ARGUMENT and _TWO_IN_ONE.match(digits):
                    # one token is all that an unbraced subscript takes: `\log_28` is the logarithm of 8
                    self.i += 1
                    return self.called(name, (integer(digits[1:]),), integer(digits[0]), power)
                base = self.script()
            else:
                if power is not None:
                    raise self.reject("ambiguous: a double superscript")
                self.i += 1
                power = self.script()
        kind = self.kinds[self.i]
        if name == "log" and base is power is None and self.plain_base():
            base = integer(self.texts[self.i])
            self.i += 1
            kind = "("
        if name == "det" and "begin" in (kind, self.kinds[self.i + 1]):
            return self.determinant(self.atom())
        if kind in ("(", "[") or (kind == "lset" and name in _OF_SETS):
            arguments = self.arguments()
        elif kind in _BRACKETED and not (kind == "|" and self.bar):
            arguments = (self.node(self.group() if kind == "{" else self.atom()),)
        else:
            arguments = (self.bare_argument(),)
        if self.degree and name in TRIG:
            arguments = tuple(radians(a) for a in arguments)
        return self.called(name, arguments, base, power)

    def plain_base(self) -> bool:
        """Whether plain text names the function as programs do: `log2(8)`, `log10(x)`."""
        i = self.i
        plain = self.source[self.starts[i - 1]] != "\\" and not (self.gaps[i] or self.gaps[i + 1])
        return plain and self.kinds[i : i + 2] == ["num", "("] and self.texts[i] in ("2", "10")

    def called(self, name: str, arguments: tuple[Node, ...], base: Node | None, power: Node | None) -> Node:
        if isinstance(power, Num) and power.value == -1:
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
            node = Add((Call("cos", arguments), Mul((I, Call("sin", arguments)))))
        else:
            node = Call(name, arguments)
        return node if power is None else Pow(node, power)

    def arguments(self) -> tuple[Node, ...]:
        closing = _CLOSING[self.kinds[self.i]]
        self.enter()
        self.i += 1
        bar, self.bar = self.bar, False
        found = [self.node(self.sum())]
        while self.kinds[self.i] == ",":
            self.i += 1
            found.append(self.node(self.sum()))
        self.bar = bar
        self.depth -= 1
        self.expect(closing)
        return tuple(found)

    def bare_argument(self) -> Node:
        r"""The argument of a function without brackets: `2x`, `n\theta`, `\frac{\pi}{3}`, `60^\circ`."""
        sign = 1
        if self.kinds[self.i] in ("-", "+"):
            sign = -1 if self.kinds[self.i] == "-" else 1
            self.i += 1
        self.enter()
        factors: list[Node] = [self.node(self.power())]
        while self.kinds[self.i] in ("let", "const", "word", "frac") and not self.gaps[self.i] > 1:
            if self.stops():
                break
            if (self.kinds[self.i] == "const" and self.texts[self.i] == "e") or isinstance(factors[-1], Add | Call):
                raise self.reject("ambiguous: where the argument ends")
            factors.append(self.node(self.power()))
        self.depth -= 1
        kind = self.kinds[self.i]
        if kind in _UNCLEAR or (kind == "|" and not self.bar):
            raise self.reject("ambiguous: where the argument ends")
        if kind == "/" and self.kinds[self.i + 1] != "func":
            raise self.reject("ambiguous: a slash after a bare argument")
        node = product(factors)
        return node if sign > 0 else negate(node)


def single(letter: str) -> Node:
    """One letter or digit as an expression."""
    if letter.isdigit():
        return integer(letter)
    return Const(letter) if letter in "ei" else Sym(letter)


def splits(run: str) -> bool:
    """Whether a run of letters may be a product of single letters: up to three of them, or a stretch of the alphabet
    (`abcd`, `wxyz`). A longer run is a word, and no word is taken apart."""
    if len(run) <= 3:
        return True
    return len(run) <= 6 and all(0 <= ord(b) - ord(a) <= 1 for a, b in itertools.pairwise(run))
