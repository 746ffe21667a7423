"""Logs that the installed inspect_ai writes itself, in both its formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.model import Item
from lighteval_fix.sources import open_run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def inspect_ai(request: pytest.FixtureRequest) -> Any:
    return pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")


def evaluated(inspect_ai: Any, folder: Path, log_format: str, task: Any, outputs: list[Any]) -> Path:
    from inspect_ai.model import ModelUsage, get_model

    for output in outputs:  # left to itself, the mock model counts tokens with a vocabulary from the network
        output.usage = ModelUsage(input_tokens=3, output_tokens=5, total_tokens=8)
    model = get_model("mockllm/model", custom_outputs=outputs)
    logs = inspect_ai.eval(
        task, model=model, log_dir=str(folder), log_format=log_format, display="none", max_tasks=1, max_samples=1
    )
    assert logs[0].status == "success", logs[0].error
    return Path(logs[0].location.removeprefix("file://"))


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_epochs_reasoning_and_long_texts(inspect_ai: Any, tmp_path: Path, log_format: str) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageAssistant, ContentReasoning, ContentText, ModelOutput
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate, system_message

    long = "Count slowly. " * 100
    thought = ModelOutput.from_message(
        ChatMessageAssistant(content=[ContentReasoning(reasoning="two and two"), ContentText(text="ANSWER: 4")])
    )
    nine = ModelOutput.from_content("m", "ANSWER: 9")
    outputs = [nine, thought.model_copy(deep=True), thought, nine.model_copy(deep=True)]  # epoch after epoch
    task = Task(
        dataset=[
            Sample(input=long + "Two and two?", target="4", id="sum"),
            Sample(input="Five?", target=["5", "five"]),
        ],
        solver=[system_message("Be brief."), generate()],
        scorer=match(),
        epochs=2,
        name="sums",
    )
    path = evaluated(inspect_ai, tmp_path, log_format, task, outputs)
    run = open_run(str(path))
    items = {item.id: item for item in run.items() if isinstance(item, Item)}
    assert (run.format, run.model, run.task, run.metrics) == ("inspect_eval", "mockllm/model", "sums", ("match",))
    assert run.version == inspect_ai.__version__
    assert run.date is not None
    assert set(items) == {"sum", "2"}
    first = items["sum"]
    assert [generation.tokens for generation in first.generations] == [5, 5]
    assert first.question == long + "Two and two?"
    assert first.prompt.startswith("Be brief.")
    assert sorted(generation.text for generation in first.generations) == ["ANSWER: 4", "ANSWER: 9"]
    assert [generation.epoch for generation in first.generations] == [1, 2]
    right = next(index for index, generation in enumerate(first.generations) if generation.text == "ANSWER: 4")
    assert first.generations[right].reasoning == "two and two"
    assert {score.sample: score.score for score in first.recorded}[right] == 1.0
    assert [gold.text for gold in items["2"].golds] == ["5", "five"]
    reported = dict(run.reported)["match"]
    recorded = [score.score for item in items.values() for score in item.recorded]
    assert reported == pytest.approx(sum(recorded) / len(recorded))


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_choices(inspect_ai: Any, tmp_path: Path, log_format: str) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    task = Task(
        dataset=[
            Sample(input="Which is a river?", choices=["Oslo", "Danube", "Etna"], target="B", id=7),
            Sample(input="Which are rivers?", choices=["Rhine", "Danube", "Etna"], target=["A", "B"], id=8),
        ],
        solver=multiple_choice(multiple_correct=True),
        scorer=choice(),
        name="rivers",
    )
    outputs = [ModelOutput.from_content("m", "ANSWER: B"), ModelOutput.from_content("m", "ANSWER: A")]
    run = open_run(str(evaluated(inspect_ai, tmp_path, log_format, task, outputs)))
    first, second = (item for item in run.items() if isinstance(item, Item))
    assert (first.choices, first.labels, first.gold_index) == (("Oslo", "Danube", "Etna"), ("A", "B", "C"), (1,))
    assert first.recorded[0].score == 1.0
    assert "A) Oslo" in first.prompt
    assert second.gold_index == (0, 1)
    assert second.recorded[0].score == 0.0


def test_errors_of_single_samples(inspect_ai: Any, tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import match
    from inspect_ai.solver import Generate, TaskState, generate, solver

    @solver
    def fails_on_bad() -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            if state.sample_id == "bad":
                raise RuntimeError("the well is dry")
            return state

        return solve

    task = Task(
        dataset=[Sample(input="One?", target="1", id="good"), Sample(input="Two?", target="2", id="bad")],
        solver=[fails_on_bad(), generate()],
        scorer=match(),
        fail_on_error=False,
        name="fragile",
    )
    run = open_run(str(evaluated(inspect_ai, tmp_path, "eval", task, [ModelOutput.from_content("m", "1")] * 2)))
    found = list(run.items())
    assert [getattr(each, "reason", "ok") for each in found] == ["sample_error", "ok"]
    assert "the well is dry" in getattr(found[0], "detail", "")
