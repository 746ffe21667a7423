"""Names beside values: `x = 5` is 5, `f(x) = x²` is x², `a = b = c` is c once the chain is proved."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..model import Equal
from . import numbers
from .rounding import decimal, stands_for
from .trees import symbols
from .trial import Trial
from .value import Assignment, Call, Compound, Function, Listing, Node, Relation, Scalar, SetOf, Sym, Tuple, Value


@dataclass(frozen=True, slots=True)
class Named:
    """A value, and the name it was given (None where it has none)."""

    name: Node | None
    value: Value


_KNOWN = frozenset(
    ("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "ln", "log")
    + ("exp", "abs", "sqrt", "floor", "ceil", "factorial", "factorial2", "binom", "gcd", "lcm", "max", "min", "mod")
    + ("re", "im", "conj", "arg", "deg", "root", "norm", "det", "sgn")
)


def nameish(node: Node) -> bool:
    """A lone symbol, or an unknown function of symbols such as `W(s)`."""
    if isinstance(node, Sym):
        return True
    return isinstance(node, Call) and node.name not in _KNOWN and all(isinstance(part, Sym) for part in node.args)


def related(one: Node | str | None, two: Node | str | None) -> bool:
    """Whether two names that are not the same say things of one another: a function and its inverse or derivative,
    members of one sequence, values of one function. Other values under such names contradict nothing."""
    return one != two and one is not None and two is not None and _stem(one) == _stem(two) != ""


def _stem(name: Node | str) -> str:
    match name:
        case Sym(name=text) | Call(name=text) | str(text):
            pass
        case _:
            return ""
    if text.startswith("d") and "/d" in text:
        text = text[1 : text.index("/d")]
    return _MADE.split(text, maxsplit=1)[0]


_MADE = re.compile(r"['_^]")


def unnamed(value: Value, trial: Trial) -> Named:
    """The value without its name, if it has one."""
    match value:
        case Relation():
            return _of_relation(value, trial)
        case Assignment(name=Call(name="tuple") as names, op="=", value=Tuple(items=items)):
            return Named(names, Tuple(items, angle=True))  # coordinates: no interval
        case Assignment(name=name, op="=", value=inner):
            return Named(name, inner)
        case Function(name=name, params=params, body=body):
            return Named(Call(name, tuple(Sym(param) for param in params)), Scalar(body))
        case _:
            return Named(None, value)


def _of_relation(value: Relation, trial: Trial) -> Named:
    terms, ops = list(value.terms), list(value.ops)
    while len(ops) >= 1 and ops[-1] == "~" and len(terms) >= 2:
        shown = decimal(terms[-1])
        if shown is None or not stands_for(shown, terms[-2], trial):
            return Named(None, value)
        terms.pop()
        ops.pop()
    if not ops:
        return Named(None, Scalar(terms[0]))
    if any(op != "=" for op in ops):
        return Named(None, value)
    first, rest = terms[0], terms[1:]
    if nameish(first) and not _occurs(first, rest):
        return Named(first, Scalar(rest[-1])) if _all_equal(rest, trial) else Named(None, value)
    last, front = terms[-1], terms[:-1]
    if len(terms) == 2 and isinstance(last, Sym) and not _occurs(last, front):
        return Named(last, Scalar(front[0]))
    if not any(symbols(term) for term in terms) and _all_equal(terms, trial):
        return Named(None, Scalar(last))
    return Named(None, value)  # an identity in symbols is a statement of its own


def _occurs(name: Node, others: list[Node]) -> bool:
    if isinstance(name, Sym):
        return any(name.name in symbols(other) for other in others)
    return False


def _all_equal(terms: list[Node], trial: Trial) -> bool:
    return all(isinstance(numbers.compare(one, terms[-1], trial), Equal) for one in terms[:-1])


def assignments(value: Value, trial: Trial) -> list[Named] | None:
    """`x = 2, y = 3` as (name, value) pairs; None where some part has no name."""
    if isinstance(value, Assignment) and isinstance(value.name, Call) and value.name.name == "tuple":
        return _of_tuple(value, value.name.args)
    if isinstance(value, (Listing, SetOf)):
        parts = () if value.ellipsis else value.items
    elif isinstance(value, Compound) and value.joiner == "and":
        parts = value.parts
    else:
        return None
    if len(parts) < 2 or not all(isinstance(part, (Relation, Assignment, Function)) for part in parts):
        return None
    found = [unnamed(part, trial) for part in parts]
    return found if all(part.name is not None for part in found) else None


def _of_tuple(value: Assignment, names: tuple[Node, ...]) -> list[Named] | None:
    """`(x, y) = (2, 3)` as (name, value) pairs."""
    if value.op != "=" or not isinstance(value.value, Tuple) or len(value.value.items) != len(names):
        return None
    return [Named(name, item) for name, item in zip(names, value.value.items, strict=True)]
