"""A prompt cut into instruction, worked examples, question and options."""

from __future__ import annotations

import pytest

from lighteval_fix.text.prompt import cut_prompt, instruction_of

ANSWER_LINE = (
    'Work it out. The last line of your response must read "ANSWER: $ANSWER" (without quotes), where $ANSWER is it.'
)
LETTER = "Pick one option. Your last line has to be 'Answer: $LETTER' (without quotes), LETTER being one of ABC."
HOW_LONG = "How long is it? Give it in metres."
IN_A_BOX = "Put the result in \\boxed{}."
RESULT = 'Write the result as "RESULT = [word]".'


@pytest.mark.parametrize(
    ("prompt", "instruction", "question"),
    [
        (f"{ANSWER_LINE}\n\n{HOW_LONG}", ANSWER_LINE, HOW_LONG),
        (f"{HOW_LONG}\n\n{IN_A_BOX}", IN_A_BOX, HOW_LONG),
        (f"{HOW_LONG} {IN_A_BOX}", IN_A_BOX, HOW_LONG),
        ("How long is it?", "", "How long is it?"),
        ("Problem:\nHow long is it?\n\nSolution:", "", "How long is it?"),
        ("Solve the following task.\n\nQuestion: Why?\nAnswer:", "Solve the following task.", "Why?"),
        (f"Is it even? {RESULT}", RESULT, "Is it even?"),
        ("请把最终答案放在 \\boxed{} 中。\n\n求 x。", "请把最终答案放在 \\boxed{} 中。", "求 x。"),
    ],
)
def test_instruction_and_question(prompt: str, instruction: str, question: str) -> None:
    parts = cut_prompt(prompt)
    assert (parts.instruction, parts.question) == (instruction, question)
    assert prompt[slice(*parts.question_span)] == question
    assert "\n".join(prompt[a:b] for a, b in parts.instruction_spans) == instruction


def test_options_have_labels_texts_and_spans() -> None:
    prompt = f"{LETTER}\n\nWhich one floats?\n\nA) a stone\nB) a cork\nC) a nail"
    parts = cut_prompt(prompt)
    assert [(o.label, o.text) for o in parts.options] == [("A", "a stone"), ("B", "a cork"), ("C", "a nail")]
    assert parts.question == "Which one floats?"
    assert parts.instruction == LETTER == instruction_of(prompt)
    for option in parts.options:
        assert prompt[slice(*option.text_span)] == option.text
        assert prompt[slice(*option.label_span)] == option.label


@pytest.mark.parametrize(
    "labels", [["1", "2", "3"], ["i", "ii", "iii"], ["а", "б", "в"], ["أ", "ب", "ج"], ["Ⅰ", "Ⅱ", "Ⅲ"]]
)
@pytest.mark.parametrize("form", ["{}) {}", "({}) {}", "{}. {}", "**{}.** {}"])
def test_other_labels(labels: list[str], form: str) -> None:
    lines = "\n".join(form.format(label, text) for label, text in zip(labels, ["red", "green", "blue"], strict=True))
    assert [o.label for o in cut_prompt(f"Which colour?\n{lines}").options] == labels


def test_worked_examples_are_no_question() -> None:
    prompt = (
        "Answer in one word.\n\nQuestion: One?\nAnswer: uno\n\nQuestion: Two?\nAnswer: dos\n\nQuestion: Three?\nAnswer:"
    )
    parts = cut_prompt(prompt)
    assert parts.question == "Three?"
    assert parts.examples == ("Question: One?\nAnswer: uno", "Question: Two?\nAnswer: dos")
    assert parts.instruction == "Answer in one word."


def test_a_question_that_lists_conditions_keeps_them() -> None:
    question = 'The label is "$y = 2$".\n\nSolve the following equation.\n\nGive it in the form "$y = mx + b$".'
    prompt = f"{ANSWER_LINE}\n\n{question}"
    parts = cut_prompt(prompt)
    assert parts.instruction == ANSWER_LINE
    assert parts.question == question


def test_an_empty_prompt_has_no_parts() -> None:
    parts = cut_prompt("")
    assert (parts.instruction, parts.question, parts.options, parts.examples) == ("", "", (), ())
