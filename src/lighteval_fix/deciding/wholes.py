"""Answers that have parts: lists, sets, tuples, matrices, sets of reals, cases, set-builders."""

from __future__ import annotations

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from . import dropped, matching, pieces, regions
from .matching import Compare
from .naming import unnamed
from .parts import free, mapped
from .trees import renamed, symbols
from .trial import Trial
from .value import (
    Assignment,
    Based,
    Cases,
    Compound,
    Function,
    Interval,
    Listing,
    Matrix,
    NamedSet,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetBuilder,
    SetOf,
    Sym,
    Tuple,
    Union,
    Value,
)

_NOT_PROVED = Undecided(UndecidedReason.NOT_PROVED)


def compare(gold: Value, answer: Value, trial: Trial, inner: Compare) -> Verdict:
    """Two answers of which at least one has parts; `inner` compares parts."""
    gold, answer = regions.listed(gold, trial), regions.listed(answer, trial)
    if isinstance(gold, (Listing, SetOf)) or isinstance(answer, (Listing, SetOf)):
        return _collections(gold, answer, trial, inner)
    match gold, answer:
        case Tuple(), Tuple():
            return matching.in_order(gold.items, answer.items, inner)
        case Matrix(), Matrix():
            return _matrices(gold, answer, inner)
        case Cases(), Cases():
            return _cases(gold, answer, inner)
    left, right = regions.region(gold, trial), regions.region(answer, trial)
    if left is not None and right is not None:
        return regions.compare(left, right, trial)
    if left is not None:
        return _region_against(left, answer, trial)
    if right is not None:
        return _region_against(right, gold, trial)
    match gold, answer:
        case NamedSet(), NamedSet():
            fixed = gold.modifier == answer.modifier == ""
            return Different(Proof.KINDS, "other sets") if fixed and gold.name != answer.name else _NOT_PROVED
        case Compound(joiner="where", parts=(_, Assignment())), Compound(joiner="where", parts=(_, Assignment())):
            built, turned = SetBuilder(*gold.parts), SetBuilder(*answer.parts)
            turned = _with_variables_of(built, turned)
            parts = (built.element, built.condition), (turned.element, turned.condition)
            return _only_equal(matching.in_order(*parts, inner))
        case Compound(joiner=one), Compound(joiner=two) if one == two:
            if one in ("and", "or"):
                return _only_equal(matching.in_any_order(gold.parts, answer.parts, inner))
            return _only_equal(matching.in_order(gold.parts, answer.parts, inner))
        case Assignment(), Assignment() if gold.op == answer.op and gold.name == answer.name:
            return _only_equal(inner(gold.value, answer.value))
        case SetBuilder(), SetBuilder():
            turned = _with_variables_of(gold, answer)
            parts = (gold.element, gold.condition), (turned.element, turned.condition)
            return _only_equal(matching.in_order(*parts, inner))
        case Union(), Union():
            return _only_equal(matching.in_any_order(gold.parts, answer.parts, inner))
    if _vector(gold) or _vector(answer):
        return _NOT_PROVED
    for table, single in ((gold, answer), (answer, gold)):
        if isinstance(table, Matrix) and [len(row) for row in table.rows] == [1] and isinstance(single, Scalar):
            return _NOT_PROVED  # a row times a column is a number
    settled = (Scalar, Quantity, Based, Ratio, Tuple, Matrix, Interval)
    if isinstance(gold, settled) and isinstance(answer, settled) and type(gold) is not type(answer):
        return Different(Proof.KINDS, f"{kind(gold)} against {kind(answer)}")
    return _NOT_PROVED


def _with_variables_of(gold: SetBuilder, answer: SetBuilder) -> SetBuilder:
    """The answer with its bound variables named as the gold's are, where that is possible."""
    ours, theirs = _bound(gold), _bound(answer)
    if ours == theirs or len(ours) != len(theirs) or len(set(ours) & free(answer)) > len(set(ours) & set(theirs)):
        return answer
    names = dict(zip(theirs, ours, strict=True))
    changed = mapped(answer, lambda node: renamed(node, names))
    return changed if isinstance(changed, SetBuilder) else answer


