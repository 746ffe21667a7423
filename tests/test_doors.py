"""Module paths that other people's scripts use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import lighteval_fix
from lighteval_fix import api
from lighteval_fix.extraction import answers_equivalent, extract_all_candidates, extract_final_answer


def test_every_public_name_is_there() -> None:
    for name in api.__all__:
        assert getattr(lighteval_fix, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        lighteval_fix.nothing  # noqa: B018


def test_importing_the_package_costs_nothing() -> None:
    code = "import sys, lighteval_fix; print([n for n in ('pyarrow', 'flint', 'typer', 'numpy') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("text", "requested", "boxed"),
    [
        ("<think>8</think>\\boxed{6}\nANSWER: 7", "7", "6"),
        ("ANSWER: 7\nor rather \\boxed{6}", "7", "6"),
        ("\\boxed{5}", "5", "5"),
        ("<think>so ANSWER: 7", "7", "7"),
        ("I would have to look at this for longer, and have not.", None, None),
    ],
)
def test_what_is_preferred(text: str, requested: str | None, boxed: str | None) -> None:
    assert extract_final_answer(text) == requested
    assert extract_final_answer(text, prefer="boxed") == boxed


def test_candidates_come_best_first() -> None:
    found = extract_all_candidates("\\boxed{6}\nANSWER: 7")
    assert found[0] == "7"
    assert "6" in found
    assert extract_all_candidates("I would have to look at this for longer, and have not.") == []


def test_an_unknown_preference_is_an_error() -> None:
    with pytest.raises(ValueError, match="prefer"):
        extract_final_answer("ANSWER: 7", prefer="best")  # type: ignore[arg-type]


def test_equivalence_is_the_value_policys() -> None:
    assert answers_equivalent("\\frac12", "0.5") is True
    assert answers_equivalent("(1,2)", "\\{1,2\\}", precision=6, timeout_seconds=5) is False
