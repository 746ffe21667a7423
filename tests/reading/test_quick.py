"""The plain case of a choice says what the full reader says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lighteval_fix.reading.choice as choice
from lighteval_fix.model import Reading
from lighteval_fix.reading import read_letter
from lighteval_fix.reading.asked import NOTHING
from lighteval_fix.reading.labels import label_set
from lighteval_fix.reading.quick import quick_label

LAST = [
    "The answer is (B).",
    "Answer: B",
    "**Answer:** C",
    "So, the final answer is A.",
    "The correct answer is **D**.",
]
BEFORE = [
    "The answer is (B).",
    "Answer: A",
    "the answer is not C, it is D",
    "My first answer was A.",
    "Option B is wrong.",
    "I pick C.",
    "The question asks for a metal.",
    "Question: which one?",
    "\\boxed{A}",
    "<answer>C</answer>",
    '{"answer": "D"}',
    "Ans: A",
    "The answer depends on the pressure.",
    "Wait, I misread it.",
    "Is the answer B?",
    "It may be A, B or C.",
    "答案：Ｃ",
    "We weigh them.",
]


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from(BEFORE), max_size=4),
    st.sampled_from(["\n", "\n\n", " "]),
    st.sampled_from(["\n\n", " "]),
    st.sampled_from(LAST),
)
def test_the_plain_case_agrees_with_the_full_reader(before: list[str], joint: str, gap: str, last: str) -> None:
    text = joint.join(before) + gap + last
    lo = len(text) - len(text.lstrip())
    quick = quick_label(text, lo, len(text), label_set("ABCD"), NOTHING)
    if quick is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "quick_label", lambda *_: None)
        full = read_letter(text)
    assert isinstance(full, Reading), (text, full)
    assert full.text == quick[0]
    assert full.rule == quick[2] or gap == " "  # a sentence gives way to an equal line before it


def test_the_plain_case_is_taken() -> None:
    text = "We weigh them one by one. The answer is clear by then.\n\nThe answer is (B)."
    found = quick_label(text, 0, len(text), label_set("ABCD"), NOTHING)
    assert found is not None
    assert text[slice(*found[1])] == found[0] == "B"
    assert quick_label(text + "\nOr is it?", 0, len(text) + 10, label_set("ABCD"), NOTHING) is None
