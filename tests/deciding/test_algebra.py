"""The killable worker: proves zero or nothing, dies at its limit, and belongs to one process."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from fractions import Fraction

import pytest

from lighteval_fix.deciding import algebra
from lighteval_fix.deciding.algebra_worker import answer
from lighteval_fix.deciding.trees import dump
from lighteval_fix.deciding.trial import Trial
from lighteval_fix.deciding.value import Add, BigOp, Call, Const, Mul, Node, Num, Pow, Sym
from lighteval_fix.model import Equal, Undecided, UndecidedReason

X = Sym("x")


def n(top: int, bottom: int = 1) -> Num:
    return Num(Fraction(top, bottom))


def line(left: Node, right: Node) -> str:
    return json.dumps({"left": dump(left), "right": dump(right)})


@pytest.mark.parametrize(
    ("left", "right", "want"),
    [
        (BigOp("int", "x", n(0), n(1), Pow(X, n(2))), n(1, 3), "zero"),
        (BigOp("sum", "k", n(1), Sym("n"), Sym("k")), Mul((n(1, 2), Sym("n"), Add((Sym("n"), n(1))))), "zero"),
        (BigOp("lim", "x", n(0), None, Mul((Call("sin", (X,)), Pow(X, n(-1))))), n(1), "zero"),
        (Pow(Pow(X, n(2)), n(1, 2)), X, "unknown"),
        (Call("f", (X,)), Call("f", (X,)), "unsupported"),
        (Pow(n(0), n(-1)), n(1), "unsupported"),
        (Call("sin", (Sym("__import__('os').system('true')"),)), n(0), "unknown"),
    ],
)
def test_replies(left: Node, right: Node, want: str) -> None:
    assert answer(line(left, right)) == want


def test_garbage_is_answered() -> None:
    assert answer("no json").startswith("unknown")
    assert answer('{"left": "[]", "right": "[]"}').startswith("unknown")


def ask(left: Node, right: Node, seconds: float = 20.0) -> object:
    return algebra.difference_vanishes(left, right, Trial(deadline=time.monotonic() + seconds))


SQUARE = BigOp("int", "x", n(0), Sym("a"), Mul((n(2), X)))


def test_the_worker_lives_on_and_is_replaced_when_killed() -> None:
    assert isinstance(ask(SQUARE, Pow(Sym("a"), n(2))), Equal)
    first = algebra._worker
    assert first is not None
    assert isinstance(ask(SQUARE, Pow(Sym("a"), n(2))), Equal)
    assert algebra._worker is first
    first.kill()
    first.wait()
    assert isinstance(ask(SQUARE, Pow(Sym("a"), n(2))), Equal)
    assert algebra._worker is not first


def test_it_is_killed_at_the_limit_and_the_next_question_is_answered() -> None:
    hard = BigOp("int", "x", n(0), n(1), Pow(Call("sin", (Pow(X, Const("pi")),)), Call("cos", (X,))))
    assert ask(hard, n(1), 0.3) == Undecided(UndecidedReason.TIMEOUT)
    assert algebra._worker is None
    assert isinstance(ask(SQUARE, Pow(Sym("a"), n(2))), Equal)


def test_too_large_a_tree_is_not_sent() -> None:
    wide = Add(tuple(Call("sin", (n(k),)) for k in range(5000)))
    assert ask(wide, n(0)) == Undecided(UndecidedReason.LIMIT, "size")


def _in_child(queue: multiprocessing.Queue[object]) -> None:
    verdict = ask(SQUARE, Pow(Sym("a"), n(2)))
    queue.put((isinstance(verdict, Equal), algebra._owner == os.getpid()))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_a_fork_gets_a_worker_of_its_own() -> None:
    assert isinstance(ask(SQUARE, Pow(Sym("a"), n(2))), Equal)
    worker = algebra._worker
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == (True, True)
    child.join(60)
    assert algebra._worker is worker
    assert isinstance(ask(SQUARE, Pow(Sym("a"), n(2))), Equal)
