"""Random expression trees, for the laws of exact arithmetic, enclosures and normal forms."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from lighteval_fix.deciding.value import Add, Call, Const, Mul, Node, Num, Pow, Sym

SMALL = st.builds(Fraction, st.integers(-6, 6), st.integers(1, 4))


def numbers() -> st.SearchStrategy[Node]:
    """Small rationals."""
    return st.builds(Num, SMALL)


def rationals() -> st.SearchStrategy[Node]:
    """Trees that plain arithmetic evaluates."""
    return st.recursive(
        numbers(),
        lambda inner: st.one_of(
            st.builds(lambda a, b: Add((a, b)), inner, inner),
            st.builds(lambda a, b: Mul((a, b)), inner, inner),
            st.builds(lambda a, n: Pow(a, Num(Fraction(n))), inner, st.integers(-2, 3)),
            st.builds(lambda a: Call("abs", (a,)), inner),
        ),
        max_leaves=6,
    )


def algebraic() -> st.SearchStrategy[Node]:
    """Constants built from rationals, roots, i and trigonometric functions of multiples of π."""
    leaves = st.one_of(
        numbers(),
        st.just(Const("i")),
        st.builds(
            lambda name, r: Call(name, (Mul((Num(r), Const("pi"))),)),
            st.sampled_from(("sin", "cos")),
            st.builds(Fraction, st.integers(-12, 12), st.sampled_from((1, 2, 3, 4, 5, 6, 8, 12))),
        ),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(lambda a, b: Add((a, b)), inner, inner),
            st.builds(lambda a, b: Mul((a, b)), inner, inner),
            st.builds(lambda a, n: Pow(a, Num(n)), inner, st.sampled_from([Fraction(n, d) for n, d in _POWERS])),
        ),
        max_leaves=5,
    )


_POWERS = ((1, 2), (1, 3), (-1, 1), (2, 1), (3, 2), (-1, 2), (2, 3), (1, 4))


def functions() -> st.SearchStrategy[Node]:
    """Expressions in x and y with roots, exponentials, logarithms, absolute values and trigonometric functions."""
    leaves = st.one_of(
        numbers(), st.just(Sym("x")), st.just(Sym("y")), st.sampled_from((Const("pi"), Const("e"))), numbers()
    )
    names = ("sin", "cos", "tan", "ln", "abs", "cosh", "sinh", "exp", "arctan", "arcsin")
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(lambda a, b: Add((a, b)), inner, inner),
            st.builds(lambda a, b: Mul((a, b)), inner, inner),
            st.builds(lambda a, n: Pow(a, Num(n)), inner, st.sampled_from([Fraction(n, d) for n, d in _POWERS])),
            st.builds(lambda a: Pow(Const("e"), a), inner),
            st.builds(lambda a: Pow(Num(Fraction(2)), a), inner),
            st.builds(lambda a, b: Pow(a, b), inner, inner),
            st.builds(lambda name, a: Call(name, (a,)), st.sampled_from(names), inner),
        ),
        max_leaves=7,
    )
