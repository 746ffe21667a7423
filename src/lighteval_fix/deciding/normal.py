"""Normal forms: an expression as a quotient over a `Field`. Equal forms mean equal values; nothing else is claimed.

Symbols stand for real numbers. Trigonometric and hyperbolic functions become exponentials, so that their identities
are identities of quotients; powers, logarithms and factorials are written over as few generators as their laws allow
for every real value at which both sides exist.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from . import angles, factors, powers
from .exact import apply, bounds
from .field import CONSTANT, ONE, Coef, Field, Mono, Poly, Rat
from .trees import renamed, substitute, symbols, walk
from .trial import Limit, Unsupported
from .value import Add, BigOp, Call, Const, Mul, Node, Num, PlusMinus, Pow, Sym

HALF = Fraction(1, 2)


def normal(node: Node, field: Field) -> Rat:
    """The normal form.

    Raises:
        Unsupported, Limit, Undefined: this step cannot say anything.
    """
    field.trial.spend(1)
    match node:
        case Num():
            return field.number(node.value)
        case Sym():
            return field.power_of(field.gen("sym", node.name))
        case Const():
            return _constant(node.name, field)
        case Add():
            total = field.number(0)
            for part in node.args:
                total = field.add(total, normal(part, field))
            return total
        case Mul():
            product = field.number(1)
            for part in node.args:
                product = field.mul(product, normal(part, field))
            return product
        case Pow():
            return _power(node, field)
        case Call():
            return _call(node, field)
        case BigOp():
            return _big(node, field)
        case PlusMinus():
            raise Unsupported("±")


def _constant(name: str, field: Field) -> Rat:
    match name:
        case "pi":
            return field.power_of(field.gen("pi"))
        case "e":
            return field.power_of(field.gen("exp", CONSTANT))
        case "i":
            return field.power_of(field.gen("i"))
        case _:
            raise Unsupported(name)


def _power(node: Pow, field: Field) -> Rat:
    exponent = normal(node.exp, field)
    number = field.constant(exponent)
    if number is not None:
        return powers.power(normal(node.base, field), number, field)
    if node.base == Const("e"):
        return powers.exponential(exponent, field)
    return powers.general_power(normal(node.base, field), exponent, field)


def _big(node: BigOp, field: Field) -> Rat:
    steps = bounds(node, field.trial)
    if steps is None:
        return _open_range(node, field)
    total = field.number(0 if node.kind == "sum" else 1)
    for index in steps:
        field.trial.spend(8)
        part = normal(substitute(node.body, {node.var: Num(Fraction(index))}), field)
        total = field.add(total, part) if node.kind == "sum" else field.mul(total, part)
    return total


def _open_range(node: BigOp, field: Field) -> Rat:
    """A range that cannot be written out: by its normalised body, whatever its variable is called. A factor of a
    product that does not depend on the variable is taken out of it."""
    index = f"#{sum(isinstance(part, BigOp) for part in walk(node.body))}"
    body = renamed(node.body, {node.var: index})
    if node.kind not in ("sum", "prod") or node.lower is None or node.upper is None or field.positive:
        return field.power_of(field.gen("bigop", BigOp(node.kind, index, node.lower, node.upper, body)))
    low, high = normal(node.lower, field), normal(node.upper, field)
    inner = normal(body, field)
    outer = field.number(1)
    if node.kind == "prod":
        length = field.add(field.sub(high, low), outer)
        elsewhere = normal(renamed(node.body, {node.var: index + "'"}), field)
        for gen, exponent in _in_every_term(inner, _generators(inner.num) & _generators(elsewhere.num)):
            outer = field.mul(outer, powers.general_power(field.power_of(gen), field.scaled(length, exponent), field))
            inner = field.mul(inner, field.power_of(gen, -exponent))
    found = field.gen("bigop", node.kind, field.key(low), field.key(high), field.key(inner))
    return field.mul(outer, field.power_of(found))


def _generators(poly: Poly) -> set[int]:
    return {gen for mono in poly for gen, _ in mono}


def _in_every_term(rat: Rat, gens: set[int]) -> list[tuple[int, int]]:
    """The whole powers of these generators that every term of the numerator holds."""
    lowest = [(gen, min(dict(mono).get(gen, 0) for mono in rat.num)) for gen in sorted(gens)]
    return [(gen, int(exponent)) for gen, exponent in lowest if exponent and exponent == int(exponent)]


# --------------------------------------------------------------------------- functions


def _call(node: Call, field: Field) -> Rat:
    name = node.name
    arguments = [normal(part, field) for part in node.args]
    numbers = [field.constant(part) for part in arguments]
    known = [number for number in numbers if number is not None]
    if len(known) == len(numbers):
        value = apply(name, known)
        if value is not None:
            return field.number(value)
    rule = RULES.get(name)
    if rule is not None and len(arguments) == 1:
        return rule(arguments[0], field, node)
    if name == "log" and len(arguments) == 2:
        return field.div(powers.logarithm(arguments[0], field), powers.logarithm(arguments[1], field))
    if name == "root" and len(arguments) == 2 and numbers[1]:
        return powers.power(arguments[0], 1 / numbers[1], field)
    if name == "binom" and len(arguments) == 2:
        return _binomial(arguments[0], arguments[1], field)
    if name in ("floor", "ceil") and not symbols(node):
        whole = angles.whole_part(node, field.trial)
        if whole is not None:
            return field.number(whole)
    if name == "arg" and not symbols(node):
        turn = angles.recognise(node, field.trial)
        if turn is not None:
            return field.scaled(field.power_of(field.gen("pi")), turn)
    if name in ("max", "min") and not symbols(node) and len(arguments) == 2:
        order = angles.order(node.args[0], node.args[1], field.trial)
        if order is not None:
            return arguments[0 if (order > 0) == (name == "max") else 1]
    return _atom(name, arguments, field)


def _atom(name: str, arguments: list[Rat], field: Field) -> Rat:
    keys = [field.key(argument) for argument in arguments]
    if name in ("max", "min", "gcd", "lcm"):
        keys.sort(key=repr)
    return field.power_of(field.gen("call", name, *keys))


def _odd(name: str) -> Callable[[Rat, Field, Node], Rat]:
    """An odd function as a generator: f(-u) = -f(u), with the sign of u's leading term taken out."""

    def rule(argument: Rat, field: Field, node: Node) -> Rat:
        if not symbols(node):
            turn = angles.recognise(node, field.trial)
            if turn is not None:
                return field.scaled(field.power_of(field.gen("pi")), turn)
        sign = factors.leading_sign(argument)
        inner = field.scaled(argument, sign)
        return field.scaled(_atom(name, [inner], field), sign)

    return rule


