"""What a prompt asks for is read from its own words."""

from __future__ import annotations

import pytest

from lighteval_fix.model import NoAnswer, Reading, Rule
from lighteval_fix.reading import read_answer, read_letter
from lighteval_fix.reading.asked import NOTHING, Asked, Template, asked_of, is_slot


@pytest.mark.parametrize(
    ("instruction", "template"),
    [
        ('End with "ANSWER: $ANSWER" (without quotes) where $ANSWER is it.', Template("ANSWER:", "", "ANSWER")),
        ("The last line must be 'Answer: $LETTER' (without quotes).", Template("Answer:", "", "LETTER")),
        ('Finish with "the answer is (X)" where X is the letter.', Template("the answer is", "", "X")),
        ("Close with `VERDICT >> <verdict>`.", Template("VERDICT >>", "", "verdict")),
        ("End your reply with “Lösung: [Wert] Ende”.", Template("Lösung:", "Ende", "Wert")),
        ('Your response ends with "The total = ___ units".', Template("The total =", "units", "___")),
        ("Use this format:\nFinal answer: {value}", Template("Final answer:", "", "value")),
        ("Your reply must begin with \"Answer:\".", Template("Answer:", "", "")),
    ],
)  # fmt: skip
def test_templates(instruction: str, template: Template) -> None:
    (found,) = asked_of(f"What is it?\n\n{instruction}").templates
    assert (found.prefix, found.suffix, found.slot) == (template.prefix, template.suffix, template.slot)


@pytest.mark.parametrize(
    ("instruction", "field", "value"),
    [
        ("Put it within \\boxed{}.", "box", True),
        ("Wrap it in <final> tags, as in <final>42</final>.", "tags", ("final",)),
        ("Give your answer inside <answer> </answer>.", "tags", ("answer",)),
        ('Reply in JSON: {"steps": "...", "final_answer": "..."}', "keys", ("final_answer",)),
        ("Write #### <number> at the end.", "marks", ("####",)),
        ("Reply with the number only.", "brief", True),
    ],
)
def test_other_forms(instruction: str, field: str, value: object) -> None:
    assert getattr(asked_of(f"What is it?\n\n{instruction}"), field) == value


def test_nothing_is_asked_without_a_prompt() -> None:
    assert asked_of(None) is NOTHING
    assert asked_of("What is 2 + 2?") == Asked()


def test_thinking_tags_are_no_answer_tags() -> None:
    assert asked_of("Think in <think></think>, then answer in <answer></answer>.\n\nWhy?").tags == ("answer",)


@pytest.mark.parametrize(
    "word", ["ANSWER", "$ANSWER", "[your answer]", "\\text{ANSWER}", "...", "<answer here>", "$LETTER$"]
)
def test_common_slot_words(word: str) -> None:
    assert is_slot(word, NOTHING)


@pytest.mark.parametrize("word", ["A", "42", "\\frac12", "Answers vary", "x", "even"])
def test_answers_are_no_slot_words(word: str) -> None:
    assert not is_slot(word, NOTHING)


def test_a_restated_template_is_never_the_answer_whatever_its_slot_is_called() -> None:
    prompt = "How many?\n\nFinish with the line 'COUNT => $HOWMANY' (without quotes)."
    restated = "I have to finish with 'COUNT => $HOWMANY'."
    assert isinstance(read_answer(restated, prompt=prompt), NoAnswer)
    result = read_answer(f"COUNT => 17\n\n{restated}", prompt=prompt)
    assert isinstance(result, Reading)
    assert (result.text, result.rule) == ("17", Rule.REQUESTED)
    boxed = "Put it as \\boxed{RESULT}.\n\nHow many?"
    result = read_answer("\\boxed{17}\n\nas asked: \\boxed{RESULT}", prompt=boxed)
    assert isinstance(result, Reading)
    assert result.text == "17"


def test_what_was_asked_for_outranks_what_was_not() -> None:
    line = 'How many?\n\nFinish with "TOTAL: $N" (without quotes) where $N is the number.'
    text = "TOTAL: 4\n\nThat is \\boxed{5} less one."
    asked = read_answer(text, prompt=line)
    free = read_answer(text)
    assert isinstance(asked, Reading)
    assert isinstance(free, Reading)
    assert (asked.text, free.text) == ("4", "5")
    box = "How many?\n\nPut it within \\boxed{}."
    other = read_answer("\\boxed{4}\n\nAnswer: 5", prompt=box)
    assert isinstance(other, Reading)
    assert other.text == "4"
    assert [rule for _, rule in other.passed_over] == [Rule.ANSWER_LINE]


def test_prefer_overrules_the_prompt() -> None:
    text = "Answer: 4\n\n\\boxed{5}"
    for prefer, want in (("requested", "4"), ("boxed", "5")):
        result = read_answer(text, prefer=prefer)
        assert isinstance(result, Reading)
        assert result.text == want
    with pytest.raises(ValueError, match="prefer"):
        read_answer(text, prefer="first")
    with pytest.raises(ValueError, match="nonsense"):
        read_answer(text, unfinished="nonsense")


def test_an_options_text_that_disagrees_with_its_label_is_marked() -> None:
    options = ["ten", "twelve", "fourteen"]
    agrees = read_letter("Answer: B) twelve", "ABC", options=options)
    differs = read_letter("Answer: B) fourteen", "ABC", options=options)
    assert isinstance(agrees, Reading)
    assert isinstance(differs, Reading)
    assert (agrees.text, agrees.marks) == ("B", ())
    assert (differs.text, list(differs.marks)) == ("B", ["text_disagrees"])


def test_labels_must_be_labels() -> None:
    for labels in ("", "AA", ["A", ""]):
        with pytest.raises(ValueError, match="label"):
            read_letter("A", labels)
