"""Two answers, one verdict: names and ± taken off, then the comparison that their kinds call for."""

from __future__ import annotations

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from . import congruences, dropped, equations, matching, numbers, regions, singles, wholes
from .naming import Named, assignments, related, unnamed
from .trees import has_plus_minus, renamed, signed, symbols
from .trial import Limit, Trial, gave_up
from .value import (
    Assignment,
    Choice,
    Compound,
    Function,
    Listing,
    Mul,
    Node,
    Num,
    Quantity,
    Relation,
    Scalar,
    SetOf,
    Sym,
    Tuple,
    Value,
    Words,
)

_NOT_PROVED = Undecided(UndecidedReason.NOT_PROVED)


def compare(gold: Value, answer: Value, trial: Trial) -> Verdict:
    """The verdict of the `value` policy on two parsed answers."""
    try:
        return _compare(gold, answer, trial)
    except Limit as limit:
        return gave_up(limit)
    except RecursionError:
        return Undecided(UndecidedReason.LIMIT, "depth")


def _compare(gold: Value, answer: Value, trial: Trial) -> Verdict:
    if gold == answer:
        return _identical(gold)
    if type(gold) is type(answer) is Scalar and type(gold.node) is type(answer.node) is Num:
        return singles.scalars(gold, answer, trial)
    if isinstance(gold, Scalar) and isinstance(answer, Scalar) and not _doubled(gold) and not _doubled(answer):
        return congruences.compare(gold, answer, trial) or singles.scalars(gold, answer, trial)
    verdict = singles.words(gold, answer)
    if verdict is not None:
        return verdict
    verdict = congruences.compare(gold, answer, trial)
    if verdict is not None:
        return verdict
    written, given = gold, answer
    gold, answer = plain(gold), plain(answer)
    left, right = assignments(gold, trial), assignments(answer, trial)
    if left is not None and right is not None:
        verdict = _by_name(left, right, trial)
        if isinstance(verdict, Equal) and _either(written) != _either(given):
            return Undecided(UndecidedReason.NOT_PROVED, "one of them against both")
        if verdict is not None:
            return verdict
    elif left is not None and not isinstance(gold, Assignment):
        return _one_named(left, written, answer, given, trial)
    elif right is not None and not isinstance(answer, Assignment):
        return _one_named(right, given, gold, written, trial)
    if isinstance(gold, Function) and isinstance(answer, Function):
        return _functions(gold, answer, trial)
    if isinstance(gold, Relation) and isinstance(answer, Relation):
        verdict = _equations(gold, answer, trial)
        if verdict is not None:
            return verdict
    one, two = unnamed(gold, trial), unnamed(answer, trial)
    if one.value is not gold or two.value is not answer:
        return _without_names(one, two, trial)
    return _by_kind(gold, answer, trial)


def _identical(value: Value) -> Verdict:
    match value:
        case Words():
            return Equal(Proof.WORDS)
        case Choice():
            return Equal(Proof.SAME_LABEL)
        case _:
            return Equal(Proof.EXACT, "the same form")


def _by_kind(gold: Value, answer: Value, trial: Trial) -> Verdict:
    verdict = singles.compare(gold, answer, trial)
    if verdict is not None:
        return verdict
    match gold, answer:
        case (Relation(), Scalar()) if equations.is_equation(gold):
            return equations.solves_to(gold, answer.node, trial)
        case (Scalar(), Relation()) if equations.is_equation(answer):
            return equations.solves_to(answer, gold.node, trial)
    if isinstance(gold, Relation) and isinstance(answer, Relation) and not _one_variable(gold, answer, trial):
        return _inequalities(gold, answer, trial)
    return wholes.compare(gold, answer, trial, _with(trial))


