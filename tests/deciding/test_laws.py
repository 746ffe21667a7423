"""Laws that hold for any answers, not only for those of the corpus."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import threading
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lighteval_fix.deciding.decide import decide
from lighteval_fix.model import Equal, Policy, Proof
from tests.laws import examples

from .corpus import pairs
from .values import CONFUSABLE, Surd, questions, scraps, surds, two_renderings, written_surd

ORDER = (Policy.IDENTICAL, Policy.VALUE, Policy.IN_CONTEXT)
fast = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
few = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@fast
@given(scraps())
def test_reflexive(text: str) -> None:
    verdict = decide(text, text)
    assert verdict.kind == "equal" or str(getattr(verdict, "reason", "")) in ("empty", "limit")


@fast
@given(scraps(), scraps())
def test_symmetric_and_never_raises(one: str, two: str) -> None:
    for policy in ORDER[:2]:
        assert decide(one, two, policy=policy).kind == decide(two, one, policy=policy).kind


@fast
@given(st.one_of(scraps(), st.sampled_from(CONFUSABLE)), st.one_of(scraps(), st.sampled_from(CONFUSABLE)), questions())
def test_monotone_over_policies(one: str, two: str, question: str) -> None:
    kinds = [decide(one, two, question=question, policy=policy).kind for policy in ORDER]
    if "equal" in kinds:
        assert set(kinds[kinds.index("equal") :]) == {"equal"}


@few
@given(st.lists(surds(), min_size=3, max_size=3), st.data())
def test_exact_values_form_an_equivalence_and_unequal_ones_are_different(
    values: list[Surd], data: st.DataObject
) -> None:
    texts = [written_surd(data.draw, value) for value in values]
    for (left, one), (right, two) in permutations(zip(values, texts, strict=True), 2):
        assert decide(one, two).kind == ("equal" if left.same(right) else "different"), (one, two)


@fast
@given(two_renderings())
def test_two_renderings_of_one_value_are_equal(texts: tuple[str, str]) -> None:
    assert decide(*texts).kind == "equal", texts


@fast
@given(two_renderings(), st.sampled_from(["$", "left", "space", "boxed", "dfrac", "thin", "newline"]))
def test_presentation_changes_no_verdict(texts: tuple[str, str], how: str) -> None:
    one, two = texts
    changed = {
        "$": lambda text: f"${text}$",
        "boxed": lambda text: f"\\boxed{{{text}}}",
        "space": lambda text: f"  {text} ",
        "newline": lambda text: f"\n{text}\n",
        "thin": lambda text: text.replace(",", ",\\,").replace("+", " + "),
        "dfrac": lambda text: text.replace("\\frac", "\\tfrac").replace("\\dfrac", "\\tfrac"),
        "left": lambda text: text.replace("\\left", "").replace("\\right", ""),
    }[how](two)
    assert decide(one, changed).kind == "equal", (one, changed)


@fast
@given(two_renderings(), two_renderings())
def test_a_third_writing_changes_no_verdict(first: tuple[str, str], second: tuple[str, str]) -> None:
    kinds = {decide(one, two).kind for one in first for two in second}
    assert len(kinds) == 1, (first, second)


def test_no_triangle_of_two_equals_and_one_different() -> None:
    """Where a dropped name, sign or unit could close a triangle, its third side is undecided; `rounded` is outside."""
    verdicts = {(one, two): decide(one, two) for one in CONFUSABLE for two in CONFUSABLE}
    assert not [pair for pair in verdicts if verdicts[pair].kind != verdicts[pair[::-1]].kind], "not symmetric"
    exact = {
        pair for pair, verdict in verdicts.items() if isinstance(verdict, Equal) and verdict.proof is not Proof.ROUNDED
    }
    partners = {text: {two for one, two in exact if one == text} for text in CONFUSABLE}
    open_triangles = {
        (one, middle, two)
        for middle in CONFUSABLE
        for one in partners[middle]
        for two in partners[middle]
        if verdicts[one, two].kind == "different"
    }
    assert not open_triangles


_SAME = [(row.gold, row.answer) for row in pairs("numbers", "algebra", "structures")][::9]


def _kinds(texts: list[tuple[str, str]]) -> list[str]:
    return [decide(gold, answer).kind for gold, answer in texts]


def test_the_same_verdicts_from_threads() -> None:
    want = _kinds(_SAME)
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(_kinds(_SAME))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [want] * 4


def test_the_same_verdicts_under_fork() -> None:
    want = _kinds(_SAME)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.starmap_async(decide, _SAME * 2, chunksize=20).get(120)
    assert [verdict.kind for verdict in found] == want * 2


_SPAWN = """
import json, multiprocessing, sys
from lighteval_fix.deciding.decide import decide

if __name__ == "__main__":
    pairs = json.load(sys.stdin)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(json.dumps([verdict.kind for verdict in pool.starmap(decide, pairs, chunksize=20)]))
"""


@pytest.mark.slow
def test_the_same_verdicts_under_spawn(tmp_path: Path) -> None:
    # a script of its own: the children of pytest's main module would import it once more
    script = tmp_path / "spawned.py"
    script.write_text(_SPAWN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], input=json.dumps(_SAME), capture_output=True, text=True, check=True, timeout=240
    )
    assert json.loads(done.stdout) == _kinds(_SAME)


def test_nothing_heavy_is_imported_for_an_early_verdict() -> None:
    script = (
        "import sys\n"
        "from lighteval_fix.deciding.decide import decide\n"
        "assert decide('0.5', '\\\\frac12').kind == 'equal'\n"
        "assert decide('yes', 'no').kind != 'equal'\n"
        "assert 'sympy' not in sys.modules, 'sympy'\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def _nested(before: str, inner: str, after: str, times: int) -> str:
    for _ in range(times):
        inner = before + inner + after
    return inner


_HOSTILE = {
    "braces": "{" * 10_000 + "1" + "}" * 10_000,
    "brackets": "(" * 10_000,
    "long": "1+" * 500_000 + "1",
    "digits": "9" * 1_000_000,
    "tower": "2^{2^{2^{2^{20}}}}",
    "sum": "\\sum_{k=1}^{1000000000} k^{-2}",
    "fractions": "\\frac{1}{" * 3_000 + "2" + "}" * 3_000,
    "backslashes": "\\" * 100_000,
    "spaces": " " * 1_000_000 + "1",
    "left": "\\left(" * 5_000,
    "words": "no " * 300_000,
    "commas": "1," * 300_000,
    "nul": "\x00" * 1000,
    "determinants in determinants": _nested("\\begin{vmatrix}", "x", "&1&2\\\\1&x&5\\\\2&3&x\\end{vmatrix}", 12),
    "ends in ends": _nested("\\left[", "x", "\\right]_0^x", 30),
    "a long product of matrices": "\\begin{pmatrix}x&y\\\\y&x\\end{pmatrix}" * 60,
    "sums of members in sums": "\\sum_{i=1}^{60}\\sum_{j=1}^{60}\\sum_{k=1}^{60} a_i",
    "many terms before dots": "+".join(["x"] * 1_000) + "+\\cdots+x_n",
    "a sum of a thousand points": "+".join(["(x,y)"] * 500),
    "surrogate": "\ud800",
}


@pytest.mark.parametrize("name", sorted(_HOSTILE))
def test_hostile_texts_come_back(name: str) -> None:
    text = _HOSTILE[name]
    assert decide("1", text).kind in ("different", "undecided") or name == "spaces"
    assert decide(text, "\\frac{1}{2}", question="Find the value.").kind != "equal"
    assert decide("\\sqrt{2}", "1.41421356").kind == "equal"