def _arccos(argument: Rat, field: Field, node: Node) -> Rat:
    assert isinstance(node, Call)
    half_turn = field.scaled(field.power_of(field.gen("pi")), HALF)
    return field.sub(half_turn, _odd("arcsin")(argument, field, Call("arcsin", node.args)))


def _flipped(name: str, argument: Rat, field: Field, node: Node) -> Rat:
    """arcsec and arccsc as the others at one over the argument."""
    assert isinstance(node, Call)
    turned = Call(name, (Pow(node.args[0], Num(Fraction(-1))),))
    return RULES[name](field.inverse(argument), field, turned)


def _trig(name: str) -> Callable[[Rat, Field, Node], Rat]:
    def rule(argument: Rat, field: Field, node: Node) -> Rat:
        plus, minus = powers.unit(argument, field)
        total, gap = field.add(plus, minus), field.sub(plus, minus)
        i = field.power_of(field.gen("i"))
        match name:
            case "cos":
                return field.scaled(total, HALF)
            case "sin":
                return field.mul(field.scaled(gap, -HALF), i)
            case "tan":
                return field.mul(field.div(gap, total), field.scaled(i, -1))
            case "cot":
                return field.mul(field.div(total, gap), i)
            case "sec":
                return field.scaled(field.inverse(total), 2)
            case _:
                return field.mul(field.scaled(field.inverse(gap), 2), i)

    return rule


def _hyper(name: str) -> Callable[[Rat, Field, Node], Rat]:
    def rule(argument: Rat, field: Field, node: Node) -> Rat:
        plus = powers.exponential(argument, field)
        minus = field.inverse(plus)
        total, gap = field.add(plus, minus), field.sub(plus, minus)
        match name:
            case "cosh":
                return field.scaled(total, HALF)
            case "sinh":
                return field.scaled(gap, HALF)
            case "tanh":
                return field.div(gap, total)
            case "coth":
                return field.div(total, gap)
            case "sech":
                return field.scaled(field.inverse(total), 2)
            case _:
                return field.scaled(field.inverse(gap), 2)

    return rule


