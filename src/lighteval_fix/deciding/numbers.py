"""Two expressions, one verdict: the part of the ladder that compares numbers and functions."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from . import angles, calculus, linear, zerobound
from .enclose import LOG_BASES, Unclear, apart, enclosure
from .exact import apply, rational
from .field import CONSTANT, Field, Rat
from .normal import normal
from .points import Agreed, Refuted, refute
from .trees import ONE, minus, negated, rebuild, renamed, renamings, substitute, symbols, walk
from .trial import Limit, Trial, Undefined, Unsupported, gave_up
from .value import Add, BigOp, Call, Const, Node, Num, Pow, Sym

_NOT_PROVED = Undecided(UndecidedReason.NOT_PROVED)
_BITS = (64, 256, 1024, 4096)


def compare(left: Node, right: Node, trial: Trial) -> Verdict:
    """Whether two expressions have the same value (for all values of their symbols)."""
    if left == right:
        trial.note("exact", "equal", "the same expression")
        return Equal(Proof.EXACT)
    if isinstance(left, Num) and isinstance(right, Num):
        same = left.value == right.value
        return _settled(same, Proof.EXACT, "exact", trial, f"{_short(left.value)} and {_short(right.value)}")
    try:
        return _climb(left, right, trial)
    except Limit as limit:
        trial.note("limit", "undecided", str(limit))
        return gave_up(limit)
    except RecursionError:
        return Undecided(UndecidedReason.LIMIT, "depth")


def _climb(left: Node, right: Node, trial: Trial) -> Verdict:
    ends = angles.infinite(left), angles.infinite(right)
    if any(ends):
        return _with_infinity(left, right, ends)
    names = symbols(left) | symbols(right)
    if ("i" in symbols(left)) != ("i" in symbols(right)) and names & {"j", "k"}:
        left, right = (_unit_vectors(side, frozenset("i")) for side in (left, right))
    if any(name[-1] == ")" for name in names):
        verdict = _undecorated(left, right, names, trial)
        if verdict is not None:
            return verdict
    limited = False
    try:
        one, two = (None, None) if names else (rational(left, trial), rational(right, trial))
        if one is not None and two is not None:
            return _settled(one == two, Proof.EXACT, "exact", trial, f"{_short(one)} and {_short(two)}")
    except Undefined as why:
        trial.note("exact", "undecided", str(why))
        return Undecided(UndecidedReason.UNSUPPORTED, str(why))
    except Limit:
        if trial.work < 0:
            raise
        limited = True
    if not names:
        return _constants(left, right, trial, limited)
    return _functions(left, right, names, trial)


_MARKED = re.compile(r"(vec|hat|overline|tilde|dot|ddot|underline)\((.+)\)")


_UNIT_VECTORS = frozenset(("hat(i)", "hat(j)", "hat(k)"))


def _undecorated(left: Node, right: Node, names: frozenset[str], trial: Trial) -> Verdict | None:
    """The verdict on two expressions of which one marks its vectors with arrows and the other does not; None where
    a letter stands with its mark and without it on one side, or both sides agree in their marks.

    An arrow is a way to write a vector, as bold type is. Any other mark may be part of the name.
    """
    ours, theirs = symbols(left), symbols(right)
    marked = {name: found[2] for name in names if (found := _MARKED.fullmatch(name))}
    if not any((name in ours) != (name in theirs) for name in marked):
        return None
    if any(bare in side and name in side for name, bare in marked.items() for side in (ours, theirs)):
        return None
    if any(len({marked[n] for n in side if n in marked}) < sum(n in marked for n in side) for side in (ours, theirs)):
        return None
    one, two = (_unit_vectors(renamed(side, marked), frozenset(marked.values())) for side in (left, right))
    verdict = _climb(one, two, trial)
    changed = [name for name in marked if (name in ours) != (name in theirs)]
    if isinstance(verdict, Equal) and not all(name.startswith("vec(") or name in _UNIT_VECTORS for name in changed):
        return Undecided(UndecidedReason.NAMES_DIFFER)
    return verdict


def _unit_vectors(node: Node, marked: frozenset[str]) -> Node:
    """`i` as a letter where it stands for a unit vector on the other side."""
    if node == Const("i") and "i" in marked:
        return Sym("i")
    return rebuild(node, lambda part: _unit_vectors(part, marked))


def _short(value: Fraction) -> str:
    if value.numerator.bit_length() + value.denominator.bit_length() > 400:
        return "a long number"
    return str(value)


def _settled(equal: bool, proof: Proof, name: str, trial: Trial, detail: str) -> Verdict:
    trial.note(name, "equal" if equal else "different", detail)
    return Equal(proof, detail) if equal else Different(proof, detail)


def _with_infinity(left: Node, right: Node, ends: tuple[int, int]) -> Verdict:
    if all(ends):
        return Equal(Proof.EXACT) if ends[0] == ends[1] else Different(Proof.EXACT, "infinities of other sign")
    other = right if ends[0] else left
    if any(node == Const("oo") for node in walk(other)):
        return Undecided(UndecidedReason.UNSUPPORTED, "arithmetic with infinity")
    if symbols(other):
        return Undecided(UndecidedReason.NOT_PROVED)
    return Different(Proof.KINDS, "infinity is no number")


# --------------------------------------------------------------------------- constants


def _constants(left: Node, right: Node, trial: Trial, limited: bool) -> Verdict:
    if any(node == Const("oo") for node in (*walk(left), *walk(right))) and not any(
        isinstance(node, BigOp) for node in (*walk(left), *walk(right))
    ):
        return Undecided(UndecidedReason.UNSUPPORTED, "arithmetic with infinity")
    left, right = resolved(left, trial), resolved(right, trial)
    apart_at = _enclosures(left, right, trial, _BITS[:2])
    limited = limited or apart_at == -1
    if apart_at is not None and apart_at > 0:
        return _settled(False, Proof.ENCLOSURE, "enclosure", trial, f"the balls do not meet at {apart_at} bits")
    verdict = _by_normal_form(left, right, trial, certain=not limited)
    if verdict is not None:
        return verdict
    difference = minus(left, right)
    try:
        zero = zerobound.is_zero(difference, trial)
        if zero is not None:
            return _settled(zero, Proof.EXACT, "root bound", trial, "an algebraic number against its root bound")
    except (Unsupported, Limit, Undefined) as why:
        trial.note("root bound", "not settled", str(why))
    if linear.parts_cancel(difference, trial):
        return _settled(True, Proof.EXACT, "logarithms and angles", trial, "the product of the powers is exactly 1")
    apart_at = None if limited else _enclosures(left, right, trial, _BITS[2:])
    if apart_at is not None and apart_at > 0:
        return _settled(False, Proof.ENCLOSURE, "enclosure", trial, f"the balls do not meet at {apart_at} bits")
    if limited:
        return Undecided(UndecidedReason.LIMIT, "digits or terms")
    return _algebra(left, right, trial)


def _enclosures(left: Node, right: Node, trial: Trial, precisions: tuple[int, ...]) -> int | None:
    """The precision at which the enclosures part, if they do; -1 where a number is too large to enclose."""
    bare_log = any(
        isinstance(node, Call) and node.name == "log" and len(node.args) == 1 for node in walk(minus(left, right))
    )
    for bits in precisions:
        try:
            if all(
                apart(enclosure(left, bits, trial, log_base=base), enclosure(right, bits, trial, log_base=base))
                for base in (LOG_BASES if bare_log else (10,))
            ):
                return bits
        except Unclear:
            continue
        except (Unsupported, Undefined, Limit) as why:
            if trial.work < 0:
                raise
            trial.note("enclosure", "not settled", str(why))
            return -1 if isinstance(why, Limit) else None
    return None


def resolved(node: Node, trial: Trial) -> Node:
    """Absolute values, floors and whole functions of constants replaced by what they provably are."""
    if isinstance(node, (Num, Sym, Const, BigOp)):
        return node
    node = rebuild(node, lambda part: resolved(part, trial))
    if not isinstance(node, Call):
        return node
    if all(isinstance(part, Num) for part in node.args):
        value = apply(node.name, [part.value for part in node.args if isinstance(part, Num)])
        if value is not None:
            return Num(value)
    if node.name == "abs" and len(node.args) == 1:
        sign = angles.sign(node.args[0], trial)
        if sign is not None:
            return node.args[0] if sign >= 0 else minus(Num(Fraction(0)), node.args[0])
    if node.name in ("floor", "ceil") and len(node.args) == 1:
        whole = angles.whole_part(node, trial)
        if whole is not None:
            return Num(whole)
    return node


def _by_normal_form(left: Node, right: Node, trial: Trial, certain: bool = True) -> Verdict | None:
    try:
        field = Field(trial)
        difference = field.difference(normal(left, field), normal(right, field))
    except (Unsupported, Limit) as why:
        if trial.work < 0:
            raise
        trial.note("normal form", "not settled", str(why))
        return None
    except Undefined as why:
        return Undecided(UndecidedReason.UNSUPPORTED, str(why))
    if not difference:
        if symbols(left) or symbols(right) or (angles.has_value(left, trial) and angles.has_value(right, trial)):
            return _settled(True, Proof.NORMAL_FORM, "normal form", trial, "the difference is zero")
        return None
    if not certain and set(difference) == {CONSTANT} and not (symbols(left) or symbols(right)):
        return _settled(False, Proof.NORMAL_FORM, "normal form", trial, "the difference is a number that is not zero")
    trial.note("normal form", "not settled", f"{len(difference)} terms remain")
    return None


# --------------------------------------------------------------------------- functions


def _functions(left: Node, right: Node, names: frozenset[str], trial: Trial) -> Verdict:
    verdict = _by_normal_form(left, right, trial)
    if verdict is not None:
        return verdict
    if _same_but_for_names(left, right, trial):
        trial.note("names", "undecided", "equal once the symbols are renamed")
        return Undecided(UndecidedReason.NAMES_DIFFER)
    try:
        outcome = refute(left, right, trial)
    except Unsupported as why:
        trial.note("points", "not settled", str(why))
        return _unknown_functions(left, right, trial)
    match outcome:
        case Refuted(where):
            return _settled(False, Proof.REFUTED, "points", trial, where)
        case Agreed(points):
            trial.note("points", "not settled", f"both sides agree at {points} points")
            if not points:
                return _NOT_PROVED
    if _by_signs(left, right, sorted(names), trial):
        return _settled(True, Proof.NORMAL_FORM, "normal form", trial, "zero for every choice of signs")
    if calculus.constant_difference(left, right, trial):
        return _settled(True, Proof.SYMBOLIC, "calculus", trial, "equal derivatives, equal values at a point")
    return _algebra(left, right, trial)


def _by_signs(left: Node, right: Node, names: list[str], trial: Trial) -> bool:
    """Normal forms with every symbol positive, for every choice of signs; where one side has a real value, so has the
    other (`\\ln xy` is real where `\\ln x + \\ln y` is not)."""
    rooted = [node for node in (*walk(left), *walk(right)) if isinstance(node, (Pow, Call))]
    touched = sorted(frozenset(names) & frozenset(name for node in rooted for name in symbols(node)))
    if not touched or len(touched) > 4:
        return False
    compared = 0
    for signs in product((1, -1), repeat=len(touched)):
        flips: dict[str, Node] = {n: negated(Sym(n)) for n, sign in zip(touched, signs, strict=True) if sign < 0}
        try:
            field = Field(trial, positive=True)
            one, two = (_if_real(substitute(side, flips), field) for side in (left, right))
            if one is None and two is None:
                continue
            if one is None or two is None or not field.same(one, two):
                return False
            compared += 1
        except Undefined:
            continue
        except (Unsupported, Limit):
            if trial.work < 0:
                raise
            return False
    return compared > 0


def _if_real(node: Node, field: Field) -> Rat | None:
    """The normal form over positive symbols; None where the expression visibly has no real value there."""
    try:
        return normal(node, field)
    except Undefined:
        return None


def _unknown_functions(left: Node, right: Node, trial: Trial) -> Verdict:
    if any(isinstance(node, BigOp) for node in (*walk(left), *walk(right))):
        return _algebra(left, right, trial)
    return _NOT_PROVED


def _same_but_for_names(left: Node, right: Node, trial: Trial) -> bool:
    """Whether some renaming of symbols, each to one other, makes the two equal."""
    for names in renamings(symbols(left), symbols(right)):
        try:
            field = Field(trial)
            if field.same(normal(renamed(left, names), field), normal(right, field)):
                return True
        except (Unsupported, Undefined):
            return False
    return False


def one_family(left: Node, right: Node, trial: Trial) -> bool:
    """Whether two expressions in one letter that counts are the same angles, one of them a whole number of steps ahead:
    `π/4 + kπ` and `5π/4 + kπ`."""
    names = symbols(left)
    if len(names) != 1 or names != symbols(right) or not names <= _COUNTERS:
        return False
    (name,) = names
    if not any(node == Const("pi") for node in walk(left)):
        return False
    step = minus(substitute(left, {name: Add((Sym(name), ONE))}), left)
    try:
        field = Field(trial)
        ratio = field.constant(field.div(normal(minus(left, right), field), normal(step, field)))
    except (Unsupported, Undefined, Limit):
        return False
    return ratio is not None and ratio.denominator == 1


_COUNTERS = frozenset("klmn")


def _algebra(left: Node, right: Node, trial: Trial) -> Verdict:
    if not trial.algebra:
        return _NOT_PROVED
    from .algebra import difference_vanishes

    return difference_vanishes(left, right, trial)