def _one_variable(gold: Relation, answer: Relation, trial: Trial) -> bool:
    """Whether both are sets of reals in one and the same variable, or have no symbol but one each."""
    left, right = regions.region(gold, trial), regions.region(answer, trial)
    if left is None or right is None:
        return False
    names = frozenset(name for value in (gold, answer) for term in value.terms for name in symbols(term))
    return left.variable == right.variable or len(names) == 2


def _with(trial: Trial) -> matching.Compare:
    return lambda one, two: _compare(one, two, trial)


# --------------------------------------------------------------------------- ±


def _doubled(value: Scalar) -> bool:
    return has_plus_minus(value.node)


def plain(value: Value) -> Value:
    """± written out as both values, lists of one member as that member, alternatives as a list."""
    match value:
        case Scalar(node=node) if has_plus_minus(node):
            return Listing(
                tuple(Scalar(signed(node, sign), value.percent, value.currency, value.degree) for sign in (1, -1))
            )
        case Quantity(node=node) if has_plus_minus(node):
            return Listing(tuple(Quantity(signed(node, sign), value.unit) for sign in (1, -1)))
        case Relation(terms=terms) if any(has_plus_minus(term) for term in terms):
            return Listing(tuple(Relation(tuple(signed(term, sign) for term in terms), value.ops) for sign in (1, -1)))
        case Tuple(items=items) if any(isinstance(item, Scalar) and _doubled(item) for item in items):
            return Listing(tuple(Tuple(tuple(_side(item, sign) for item in items), value.angle) for sign in (1, -1)))
        case Assignment(name=name, op="in", value=SetOf(items=(Scalar(node=node),), ellipsis=False)):
            return plain(Relation((name, node), ("=",)))
        case Listing(items=(only,), ellipsis=False):
            return plain(only)
        case Listing(items=items) if len(items) > 1 and all(_excludes(item, items[0]) for item in items):
            return Compound("and", items)  # `x ≠ 1, x ≠ 2`
        case Listing():
            return Listing(_flat(value.items), value.ellipsis)
        case SetOf():
            return SetOf(_flat(value.items), value.ellipsis)
        case Compound(joiner="or", parts=parts) if all(_single(part) for part in parts):
            return plain(Listing(parts))
        case _:
            return value


def _excludes(item: Value, first: Value) -> bool:
    match item, first:
        case Relation(terms=(Sym() as one, _), ops=("!=",)), Relation(terms=(Sym() as two, _)):
            return one == two
        case _:
            return False


def _flat(items: tuple[Value, ...]) -> tuple[Value, ...]:
    flat: list[Value] = []
    for item in items:
        inner = plain(item)
        flat.extend(inner.items if isinstance(inner, Listing) and not inner.ellipsis else (inner,))
    return tuple(flat)


def _single(part: Value) -> bool:
    """A value, or an equation: alternatives of such are a list."""
    if isinstance(part, Relation):
        return part.ops in (("=",), ("≡",))
    return isinstance(part, (Scalar, Quantity, Tuple, Function)) or (isinstance(part, Assignment) and part.op == "=")


def _side(item: Value, sign: int) -> Value:
    if isinstance(item, Scalar):
        return Scalar(signed(item.node, sign), item.percent, item.currency, item.degree)
    return item


# --------------------------------------------------------------------------- names


def _without_names(one: Named, two: Named, trial: Trial) -> Verdict:
    """Compare what was named; what two other names hide stays open."""
    verdict = _compare(one.value, two.value, trial)
    if isinstance(verdict, Equal) and one.name != two.name:
        both = one.name is not None and two.name is not None
        if both or not (dropped.in_order(one.name) and dropped.in_order(two.name)):
            return Undecided(UndecidedReason.NAMES_DIFFER)
    if isinstance(verdict, Different) and (_speaks_of(one, two) or _speaks_of(two, one)):
        return Undecided(UndecidedReason.NAMES_DIFFER, "one says what the other's name is")
    if isinstance(verdict, Different) and related(one.name, two.name):
        return Undecided(UndecidedReason.NAMES_DIFFER, "names of one thing and another made from it")
    if isinstance(verdict, Different) and _other_order(one, two, trial):
        return Undecided(UndecidedReason.NAMES_DIFFER, "the same coordinates in another order")
    if isinstance(verdict, Different) and (_solves(one, two, trial) or _solves(two, one, trial)):
        return Undecided(UndecidedReason.NAMES_DIFFER, "the equation solved for another symbol")
    return verdict


