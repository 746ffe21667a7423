"""Reasoning split off; the cases are in the corpus, the laws here."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.model import SplitState
from lighteval_fix.text.reasoning import DEFAULT_TAGS, split_reasoning

plain = st.text("abc \n.`", max_size=40)


@given(st.sampled_from([pair for pair in DEFAULT_TAGS if not pair[0].startswith("<|channel")]), plain, plain)
def test_every_default_pair_is_known(pair: tuple[str, str], thought: str, answer: str) -> None:
    opening, closing = pair
    text = f"{opening}\n{thought}\n{closing}\n{answer}"
    split = split_reasoning(text)
    assert (split.state, split.answer) == (SplitState.CLOSED, f"\n{answer}")
    assert split_reasoning(text.removeprefix(opening)).state is SplitState.CLOSED_ONLY
    assert split_reasoning(f"{opening}\n{thought}").state is SplitState.UNFINISHED


@given(plain)
def test_text_without_a_tag_is_all_answer(text: str) -> None:
    split = split_reasoning(text)
    assert (split.state, split.answer, split.reasoning) == (SplitState.NONE, text, "")


def test_custom_tags_replace_the_default_ones() -> None:
    text = "<think>x</think><plan>y</plan>z"
    assert split_reasoning(text, [("<plan>", "</plan>")]).reasoning == "<think>x</think><plan>y"
    with pytest.raises(ValueError, match="empty"):
        split_reasoning(text, [("", "</plan>")])