def _bound(value: SetBuilder) -> list[str]:
    """The variables of a set-builder: those its condition places in a set, else the symbols of its element."""
    condition = value.condition
    parts = condition.parts if isinstance(condition, Compound) and condition.joiner == "and" else (condition,)
    placed = [p.name.name for p in parts if isinstance(p, Assignment) and p.op == "in" and isinstance(p.name, Sym)]
    return placed or sorted(free(value.element) & free(condition))


def _vector(value: Value) -> bool:
    """An expression in what may be unit vectors or names of vectors: `2i + 3j` with a bold i, `3\\hat{x}`."""
    if not isinstance(value, Scalar):
        return False
    return any(name in ("i", "j", "k") or name.startswith(("hat(", "vec(")) for name in symbols(value.node))


def kind(value: Value) -> str:
    """A word for the reader."""
    return type(value).__name__.lower()


def _only_equal(verdict: Verdict) -> Verdict:
    """Conditions may be written in many ways: parts that differ do not prove the wholes different."""
    return _NOT_PROVED if isinstance(verdict, Different) else verdict


def _region_against(found: regions.Region, other: Value, trial: Trial) -> Verdict:
    """A set of reals against something that is not written as one."""
    match other:
        case Tuple(items=(Scalar() as low, Scalar() as high), angle=False):
            piece = pieces.Piece(low.node, high.node, False, False)
            return regions.compare(found, regions.Region((piece,)), trial)
        case Tuple(items=(_, _)):
            return _NOT_PROVED
        case Scalar() | Based() | Tuple() | Matrix():
            return Different(Proof.KINDS, f"a set of reals against {kind(other)}") if _wide(found) else _NOT_PROVED
        case NamedSet(name="Z" | "Q" | "N"):
            return (
                Different(Proof.KINDS, "an interval holds every real between its ends") if _wide(found) else _NOT_PROVED
            )
        case _:
            return _NOT_PROVED


def _wide(found: regions.Region) -> bool:
    """Whether some piece is written as more than a point."""
    return any(piece.low != piece.high for piece in found.pieces)


def _matrices(gold: Matrix, answer: Matrix, inner: Compare) -> Verdict:
    if [len(row) for row in gold.rows] != [len(row) for row in answer.rows]:
        return Different(Proof.KINDS, "matrices of other shapes")
    left = [Scalar(node) for row in gold.rows for node in row]
    right = [Scalar(node) for row in answer.rows for node in row]
    return matching.in_order(left, right, inner)


def _cases(gold: Cases, answer: Cases, inner: Compare) -> Verdict:
    if len(gold.rows) != len(answer.rows):
        return _NOT_PROVED

    def same(one: tuple[Value, Value | None], two: tuple[Value, Value | None]) -> bool:
        if (one[1] is None) != (two[1] is None) or not isinstance(inner(one[0], two[0]), Equal):
            return False
        return one[1] is None or two[1] is None or isinstance(inner(one[1], two[1]), Equal)

    left = list(gold.rows)
    for row in answer.rows:
        partner = next((other for other in left if same(other, row)), None)
        if partner is None:
            return _NOT_PROVED
        left.remove(partner)
    return Equal(Proof.MEMBERS, "the same cases")


# --------------------------------------------------------------------------- lists and sets


def members(value: Value) -> tuple[Value, ...] | None:
    """The members of a list or set; anything that could be one member of a list is the only one."""
    match value:
        case Listing(ellipsis=False) | SetOf(ellipsis=False):
            return value.items
        case Scalar() | Quantity() | Based() | Ratio() | Tuple() | Function() | Matrix() | Interval():
            return (value,)
        case Relation() | Assignment() | Union() | NamedSet():
            return (value,)
        case _:
            return None


