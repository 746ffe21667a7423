"""Licences about form: tuples, vectors, intervals, orders, and the letters in which an answer is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model import Equal
from .. import numbers
from ..parts import free, mapped, nodes
from ..trees import ONE, ZERO, rebuild, renamed, substitute, symbols, walk
from ..trial import Trial
from ..value import (
    Add,
    Assignment,
    Call,
    Compound,
    Const,
    Function,
    Interval,
    Listing,
    Matrix,
    Mul,
    NamedSet,
    Node,
    Relation,
    Scalar,
    SetBuilder,
    Sym,
    Tuple,
    Union,
    Value,
)
from .measured import Pair
from .question import letters, words
from .sides import Side, literal, single
from .table import LicenceKind, of_kind

MAX_RENAMED = 4


# --------------------------------------------------------------------------- shapes


def vector(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A column or a row beside a tuple or a list."""
    if not isinstance(side.value, Matrix) or not isinstance(other.value, (Tuple, Listing)):
        return
    rows = side.value.rows
    if len(rows) == 1:
        entries = rows[0]
    elif all(len(row) == 1 for row in rows):
        entries = tuple(row[0] for row in rows)
    else:
        return
    for licence in of_kind(question, LicenceKind.VECTOR):
        flat = Tuple(tuple(Scalar(entry) for entry in entries))
        yield side.holding(flat), other.holding(Tuple(other.value.items)), licence


_AXES = (("i", "j"), ("i", "j", "k"))