def _abs(argument: Rat, field: Field, node: Node) -> Rat:
    if not symbols(node):
        assert isinstance(node, Call)
        parts = factors.real_and_imaginary(argument, field)
        if parts is not None and parts[1].num:
            squares = field.add(field.mul(parts[0], parts[0]), field.mul(parts[1], parts[1]))
            return powers.power(squares, HALF, field)
        sign = angles.sign(node.args[0], field.trial)
        if sign is not None:
            return field.scaled(argument, sign)
    return powers.absolute(argument, field)


def _log(argument: Rat, field: Field, node: Node) -> Rat:
    """A logarithm whose base is not stated: the base is a quantity of its own."""
    return field.mul(powers.logarithm(argument, field), field.power_of(field.gen("logbase"), -1))


def _factorial(argument: Rat, field: Field, node: Node) -> Rat:
    shift = Fraction(argument.num.get(CONSTANT, 0)) if argument.den == ONE else Fraction(0)
    steps = shift.numerator // shift.denominator
    base = field.sub(argument, field.number(steps))
    if field.constant(base) is not None or abs(steps) > 40:
        return _atom("factorial", [argument], field)
    result = _atom("factorial", [base], field)
    for step in range(1, steps + 1):
        result = field.mul(result, field.add(base, field.number(step)))
    for step in range(0, steps, -1):
        result = field.div(result, field.add(base, field.number(step)))
    return result


def _binomial(top: Rat, bottom: Rat, field: Field) -> Rat:
    for lower in (bottom, field.sub(top, bottom)):
        count = field.constant(lower)
        if count is not None and count.denominator == 1 and 0 <= count <= 30:
            product = field.number(1)
            for step in range(count.numerator):
                factor = field.sub(top, field.number(step))
                product = field.scaled(field.mul(product, factor), Fraction(1, step + 1))
            return product
    rest = field.sub(top, bottom)
    under = field.mul(_factorial(bottom, field, ZERO_NODE), _factorial(rest, field, ZERO_NODE))
    return field.div(_factorial(top, field, ZERO_NODE), under)


def _part(name: str) -> Callable[[Rat, Field, Node], Rat]:
    def rule(argument: Rat, field: Field, node: Node) -> Rat:
        if name == "conj":
            return factors.conjugate(argument, field)
        parts = factors.real_and_imaginary(argument, field)
        if parts is None:
            return _atom(name, [argument], field)
        return parts[0 if name == "re" else 1]

    return rule


ZERO_NODE = Num(Fraction(0))

RULES: dict[str, Callable[[Rat, Field, Node], Rat]] = {
    **{name: _trig(name) for name in ("sin", "cos", "tan", "cot", "sec", "csc")},
    **{name: _hyper(name) for name in ("sinh", "cosh", "tanh", "coth", "sech", "csch")},
    **{name: _odd(name) for name in ("arcsin", "arctan", "arcsinh", "arctanh")},
    **{name: _part(name) for name in ("re", "im", "conj")},
    "arccos": _arccos,
    "arcsec": lambda argument, field, node: _flipped("arccos", argument, field, node),
    "arccsc": lambda argument, field, node: _flipped("arcsin", argument, field, node),
    "deg": lambda argument, field, node: field.mul(argument, field.power_of(field.gen("degree"))),
    "abs": _abs,
    "exp": lambda argument, field, node: powers.exponential(argument, field),
    "sqrt": lambda argument, field, node: powers.power(argument, HALF, field),
    "ln": lambda argument, field, node: powers.logarithm(argument, field),
    "log": _log,
    "factorial": _factorial,
}


# --------------------------------------------------------------------------- equations


def proportional(left: Poly, right: Poly) -> Coef | None:
    """The constant k with left = k · right, if there is one."""
    if len(left) != len(right) or not left:
        return None
    mono = next(iter(left))
    if mono not in right:
        return None
    factor = Fraction(left[mono]) / right[mono]
    for term, coef in left.items():
        if right.get(term, 0) * factor != coef:
            return None
    return factor


def cleared(rat: Rat, field: Field) -> Poly:
    """The numerator with negative exponents of symbols multiplied away: it vanishes where the quotient does."""
    poly = field.settle(rat.num)
    lowest: dict[int, Coef] = {}
    for mono in poly:
        for gen, exponent in mono:
            if exponent < lowest.get(gen, 0):
                lowest[gen] = exponent
    if not lowest:
        return poly
    lift: Mono = tuple(sorted((gen, -exponent) for gen, exponent in lowest.items()))
    return field.poly_mul(poly, {lift: 1})


__all__ = ["Limit", "cleared", "normal", "proportional"]
