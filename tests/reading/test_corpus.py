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


def named(case: dict[str, Any]) -> str:
    return str(case["text"])[:40]


PROMPTS, ANSWERS = load("answers")
OPTIONS, LETTERS = load("letters")


def check(result: Reading | NoAnswer, case: dict[str, Any]) -> None:
    if "want" not in case:
        assert isinstance(result, NoAnswer), result
        return
    assert isinstance(result, Reading), result
    assert result.text == case["want"]
    if "rule" in case:
        assert result.rule == case["rule"]


@pytest.mark.parametrize("case", ANSWERS, ids=named)
def test_answer(case: dict[str, Any]) -> None:
    result = read_answer(case["text"], prompt=PROMPTS.get(case.get("prompt", "")))
    check(result, case)
    if (
        isinstance(result, Reading)
        and len(result.spans) == 1
        and "oxed" not in case["text"]
        and "{" not in case["text"]
    ):
        (lo, hi) = result.spans[0]
        assert case["text"][lo:hi] == result.text


@pytest.mark.parametrize("case", LETTERS, ids=named)
def test_letter(case: dict[str, Any]) -> None:
    result = read_letter(case["text"], case["labels"], prompt=OPTIONS.get(case.get("prompt", "")))
    check(result, case)


@pytest.mark.parametrize("case", load("splits")[1], ids=named)
def test_split(case: dict[str, Any]) -> None:
    tags = tuple((a, b) for a, b in case["tags"]) if "tags" in case else DEFAULT_TAGS
    split = split_reasoning(case["text"], tags)
    assert (split.state, split.answer) == (case["state"], case["answer"])
    assert case["text"][split.answer_start : split.answer_end] == split.answer


@pytest.mark.parametrize("case", load("programs")[1], ids=named)
def test_program(case: dict[str, Any]) -> None:
    check(read_code(case["text"]), case)


def test_every_rule_of_a_corpus_is_a_code() -> None:
    for name in ("answers", "letters", "programs"):
        for case in load(name)[1]:
            if "rule" in case:
                Rule(case["rule"])