def _speaks_of(one: Named, two: Named) -> bool:
    """Whether a named value is given in terms of the other's name: `y = e^x` and `x = \\ln y` may say the same."""
    if one.name == two.name or not isinstance(two.name, Sym) or one.name is None:
        return False
    return isinstance(one.value, Scalar) and two.name.name in symbols(one.value.node)


def _other_order(one: Named, two: Named, trial: Trial) -> bool:
    """Whether coordinates with their names stand beside a bare tuple of the same members: `(y, x) = (2, 1)` and
    `(1, 2)`."""
    if (one.name is None) == (two.name is None):
        return False
    left, right = one.value, two.value
    if not isinstance(left, Tuple) or not isinstance(right, Tuple):
        return False
    return isinstance(matching.in_any_order(left.items, right.items, _with(trial)), Equal)


def _solves(named: Named, bare: Named, trial: Trial) -> bool:
    """Whether `name = value` as an equation says the bare expression of some other symbol."""
    match named, bare:
        case Named(Sym() as name, Scalar(node=node)), Named(None, Scalar(node=other)):
            return equations.solves_to(Relation((name, node), ("=",)), other, trial) != _NOT_PROVED
        case _:
            return False


def _by_name(left: list[Named], right: list[Named], trial: Trial) -> Verdict | None:
    """Named values against named values: name by name where every name stands once."""
    ours, theirs = [part.name for part in left], [part.name for part in right]
    repeated = len(set(ours)) != len(ours) or len(set(theirs)) != len(theirs)
    if repeated and set(ours) == set(theirs):
        return None
    if not repeated and set(ours) == set(theirs):
        lookup = dict(zip(theirs, right, strict=True))
        values = [part.value for part in left]
        verdict = matching.in_order(values, [lookup[name].value for name in ours], _with(trial))
        if not isinstance(verdict, Different) or ours == theirs:
            return verdict
        if not (dropped.customary(ours) and dropped.customary(theirs)):
            return verdict
        # `a = 1, d = 2` and `d = 1, a = 2` both stand for `1, 2`
        as_written = matching.in_order(values, [part.value for part in right], _with(trial))
        return Undecided(UndecidedReason.NAMES_DIFFER) if isinstance(as_written, Equal) else verdict
    verdict = matching.in_any_order([part.value for part in left], [part.value for part in right], _with(trial))
    return Undecided(UndecidedReason.NAMES_DIFFER) if isinstance(verdict, Equal) else verdict


def _either(value: Value) -> bool:
    return isinstance(value, Compound) and value.joiner == "or"


def _one_named(named: list[Named], written: Value, bare: Value, given: Value, trial: Trial) -> Verdict:
    """Named values on one side only; `written` and `given` are the two before ± was taken off.

    Values of one name are a list. Beside values of several names the same members leave open which is which, but for
    the two cases of `dropped`.
    """
    values = tuple(part.value for part in named)
    if len({part.name for part in named}) == 1:
        alone = unnamed(bare, trial)
        if alone.name == named[0].name:
            bare = alone.value
        return _by_kind(Listing(values), bare, trial)
    if wholes.members(bare) is None or isinstance(bare, Relation) or (isinstance(bare, Assignment) and bare.op != "="):
        return Undecided(UndecidedReason.NAMES_DIFFER)
    if isinstance(bare, Tuple):
        verdict = matching.in_any_order(values, bare.items, _with(trial))
    elif isinstance(bare, (Listing, SetOf)) and not _either(written) and dropped.extremes(named, trial):
        return _by_kind(Listing(values), bare, trial)
    else:
        items = dropped.in_written_order(named, written, given)
        if items is not None:
            verdict = matching.in_order(values, items, _with(trial))
            if isinstance(verdict, Equal):
                return verdict
        verdict = _by_kind(Listing(values), bare, trial)
    return Undecided(UndecidedReason.NAMES_DIFFER) if isinstance(verdict, Equal) else verdict


