"""Names dropped from a list: `p = 3, q = 4` beside `3, 4`.

A lone variable's `x = 5` is 5. With several names the bare list says which value is whose by its order alone, so it
stands for the named one where it gives the values in the order in which they were named, and that order is no choice of
the writer's: the names are letters that customarily come in this order, or have no customary order between them. A list
joined by "or", a set, a tuple and a list made from a ± give no such order.

The names of the largest and the smallest of two values say nothing that the values do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import angles
from .naming import Named
from .parsing.tables import GREEK
from .trees import symbols, walk
from .trial import Trial
from .value import Assignment, Call, Compound, Function, Listing, Node, Relation, Scalar, Sym, Value

LARGEST = ("maximum", "max", "greatest", "largest", "highest", "longest", "biggest", "greater", "larger", "higher")
SMALLEST = ("minimum", "min", "least", "smallest", "lowest", "shortest", "smallest", "lesser", "smaller", "lower")
"""Words for the larger and the smaller of two, each with its counterpart in the same place."""

_RUNS = (
    *("abc", "fgh", "ijk", "mn", "pqr", "st", "uvw", "xyz", "ABC", "FGH", "IJK", "MN", "PQR", "ST", "UVW", "XYZ"),
    *(("alpha", "beta", "gamma", "delta"), ("lambda", "mu", "nu"), ("phi", "chi", "psi", "omega")),
)
"""Letters that are used together, in the order in which they are used."""
_LETTER = re.compile(r"(?P<base>[^\W\d_]+)(?:_(?P<index>\d{1,3}))?(?P<primes>'{0,3})")
_ORDERED = {letter: (number, place) for number, run in enumerate(_RUNS) for place, letter in enumerate(run)}


def in_written_order(named: Sequence[Named], written: Value, bare: Value) -> Sequence[Value] | None:
    """The members of the bare list where each is to be compared with the value named at its place.

    Args:
        named: the values with their names, as many as were written.
        written: what they were written as.
        bare: the other answer, as it was written.
    """
    if not isinstance(bare, Listing) or bare.ellipsis or bare.either or len(bare.items) != len(named):
        return None
    if not (isinstance(written, Listing) or (isinstance(written, Compound) and written.joiner == "and")):
        return None
    if any(isinstance(item, (Relation, Assignment, Function)) for item in bare.items):
        return None
    return bare.items if customary([part.name for part in named]) and not _entwined(named) else None


def customary(names: Sequence[Node | None]) -> bool:
    """Whether the names are letters, no two the same, and none stands before one that it customarily follows."""
    letters = [_letter(name) for name in names]
    if None in letters or len(set(letters)) != len(letters):
        return False
    reached: dict[tuple[object, ...], int] = {}
    for base, index, primes in filter(None, letters):
        run, place = _ORDERED.get(base, (base, 0))
        for key, here in (((run, index, primes), place), ((base, None, primes), index), ((base, index, None), primes)):
            if here < reached.get(key, here):
                return False
            reached[key] = here
    return True


def in_order(name: Node | None) -> bool:
    """Whether a name may be dropped as far as order goes: `(y, x) = (1, 2)` is not `(1, 2)`."""
    return not (isinstance(name, Call) and name.name in ("tuple", "ratio")) or customary(name.args)


def _letter(name: Node | None) -> tuple[str, int, int] | None:
    """The letter, its index (-1 for none) and its primes; None for a name that may carry a meaning."""
    match name:
        case Sym(name=text):
            pass
        case Call(name=text, args=(Sym(name=argument),)) if len(argument) == 1 and argument.islower():
            pass  # a function of its variable, not P(A) beside P(B)
        case _:
            return None
    found = _LETTER.fullmatch(text)
    if found is None or not (len(found["base"]) == 1 or found["base"] in GREEK):
        return None
    return found["base"], int(found["index"] or -1), len(found["primes"])


def _entwined(named: Sequence[Named]) -> bool:
    """Whether one of the values is given in terms of another's name: `a = 2b, b = 3`."""
    names = {part.name.name for part in named if isinstance(part.name, (Sym, Call))}
    for part in named:
        if isinstance(part.value, Scalar):
            calls = {node.name for node in walk(part.value.node) if isinstance(node, Call)}
            if names & (symbols(part.value.node) | calls):
                return True
    return False


def extremes(named: Sequence[Named], trial: Trial) -> bool:
    """Whether two values are named the larger and the smaller, and provably are."""
    match named:
        case [Named(Sym(name=first), Scalar(node=one)), Named(Sym(name=second), Scalar(node=two))]:
            first, second = first.lower(), second.lower()
        case _:
            return False
    if first in SMALLEST:
        first, second, one, two = second, first, two, one
    if (first, second) not in zip(LARGEST, SMALLEST, strict=True):
        return False
    return angles.order(one, two, trial) in (0, 1)


def several(items: Sequence[Value]) -> bool:
    """Whether members that are statements speak of more than one thing: which value is whose is then part of them."""
    spoken: set[object] = set()
    for item in items:
        match item:
            case Relation(terms=terms):
                spoken.add(frozenset(name for term in terms for name in symbols(term)))
            case Assignment(name=name) | Function(name=name):
                spoken.add(name)
    return len(spoken) > 1
