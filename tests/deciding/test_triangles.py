"""No triangle over a pool of short answers of all kinds: two equals and one different never meet, and two equals with
an undecided third only where a dropped name, sign or bracket explains it. Symmetry and monotonicity on the same pool.
"""

from __future__ import annotations

import tomllib
from itertools import combinations, permutations

import pytest

from lighteval_fix.deciding.decide import decide, decide_policies
from lighteval_fix.deciding.parsing import parse_answer
from lighteval_fix.deciding.value import Num, Parsed, Scalar, Sym
from lighteval_fix.model import Equal, Proof, Verdict

from .corpus import FOLDER

POOL: list[str] = tomllib.loads((FOLDER / "pool.toml").read_text(encoding="utf-8"))["texts"]
QUESTIONS = (
    "What percent of the class passed? Round to the nearest tenth.",
    "Find the ordered pair $(x, y)$ and give your answer in meters per second.",
    "Solve $x^2 = 1$ for positive $x$. What are $a$ and $b$, in degrees?",
)


def _verdicts(texts: list[str]) -> dict[tuple[str, str], Verdict]:
    found = {pair: decide(*pair) for pair in combinations(texts, 2)}
    return found | {(two, one): verdict for (one, two), verdict in found.items()}


def _plain_numbers(text: str) -> bool:
    parsed = parse_answer(text)
    return isinstance(parsed, Parsed) and parsed.other is None and _bare(parsed.value)


def _bare(value: object) -> bool:
    """A number with no sign beside it: what makes Equal an equivalence among exact values."""
    return isinstance(value, Scalar) and isinstance(value.node, (Num, Sym)) and not (value.currency or value.degree)


def _check(texts: list[str]) -> None:
    verdicts = _verdicts(texts)
    equals = {text: [] for text in texts}
    for (one, two), verdict in verdicts.items():
        if isinstance(verdict, Equal) and verdict.proof is not Proof.ROUNDED:
            equals[one].append(two)
    closed: list[tuple[str, str, str]] = []
    opened: list[tuple[str, str, str]] = []
    for middle, partners in equals.items():
        for one, two in combinations(partners, 2):
            kind = verdicts[one, two].kind
            if kind == "different":
                closed.append((one, middle, two))
            elif kind == "undecided" and all(_plain_numbers(text) for text in (one, middle, two)):
                opened.append((one, middle, two))
    assert not closed, "two equals and one different"
    assert not opened, "two equals among exact values, the third not"


@pytest.mark.parametrize("part", range(3))
def test_no_triangle_in_a_part_of_the_pool(part: int) -> None:
    _check(POOL[part::7])


@pytest.mark.slow
def test_no_triangle_in_the_pool() -> None:
    _check(POOL)


def test_symmetric() -> None:
    texts = POOL[3::8]
    wrong = [pair for pair in combinations(texts, 2) if decide(*pair).kind != decide(*pair[::-1]).kind]
    assert not wrong


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_equal_stays_equal_under_a_looser_policy(question: str) -> None:
    for one, two in permutations(POOL[::14], 2):
        kinds = [verdict.kind for verdict in decide_policies(one, two, question=question).values()]
        assert kinds == sorted(kinds, key=lambda kind: kind == "equal"), (one, two, kinds)
