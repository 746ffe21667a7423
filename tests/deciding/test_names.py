"""Laws of dropped names: a list of named values stands for the bare list that has them in the same order, and by that
no two answers that say different things ever become equal."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lighteval_fix.deciding.decide import decide
from lighteval_fix.deciding.dropped import customary
from lighteval_fix.deciding.value import Sym
from lighteval_fix.model import Equal

from .values import fractions, written

fast = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_NAMES = st.lists(st.sampled_from("abcdkmnpqrstuvwxyz"), min_size=2, max_size=4, unique=True)


@st.composite
def _named(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    """Names, and their values in two writings."""
    names = draw(_NAMES)
    values = [draw(fractions()) for _ in names]
    return names, [written(draw, value) for value in values], [written(draw, value) for value in values]


def _list(names: list[str], values: list[str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))


@fast
@given(_named())
def test_names_are_dropped_in_the_order_in_which_they_are_written(
    drawn: tuple[list[str], list[str], list[str]],
) -> None:
    names, values, again = drawn
    kind = decide(", ".join(again), _list(names, values)).kind
    assert kind == ("equal" if customary([Sym(name) for name in names]) else "undecided")


@fast
@given(_named())
def test_another_order_never_equals(drawn: tuple[list[str], list[str], list[str]]) -> None:
    names, values, again = drawn
    said = _list(names, values)
    for order in list(permutations(range(len(names))))[:8]:
        turned = ", ".join(again[place] for place in order)
        moved = not all(decide(values[i], again[j]).kind == "equal" for i, j in enumerate(order))
        kind = decide(turned, said).kind
        assert kind != "different"
        assert not (moved and kind == "equal"), (turned, said)
        assert decide(f"\\{{{turned}\\}}", said).kind == decide(f"({turned})", said).kind == "undecided"


@fast
@given(st.data())
def test_no_triangle_of_two_equals_and_one_different(data: st.DataObject) -> None:
    """Over lists with names in every order, bare lists, sets and tuples of a few small numbers."""
    names = data.draw(st.lists(st.sampled_from("abdxyz"), min_size=2, max_size=3, unique=True))
    size = len(names)
    texts: list[str] = []
    for _ in range(9):
        values = data.draw(st.lists(st.sampled_from("123"), min_size=size, max_size=size))
        order = data.draw(st.permutations(names))
        form = data.draw(st.sampled_from(["named", "list", "set", "tuple", "pair", "or", "twice"]))
        inner = ", ".join(values)
        texts.append(
            {
                "named": _list(order, values),
                "list": inner,
                "set": f"\\{{{inner}\\}}",
                "tuple": f"({inner})",
                "pair": f"({', '.join(order)}) = ({inner})",
                "or": " \\text{ or } ".join(values),
                "twice": _list([f"2{order[0]}", *order[1:]], [str(2 * int(values[0])), *values[1:]]),
            }[form]
        )
    texts = list(dict.fromkeys(texts))
    verdicts = {(one, two): decide(one, two) for one in texts for two in texts}
    for middle in texts:
        partners = [text for text in texts if isinstance(verdicts[middle, text], Equal)]
        closed = [pair for pair in combinations(partners, 2) if verdicts[pair].kind == "different"]
        assert not closed, (middle, closed)


@fast
@given(fractions(), fractions(), st.data())
def test_the_larger_and_the_smaller_need_no_order(one: Fraction, two: Fraction, data: st.DataObject) -> None:
    low, high = sorted((one, two))
    texts = [written(data.draw, low), written(data.draw, high)]
    kind = decide(", ".join(data.draw(st.permutations(texts))), f"Maximum = {texts[1]}, Minimum = {texts[0]}").kind
    assert kind == "equal"
