"""Residue classes: `x ≡ 3 (mod 5)` and the bare `3 (mod 5)`. A class is no number, so only another class equals it."""

from __future__ import annotations

from fractions import Fraction

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from . import numbers
from .exact import rational
from .trees import symbols
from .trial import Limit, Trial, Undefined
from .value import Call, Node, Relation, Scalar, Sym, Value

_NOT_PROVED = Undecided(UndecidedReason.NOT_PROVED)
_Class = tuple[Node | None, Node, Node]
"""What lies in the class (None where only the class is written), a member of it, and the modulus."""


def compare(gold: Value, answer: Value, trial: Trial) -> Verdict | None:
    """The verdict where one side at least is a residue class; None where neither is."""
    one, two = _class_of(gold), _class_of(answer)
    if one is None and two is None:
        return None
    if one is None or two is None:
        return _NOT_PROVED
    verdict = _classes(one, two, trial)
    if isinstance(verdict, Equal) and one[0] is not None and two[0] is not None and one[0] != two[0]:
        same = isinstance(numbers.compare(one[0], two[0], trial), Equal)
        return verdict if same else Undecided(UndecidedReason.NAMES_DIFFER)
    if isinstance(verdict, Different) and one[0] != two[0] and not (one[0] is None or two[0] is None):
        return Undecided(UndecidedReason.NAMES_DIFFER)
    return verdict


def _class_of(value: Value) -> _Class | None:
    match value:
        case Relation(terms=(name, Call(name="pmod", args=(member, modulus))), ops=("≡",)):
            return name, member, modulus
        case Scalar(node=Call(name="pmod", args=(member, modulus))):
            return None, member, modulus
        case _:
            return None


def _classes(one: _Class, two: _Class, trial: Trial) -> Verdict:
    """Moduli differ in nothing but their sign, and the members by a multiple of them."""
    sizes, members = (_whole(one[2], trial), _whole(two[2], trial)), (_whole(one[1], trial), _whole(two[1], trial))
    if None in sizes or None in members:
        same = isinstance(numbers.compare(one[2], two[2], trial), Equal)
        same = same and isinstance(numbers.compare(one[1], two[1], trial), Equal)
        return Equal(Proof.MEMBERS, "the same class") if same else _NOT_PROVED
    first, second = abs(sizes[0] or 0), abs(sizes[1] or 0)
    if first == second:
        apart = (members[0] or 0) - (members[1] or 0)
        if apart == 0 or (first and apart % first == 0):
            return Equal(Proof.EXACT, f"the same class modulo {first}")
    if not all(part is None or isinstance(part, Sym) for part in (one[0], two[0])):
        return _NOT_PROVED  # `2x ≡ 1` and `2x ≡ 3` may have the same solutions
    return Different(Proof.EXACT, "other residue classes")


def _whole(node: Node, trial: Trial) -> int | None:
    if symbols(node):
        return None
    try:
        value = rational(node, trial)
    except (Limit, Undefined):
        return None
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else None
