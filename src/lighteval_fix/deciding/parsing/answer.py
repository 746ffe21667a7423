"""From the text of an answer to its typed value, or to the place where it left the language.

The whole text parses or none of it does: there is no value of a fragment.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing.collection import Collections
from lighteval_fix.deciding.parsing.glyphs import as_latex, original_position
from lighteval_fix.deciding.parsing.lex import Reject, Tokens, lex
from lighteval_fix.deciding.parsing.nodes import NODES, Part, negate, radians, without_degrees
from lighteval_fix.deciding.parsing.presentation import unwrap
from lighteval_fix.deciding.parsing.words import UNITS, flatten, fold, read_words, unit_factors
from lighteval_fix.deciding.value import (
    Assignment,
    Call,
    Cases,
    Choice,
    Compound,
    Difference,
    Function,
    Intersection,
    Interval,
    Listing,
    NamedSet,
    Node,
    Num,
    Parsed,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetBuilder,
    SetOf,
    Sym,
    Tuple,
    Union,
    Unparsed,
    Value,
    Words,
)

_RELATED: Final = (Relation, Assignment, Function)


class Answers(Collections):
    """The grammar of whole answers."""

    __slots__ = ("colon", "source")

    def __init__(self, tokens: Tokens, source: str) -> None:
        super().__init__(tokens)
        self.source = source
        self.colon = False

    # ------------------------------------------------------------------ lists

    def whole(self) -> Value:
        value = self.listing()
        kinds = self.kinds
        if kinds[self.i] == ".":
            self.i += 1
        if kinds[self.i] != "end":
            raise self.reject(f"{self.texts[self.i] or kinds[self.i]} is not expected here"[:60])
        return labelled(value)

    def listing(self) -> Value:
        kinds = self.kinds
        items: list[Value] = []
        joiners: set[str] = set()
        dots = False
        while True:
            kind = kinds[self.i]
            if kind == "dots":
                self.i += 1
                dots = True
            elif kind == "where" and items:
                break
            else:
                items.append(self.item())
            kind = kinds[self.i]
            if kind in (",", ";", "newline"):
                self.i += 1
                if kinds[self.i] == "end" and kind != "newline":
                    raise self.reject("a list that ends in a separator")
            elif kind not in ("and", "or") and not (self.gaps[self.i] > 1 and kind not in _ENDS):
                break
            while kinds[self.i] in ("and", "or"):
                joiners.add(kinds[self.i])
                self.i += 1
            if kinds[self.i] == "end":
                break
        value = self.joined(items, joiners, dots)
        if kinds[self.i] == "where":
            value = self.qualified(value)
        return value

    def joined(self, items: list[Value], joiners: set[str], dots: bool) -> Value:
        if not items:
            raise self.reject("a list of nothing")
        if len(items) == 1 and not dots:
            return items[0]
        if len(joiners) > 1:
            raise self.reject("ambiguous: both and and or")
        if joiners and not dots:
            if any(isinstance(i, _RELATED) for i in items):
                return Compound(joiners.pop(), tuple(items))
            if "or" in joiners and any(isinstance(i, Interval) for i in items):
                return Union(tuple(as_set(i) for i in items))
        return Listing(tuple(items), dots)

    def qualified(self, value: Value) -> Value:
        """`… for integers k`: the condition is kept as words and never dropped."""
        start = self.starts[self.i]
        self.i = len(self.kinds) - 1
        return Compound("where", (value, Words(fold(flatten(self.source[start:]).replace("$", "")))))

    def item(self) -> Value:
        self.mixed = self.percent = self.degree = False
        return self.closed(self.entry())

    # ------------------------------------------------------------------ relations

    def entry(self) -> Part:
        kind = self.kinds[self.i]
        if kind == "forall":
            return self.quantified()
        head = self.function_head() if kind == "let" or kind == "word" else None
        if head is not None:
            return self.function(*head) if isinstance(head, tuple) else head
        part = self.operand()
        kind = self.kinds[self.i]
        if kind == "rel" or kind == "in" or kind == "not":
            return self.chain(part)
        return part

    def quantified(self) -> Value:
        joiner = self.texts[self.i]
        self.i += 1
        condition = self.item()
        if self.kinds[self.i] not in (",", ":"):
            raise self.reject("a quantifier without its statement")
        self.i += 1
        return Compound(joiner, (condition, self.item()))

    def chain(self, first: Part) -> Part:
        parts = [first]
        ops: list[str] = []
        while True:
            kind = self.kinds[self.i]
            if kind == "rel":
                if self.texts[self.i] == ">" and self.bar is None:
                    break
                ops.append(self.texts[self.i])
                self.i += 1
            elif kind == "in":
                ops.append(self.texts[self.i])
                self.i += 1
            elif kind == "not" and self.kinds[self.i + 1] in ("rel", "in"):
                self.i += 2
                op = {"=": "!=", "in": "notin"}.get(self.texts[self.i - 1])
                if op is None:
                    raise self.reject("a negated relation")
                ops.append(op)
            else:
                break
            parts.append(self.operand())
        return self.related(parts, tuple(ops))

    def related(self, parts: list[Part], ops: tuple[str, ...]) -> Value:
        if "in" not in ops and "notin" not in ops:
            nodes = [self.settled(p) for p in parts]
            terms = tuple(n for n in nodes if n is not None)
            if len(terms) == len(parts):
                self.percent = self.degree = self.mixed = False
                return Relation(terms, ops)
        if len(parts) != 2:
            raise self.reject("a chain of structures")
        left, right = parts
        op = ops[0]
        if not isinstance(left, NODES) and isinstance(right, NODES) and op == "=":
            left, right = right, left
        if isinstance(left, Tuple) and all(isinstance(i, Scalar) for i in left.items):
            left = Call("tuple", tuple(i.node for i in left.items if isinstance(i, Scalar)))
        if not isinstance(left, NODES):
            raise self.reject("a relation between structures")
        value = self.closed(right)
        return Assignment(left, op, as_set(value) if op in ("in", "notin") else value)

    def settled(self, part: Part) -> Node | None:
        """The expression of one side of a relation; marks of degree, percent and currency carry no meaning there."""
        if isinstance(part, Scalar):
            return part.node
        if not isinstance(part, NODES):
            return None
        return self.scalar(part).node

    # ------------------------------------------------------------------ functions

    def function_head(self) -> tuple[str, tuple[str, ...]] | Node | None:
        """`f(x, y) =`, read ahead; or a name of several letters before `=` or `:`."""
        kinds, texts = self.kinds, self.texts
        j = self.i + 1
        if kinds[self.i] == "word":
            return None
        while kinds[j] in ("_", "prime", "^"):
            if kinds[j] == "prime":
                j += 1
            elif kinds[j + 1] == "{":
                close = j + 2
                while close < len(kinds) and kinds[close] not in ("}", "{", "end"):
                    close += 1
                if kinds[j] == "^" and texts[j + 2 : close] != ["-", "1"]:
                    return None
                j = close + 1
            elif kinds[j] == "^":
                return None
            else:
                j += 2
            if j >= len(kinds):
                return None
        if kinds[j] != "(":
            return None
        params: list[str] = []
        k = j + 1
        while kinds[k] == "let":
            params.append(texts[k])
            k += 1
            if kinds[k] == "_" and kinds[k + 1] in ("num", "let"):
                params[-1] += "_" + texts[k + 1]
                k += 2
            if kinds[k] == ")":
                break
            if kinds[k] != ",":
                return None
            k += 1
        if not params or kinds[k] != ")" or kinds[k + 1] != "rel" or texts[k + 1] != "=" or texts[self.i] in params:
            return None
        name = "".join(texts[m] or kinds[m] for m in range(self.i, j))
        self.i = k + 2
        return name.replace("{", "").replace("}", ""), tuple(params)

    def function(self, name: str = "", params: tuple[str, ...] = ()) -> Node:
        if not name:
            return super().function()
        body = self.operand()
        head = Call(name, tuple(Sym(p) for p in params))
        if self.kinds[self.i] in ("rel", "in"):
            chained = self.chain(body)
            if isinstance(chained, Relation):
                return Relation((head, *chained.terms), ("=", *chained.ops))  # type: ignore[return-value]
            raise self.reject("a chain of structures")
        if isinstance(body, NODES):
            return Function(name, params, self.scalar(body).node)  # type: ignore[return-value]
        return Assignment(head, "=", body)  # type: ignore[return-value]

    # ------------------------------------------------------------------ operands

    def operand(self) -> Part:
        part = self.member()
        kind = self.kinds[self.i]
        if kind not in ("cup", "cap", "minus"):
            return part
        return self.set_operations(part)

    def set_operations(self, first: Part) -> Part:
        parts = [as_set(self.closed(first))]
        operator = self.kinds[self.i]
        while self.kinds[self.i] in ("cup", "cap", "minus"):
            if self.kinds[self.i] != operator:
                if operator == "minus" or self.kinds[self.i] != "minus":
                    raise self.reject("ambiguous: set operations without brackets")
                parts = [Union(tuple(parts)) if operator == "cup" else Intersection(tuple(parts))]
                operator = "minus"
            self.i += 1
            following = as_set(self.closed(self.member()))
            if operator == "minus":
                parts = [Difference(parts[0], following)]
            else:
                parts.append(following)
        if operator == "minus":
            return parts[0]
        return Union(tuple(parts)) if operator == "cup" else Intersection(tuple(parts))

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
        if kind == ":" and not self.colon and isinstance(part, NODES):
            part = self.ratio(part)
        elif kind in ("text", "word", "cur", "pmod", "(", "geo"):
            part = self.tail(part)
        return part

    def money(self) -> Scalar:
        negative = self.kinds[self.i] == "-"
        if self.kinds[self.i] != "cur":
            self.i += 1
        symbol = self.texts[self.i]
        self.i += 1
        node = self.node(self.sum())
        return Scalar(negate(node) if negative else node, currency=symbol)

    def worded(self, kind: str) -> Part | None:
        """A member that begins with text: a letter, a name with its value, or words."""
        text = self.texts[self.i]
        following = self.kinds[self.i + 1]
        if kind == "text":
            if len(text) == 1 and text.isalpha():
                self.i += 1
                if following == "_":
                    return Sym(self.decorated(text))
                return Sym(text)
            if following == "rel" and text.isupper() and len(text) <= 3:
                return self.letters()
            inner = read_words(text)
            if inner is not None:
                self.i += 1
                if following in ("rel", ":") and isinstance(inner, Words):
                    return self.named(text)
                return inner
            return None
        j = self.i
        words = [text]
        while self.kinds[j + 1] in ("word", "let", "func") and self.gaps[j + 1]:
            j += 1
            words.append(self.texts[j])
        if self.kinds[j + 1] in ("rel", ":") and any(len(w) > 3 for w in words) and len(words) < 5:
            self.i = j + 1
            return self.named(" ".join(words))
        return None

    def named(self, name: str) -> Part:
        if self.kinds[self.i] == ":":
            self.i += 1
            value = self.operand()
            if isinstance(value, NODES):
                return Relation((Sym(name), self.scalar(value).node), ("=",))
            return Assignment(Sym(name), "=", value)
        return Sym(name)

    def ratio(self, first: Node) -> Ratio:
        terms = [first]
        while self.kinds[self.i] == ":":
            self.i += 1
            terms.append(self.node(self.sum()))
        return Ratio(tuple(terms))

    # ------------------------------------------------------------------ units

    def is_unit(self) -> bool:
        return self.texts[self.i] in UNITS

    def stops(self) -> bool:
        return super().stops() or (self.kinds[self.i] == "(" and self.kinds[self.i + 1] == "bmod")

    def tail(self, part: Part) -> Part:
        kind = self.kinds[self.i]
        if kind == "pmod" or kind == "(":
            return self.modulus(part)
        if not isinstance(part, NODES):
            return part
        if kind == "cur":
            self.i += 1
            return Scalar(part, currency=self.texts[self.i - 1])
        if kind == "geo":
            return part
        factors: list[tuple[str, int]] = []
        over = 1
        while True:
            kind = self.kinds[self.i]
            if kind in ("text", "word") or (kind == "let" and over < 0) or (kind == "let" and not factors and False):
                found = unit_factors(self.texts[self.i])
                if found is None:
                    raise self.reject(f"text inside mathematics: {self.texts[self.i][:40]}")
                self.i += 1
                if kind == "word" and factors and over > 0 and self.gaps[self.i - 1]:
                    factors[-1] = (factors[-1][0] + " " + found[0][0], factors[-1][1])
                else:
                    factors.extend((name, over * size) for name, size in found)
                over = 1
            elif kind == "^" and factors:
                self.i += 1
                power = self.script()
                if not isinstance(power, Num) or power.value.denominator != 1 or abs(power.value) > 9:
                    raise self.reject("a unit raised to that")
                name, size = factors[-1]
                factors[-1] = (name, size * int(power.value))
            elif kind == "/" and factors and self.kinds[self.i + 1] in ("text", "word", "let"):
                self.i += 1
                over = -1
            elif kind == "*" and factors and self.kinds[self.i + 1] in ("text", "word"):
                self.i += 1
            else:
                break
        return self.measured(part, tuple(factors))

    def measured(self, node: Node, unit: tuple[tuple[str, int], ...]) -> Value:
        if len(unit) == 1:
            name = unit[0][0].lower()
            if name in ("percent", "percents", "per cent"):
                self.percent = False
                value = Num(node.value / 100) if isinstance(node, Num) else None
                if value is None:
                    raise self.reject("percent of an expression")
                return Scalar(value, percent=True)
            if name in ("degrees", "degree", "deg"):
                return Scalar(node, degree=True)
        return Quantity(self.scalar(node).node, unit)

    def modulus(self, part: Part) -> Part:
        node = self.node(part)
        if self.kinds[self.i] == "(":
            if self.kinds[self.i + 1] != "bmod":
                return part
            self.i += 2
            size = self.node(self.sum())
            self.expect(")")
        else:
            self.i += 1
            size = self.script()
        return Call("mod", (node, size))

    # ------------------------------------------------------------------ marks

    def scalar(self, node: Node) -> Scalar:
        if not (self.percent or self.degree or self.mixed):
            return Scalar(node)
        if self.degree:
            bare = without_degrees(node)
            if bare is not None:
                return Scalar(bare, degree=True, mixed=self.mixed)
            return Scalar(radians(node), mixed=self.mixed)
        return Scalar(node, percent=self.percent, mixed=self.mixed)

    # ------------------------------------------------------------------ conditions

    def condition(self) -> Value:
        items = [self.item()]
        joiners: set[str] = set()
        while self.kinds[self.i] in (",", ";", "and", "or"):
            if self.kinds[self.i] in ("and", "or"):
                joiners.add(self.kinds[self.i])
            self.i += 1
            if self.kinds[self.i] in ("and", "or"):
                continue
            items.append(self.item())
        if len(items) == 1:
            return items[0]
        if len(joiners) > 1:
            raise self.reject("ambiguous: both and and or")
        return Compound(joiners.pop() if joiners else "and", tuple(items))

    def cases(self) -> Value:
        rows: list[tuple[Value, Value | None]] = []
        while self.kinds[self.i] != "end-env":
            value = self.item()
            condition: Value | None = None
            if self.kinds[self.i] in (",", ";"):
                self.i += 1
            if self.kinds[self.i] == "&":
                self.i += 1
                condition = self.case_condition()
            elif self.kinds[self.i] == "where":
                condition = self.case_condition()
            if self.kinds[self.i] in (",", ";", "."):
                self.i += 1
            rows.append((value, condition))
            if self.kinds[self.i] == "newline":
                self.i += 1
            elif self.kinds[self.i] != "end-env":
                raise self.reject("a case that does not end")
        self.end_environment("cases")
        if not rows:
            raise self.reject("cases of nothing")
        return Cases(tuple(rows))

    def case_condition(self) -> Value:
        if self.kinds[self.i] == "where":
            if " " in self.texts[self.i]:
                self.i += 1
                return Words(fold(self.texts[self.i - 1]))
            self.i += 1
        return self.condition()


_ENDS: Final = frozenset(("end", ".", "}", ")", "]", "rset", "where", "text"))


def as_set(value: Value) -> Value:
    """A pair in round brackets standing where a set must stand is an open interval."""
    if isinstance(value, Tuple) and len(value.items) == 2 and not value.angle:
        low, high = value.items
        if isinstance(low, Scalar) and isinstance(high, Scalar):
            return Interval(low.node, high.node, False, False)
    return value


def labelled(value: Value) -> Value:
    """A lone capital letter, and each capital in a list of them, is a label."""
    match value:
        case Scalar(node=Sym(name=name)) if len(name) == 1 and name.isupper():
            return Choice(name)
        case Listing(items=items, ellipsis=False):
            return Listing(tuple(labelled(i) for i in items))
        case SetOf(items=items, ellipsis=False) if items:
            return SetOf(tuple(labelled(i) for i in items))
        case _:
            return value


_FAST: Final = re.compile(
    r"(-?)(?:(0|[1-9]\d{0,14})|(\d{1,15})\.(\d{1,15})|\\[dt]?frac\{(-?\d{1,15})\}\{(\d{1,15})\}|(\d{1,15})/(\d{1,15}))"
)


def _fast(text: str) -> Value | None:
    """Integers, decimals and plain fractions without the grammar."""
    match = _FAST.fullmatch(text)
    if match is None:
        return None
    sign, whole, front, back, over, under, above, below = match.groups()
    if whole is not None:
        value = Fraction(int(whole))
        places = None
    elif front is not None:
        value, places = Fraction(int(front + back), 10 ** len(back)), len(back)
    else:
        divisor = int(under or below)
        if not divisor:
            return None
        value, places = Fraction(int(over or above), divisor), None
    return Scalar(Num(-value if sign else value, places))


@lru_cache(maxsize=limits.PARSE_CACHE)
def _parse(text: str) -> Parsed | Unparsed:
    value = _fast(text)
    if value is not None:
        return Parsed(value, text)
    plain = unwrap(text)
    latex = plain
    try:
        value = _fast(plain) if plain is not text else None
        if value is not None:
            return Parsed(value, plain)
        if not plain:
            return Unparsed(text, 0, "empty")
        flat = flatten(plain)
        value = read_words(flat)
        if value is None:
            if not plain.isascii() or "<su" in plain:
                latex = as_latex(plain)
            value = Answers(lex(latex), latex).whole()
        return Parsed(value, plain)
    except Reject as rejected:
        position = rejected.position
        if latex is not plain:
            position = original_position(plain, position)
        offset = text.find(plain) if plain else 0
        return Unparsed(text, position + max(0, offset), rejected.why, rejected.over_limit)


def parse_answer(text: str) -> Parsed | Unparsed:
    """The typed value of the whole of `text`, or where and why it is not in the language. Never raises on a string."""
    if len(text) > limits.MAX_LENGTH:
        return Unparsed(text, limits.MAX_LENGTH, "longer than an answer may be", True)
    return _parse(text)


__all__ = ["Answers", "NamedSet", "SetBuilder", "parse_answer"]
