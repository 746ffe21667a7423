"""Laws of reading: what was rendered is read back, and what stands before it never matters."""

from __future__ import annotations

import string
from collections.abc import Callable

from hypothesis import example, given, settings
from hypothesis import strategies as st

from lighteval_fix.model import NoAnswer, NoAnswerReason, Reading
from lighteval_fix.reading import read_answer, read_code, read_gold, read_letter
from tests.laws import examples

integers = st.integers(-(10**6), 10**6).map(str)
answers = st.one_of(
    integers,
    st.builds(lambda a, b: f"\\frac{{{a}}}{{{b}}}", st.integers(1, 99), st.integers(2, 99)),
    st.builds(lambda a, b: f"{a}\\sqrt{{{b}}}", st.integers(2, 99), st.integers(2, 99)),
    st.builds(lambda a, b: f"({a}, {b}]", st.integers(-9, 9), st.integers(10, 99)),
    st.builds(lambda a: f"\\left(-\\infty, {a}\\right)", st.integers(-99, 99)),
    st.builds(lambda a, b, c: f"{a}x^2 + {b}x - {c}", *[st.integers(2, 99)] * 3),
    st.builds(lambda xs: "\\{" + ", ".join(map(str, xs)) + "\\}", st.lists(st.integers(0, 99), min_size=1, max_size=4)),
    st.builds(lambda a, b: f"\\begin{{pmatrix}} {a} \\\\ {b} \\end{{pmatrix}}", st.integers(0, 9), st.integers(0, 9)),
    st.sampled_from(["\\pi", "12\\%", "\\text{Friday}", "even", "45^\\circ", "3R^2", "1 \\pm \\sqrt{19}", "x = 5"]),
)

LINE = 'Finish with one line "RESULT: $RESULT" (without quotes) where $RESULT is what you found.\n\nWhat is it?'
VERDICT = "What is it?\n\nEnd your reply with 'My verdict => [verdict]'."
HASHES = "What is it?\n\nWrite the solution, and at its end #### <number>."
TAGS = "What is it? Wrap the final answer in <result></result> tags."
JSON = 'What is it? Reply in JSON like {"outcome_answer": "..."}.'
BOXED = "What is it? Please reason step by step, and put your final answer within \\boxed{}."
SIMPLE = "What is it? End with 'Therefore, the final answer is: $\\boxed{ANSWER}$. I hope it is correct'."

FORMATS: list[tuple[str | None, Callable[[str], str]]] = [
    (LINE, lambda x: f"RESULT: {x}"),
    (LINE, lambda x: f"**RESULT:** ${x}$"),
    (VERDICT, lambda x: f"My verdict => {x}"),
    (HASHES, lambda x: f"#### {x}"),
    (TAGS, lambda x: f"<result>{x}</result>"),
    (TAGS, lambda x: f"<result>\n{x}\n</result>"),
    (JSON, lambda x: '{"steps": 3, "outcome_answer": "' + x + '"}'),
    (BOXED, lambda x: f"\\[\n\\boxed{{{x}}}\n\\]"),
    (SIMPLE, lambda x: f"Therefore, the final answer is: $\\boxed{{{x}}}$. I hope it is correct"),
    (None, lambda x: f"ANSWER: {x}"),
    (None, lambda x: f"Answer: ${x}$."),
    (None, lambda x: f"**Final Answer:** \\({x}\\)"),
    (None, lambda x: f"### Answer\n\n$${x}$$"),
    (None, lambda x: f"The final answer is ${x}$."),
    (None, lambda x: f"So the answer is $\\boxed{{{x}}}$."),
    (None, lambda x: f"<answer>{x}</answer>"),
]

filler_words = st.sampled_from(
    [
        "we",
        "look",
        "at",
        "the",
        "two",
        "lines",
        "and",
        "count",
        "them",
        "then",
        "add",
        "three",
        "more",
        "to",
        "get",
        "12",
        "which",
        "grows",
        "by",
        "$n$",
        "each",
        "time",
        "over",
        "7",
        "days",
    ]
)
filler = st.lists(filler_words, min_size=3, max_size=40).map(lambda words: " ".join(words) + ".")