def _collections(gold: Value, answer: Value, trial: Trial, inner: Compare) -> Verdict:
    if getattr(gold, "ellipsis", False) or getattr(answer, "ellipsis", False):
        return Undecided(UndecidedReason.UNSUPPORTED, "dots")
    if isinstance(gold, (Listing, SetOf)) and isinstance(answer, (Listing, SetOf)):
        left, right = _named_once(gold.items, trial), _named_once(answer.items, trial)
        named = dropped.several(left) != dropped.several(right)
        if isinstance(gold, SetOf) or isinstance(answer, SetOf):
            left, right = _distinct(left, inner), _distinct(right, inner)
        verdict = matching.in_any_order(left, right, inner)
        if named and isinstance(verdict, Equal):
            return Undecided(UndecidedReason.NAMES_DIFFER)  # `x > 2, y > 1` beside `(1, ∞), (2, ∞)`
        if isinstance(verdict, Different) and _same_once(left, right, inner):
            return Undecided(UndecidedReason.NOT_PROVED, "the same members, some of them repeated")
        return verdict
    many, single = (gold, answer) if isinstance(gold, (Listing, SetOf)) else (answer, gold)
    assert isinstance(many, (Listing, SetOf))
    found = regions.region(single, trial)
    if found is not None and not (isinstance(single, Interval) and all(isinstance(i, Interval) for i in many.items)):
        return _finite_against_region(many, found, trial)
    if isinstance(single, Tuple) and not all(isinstance(item, (Tuple, Assignment)) for item in many.items):
        if isinstance(many, Listing):
            return Undecided(UndecidedReason.LIST_OR_TUPLE)
        return Different(Proof.KINDS, "a set against a tuple")
    if isinstance(many, SetOf):
        if not many.items:
            return Different(Proof.KINDS, f"the empty set against {kind(single)}")
        if len(many.items) == 1:
            verdict = inner(many.items[0], single)
            return Undecided(UndecidedReason.NOT_PROVED, "a set of one") if isinstance(verdict, Equal) else verdict
    if members(single) is None:
        return _NOT_PROVED
    items = _named_once(many.items, trial)
    left, right = (items, (single,)) if many is gold else ((single,), items)
    verdict = matching.in_any_order(left, right, inner)
    # `xy = 0` may be the same condition as `x = 0 or y = 0`, and `x ≠ 0` may say what 1/x says by itself
    return _only_equal(verdict) if isinstance(single, Relation) or any(map(_condition, many.items)) else verdict


def _condition(item: Value) -> bool:
    """Whether a member of a list restricts the others rather than being a value among them."""
    match item:
        case Relation(ops=ops):
            return "=" not in ops and "~" not in ops
        case Assignment(op=op):
            return op in ("in", "notin")
        case _:
            return False


def _finite_against_region(many: Listing | SetOf, found: regions.Region, trial: Trial) -> Verdict:
    if not all(isinstance(item, Scalar) for item in many.items):
        return _NOT_PROVED
    if _wide(found):
        return Different(Proof.KINDS, "finitely many numbers against a set of reals")
    points = tuple(pieces.point(item.node) for item in many.items if isinstance(item, Scalar))
    return regions.compare(regions.Region(points), found, trial)


def _named_once(items: tuple[Value, ...], trial: Trial) -> tuple[Value, ...]:
    """`x = 1, x = 2` as 1, 2: one name for all members is dropped."""
    if len(items) < 2 or not all(isinstance(item, (Relation, Assignment)) for item in items):
        return items
    found = [unnamed(item, trial) for item in items]
    if found[0].name is None or any(part.name != found[0].name for part in found):
        return items
    return tuple(part.value for part in found)


def _same_once(left: tuple[Value, ...], right: tuple[Value, ...], inner: Compare) -> bool:
    """Whether two lists would be equal if a repeated member counted once: both equal that set."""
    once, twice = tuple(dict.fromkeys(left)), tuple(dict.fromkeys(right))
    if len(once) == len(left) and len(twice) == len(right):
        return False
    return isinstance(matching.in_any_order(once, twice, inner), Equal)


def _distinct(items: tuple[Value, ...], inner: Compare) -> tuple[Value, ...]:
    kept: list[Value] = []
    for item in items:
        if not any(item == other or isinstance(inner(item, other), Equal) for other in kept):
            kept.append(item)
    return tuple(kept)
