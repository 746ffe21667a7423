"""The plain cases say what the full readers say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lighteval_fix.reading.choice as choice
import lighteval_fix.reading.math as math
from lighteval_fix.model import Reading
from lighteval_fix.reading import read_answer, read_letter
from lighteval_fix.reading.asked import NOTHING, asked_of
from lighteval_fix.reading.candidate import View
from lighteval_fix.reading.labels import label_set
from lighteval_fix.reading.quick import quick_answer, quick_label
from tests.laws import examples

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


@settings(max_examples=examples(300))
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


VALUES = [
    "12",
    "$12$",
    "-\\frac{1}{2}",
    "3R^2",
    "\\pi",
    "Friday",
    "x = 5",
    "(3, 7]",
    "5!",
    "12 apples.",
    "ANSWER",
    "\\boxed{3}",
]
SAID = [
    "We count them: 12.",
    "So the answer is 5.",
    "Answer: 4",
    "ANSWER: $ANSWER",
    "Thus $\\boxed{6}$ it is.",
    "\\boxed{7}, \\boxed{8}",
    "#### 9",
    "<answer>10</answer>",
    '{"answer": "11"}',
    "Question: how many?",
    "Question 2: how many?",
    "Respuesta: 13",
    "It's late; let's go on.",
    "The wrong answer is 14.",
    "$$x = 15$$",
]
PROMPTS = [
    None,
    'How many?\n\nEnd with the line "ANSWER: $ANSWER".',
    "How many? Put it in \\boxed{}.",
    "How many? End with 'Final answer: <value>'.",
]


@settings(max_examples=examples(400), deadline=None)
@given(
    st.lists(st.sampled_from(SAID), max_size=4),
    st.sampled_from(["\n", "\n\n"]),
    st.sampled_from(["ANSWER: ", "Answer: ", "**Answer:** ", "Final answer: "]),
    st.sampled_from(VALUES),
    st.sampled_from(PROMPTS),
)
def test_the_plain_line_agrees_with_the_full_reader(
    before: list[str], joint: str, label: str, value: str, prompt: str | None
) -> None:
    text = joint.join([*before, label + value])
    quick = read_answer(text, prompt=prompt)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(math, "quick_answer", lambda *_: None)
        assert read_answer(text, prompt=prompt) == quick


def test_the_plain_line_is_taken() -> None:
    asked = asked_of(PROMPTS[1])
    for text in ("We count them.\n\nANSWER: 12", "So \\boxed{6}.\nANSWER: 3R^2"):
        assert quick_answer(View(text, 0, len(text), False), asked) is not None
    doubled = "ANSWER: 11\nANSWER: 12"
    assert quick_answer(View(doubled, 0, len(doubled), False), asked) is None
