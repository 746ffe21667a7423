"""Building expression nodes: signs, quotients and literals. Literals fold into one exact number, nothing else does."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.trees import children
from lighteval_fix.deciding.value import Add, BigOp, Call, Const, Mul, Node, Num, PlusMinus, Pow, Sym, Value

Part = Node | Value
"""What the grammar passes around before it knows whether a piece is an expression or a structure."""

NODES: Final = (Num, Sym, Const, Add, Mul, Pow, Call, BigOp, PlusMinus)
ZERO: Final = Num(Fraction(0))
ONE: Final = Num(Fraction(1))
MINUS_ONE: Final = Num(Fraction(-1))
HALF: Final = Num(Fraction(1, 2))
PI: Final = Const("pi")
E: Final = Const("e")
I: Final = Const("i")
INFINITY: Final = Const("oo")
_SMALL: Final = tuple(Num(Fraction(n)) for n in range(1000))
_PER_DEGREE: Final = Num(Fraction(1, 180))


def integer(digits: str) -> Num:
    return _SMALL[int(digits)] if len(digits) < 4 else Num(Fraction(int(digits)))


def decimal(text: str) -> Num:
    """`12`, `1.50` or `.5`; the digits after the point are counted."""
    whole, point, part = text.partition(".")
    if not point:
        return integer(whole)
    return Num(Fraction(int(whole + part), 10 ** len(part)), len(part))


def may_hold_e(text: str) -> bool:
    """Whether scientific notation may as well be a sum with the constant: `3e-2`, `2e+1`, but not `4.2e-3` or `1e5`."""
    mantissa, _, power = text.lower().replace("{", "").partition("e")
    return power[0] in "+-" and "." not in mantissa and mantissa != "1" and power[1] != "0"


def scientific(text: str) -> Num:
    """`4.2e-3`. The exponent is within its limit."""
    mantissa, _, power = text.lower().replace("{", "").replace("}", "").partition("e")
    exponent = int(power)
    value = decimal(mantissa.rstrip("."))
    shown = (value.places or 0) - exponent
    return Num(value.value * Fraction(10) ** exponent, shown if shown > 0 else None)


def negate(node: Node) -> Node:
    if isinstance(node, Num):
        return Num(-node.value, node.places)
    if isinstance(node, Mul) and isinstance(node.args[0], Num):
        first = node.args[0]
        if first == MINUS_ONE:
            return Mul(node.args[1:]) if len(node.args) > 2 else node.args[1]
        return Mul((Num(-first.value, first.places), *node.args[1:]))
    return Mul((MINUS_ONE, node))


def inverse(node: Node) -> Node:
    """One over `node`. A literal zero stays a power, for the ladder to find undefined."""
    if isinstance(node, Num) and node.places is None and node.value:
        return Num(1 / node.value)
    return Pow(node, MINUS_ONE)


def quotient(over: Node, under: Node) -> Node:
    if isinstance(under, Num) and under.places is None and under.value:
        if isinstance(over, Num) and over.places is None:
            return Num(over.value / under.value)
        if under.value == 1:
            return over
        inverted: Node = Num(1 / under.value)
    else:
        inverted = Pow(under, MINUS_ONE)
    if isinstance(over, Num) and over.places is None and over.value == 1:
        return inverted
    if isinstance(over, Mul):
        return Mul((*over.args, inverted))
    return Mul((over, inverted))


def product(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))


def root(node: Node, degree: Node) -> Node:
    if isinstance(degree, Num) and degree.value and degree.places is None:
        return Pow(node, HALF if degree.value == 2 else Num(1 / degree.value))
    return Pow(node, Pow(degree, MINUS_ONE))


def written_out(parts: Iterable[Node]) -> bool:
    """Whether what a notation stands for is small enough to be written out."""
    count = 0
    todo = list(parts)
    while todo:
        node = todo.pop()
        count += 1
        if count > limits.MAX_WRITTEN_OUT:
            return False
        todo.extend(children(node))
    return True


def radians(node: Node) -> Node:
    """`node` with every degree mark replaced by its factor of pi over 180."""
    if isinstance(node, Call):
        if node.name == "deg":
            return Mul((node.args[0], PI, _PER_DEGREE))
        return Call(node.name, tuple(radians(a) for a in node.args))
    if isinstance(node, Add):
        return Add(tuple(radians(a) for a in node.args))
    if isinstance(node, Mul):
        if node.args[0] == MINUS_ONE and len(node.args) == 2:
            return negate(radians(node.args[1]))
        return Mul(tuple(radians(a) for a in node.args))
    if isinstance(node, Pow):
        return Pow(radians(node.base), radians(node.exp))
    if isinstance(node, PlusMinus):
        return PlusMinus(radians(node.left), radians(node.right), node.flipped)
    if isinstance(node, BigOp):
        return BigOp(node.kind, node.var, node.lower, node.upper, radians(node.body))
    return node


def without_degrees(node: Node) -> Node | None:
    """`node` as a number of degrees, where its degree marks are those of a sum of angles; else None."""
    if isinstance(node, Call) and node.name == "deg":
        return node.args[0]
    if isinstance(node, Mul):
        marked = [a for a in node.args if has_degrees(a)]
        if len(marked) != 1 or not isinstance(marked[0], Call) or marked[0].name != "deg":
            return None
        factors = [a.args[0] if a is marked[0] else a for a in node.args if isinstance(a, NODES)]
        if len(factors) == 2 and factors[0] == MINUS_ONE:
            return negate(factors[1])
        return Mul(tuple(factors))
    if isinstance(node, Add):
        terms = [without_degrees(a) if has_degrees(a) else a for a in node.args]
        bare = [t for t, a in zip(terms, node.args, strict=True) if t is not None and not has_degrees(a)]
        if any(t is None for t in terms) or any(isinstance(t, Num) for t in bare):
            return None
        return Add(tuple(t for t in terms if t is not None))
    if isinstance(node, PlusMinus):
        left = without_degrees(node.left) if has_degrees(node.left) else node.left
        right = without_degrees(node.right) if has_degrees(node.right) else node.right
        return None if left is None or right is None else PlusMinus(left, right, node.flipped)
    return None


def has_degrees(node: Node) -> bool:
    if isinstance(node, Call):
        return node.name == "deg" or any(has_degrees(a) for a in node.args)
    if isinstance(node, Add | Mul):
        return any(has_degrees(a) for a in node.args)
    if isinstance(node, Pow):
        return has_degrees(node.base) or has_degrees(node.exp)
    if isinstance(node, PlusMinus):
        return has_degrees(node.left) or has_degrees(node.right)
    if isinstance(node, BigOp):
        return has_degrees(node.body)
    return False


def choices(letter: str, count: Node, chosen: Node) -> Node:
    """The number of choices (C) of so many out of `count`, or of ordered choices (any other letter)."""
    if letter == "C":
        return Call("binom", (count, chosen))
    left = Call("factorial", (Add((count, negate(chosen))),))
    return Mul((Call("factorial", (count,)), Pow(left, MINUS_ONE)))