@given(answers, st.sampled_from(FORMATS))
def test_what_was_rendered_is_read(answer: str, form: tuple[str | None, Callable[[str], str]]) -> None:
    prompt, render = form
    text = render(answer)
    result = read_answer(text, prompt=prompt)
    assert isinstance(result, Reading), (text, result)
    assert result.text == answer
    (lo, hi) = result.spans[0]
    assert text[lo:hi] == answer


@given(answers, st.sampled_from(FORMATS), filler)
def test_text_without_a_cue_before_it_changes_nothing(
    answer: str, form: tuple[str | None, Callable[[str], str]], before: str
) -> None:
    prompt, render = form
    result = read_answer(before + "\n\n" + render(answer), prompt=prompt)
    assert isinstance(result, Reading)
    assert result.text == answer


@given(answers, st.sampled_from(FORMATS), st.sampled_from(FORMATS), answers)
def test_reasoning_in_tags_changes_nothing(
    answer: str,
    form: tuple[str | None, Callable[[str], str]],
    other: tuple[str | None, Callable[[str], str]],
    draft: str,
) -> None:
    prompt, render = form
    thought = other[1](draft)
    for text in (f"<think>{thought}</think>\n{render(answer)}", f"{thought}\n</think>\n\n{render(answer)}"):
        result = read_answer(text, prompt=prompt)
        assert isinstance(result, Reading)
        assert result.text == answer
        assert not result.in_reasoning


@given(answers, st.sampled_from(FORMATS))
def test_an_open_trace_is_read_only_on_request(answer: str, form: tuple[str | None, Callable[[str], str]]) -> None:
    prompt, render = form
    text = "<think>" + render(answer)
    closed = read_answer(text, prompt=prompt)
    assert isinstance(closed, NoAnswer)
    assert closed.reason is NoAnswerReason.UNFINISHED
    opened = read_answer(text, prompt=prompt, unfinished="read")
    assert isinstance(opened, Reading)
    assert opened.in_reasoning


@given(answers)
def test_a_gold_is_its_box_or_the_whole(answer: str) -> None:
    for text in (answer, f"ANSWER: {answer}", f"ANSWER: We see that $a = 3.$ Hence it is $\\boxed{{{answer}}}.$"):
        result = read_gold(text)
        assert isinstance(result, Reading)
        assert result.text == answer


LABELS: list[list[str]] = [
    list("ABCD"),
    list("ABCDEFGHIJ"),
    list("abcd"),
    ["1", "2", "3", "4"],
    [str(i) for i in range(1, 13)],
    ["i", "ii", "iii", "iv"],
    ["Ⅰ", "Ⅱ", "Ⅲ"],
    list("АБВГ"),
    ["أ", "ب", "ج", "د"],
]
RENDERS: list[Callable[[str], str]] = [
    lambda x: f"Answer: {x}",
    lambda x: f"**Answer:** {x}.",
    lambda x: f"The answer is ({x}).",
    lambda x: f"The correct option is {x}.",
    lambda x: f"\\boxed{{{x}}}",
    lambda x: f"$\\boxed{{\\text{{({x})}}}}$",
    lambda x: f"<answer>{x}</answer>",
    lambda x: '{"answer": "' + x + '"}',
    lambda x: f"({x})",
    lambda x: x,
    lambda x: f"Answer: ${x}$",
    lambda x: f"Answer: **({x})**",
    lambda x: f"答案：{x}",
    lambda x: f"Die richtige Antwort ist {x}.",
    lambda x: f"Respuesta: {x})",
]


@given(
    st.sampled_from(LABELS).flatmap(lambda ls: st.tuples(st.just(ls), st.sampled_from(ls))), st.sampled_from(RENDERS)
)
def test_a_label_that_was_rendered_is_read(chosen: tuple[list[str], str], render: Callable[[str], str]) -> None:
    labels, label = chosen
    text = render(label)
    result = read_letter(text, labels)
    assert isinstance(result, Reading), (text, result)
    assert result.text == label