def unit_vectors(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`3i + 4j` with unit vectors beside its coordinates."""
    scalar = single(side.value)
    size = len(other.value.items) if isinstance(other.value, Tuple) else _length(other.value)
    if scalar is None or size not in (2, 3):
        return
    axes = _AXES[size - 2]
    bare = _axes(scalar.node)
    if not symbols(bare) & {"j", "k"}:
        return
    cells = [substitute(bare, {axis: ONE if axis == name else ZERO for axis in axes}) for name in axes]
    written = Add(tuple(Mul((cell, Sym(name))) for cell, name in zip(cells, axes, strict=True)))
    if not isinstance(numbers.compare(bare, written, Trial(work=20_000, algebra=False)), Equal):
        return
    flat = Tuple(tuple(Scalar(cell) for cell in cells))
    for licence in of_kind(question, LicenceKind.VECTOR):
        if isinstance(other.value, Matrix):
            yield side.holding(Matrix(tuple((cell,) for cell in cells))), other, licence
        else:
            yield side.holding(flat), other, licence


def _length(value: Value | None) -> int:
    return len(value.rows) if isinstance(value, Matrix) and all(len(row) == 1 for row in value.rows) else 0


def _axes(node: Node) -> Node:
    """Unit vectors by their letters, whatever their mark."""
    if node == Const("i"):
        return Sym("i")
    if isinstance(node, Sym):
        return Sym(_MARK.sub(r"\1", node.name))
    return rebuild(node, _axes)


_MARK = re.compile(r"^(?:hat|vec)\(([ijk])\)$")


def listed(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A bare list beside a tuple: the same order counts."""
    if not isinstance(side.value, Listing) or not isinstance(other.value, Tuple) or side.value.ellipsis:
        return
    for licence in of_kind(question, LicenceKind.TUPLE):
        yield side.holding(Tuple(side.value.items)), other.holding(Tuple(other.value.items)), licence


def interval(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`(a, b)` beside an inequality: the open interval."""
    if not isinstance(side.value, Tuple) or len(side.value.items) != 2 or side.value.angle:
        return
    low, high = (single(item) for item in side.value.items)
    if low is None or high is None or not _inequality(other.value):
        return
    for licence in of_kind(question, LicenceKind.INTERVAL):
        yield side.holding(Interval(low.node, high.node, False, False)), other, licence


def values_of(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`f(x) \\ge 0` beside a set of reals: the values that the function takes."""
    if not _inequality(side.value) or side.value is None or isinstance(other.value, (Relation, Compound)):
        return
    if "range" not in words(question):
        return  # elsewhere `f(x) \\ge 0` may be the condition on x that the question asks to solve
    heads = {part for node in nodes(side.value) for part in walk(node) if _unknown(part)}
    if len(heads) != 1:
        return
    (head,) = heads
    for licence in of_kind(question, LicenceKind.INTERVAL):
        yield side.holding(mapped(side.value, lambda node: Sym("y") if node == head else node)), other, licence


def _unknown(node: Node) -> bool:
    return isinstance(node, Call) and node.name in ("f", "g", "h") and all(isinstance(part, Sym) for part in node.args)


def integers(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`k\\pi, k \\in \\mathbb{Z}` beside `k\\pi`: a parameter of a family is a whole number unless it is said to be
    something else."""
    if isinstance(other.value, Compound) or not isinstance(side.value, Compound) or side.value.joiner != "where":
        return
    match side.value.parts:
        case (value, Assignment(name=Sym(name=name), op="in", value=NamedSet(name="Z", modifier=""))):
            if base_letter(name) in letters(question) or name not in free(value):
                return
            for licence in of_kind(question, LicenceKind.PARAMETER):
                yield side.holding(value), other, licence


def monotone(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """Where a continuous function rises or falls, its interval may be given with its ends or without."""
    ours, theirs = _closed(side.value), _closed(other.value)
    if ours is None or theirs is None:
        return
    for licence in of_kind(question, LicenceKind.MONOTONE):
        yield side.holding(ours), other.holding(theirs), licence


def _closed(value: Value | None) -> Value | None:
    """An interval, or a union or list of them, with every finite end closed."""
    match value:
        case Interval():
            return Interval(value.low, value.high, not _infinite(value.low), not _infinite(value.high))
        case Tuple(items=(Scalar() as low, Scalar() as high)):
            return _closed(Interval(low.node, high.node, False, False))
        case Union():
            parts = [part for each in value.parts if (part := _closed(each)) is not None]
            return Union(tuple(parts)) if len(parts) == len(value.parts) else None
        case _:
            return None


def _infinite(node: Node) -> bool:
    return any(part == Const("oo") for part in walk(node))


def _inequality(value: Value | None) -> bool:
    match value:
        case Relation():
            return all(op in ("<", ">", "<=", ">=") for op in value.ops)
        case Compound():
            return all(_inequality(part) for part in value.parts)
        case SetBuilder():
            return _inequality(value.condition)
        case Assignment(op="in"):
            return True
        case _:
            return False


def ordered(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`a < b < c` beside `a, b, c`, where the question asks for that order."""
    if not isinstance(side.value, Relation) or not isinstance(other.value, (Listing, Tuple)):
        return
    if set(side.value.ops) not in ({"<"}, {">"}, {"<", "<="}, {">", ">="}) or len(side.value.terms) < 3:
        return
    for licence in of_kind(question, LicenceKind.ORDER):
        rising = (
            re.search(r"^(?:from\s+)?(?:the\s+)?(?:small|least|low)|ascend|increas", licence.quote.lower()) is not None
        )
        terms = side.value.terms if (side.value.ops[0][0] == "<") == rising else side.value.terms[::-1]
        in_order = Tuple(tuple(Scalar(term) for term in terms))
        yield side.holding(in_order), other.holding(Tuple(other.value.items)), licence


def line(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """An expression in x beside an equation in x and y: y is that expression."""
    scalar = Scalar(side.value.body) if isinstance(side.value, Function) else single(side.value)
    if scalar is None or not isinstance(other.value, Relation) or other.value.ops != ("=",):
        return
    ours = symbols(scalar.node)
    solved = sorted(free(other.value) - ours)
    if len(solved) != 1 or not ours or not ours <= free(other.value):
        return
    for licence in of_kind(question, LicenceKind.LINE):
        yield side.holding(Relation((Sym(solved[0]), scalar.node), ("=",))), other, licence


def factor(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """Two equations, one of them multiplied by a coefficient that the question names as a mass, a length, …: no such
    quantity is zero."""
    ours, theirs = side.value, other.value
    if not isinstance(ours, Relation) or not isinstance(theirs, Relation) or ours.ops != ("=",) or theirs.ops != ("=",):
        return
    for licence in of_kind(question, LicenceKind.FACTOR):
        if licence.what in free(ours) and licence.what in free(theirs):
            scaled = Relation(tuple(Mul((Sym(licence.what), term)) for term in ours.terms), ours.ops)
            yield side.holding(scaled), other, licence


def estimate(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`exact ≈ decimal`: the exact part."""
    if not isinstance(side.value, Relation) or "~" not in side.value.ops or isinstance(other.value, Relation):
        return
    cut = side.value.ops.index("~")
    if any(op != "=" for op in side.value.ops[:cut]) or any(op != "~" for op in side.value.ops[cut:]):
        return
    if any(literal(term) is None for term in side.value.terms[cut + 1 :]) or literal(side.value.terms[cut]) is not None:
        return
    for licence in of_kind(question, LicenceKind.ESTIMATE_BESIDE):
        kept = side.value.terms[: cut + 1]
        exact: Value = Scalar(kept[0]) if cut == 0 else Relation(kept, side.value.ops[:cut])
        yield side.holding(exact), other, licence


# --------------------------------------------------------------------------- letters


def function(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """`f(z) = z` beside `f(x) = x`: the bound variable has no name of its own."""
    ours, theirs = side.value, other.value
    if not isinstance(ours, Function) or not isinstance(theirs, Function) or ours.params == theirs.params:
        return
    if (
        ours.name != theirs.name
        or len(ours.params) != len(theirs.params)
        or set(theirs.params) & (free(ours) | free(theirs))
    ):
        return
    for licence in of_kind(question, LicenceKind.FUNCTION):
        names = dict(zip(ours.params, theirs.params, strict=True))
        yield side.holding(Function(theirs.name, theirs.params, renamed(ours.body, names))), other, licence


def parameter(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """Letters that neither side shares with the question: a parameter may be called anything. A letter alone is no
    family: it is the answer."""
    if side.value is None or any(isinstance(node, Sym) for node in _told(side.value)):
        return
    pairing = _own_letters(question, side, other)
    if pairing:
        for licence in of_kind(question, LicenceKind.PARAMETER):
            yield side.holding(_renamed(side.value, pairing)), other, licence


def _told(value: Value) -> tuple[Node, ...]:
    """The expressions of a value, without the name it was given."""
    match value:
        case Relation(terms=(Sym(), *rest), ops=("=",)):
            return tuple(rest)
        case _:
            return nodes(value)


def _own_letters(question: str, side: Side, other: Side) -> dict[str, str]:
    mine, yours = side.letters - other.letters, other.letters - side.letters
    if not mine or not yours:
        return {}
    known = frozenset(letters(question))
    ours, theirs = (sorted(name for name in names if base_letter(name) not in known) for names in (mine, yours))
    if not ours or len(ours) != len(theirs) or len(ours) > MAX_RENAMED:
        return {}
    if len(ours) == 1:
        return {ours[0]: theirs[0]}
    pairing = {name: swap for name in ours if (swap := name.swapcase()) in theirs}
    return pairing if len(pairing) == len(ours) else {}


def base_letter(name: str) -> str:
    """A symbol's letter without its subscript."""
    return name.split("_", 1)[0].lstrip("\\")


_ARBITRARY = frozenset("abckd")


def constant(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """Arbitrary constants written in the other case: `C_1` for `c_1`."""
    ours, theirs = side.letters, other.letters
    if side.value is None or not ours - theirs or not theirs - ours:
        return
    pairing = {
        name: name.swapcase()
        for name in ours - theirs
        if base_letter(name).lower() in ("c", "k", "a", "b", "d") and name.swapcase() in theirs - ours
    }
    if not pairing and len(ours - theirs) == len(theirs - ours) == 1:
        (mine,), (yours,) = ours - theirs, theirs - ours
        known = {base_letter(name).lower() for name in letters(question)}
        free_letters = all(base_letter(name).lower() in _ARBITRARY - known for name in (mine, yours))
        pairing = {mine: yours} if free_letters else {}
    if pairing:
        for licence in of_kind(question, LicenceKind.CONSTANT):
            yield side.holding(_renamed(side.value, pairing)), other, licence


def letter_case(question: str, side: Side, other: Side, _gold: bool) -> Iterator[Pair]:
    """A letter in the case that the question never uses, where the other side has it as the question does."""
    ours, theirs = side.letters, other.letters
    if side.value is None or not ours - theirs or not theirs - ours:
        return
    known = frozenset(letters(question))
    pairing = {}
    for name in ours - theirs:
        letter = base_letter(name)
        swapped = name.swapcase() if len(letter) == 1 else name
        if swapped in theirs and swapped not in ours and letter not in known and letter.swapcase() in known:
            pairing[name] = swapped
    if pairing:
        for licence in of_kind(question, LicenceKind.LETTER_CASE):
            yield side.holding(_renamed(side.value, pairing)), other, licence.about(" ".join(sorted(pairing.values())))


def _renamed(value: Value, names: dict[str, str]) -> Value:
    return mapped(value, lambda node: renamed(node, names))