def _functions(gold: Function, answer: Function, trial: Trial) -> Verdict:
    if len(gold.params) != len(answer.params):
        return _NOT_PROVED
    ours, theirs = frozenset(gold.params), frozenset(answer.params)
    if (theirs - ours) & symbols(gold.body) or (ours - theirs) & symbols(answer.body):
        return Undecided(UndecidedReason.NAMES_DIFFER, "a parameter of one is a free letter of the other")
    names = dict(zip(answer.params, gold.params, strict=True))
    verdict = singles.nodes(gold.body, renamed(answer.body, names), trial)
    if isinstance(verdict, Equal) and gold.name != answer.name:
        return Undecided(UndecidedReason.NAMES_DIFFER)
    if isinstance(verdict, Different) and related(gold.name, answer.name):
        return Undecided(UndecidedReason.NAMES_DIFFER, "names of one thing and another made from it")
    return verdict


# --------------------------------------------------------------------------- relations


def _equations(gold: Relation, answer: Relation, trial: Trial) -> Verdict | None:
    """Two equations as conditions; None where both are better seen as named values."""
    if not (equations.is_equation(gold) and equations.is_equation(answer)):
        return None
    one, two = unnamed(gold, trial), unnamed(answer, trial)
    if one.name is not None and one.name == two.name:
        return None
    verdict = equations.compare(gold, answer, trial)
    segments = (_spelled(gold.terms[0]), _spelled(answer.terms[0]))
    if isinstance(verdict, Different) and "" not in segments:
        if segments[0] == segments[1]:
            return numbers.compare(gold.terms[1], answer.terms[1], trial)
        return Undecided(UndecidedReason.NAMES_DIFFER)  # lengths of two segments, `AB = 5` and `BC = 6`
    if isinstance(verdict, Equal) or one.name is None or two.name is None:
        return verdict
    return None


def _inequalities(gold: Relation, answer: Relation, trial: Trial) -> Verdict:
    """The same relations between the same terms, read in either direction."""
    turn = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
    backwards = Relation(answer.terms[::-1], tuple(turn.get(op, op) for op in answer.ops[::-1]))
    for other in (answer, backwards):
        if other.ops != gold.ops or any(op in _ONE_WAY and other is backwards for op in other.ops):
            continue
        pairs = list(zip(gold.terms, other.terms, strict=True))
        if all(_spelled(a) == _spelled(b) != "" or isinstance(numbers.compare(a, b, trial), Equal) for a, b in pairs):
            return Equal(Proof.MEMBERS, "the same relation between equal terms")
        if len(gold.terms) == 2 and gold.ops[0] in (*turn, "!="):
            factor = equations.factor(gold, other, trial)
            if factor is not None and (factor > 0 or (factor < 0 and gold.ops[0] == "!=")):
                return Equal(Proof.NORMAL_FORM, f"one difference is {factor} times the other")
    return _NOT_PROVED


def _spelled(node: Node) -> str:
    """The letters of a name, whether it was read as one symbol or as a product of letters (a line `ML`)."""
    match node:
        case Sym(name=name):
            name = name.removeprefix("overline(").removesuffix(")")
            return name if name.isalpha() else ""
        case Mul(args=args) if all(isinstance(part, Sym) and len(part.name) == 1 for part in args):
            return "".join(part.name for part in args if isinstance(part, Sym))
        case _:
            return ""


_ONE_WAY = frozenset("⊂⊆⊃⊇⊊≪≫")
"""Relations that say something else when read backwards, and have no entry of their own for it."""