label_filler = st.lists(
    st.sampled_from(
        [
            "We",
            "consider",
            "each",
            "statement",
            "in",
            "turn",
            "and",
            "weigh",
            "the",
            "evidence",
            "for",
            "it",
            "before",
            "we",
            "settle",
            "on",
            "one",
        ]
    ),
    min_size=3,
    max_size=30,
).map(lambda words: " ".join(words) + ".")


@given(st.sampled_from("ABCD"), st.sampled_from(RENDERS), label_filler, st.sampled_from("ABCD"))
def test_neither_words_nor_reasoning_change_a_label(
    label: str, render: Callable[[str], str], before: str, draft: str
) -> None:
    for text in (before + "\n\n" + render(label), f"<think>{render(draft)}</think>\n{render(label)}"):
        result = read_letter(text)
        assert isinstance(result, Reading), (text, result)
        assert result.text == label


@given(st.sampled_from("ABCD"), st.sampled_from("ABCD"))
def test_two_labels_without_a_correction_are_a_conflict(first: str, second: str) -> None:
    text = f"Answer: {first}\n\nAnswer: {second}"
    result = read_letter(text)
    if first == second:
        assert isinstance(result, Reading)
        assert result.text == first
    else:
        assert isinstance(result, NoAnswer)
        assert result.reason is NoAnswerReason.CONFLICT
    corrected = read_letter(f"Answer: {first}\n\nWait, I misread the question.\n\nAnswer: {second}")
    assert isinstance(corrected, Reading)
    assert corrected.text == second


programs = st.lists(
    st.sampled_from(["x = 1", "print(x)", "for i in range(3):\n    print(i)", "", "y = input()"]),
    min_size=1,
    max_size=6,
).map(lambda lines: "import sys\n" + "\n".join(lines) + "\nprint('end')")


@given(programs, programs, st.sampled_from(["python", "py", "", "cpp"]))
def test_the_last_complete_fence_is_the_program(first: str, last: str, language: str) -> None:
    text = f"Draft:\n```\n{first}\n```\nFinal:\n```{language}\n{last}\n```\nDone."
    result = read_code(text)
    assert isinstance(result, Reading)
    assert result.text == last
    cut = read_code(f"```\n{first}\n```\n```python\n{last}")
    assert isinstance(cut, Reading)
    assert cut.text == first


noise = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "\\boxed{", "}", "{", "$", "$$", "\\(", "\\)", "\\[", "\\]", "answer", "Answer:", "is", " A",
                "(B)", "**", "\n", "\n\n",
                "<think>", "</think>", "```", "```python\n", "####", '{"answer": ', '"', "Question:", "not",
                "5", "\\frac12", "\\",
                "<answer>", "</answer>", "答案", "：", "the", "=", ".", ",", " ", "I", "\\begin{pmatrix}",
                "\\end{pmatrix}", "\\fbox{",
            ]
        ),
        st.text(string.printable, max_size=6),
    ),
    max_size=60,
).map("".join)  # fmt: skip


@settings(max_examples=examples(300))
@example(text="\\boxed{" * 50, unfinished="read", prompt=None)
@example(text="Answer: $$", unfinished="read", prompt=None)
@given(noise, st.sampled_from(["read", "no-answer"]), st.sampled_from([None, LINE, VERDICT, BOXED, SIMPLE, JSON]))
def test_any_text_is_read_or_refused_and_spans_stay_inside(text: str, unfinished: str, prompt: str | None) -> None:
    for result in (
        read_answer(text, prompt=prompt, unfinished=unfinished),
        read_letter(text, prompt=prompt, unfinished=unfinished),
        read_code(text, unfinished=unfinished),
        read_gold(text),
    ):
        spans = [span for span, _ in result.passed_over]
        if isinstance(result, Reading):
            assert result.text.strip()
            spans += result.spans
        assert all(0 <= lo <= hi <= len(text) for lo, hi in spans)
