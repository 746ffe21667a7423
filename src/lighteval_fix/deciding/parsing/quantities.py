"""What stands around a number: currencies, units, percent, moduli; and members that begin with words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lighteval_fix.deciding.parsing.environments import Environments
from lighteval_fix.deciding.parsing.nodes import NODES, Part, negate
from lighteval_fix.deciding.parsing.tables import WHERE_WORDS
from lighteval_fix.deciding.parsing.words import STOP_WORDS, UNITS, is_word, read_words, unit_factors
from lighteval_fix.deciding.units import canonical, dimension
from lighteval_fix.deciding.value import (
    Assignment,
    Call,
    Compound,
    Node,
    Num,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    Sym,
    Value,
    Words,
)

_TAILS: Final = frozenset(("text", "word", "cur", "pmod", "(", "func"))
_PERCENT: Final = frozenset(("percent", "percents", "per cent", "percentage"))
_DEGREES: Final = frozenset(("degrees", "degree", "deg"))
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_MAX_UNIT_POWER: Final = 9
_MAX_UNIT_WORDS: Final = 6


class Quantities(Environments):
    __slots__ = ()

    def operand(self) -> Part:
        """One side of a relation, or a whole member."""
        raise NotImplementedError

    def member(self) -> Part:
        kind = self.kinds[self.i]
        if kind == "cur" or (kind in ("-", "+") and self.kinds[self.i + 1] == "cur"):
            return self.money()
        if kind == "text" or kind == "word":
            worded = self.worded(kind)
            if worded is not None:
                return worded
        part = self.sum()
        kind = self.kinds[self.i]
        if kind in ("rabs", "|") and self.kinds[self.i + 1] == "_" and isinstance(part, NODES):
            self.i += 1
            part = self.between(part)
            kind = self.kinds[self.i]
        if kind == ":" and not self.colon and isinstance(part, NODES):
            return self.ratio(part)
        return self.tail(part) if kind in _TAILS else part

    def ratio(self, first: Node) -> Ratio:
        terms = [self.plain(first)]
        while self.kinds[self.i] == ":":
            self.i += 1
            terms.append(self.plain(self.sum()))
        return Ratio(tuple(terms))

    def money(self) -> Part:
        negative = self.kinds[self.i] == "-"
        if self.kinds[self.i] != "cur":
            self.i += 1
        symbol = self.texts[self.i]
        self.i += 1
        node = self.node(self.sum())
        if self.degree:
            raise self.reject("money in degrees")
        if negative:
            node = negate(node)
        if self.kinds[self.i] in ("text", "word"):
            return self.tail(node)
        return Scalar(node, currency=symbol)

    # ------------------------------------------------------------------ words

    def worded(self, kind: str) -> Part | None:
        """A member that begins with text: a letter, a name with its value, or words."""
        text = self.texts[self.i]
        following = self.kinds[self.i + 1]
        if kind == "text":
            if len(text) == 1 and text.isalpha():
                self.i += 1
                return Sym(self.decorated(text))
            if text.isalpha() and text.isupper() and len(text) <= 3 and (following == "rel" or self.after_relation()):
                return self.letters()
            inner = read_words(text)
            if inner is None:
                return None
            self.i += 1
            if following in ("rel", ":", "_") and isinstance(inner, Words):
                return self.named(text.rstrip(":"))
            return inner
        end = self.i
        words = [text]
        while self.kinds[end + 1] == "word" and self.gaps[end + 1]:
            end += 1
            words.append(self.texts[end])
        if (
            self.kinds[end + 1] in ("rel", ":", "_")
            and len(words) < 5
            and (
                any(len(w) > 3 for w in words) or (is_word(text) and not text.isupper() and self.kinds[end + 1] == ":")
            )
            and STOP_WORDS.isdisjoint(words)
            and WHERE_WORDS.isdisjoint(words)
        ):
            self.i = end + 1
            return self.named(" ".join(words))
        return None

    def after_relation(self) -> bool:
        return self.i > 0 and self.kinds[self.i - 1] == "rel"

    def named(self, name: str) -> Part:
        """A name of several letters, with its value where a colon follows."""
        if self.kinds[self.i] == "_":
            name = self.decorated(name)
        if self.kinds[self.i] != ":":
            if self.kinds[self.i] != "rel":
                raise self.reject("a word inside mathematics")
            return Sym(name)
        self.i += 1
        value = self.operand()
        if isinstance(value, NODES):
            return Relation((Sym(name), self.scalar(value).node), ("=",))
        return Assignment(Sym(name), "=", value)

    # ------------------------------------------------------------------ units

    def stops(self) -> bool:
        kind = self.kinds[self.i]
        if kind == "word":
            text = self.texts[self.i]
            return text in UNITS or len(text) > 3 or (text in STOP_WORDS and self.gaps[self.i] > 0)
        if kind == "func":
            return self.is_minutes()
        if kind == "(":
            following = self.kinds[self.i + 1 : self.i + 3]
            return self.opens_modulus() or following == ["let", "in"] or self.bracketed_unit()
        return super().stops()

    def tail(self, part: Part) -> Part:
        kind = self.kinds[self.i]
        if kind == "pmod" or (kind == "(" and self.opens_modulus()):
            return self.modulus(part)
        if (kind == "(" and not self.bracketed_unit()) or (kind == "func" and not self.is_minutes()):
            return part
        if not isinstance(part, NODES):
            raise self.unexpected()
        if kind == "(":
            self.i += 1
            unit = self.unit(part)
            self.expect(")")
            return self.measured(part, unit)
        if kind == "cur":
            if self.degree:
                raise self.reject("money in degrees")
            self.i += 1
            return Scalar(part, currency=self.texts[self.i - 1])
        return self.measured(part, self.unit(part))

    def unit(self, number: Node) -> tuple[tuple[str, int], ...]:
        factors: list[tuple[str, int]] = []
        over = 1
        while True:
            kind = self.kinds[self.i]
            text = self.texts[self.i]
            if (
                kind in ("text", "word")
                or (kind == "let" and (over < 0 or factors) and text.isascii())
                or (kind == "func" and self.is_minutes())
            ):
                if kind == "word":
                    text = self.phrase()
                elif text[0] == "(" and text[-1] == ")":
                    text = text[1:-1]
                found = unit_factors(text)
                if kind == "word" and not factors and not isinstance(number, Num) and text.split()[0] not in UNITS:
                    raise self.reject(f"a word inside mathematics: {text[:40]}")
                if found is None or not (STOP_WORDS | WHERE_WORDS).isdisjoint(_LETTERS.findall(text)):
                    raise self.reject(f"text inside mathematics: {text[:40]}")
                self.i += 1
                factors.extend((name, over * size) for name, size in found)
                over = 1
            elif kind == "^" and factors:
                self.i += 1
                power = self.script()
                if not isinstance(power, Num) or power.value.denominator != 1 or abs(power.value) > _MAX_UNIT_POWER:
                    raise self.reject("a unit raised to that")
                name, size = factors[-1]
                factors[-1] = (name, size * int(power.value))
                if abs(factors[-1][1]) > _MAX_UNIT_POWER:
                    raise self.reject("a unit raised to that")
                if self.kinds[self.i] == "^":
                    raise self.reject("ambiguous: a double superscript")
            elif kind == "/" and factors and self.kinds[self.i + 1] in ("text", "word", "let"):
                self.i += 1
                over = -1
            elif kind == "*" and factors and self.kinds[self.i + 1] in ("text", "word"):
                self.i += 1
            else:
                return tuple(factors)

    def bracketed_unit(self) -> bool:
        """`9 (apples)`: whether brackets after a number hold nothing but words."""
        end = self.i + 1
        while self.kinds[end] in ("word", "text"):
            end += 1
        if self.kinds[end] != ")" or end == self.i + 1 or self.kinds[self.i - 1] != "num":
            return False
        words = self.texts[self.i + 1 : end]
        return "text" in self.kinds[self.i + 1 : end] or any(w in UNITS or len(w) > 3 for w in words)

    def is_minutes(self) -> bool:
        """`min` after a number is the unit unless brackets or a subscript make it the function."""
        return self.texts[self.i] == "min" and self.kinds[self.i + 1] not in ("(", "{", "[", "lset", "_")

    def phrase(self) -> str:
        """The run of words at hand, as one text; the position is left at its last word."""
        words = [self.texts[self.i]]
        while len(words) < _MAX_UNIT_WORDS and (
            self.kinds[self.i + 1] == "word" or (words[-1] == "per" and self.kinds[self.i + 1] == "let")
        ):
            self.i += 1
            words.append(self.texts[self.i])
        return " ".join(words)

    def measured(self, node: Node, unit: tuple[tuple[str, int], ...]) -> Value:
        if len(unit) == 1 and unit[0][1] == 1:
            name = unit[0][0].lower()
            if name in _PERCENT:
                if not isinstance(node, Num):
                    raise self.reject("percent of an expression")
                return Scalar(Num(node.value / 100), percent=True)
            if name in _DEGREES:
                return Scalar(node, degree=True)
        return Quantity(self.scalar(node).node, unit)

    def in_two_units(self, parts: Sequence[Value]) -> Value:
        """One quantity whose parts, in units of one kind, are kept as they are written: `2 hours 30 minutes`."""
        units = [part.unit for part in parts if isinstance(part, Quantity) and isinstance(part.node, Num)]
        kinds = {dimension(canonical(unit)) for unit in units}
        if len(kinds) > 1 or len(set(units)) < len(parts):
            raise self.reject("one quantity in two units")
        return Compound("sum", tuple(parts))

    def opens_modulus(self) -> bool:
        """`(mod 5)`, with an upright `mod` or without."""
        i = self.i + 1
        return self.kinds[i] == "bmod" or (
            self.kinds[i] == "func" and self.texts[i] == "mod" and self.kinds[i + 1] != "("
        )

    def modulus(self, part: Part) -> Part:
        if self.kinds[self.i] == "pmod":
            self.i += 1
            return Call("pmod", (self.node(part), self.script()))
        self.i += 2
        size = self.inside()
        self.expect(")")
        return Call("pmod", (self.node(part), size))
