"""Relations, memberships, functions, set operations; and lists of them, with what joins or qualifies them."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from lighteval_fix.deciding.parsing.nodes import NODES, Part
from lighteval_fix.deciding.parsing.quantities import Quantities
from lighteval_fix.deciding.parsing.words import UNITS, flatten, fold
from lighteval_fix.deciding.value import (
    Assignment,
    Call,
    Compound,
    Difference,
    Function,
    Intersection,
    Interval,
    Listing,
    NamedSet,
    Node,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetOf,
    Sym,
    Tuple,
    Union,
    Value,
    Words,
)

_RELATED: Final = (Relation, Assignment, Function)
_HEADS: Final = frozenset(("(", "_", "prime", "^", ":"))
_SET_OPERATORS: Final = frozenset(("cup", "cap", "minus"))
_NEGATED: Final = {"=": "!=", "in": "notin", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_ENDS: Final = frozenset(("end", ".", "}", ")", "]", "rset", "where", "text", "newline", "end-env", "&"))


class Relations(Quantities):
    __slots__ = ()

    # ------------------------------------------------------------------ lists

    def listing(self) -> Value:
        kinds = self.kinds
        items: list[Value] = []
        joiners: set[str] = set()
        groups: list[int] = []
        dots = False
        while True:
            kind = kinds[self.i]
            if kind == "dots":
                self.i += 1
                dots = True
            elif items and self.at_condition():
                break
            else:
                items.append(self.item())
                if kinds[self.i] == "num" and isinstance(items[-1], Quantity):
                    items[-1] = self.in_two_units([items[-1], self.item()])
            kind = kinds[self.i]
            if kind in (",", ";", "newline"):
                self.i += 1
                if kinds[self.i] == "end" and kind != "newline":
                    raise self.reject("a list that ends in a separator")
            elif kind not in ("and", "or") and not self.at_gap():
                break
            while kinds[self.i] in ("and", "or"):
                joiners.add(kinds[self.i])
                if kinds[self.i] == "or":
                    groups.append(len(items))
                self.i += 1
            if kinds[self.i] == "end":
                if kind in ("and", "or"):
                    raise self.unexpected()
                break
        value = solutions(items, groups) or self.joined(items, joiners, dots)
        return self.qualified(value) if self.at_condition() else value

    def at_gap(self) -> bool:
        """Whether a wide space, or the bracket of a domain (`k\\pi (k \\in ℤ)`), begins another member."""
        kind = self.kinds[self.i]
        if kind == "(":
            return self.kinds[self.i + 1 : self.i + 3] == ["let", "in"]
        return self.gaps[self.i] > 1 and kind not in _ENDS

    def at_condition(self) -> bool:
        i = self.i
        return self.kinds[i] == "where" or (self.kinds[i] == "textopen" and self.kinds[i + 2] == "where")

    def joined(self, items: list[Value], joiners: set[str], dots: bool) -> Value:
        if not items:
            raise self.reject("a list of nothing")
        if len(items) == 1 and not dots:
            return items[0]
        if len(joiners) > 1:
            raise self.reject("ambiguous: both and and or")
        if dots:
            return Listing(tuple(items), True)
        items = spread(items)
        domain = items[-1]
        within = isinstance(domain, Assignment) and domain.op == "in" and isinstance(domain.value, NamedSet)
        if within and len(items) == 2 and not isinstance(items[0], Assignment):
            return Compound("where", tuple(items))
        if joiners:
            units = {i.unit[0][0] for i in items if isinstance(i, Quantity)}
            if "and" in joiners and 1 < len(units) == len(items) and units <= UNITS:
                return self.in_two_units(items)
            if any(isinstance(i, _RELATED) for i in items):
                return Compound(joiners.pop(), tuple(items))
            if "or" in joiners and any(isinstance(i, Interval) for i in items):
                return Union(tuple(as_set(i) for i in items))
        return Listing(tuple(items), either="or" in joiners)

    def qualified(self, value: Value) -> Value:
        """`… for integers k`: the condition is kept, as words, and never dropped."""
        start = self.starts[self.i]
        self.i = len(self.kinds) - 1
        return Compound("where", (value, Words(_condition(self.source[start:]))))

    def condition(self) -> Value:
        items = [self.item()]
        joiners: set[str] = set()
        while self.kinds[self.i] in (",", ";", "and", "or") and self.kinds[self.i + 1] not in ("newline", "end-env"):
            if self.kinds[self.i] in ("and", "or"):
                joiners.add(self.kinds[self.i])
            self.i += 1
            if self.kinds[self.i] not in ("and", "or"):
                items.append(self.item())
        if len(items) == 1:
            return items[0]
        if len(joiners) > 1:
            raise self.reject("ambiguous: both and and or")
        return Compound(joiners.pop() if joiners else "and", tuple(items))

    # ------------------------------------------------------------------ relations

    def entry(self) -> Part:
        kind = self.kinds[self.i]
        if kind == "let" and self.kinds[self.i + 1] in _HEADS:
            head = self.function_head()
            if head is not None:
                return self.definition(*head)
            if self.kinds[self.i + 1 : self.i + 4] == [":", "let", "arrow"]:
                return self.mapping(self.i + 2, self.texts[self.i])
        elif kind == "let" and self.kinds[self.i + 1] == "arrow" and self.texts[self.i + 1] == "mapsto":
            return self.mapping(self.i, "")
        elif kind == "forall":
            return self.quantified()
        part = self.operand()
        kind = self.kinds[self.i]
        if kind == "rel" or kind == "in" or kind == "not":
            return self.chain(part)
        return part

    def mapping(self, at: int, name: str) -> Part:
        r"""`f : x \mapsto x^2`, and without its name the expression."""
        if self.texts[at + 1] != "mapsto":
            raise self.reject("a function between sets without its rule")
        self.i = at + 2
        body = self.node(self.sum())
        return Function(name, (self.texts[at],), body) if name else body

    def quantified(self) -> Value:
        joiner = self.texts[self.i]
        self.i += 1
        condition = self.item()
        if self.kinds[self.i] not in (",", ":"):
            raise self.reject("a quantifier without its statement")
        self.i += 1
        return Compound(joiner, (condition, self.item()))

    def chain(self, first: Part) -> Value:
        parts = [self.side(first)]
        ops: list[str] = []
        while True:
            kind = self.kinds[self.i]
            if kind == "rel" or kind == "in":
                ops.append(self.texts[self.i])
                self.i += 1
            elif kind == "not" and self.texts[self.i + 1] in _NEGATED:
                ops.append(_NEGATED[self.texts[self.i + 1]])
                self.i += 2
            else:
                break
            if ops[-1] == "=" and self.kinds[self.i] == "rel" and self.texts[self.i] == "=":
                self.i += 1
            start = self.i
            part = self.operand()
            parts.append(self.side(self.braced(part, start) if ops[-1] in ("in", "notin") else part))
        return self.related(parts, tuple(ops))

    def side(self, part: Part) -> Part:
        """One side of a relation, its own marks settled before the next side is read."""
        if isinstance(part, NODES):
            whole = self.scalar(part)
            part = whole if whole.degree else whole.node
        self.take_marks()
        return part

    def related(self, parts: list[Part], ops: tuple[str, ...]) -> Value:
        marked = isinstance(parts[-1], Scalar) and (parts[-1].degree or parts[-1].currency is not None)
        if marked and ops == ("=",) and isinstance(parts[0], Sym):
            return Assignment(parts[0], "=", self.closed(parts[1]))
        if "in" not in ops and "notin" not in ops:
            nodes = [self.settled(p) for p in parts]
            terms = tuple(n for n in nodes if n is not None)
            if len(terms) == len(parts):
                self.take_marks()
                return Relation(terms if ops[-1] != "≡" else (*terms[:-1], residue(terms[-1])), ops)
        if len(parts) != 2:
            raise self.reject("a chain of structures")
        left, right = parts
        op = ops[0]
        if not isinstance(left, NODES) and isinstance(right, NODES) and op == "=":
            left, right = right, left
        if isinstance(left, Tuple):
            members = tuple(i.node for i in left.items if isinstance(i, Scalar))
            if len(members) == len(left.items):
                left = Call("tuple", members)
        if isinstance(left, Ratio) and isinstance(right, Ratio) and op == "=":
            left = Call("ratio", left.terms)  # `a : b = 2 : 3`
        name = self.settled(left)
        if name is None:
            raise self.reject("a relation between structures")
        value = self.closed(right)
        if op in ("in", "notin") and isinstance(value, Scalar) and not isinstance(value.node, Sym):
            raise self.reject("a member of a number")
        if isinstance(value, _RELATED):
            raise self.reject("a relation inside a relation")
        return Assignment(name, op, as_set(value) if op in ("in", "notin") else value)

    def settled(self, part: Part) -> Node | None:
        """The expression of one side of a relation; marks of degree, percent and currency carry no meaning there."""
        if isinstance(part, Scalar):
            return part.node
        return self.scalar(part).node if isinstance(part, NODES) else None

    # ------------------------------------------------------------------ functions

    def function_head(self) -> tuple[str, tuple[str, ...]] | None:
        """`f(x, y) =`, read ahead; None leaves the position alone."""
        kinds, texts = self.kinds, self.texts
        j = self.i + 1
        while kinds[j] in ("_", "prime", "^"):
            if kinds[j] == "prime":
                j += 1
            elif kinds[j + 1] == "{":
                close = j + 2
                while kinds[close] not in ("}", "{", "end"):
                    close += 1
                if kinds[close] != "}" or (kinds[j] == "^" and texts[j + 2 : close] != ["-", "1"]):
                    return None
                j = close + 1
            elif kinds[j] == "_" and kinds[j + 1] in ("num", "let", "const"):
                j += 2
            else:
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
            if kinds[k] != ",":
                break
            k += 1
        if not params or kinds[k] != ")" or kinds[k + 1] != "rel" or texts[k + 1] != "=" or texts[self.i] in params:
            return None
        name = "".join(texts[m] or kinds[m] for m in range(self.i, j))
        self.i = k + 2
        return name.replace("{", "").replace("}", ""), tuple(params)

    def definition(self, name: str, params: tuple[str, ...]) -> Value:
        body = self.operand()
        head = Call(name, tuple(Sym(p) for p in params))
        if self.kinds[self.i] in ("rel", "in"):
            chained = self.chain(body)
            if isinstance(chained, Relation):
                return Relation((head, *chained.terms), ("=", *chained.ops))
            raise self.reject("a chain of structures")
        node = self.settled(body)
        if node is not None:
            return Function(name, params, node)
        return Assignment(head, "=", self.closed(body))

    # ------------------------------------------------------------------ set operations

    def operand(self) -> Part:
        start = self.i
        part = self.member()
        if self.kinds[self.i] not in _SET_OPERATORS:
            return part
        return self.set_operations(self.braced(part, start))

    def braced(self, part: Part, start: int) -> Part:
        """`{2}` in plain text where a set must stand."""
        if isinstance(part, NODES) and self.kinds[start] == "{" and self.kinds[self.i - 1] == "}":
            return SetOf((self.closed(part),))
        return part

    def set_operations(self, first: Part) -> Part:
        parts = [as_set(self.closed(first))]
        operator = self.kinds[self.i]
        while self.kinds[self.i] in _SET_OPERATORS:
            following = self.kinds[self.i]
            if following != operator:
                if following != "minus":
                    raise self.reject("ambiguous: set operations without brackets")
                parts = [Union(tuple(parts)) if operator == "cup" else Intersection(tuple(parts))]
                operator = "minus"
            self.i += 1
            start = self.i
            right = as_set(self.closed(self.braced(self.member(), start)))
            if operator == "minus":
                parts = [Difference(parts[0], right)]
            else:
                parts.append(right)
        if operator == "minus":
            return parts[0]
        return Union(tuple(parts)) if operator == "cup" else Intersection(tuple(parts))


def solutions(items: list[Value], groups: list[int]) -> Value | None:
    """`x = 2, y = 3 or x = 3, y = 2`: alternatives of several equations each, where each says something of the same
    symbols. `groups` are the places of the `or`s."""
    if not groups or len(items) < 2 * (len(groups) + 1):
        return None
    parts = [items[start:end] for start, end in pairwise((0, *groups, len(items)))]
    names = [{i.terms[0] for i in part if isinstance(i, Relation) and i.ops == ("=",)} for part in parts]
    if any(len(found) != len(part) or found != names[0] for found, part in zip(names, parts, strict=True)):
        return None
    return Compound("or", tuple(Compound("and", tuple(part)) for part in parts))


def residue(node: Node) -> Node:
    """`3 \\mod 5` after `≡`: the class, whatever the spelling of its modulus."""
    return Call("pmod", node.args) if isinstance(node, Call) and node.name == "mod" else node


def _condition(text: str) -> str:
    """A condition in words; its letters keep their case where it holds mathematics."""
    text = flatten(text.replace("$", ""))
    return " ".join(text.rstrip(" .").split()) if "\\" in text else fold(text)


def spread(items: list[Value]) -> list[Value]:
    """`x = 1, 2` names every member of the list, not only the first, and so does `x ≠ 1, 2`."""
    first, rest = items[0], items[1:]
    match first:
        case Relation(terms=(Sym() as name, _), ops=("=",) | ("!=",) as ops) if all(
            isinstance(i, Scalar) for i in rest
        ):
            return [first, *(Relation((name, i.node), ops) for i in rest if isinstance(i, Scalar))]
        case Relation(terms=(name, member), ops=("≡",)) if all(isinstance(i, Scalar) for i in rest):
            # one modulus, written behind the last member
            last = rest[-1]
            if not isinstance(last, Scalar) or not isinstance(last.node, Call) or last.node.name != "pmod":
                return items
            members = [member, *(i.node for i in rest[:-1] if isinstance(i, Scalar)), last.node.args[0]]
            return [Relation((name, Call("pmod", (m, last.node.args[1]))), ("≡",)) for m in members]
        case Assignment(name=Call(name="tuple") as name, op="=", value=Tuple(items=members)) if all(
            isinstance(i, Tuple) and len(i.items) == len(members) for i in rest
        ):
            return [first, *(Assignment(name, "=", i) for i in rest)]
        case _:
            return items


def as_set(value: Value) -> Value:
    """A pair in round brackets standing where a set must stand is an open interval, a letter such as R its set."""
    if isinstance(value, Scalar) and isinstance(value.node, Sym) and value.node.name in ("R", "Z", "Q", "N"):
        return NamedSet(value.node.name)
    if isinstance(value, Tuple) and len(value.items) == 2 and not value.angle:
        low, high = value.items
        if isinstance(low, Scalar) and isinstance(high, Scalar):
            return Interval(low.node, high.node, False, False)
    return value
