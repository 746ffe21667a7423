"""Unfinished traces, seen from the run."""

from __future__ import annotations

import pickle
from itertools import count

import pytest

from lighteval_fix.model import SplitState
from lighteval_fix.reading.profile import SIBLINGS, Profile, ends_open

CLOSED_ONLY = [(None, "so it is 4</think>\nAnswer: 4")] * 6
CLOSED = [(None, "<think>so</think>\nAnswer: 4")] * 6
PLAIN = [(None, "It is 4.\nAnswer: 4")] * 6


def test_a_text_without_a_tag_among_closed_only_siblings_is_unfinished() -> None:
    seen = Profile.of(CLOSED_ONLY).state("let me count again")
    assert (seen.split.state, seen.split.answer, seen.inferred) == (SplitState.UNFINISHED, "", True)


@pytest.mark.parametrize("siblings", [PLAIN, CLOSED, CLOSED_ONLY[:2]])
def test_nothing_is_inferred_without_evidence(siblings: list[tuple[str | None, str]]) -> None:
    seen = Profile.of(siblings).state("It is 5.\nAnswer: 5")
    assert (seen.split.state, seen.inferred) == (SplitState.NONE, False)


@pytest.mark.parametrize("end", ["<think>", "<think>\n", "<|begin_of_thought|>", "◁think▷"])
def test_a_prompt_that_ends_in_an_opening_tag(end: str) -> None:
    assert ends_open(f"How many? {end}")
    seen = Profile().state("let me count", prompt=f"How many? {end}")
    assert (seen.split.state, seen.inferred) == (SplitState.UNFINISHED, True)
    closed = Profile().state("let me count</think>4", prompt=f"How many? {end}")
    assert closed.split.answer == "4" or end not in ("<think>", "<think>\n")


def test_a_cut_at_the_limit_counts_only_where_the_run_reasons() -> None:
    for cut in ({"finish_reason": "length"}, {"tokens": 100, "limit": 100}):
        assert Profile.of(CLOSED).state("let me count", **cut).inferred  # type: ignore[arg-type]
        assert not Profile.of(PLAIN).state("let me count", **cut).inferred  # type: ignore[arg-type]
    assert not Profile.of(CLOSED).state("let me count", tokens=99, limit=100).inferred


def test_a_text_that_shows_its_own_tags_is_never_inferred() -> None:
    profile = Profile.of(CLOSED_ONLY)
    assert profile.state("<think>let me count").inferred is False
    assert profile.state("<think>let me count").split.state is SplitState.UNFINISHED
    assert profile.state("count</think>4").split.state is SplitState.CLOSED_ONLY
    assert profile.state("").split.state is SplitState.NONE


def test_only_the_first_siblings_are_read() -> None:
    numbers = count()
    Profile.of((None, f"{n}</think>x") for n in numbers)
    assert next(numbers) == SIBLINGS


def test_own_tags() -> None:
    profile = Profile.of([(None, "a[/R]b")] * 5, [("[R]", "[/R]")])
    assert profile.state("no tag").inferred
    assert profile.state("a[/R]b").split.answer == "b"


@pytest.mark.parametrize(
    "text", ["analysisIt is seven.assistantfinalANSWER: 7", "<think>a</think>7", "◁think▷a◁/think▷7", "plain: 7"]
)
def test_a_worker_that_unpickles_the_profile_sees_what_its_parent_sees(text: str) -> None:
    profile = Profile.of([(None, "<think>a</think>b")] * 5)
    elsewhere = pickle.loads(pickle.dumps(profile))
    assert elsewhere.tags is not profile.tags
    assert elsewhere.state(text) == profile.state(text)
    assert profile.state("analysisIt is seven.assistantfinal7").split.state is SplitState.CLOSED
