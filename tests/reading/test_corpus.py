"""The corpora of `tests/corpus/reading`, case by case."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.model import NoAnswer, Reading, Rule
from lighteval_fix.reading import read_answer, read_code, read_letter
from lighteval_fix.text.reasoning import DEFAULT_TAGS, split_reasoning

CORPUS = Path(__file__).parent.parent / "corpus" / "reading"


def load(name: str) -> tuple[dict[str, str], list[dict[str, Any]]]:
    data = tomllib.loads((CORPUS / f"{name}.toml").read_text(encoding="utf-8"))
    return data.get("prompts", {}), data["case"]


PROMPTS, ANSWERS = load("answers")
OPTIONS, LETTERS = load("letters")


def together(cases: list[dict[str, Any]]) -> list[Any]:
    """A test for the cases of one prompt, at most fifty, since a thousand tests take longer than what they read."""
    found = []
    by_prompt: dict[str, list[dict[str, Any]]] = {}
    for case in cases:
        by_prompt.setdefault(case.get("prompt", "none"), []).append(case)
    for prompt, members in by_prompt.items():
        found += [
            pytest.param(members[start : start + 50], id=f"{prompt}-{start}") for start in range(0, len(members), 50)
        ]
    return found


def wrong(case: dict[str, Any], result: Reading | NoAnswer) -> object:
    """What is wrong with what was read of a case; None where nothing is."""
    if "want" not in case:
        return None if isinstance(result, NoAnswer) else (case["text"], "holds no answer", result)
    if not isinstance(result, Reading) or result.text != case["want"] or case.get("rule", result.rule) != result.rule:
        return (case["text"], case["want"], result)
    return None


def off_its_span(case: dict[str, Any], result: Reading | NoAnswer) -> object:
    """Where a plain text does not hold the answer at the place that is named; None where it does."""
    if not isinstance(result, Reading) or len(result.spans) != 1 or "oxed" in case["text"] or "{" in case["text"]:
        return None
    ((lo, hi),) = result.spans
    return None if case["text"][lo:hi] == result.text else (case["text"], result)


@pytest.mark.parametrize("cases", together(ANSWERS))
def test_answers(cases: list[dict[str, Any]]) -> None:
    read = [(case, read_answer(case["text"], prompt=PROMPTS.get(case.get("prompt", "")))) for case in cases]
    assert [found for case, result in read if (found := wrong(case, result) or off_its_span(case, result))] == []


@pytest.mark.parametrize("cases", together(LETTERS))
def test_letters(cases: list[dict[str, Any]]) -> None:
    read = [
        (case, read_letter(case["text"], case["labels"], prompt=OPTIONS.get(case.get("prompt", "")))) for case in cases
    ]
    assert [found for case, result in read if (found := wrong(case, result))] == []


@pytest.mark.parametrize("cases", together(load("splits")[1]))
def test_splits(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        tags = tuple((a, b) for a, b in case["tags"]) if "tags" in case else DEFAULT_TAGS
        split = split_reasoning(case["text"], tags)
        assert (split.state, split.answer) == (case["state"], case["answer"]), case["text"]
        assert case["text"][split.answer_start : split.answer_end] == split.answer, case["text"]


@pytest.mark.parametrize("cases", together(load("programs")[1]))
def test_programs(cases: list[dict[str, Any]]) -> None:
    assert [found for case in cases if (found := wrong(case, read_code(case["text"])))] == []


def test_every_rule_of_a_corpus_is_a_code() -> None:
    for name in ("answers", "letters", "programs"):
        for case in load(name)[1]:
            if "rule" in case:
                Rule(case["rule"])
