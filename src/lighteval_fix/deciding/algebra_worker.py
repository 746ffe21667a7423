"""The worker: reads a pair of expression trees a line, answers `zero`, `unknown`, `unsupported` or `memory`.

Expressions are built node by node from our own serialised trees; no text is ever parsed or evaluated as an
expression. It answers `zero` only where a chain of exact rewritings reduced the difference to the number 0.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

READY = "ready"
"""The first line of a worker: what is spent before it is not held against the time limit."""
MEMORY_BYTES = 2 * 2**30
MAX_OPERATIONS = 1_500


class Foreign(Exception):
    """A function that computer algebra is not asked about."""


def build(tree: list[Any], names: dict[str, Any]) -> Any:
    """A sympy expression from a serialised tree; symbols are real."""
    import sympy

    tag = tree[0]
    if tag == "n":
        return sympy.Rational(int(tree[1]), int(tree[2]))
    if tag == "s":
        return names.setdefault(tree[1], sympy.Symbol(tree[1], real=True))
    if tag == "c":
        constants = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "oo": sympy.oo}
        return constants[tree[1]]
    if tag == "+":
        return sympy.Add(*(build(part, names) for part in tree[1:]))
    if tag == "*":
        return sympy.Mul(*(build(part, names) for part in tree[1:]))
    if tag == "^":
        return _power(build(tree[1], names), build(tree[2], names))
    if tag == "b":
        return _big(tree, names)
    return _function(tree[1], [build(part, names) for part in tree[2:]])


def _power(base: Any, exponent: Any) -> Any:
    import sympy

    if exponent.is_Rational and exponent.q % 2 == 1 and exponent.q > 1 and base.is_negative:
        return (-1 if exponent.p % 2 else 1) * (-base) ** exponent
    if exponent.is_Rational and exponent.q % 2 == 1 and exponent.q > 1 and not base.is_nonnegative:
        raise Foreign("odd root of unknown sign")
    if exponent.is_Integer and abs(int(exponent)) > 10_000:
        raise Foreign("large power")
    return sympy.Pow(base, exponent)


def _big(tree: list[Any], names: dict[str, Any]) -> Any:
    import sympy

    _, kind, variable, low, high, body = tree
    inner = dict(names)
    bound = inner[variable] = (
        sympy.Dummy(variable, integer=True) if kind in ("sum", "prod") else sympy.Dummy(variable, real=True)
    )
    term = build(body, inner)
    names.update({name: symbol for name, symbol in inner.items() if name != variable})
    if low is None or (high is None and kind != "lim"):
        raise Foreign(kind)
    start = build(low, names)
    if kind == "lim":
        return sympy.limit(term, bound, start)
    end = build(high, names)
    if kind == "int":
        return sympy.integrate(term, (bound, start, end))
    return _generic((sympy.summation if kind == "sum" else sympy.product)(term, (bound, start, end)))


def _generic(found: Any) -> Any:
    """A closed form, where its other cases are those of single values (the geometric series at the ratio 1)."""
    import sympy

    if isinstance(found, sympy.Piecewise):
        *others, (last, always) = found.args
        if always == True and all(isinstance(condition, sympy.Eq) for _, condition in others):  # noqa: E712
            return last
    return found


def counting(tree: list[Any], names: dict[str, Any]) -> None:
    """Make the symbols that end a sum or a product whole numbers: the notation says so."""
    import sympy

    if tree[0] == "b" and tree[1] in ("sum", "prod") and tree[4] is not None and tree[4][0] == "s":
        names[tree[4][1]] = sympy.Symbol(tree[4][1], integer=True, nonnegative=True)
    for part in tree[1:]:
        if isinstance(part, list):
            counting(part, names)


def _function(name: str, arguments: list[Any]) -> Any:
    import sympy

    one: dict[str, Callable[[Any], Any]] = {
        "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot, "sec": sympy.sec, "csc": sympy.csc,
        "arcsin": sympy.asin, "arccos": sympy.acos, "arctan": sympy.atan, "sinh": sympy.sinh, "cosh": sympy.cosh,
        "tanh": sympy.tanh, "coth": sympy.coth, "arcsinh": sympy.asinh, "arccosh": sympy.acosh, "arctanh": sympy.atanh,
        "ln": sympy.log, "exp": sympy.exp, "abs": sympy.Abs, "sqrt": sympy.sqrt, "floor": sympy.floor,
        "ceil": sympy.ceiling, "factorial": sympy.factorial, "re": sympy.re, "im": sympy.im, "conj": sympy.conjugate,
    }  # fmt: skip
    if len(arguments) == 1 and name in one:
        return one[name](arguments[0])
    if len(arguments) == 1 and name == "log":
        return sympy.log(arguments[0]) / sympy.log(sympy.Symbol("base of log", positive=True))
    if len(arguments) == 2 and name == "log":
        return sympy.log(arguments[0]) / sympy.log(arguments[1])
    if len(arguments) == 2 and name == "binom":
        return sympy.binomial(*arguments)
    if name == "max":
        return sympy.Max(*arguments)
    if name == "min":
        return sympy.Min(*arguments)
    raise Foreign(name)


def rewritings(difference: Any) -> Iterator[Any]:
    """The difference under one exact rewriting after another, cheap ones first."""
    import sympy

    yield difference
    yield sympy.expand(difference)
    together = sympy.together(difference)
    yield sympy.expand(sympy.numer(together))
    yield sympy.radsimp(difference)
    yield sympy.expand_log(sympy.logcombine(difference))
    yield sympy.trigsimp(difference)
    yield sympy.simplify(difference)
    yield sympy.simplify(difference.rewrite(sympy.exp))
    if difference.has(sympy.asinh, sympy.acosh, sympy.atanh):
        yield sympy.simplify(sympy.expand_log(difference.rewrite(sympy.log)))
    yield sympy.combsimp(sympy.gammasimp(difference.rewrite(sympy.gamma)))
    yield sympy.sqrtdenest(sympy.expand(difference))
    yield sympy.simplify(sympy.expand(difference, func=True, trig=True))


def answer(line: str) -> str:
    """The reply to one line."""
    import sympy

    try:
        pair = json.loads(line)
        names: dict[str, Any] = {}
        trees = [json.loads(pair[side]) for side in ("left", "right")]
        for tree in trees:
            counting(tree, names)
        left, right = (build(tree, names) for tree in trees)
        difference = left - right
        if difference.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
            return "unsupported"
        if difference.count_ops() > MAX_OPERATIONS:
            return "unknown"
        for rewritten in rewritings(difference):
            if rewritten == 0:
                return "zero"
        return "unknown"
    except MemoryError:
        return "memory"
    except Foreign:
        return "unsupported"
    except Exception as error:  # whatever sympy raises on a hard expression decides nothing
        return f"unknown {type(error).__name__}"


def main() -> None:
    """Answer lines until there are no more."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    except (ImportError, ValueError, OSError):
        sys.stderr.write("no memory limit on this system\n")
    sys.setrecursionlimit(5_000)
    import sympy  # noqa: F401  the slow part of the start, over before a question's clock runs

    sys.stdout.write(READY + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(answer(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
