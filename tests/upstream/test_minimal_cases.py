"""Every documented minimal case on the live harness: before its fix, with it, and after it is taken out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

pytest.importorskip("lighteval")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

from lighteval_fix import harness  # noqa: E402
from lighteval_fix.upstream import catalog  # noqa: E402
from lighteval_fix.upstream.fix import Fix, Seen, State  # noqa: E402
from lighteval_fix.upstream.install import installer  # noqa: E402

FIXES = [fix for fix in catalog.all_fixes() if fix.harness == "lighteval"]


@pytest.fixture(autouse=True)
def _offline_and_clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    yield
    installer().uninstall()


@pytest.fixture(scope="module", autouse=True)
def _loadable() -> None:
    """The task modules are imported once, with what they need for that in place."""
    with harness.applied(fixes=["dying"]):
        import_module("lighteval.tasks.registry").Registry(tasks="aime24")


def doc(*choices: str, gold: int = 0, query: str = "", **more: Any) -> Any:
    return import_module("lighteval.tasks.requests").Doc(query=query, choices=list(choices), gold_index=gold, **more)


def response(*texts: str, final: tuple[str, ...] | None = None) -> Any:
    made = import_module("lighteval.models.model_output").ModelResponse(text=list(texts))
    made.text_post_processed = None if final is None else list(final)
    return made


def score(metric: Any, document: Any, said: Any) -> float:
    (value,) = metric.compute_sample(doc=document, model_response=said).values()
    return float(value)


def metrics() -> Any:
    return import_module("lighteval.metrics.metrics").Metrics


@pytest.mark.parametrize("fix", FIXES, ids=lambda fix: fix.name)
def test_the_probe_shows_the_fault_then_not_then_again(fix: Fix) -> None:
    before = fix.probe()
    if before.seen is Seen.NOT_THERE:
        assert harness.apply_all(fixes=[fix.name])[-1].state is State.NOT_THERE
        return
    assert before.seen is Seen.FAULT, before.detail
    results = harness.apply_all(fixes=[fix.name])
    assert results[-1].fix.name == fix.name
    assert results[-1].state is State.INSTALLED
    assert fix.probe().seen is Seen.CLEAN
    installer().uninstall()
    assert fix.probe().seen is Seen.FAULT


def test_all_of_them_together_and_out_again() -> None:
    functions = _functions()
    harness.apply_all(fixes=["all"])
    changed = [name for name, code in _functions().items() if functions[name] is not code]
    assert changed
    harness.apply_all(fixes=["all"])
    installer().uninstall()
    assert {name: code.co_code for name, code in _functions().items()} == {
        name: code.co_code for name, code in functions.items()
    }


def _functions() -> dict[str, Any]:
    """Code objects of functions that fixes change."""
    sample, output = import_module("lighteval.metrics.metrics_sample"), import_module("lighteval.models.model_output")
    lcb, utils = import_module("lighteval.tasks.tasks.lcb.codegen_metrics"), import_module("lighteval.utils.utils")
    functions: list[Callable[..., Any]] = [
        sample.AvgAtN.compute,
        sample.MajAtN.compute,
        sample.PassAtK.compute,
        output.ModelResponse.__getitem__,
        lcb.make_function,
        utils.remove_reasoning_tags,
    ]
    return {function.__qualname__: function.__code__ for function in functions}


# avg@n and its neighbours: (metric, gold, texts, final texts, before, after)
THOUGHT = ("<think>seven, no, eight</think>8", "<think>easy</think>8")
SPACED = (" 8", "8", "8\n", "\t8 ")
MIXED = (" 8", "8", "8\n", "9")


@pytest.mark.parametrize(
    ("texts", "final", "before", "after"),
    [
        (THOUGHT, ("8", "8"), 0.0, 1.0),
        (SPACED, None, 0.25, 1.0),
        (MIXED, None, 0.25, 0.75),
        (("7", "9"), None, 0.0, 0.0),
        (("8", "9"), None, 0.5, 0.5),
    ],
)
def test_average(texts: tuple[str, ...], final: tuple[str, ...] | None, before: float, after: float) -> None:
    metric = metrics().avg_at_n(sample_params={"n": len(texts)})
    assert score(metric, doc("8"), response(*texts, final=final)) == before
    with harness.applied(fixes=["sampling"]):
        assert score(metric, doc("8"), response(*texts, final=final)) == after
    assert score(metric, doc("8"), response(*texts, final=final)) == before


def test_average_of_maths_stays_zero_where_all_are_wrong() -> None:
    metric = metrics().avg_at_n_math(sample_params={"n": 2})
    said = response("It is $\\boxed{7}$.", "So $\\boxed{9}$.")
    with harness.applied(fixes=["sampling"]):
        assert score(metric, doc("8"), said) == 0.0


def test_average_notes_what_was_read_in_the_details() -> None:
    metric = metrics().avg_at_n_math(sample_params={"n": 2})
    document = doc("8")
    with harness.applied(fixes=["sampling"]):
        score(metric, document, response("$\\boxed{8}$", "$\\boxed{9}$"))
    assert document.specific["extracted_predictions"]


def test_average_without_n_raises() -> None:
    from lighteval.metrics.metrics_sample import AvgAtN

    with harness.applied(fixes=["sampling"]), pytest.raises(Exception, match="value of n"):
        AvgAtN().compute(doc=doc("8"), model_response=response("8"))


def test_majority_over_three_items_is_a_third() -> None:
    metric = metrics().maj_at_n(sample_params={"n": 3})
    said = [response("4", "4", "5"), response("6", "6", "7"), response("1", "2", "2")]
    golds = [doc("4"), doc("7"), doc("1")]
    with harness.applied(fixes=["sampling"]):
        total = sum(score(metric, gold, each) for gold, each in zip(golds, said, strict=True)) / 3
    assert total == pytest.approx(0.33, abs=0.01)


def test_majority_with_a_gold_that_is_not_the_first_choice() -> None:
    metric = metrics().maj_at_n(sample_params={"n": 3})
    document = doc("no", "maybe", "yes", gold=2)
    with pytest.raises(IndexError):
        score(metric, document, response("yes", "yes", "no"))
    with harness.applied(fixes=["sampling"]):
        assert score(metric, document, response("yes", "yes", "no")) == 1


def test_a_slice_keeps_everything_of_its_sample() -> None:
    said = response("<think>a</think>b", "c", final=("b", "c"))
    said.reasonings = ["a", None]
    said.logprobs = [-0.5, -0.7]
    with harness.applied(fixes=["response-slice"]):
        assert said[0].final_text == ["b"]
        assert said[1].final_text == ["c"]
        assert said[-1].final_text == ["c"]
        assert (said[0].reasonings, said[0].logprobs) == (["a"], [-0.5])
        with pytest.raises(IndexError):
            said[2]


def test_the_own_sample_count_of_each_item() -> None:
    from lighteval.metrics.metrics_sample import PassAtK

    with harness.applied(fixes=["sampling"]):
        metric = PassAtK(k=1)
        assert metric.compute(doc=doc("2"), model_response=response("2")) == 1.0
        assert metric.compute(doc=doc("2"), model_response=response("1", "2", "1", "1")) == 0.25
        assert metric.n is None


# Reading.


@pytest.mark.parametrize("answer", ["Answer: $C$", "Answer: $C", "**Answer:** $C$", "Answer: C"])
def test_a_letter_in_dollars(answer: str) -> None:
    metric = metrics().gpqa_instruct_metric.value
    document = doc("A", "B", "C", "D", gold=2)
    said = response(f"A cell does it.\n{answer}")
    if "$" in answer:
        assert score(metric, document, said) == 0.0
    with harness.applied(fixes=["letter-in-dollars"]):
        assert score(metric, document, said) == 1.0


def test_the_restated_contest_template() -> None:
    metric = metrics().pass_at_k_math(sample_params={"k": 1, "n": 1})
    said = response(
        "It wants 'Therefore, the final answer is: $\\boxed{ANSWER}$. I hope it is correct'. So $\\boxed{321}$."
    )
    assert score(metric, doc("321"), said) == 0.0
    with harness.applied(fixes=["restated-template"]):
        assert score(metric, doc("321"), said) == 1.0


def test_a_slot_of_the_prompt_at_hand() -> None:
    from lighteval.metrics import dynamic_metrics

    query = "End with 'Result: $RESULT', where RESULT is a number. In triangle $ABC$ find x."
    text = "I end with Result: $RESULT and say Result: $5$ for triangle $ABC$."
    with harness.applied(fixes=["restated-template"]):
        left = dynamic_metrics._without_template(text, query)
    assert "$RESULT" not in left
    assert "$5$" in left
    assert "$ABC$" in left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("so 41</think> 42", " 42"),
        ("so 41</think> no</think> 42", " 42"),
        ("<think>so 41</think> 42", " 42"),
        ("<think>a</think>b<think>c</think>d", "bd"),
        ("<think>cut off here", "<think>cut off here"),
        ("so</think> 42 <think>more", " 42 <think>more"),
        ("no tags", "no tags"),
    ],
)
def test_a_closing_tag_only(text: str, left: str) -> None:
    with harness.applied(fixes=["closing-tag-only"]) as results:
        assert import_module("lighteval.utils.utils").remove_reasoning_tags(text, [("<think>", "</think>")]) == left
    assert {result.fix.name for result in results} == {"closing-tag-only", "letter-in-dollars", "own-grading"}


# Scoring.


@pytest.mark.parametrize(
    ("completion", "gold", "before", "after"),
    [
        ("It is \\boxed{70.0}", "70", "I", "C"),
        ("It is \\boxed{\\frac12}", "0.5", "I", "C"),
        ("I have no idea", "\\sqrt{2}", "C", "I"),
        ("It is $\\boxed{\\sqrt{2}}$", "\\sqrt{2}", "I", "C"),
        ("It is \\boxed{3}", "3R^2", "C", "I"),
        ("It is \\boxed{71}", "70", "I", "I"),
    ],
)
def test_maths_scorers(completion: str, gold: str, before: str, after: str) -> None:
    from lighteval_fix.upstream.lighteval.inspect_scorers import _score

    built = import_module("lighteval.tasks.tasks.aime").aime24.scorer
    assert _score(built, completion, gold) == before
    with harness.applied(fixes=["scoring"]):
        assert _score(built, completion, gold) == after, "a scorer that was built before"
        fresh = import_module("lighteval.metrics.metrics").math_scorer()
        assert _score(fresh, completion, gold) == after
        olympiad = import_module("lighteval.tasks.tasks.olympiade_bench").olympiad_bench_scorer()
        assert _score(olympiad, completion, gold) == after


@pytest.mark.parametrize(("completion", "after"), [("Answer: C", "C"), ("Answer: A", "I"), ("No idea.", "I")])
def test_choice_scorer(completion: str, after: str) -> None:
    from lighteval_fix.upstream.lighteval.inspect_scorers import _score

    scorer = import_module("lighteval.metrics.metrics").multichoice_scorer()
    with harness.applied(fixes=["scoring"]):
        assert _score(scorer, completion, "C", ("one", "two", "three", "four")) == after


# Programs.


def program(code: str, stdin: str, stdout: str) -> tuple[Any, Any]:
    tests = {"inputs": [stdin], "outputs": [stdout], "fn_name": None}
    return doc("", specific=tests, id="0"), response(f"```python\n{code}\n```")


GLOBAL = "total = 0\ndef add(n):\n    global total\n    total += n\nadd(int(input()))\nadd(total)\nprint(total)"


def test_the_program_with_a_global() -> None:
    metric = import_module("lighteval.tasks.tasks.lcb.main").lcb_codegen_metric
    asked = program(GLOBAL, "21\n", "42\n")
    assert score(metric, *asked) == 0.0
    with harness.applied(fixes=["module-level-bindings", "lcb-pool"]):
        assert score(metric, *asked) == 1.0


@pytest.mark.parametrize(
    ("code", "right"),
    [
        ("print(int(input()) * 2)", True),
        ("print(int(input()) * 3)", False),
        ("print(1", False),
        ("import sys\nprint(int(input()) * 2)\nsys.exit()", True),
        ("def main():\n    print(int(input()) * 2)\nif __name__ == '__main__':\n    main()", True),
    ],
)
def test_without_a_pool_verdicts_are_the_same(code: str, right: bool) -> None:
    metric = import_module("lighteval.tasks.tasks.lcb.main").lcb_codegen_metric
    asked = program(code, "21\n", "42\n")
    with harness.applied(fixes=["lcb-pool"]):
        assert score(metric, *asked) == float(right)


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "code",
    [
        GLOBAL,
        "import sys\nprint(2 * int(sys.stdin.buffer.read()))",
        "print(2 * int(open(0).read()))",
        "import os\nprint(2 * int(os.read(0, 100)))",
        "import threading\nt = threading.Thread(target=lambda: print(2 * int(input())))\nt.start()\nt.join()",
        "print(f'{2 * int(input()):.9f}')",
    ],
)
def test_programs_as_they_were_written(code: str) -> None:
    metric = import_module("lighteval.tasks.tasks.lcb.main").lcb_codegen_metric
    wanted = "42.000001\n" if ".9f" in code else "42\n"
    document, said = program(code, "21\n", wanted)
    with harness.applied(fixes=["code"]):
        (output,) = import_module("lighteval.metrics").apply_metric(responses=[said], docs=[document], metrics=[metric])
    assert output == {metric.metric_name: 1.0}


def judged(metric: Any, document: Any, said: Any) -> Any:
    (output,) = import_module("lighteval.metrics").apply_metric(responses=[said], docs=[document], metrics=[metric])
    return output


def test_our_own_grading_under_every_kind_of_metric() -> None:
    query = 'What is it? End with "ANSWER: $ANSWER".'
    said = response("So it is.\nANSWER: \\pi", "So it is.\nANSWER: 2\\pi")
    made = metrics()
    average = made.avg_at_n_math(sample_params={"n": 2})
    some = made.pass_at_k_math(sample_params={"k": 1, "n": 2})
    with harness.applied(fixes=["grading"]):
        assert judged(average, doc("$\\pi$", query=query, id="0"), said) == {"avg@n:n=2": 0.5}
        document = doc("$\\pi$", query=query, id="0")
        assert judged(some, document, said) == {"pass@k:k=1&n=2": 0.5}
        assert document.specific["extracted_predictions"] == ["\\pi", "2\\pi"]
        letters = doc("A", "B", "C", gold=2, query="Which? End with 'Answer: $LETTER'.\n\nA) x\nB) y\nC) z", id="0")
        assert judged(made.gpqa_instruct_metric.value, letters, response("A leaf.\nAnswer: $C$")) == {
            "extractive_match": 1.0
        }


def test_an_item_that_we_cannot_judge_keeps_lightevals_score(caplog: pytest.LogCaptureFixture) -> None:
    metric = metrics().pass_at_k_math(sample_params={"k": 1, "n": 1})
    with harness.applied(fixes=["grading"]), caplog.at_level(logging.WARNING):
        assert judged(metric, doc("", query="?", id="41"), response("$5$")) == {"pass@k:k=1&n=1": 0.0}
    assert "item 41 is scored by LightEval's own metric" in caplog.text


def test_without_a_sandbox_it_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from lighteval_fix.model import SandboxMissing
    from lighteval_fix.upstream.lighteval import own_running

    def missing(_: str) -> None:
        raise SandboxMissing("bubblewrap is not installed")

    monkeypatch.setattr(own_running, "run_program", missing)
    with pytest.raises(SandboxMissing):
        harness.apply_all(fixes=["code"])
    assert installer().installed() == ()


# Labels.


def test_mmlu_pro_labels() -> None:
    task = import_module("lighteval.tasks.tasks.mmlu_pro")
    line = {"question": "Which?", "options": ["red", "green", "blue"], "answer_index": 2}
    assert len(task.mmlu_pro_prompt_function(line).choices) == 23
    with harness.applied(fixes=["sampling"]):
        made = task.mmlu_pro_prompt_function(line)
    assert made.choices == ["A", "B", "C"]
    assert "one of ABC." in made.query
    assert made.get_golds() == ["C"]
