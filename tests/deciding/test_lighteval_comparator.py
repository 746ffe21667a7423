"""LightEval's own comparator behind `--comparator lighteval`, and where it disagrees with the corpus."""

from __future__ import annotations

import pickle
import threading

import pytest

from lighteval_fix.upstream.lighteval.comparator import compare

from .disagreements import found, listed

pytestmark = pytest.mark.lighteval


@pytest.mark.slow
def test_no_new_class_of_disagreement() -> None:
    pytest.importorskip("lighteval")
    now, known = found(), listed()
    assert set(now) == set(known), {"new": set(now) - set(known), "gone": set(known) - set(now)}


def test_it_says_who_answered() -> None:
    pytest.importorskip("lighteval")
    same, other = compare("\\frac12", "0.5"), compare("\\frac12", "0.25")
    assert (same.kind, other.kind) == ("equal", "different")
    assert {getattr(same, "proof", None), getattr(other, "proof", None)} == {"lighteval"}
    assert compare("1", "").kind == "undecided"


def test_off_the_main_thread_it_says_so_instead_of_no() -> None:
    kinds: list[str] = []
    thread = threading.Thread(target=lambda: kinds.append(compare("1", "1").kind))
    thread.start()
    thread.join()
    assert kinds == ["undecided"]


def test_it_pickles_for_workers() -> None:
    assert pickle.loads(pickle.dumps(compare)) is compare
