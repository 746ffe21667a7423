"""What an inspect_ai sample becomes for our graders."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("lighteval")
inspect_ai = pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

from lighteval_fix.model import Standing  # noqa: E402
from lighteval_fix.upstream.lighteval import in_process  # noqa: E402
from lighteval_fix.upstream.lighteval.own_grading import inspect_item  # noqa: E402


def state(prompt: str, says: str, target: str, choices: list[str] | None = None) -> tuple[Any, Any]:
    from inspect_ai.model import ChatMessageUser, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    made = TaskState(
        model="mockllm/model",
        sample_id=7,
        epoch=1,
        input=prompt,
        messages=[ChatMessageUser(content=prompt)],
        target=Target(target),
        choices=choices,
        output=ModelOutput.from_content("mockllm/model", says),
    )
    return made, Target(target)


def standing(prompt: str, says: str, target: str, choices: list[str] | None = None) -> Standing:
    item = inspect_item(*state(prompt, says, target, choices))
    (grade,) = in_process.graders().of(item).grade(item)
    return grade.standing


OPTIONS = ["Oxygen", "Helium", "Carbon dioxide", "Argon"]
PROMPT = "Which gas do plants take up? End with 'ANSWER: $LETTER'.\n\nA) Oxygen\nB) Helium\nC) Carbon dioxide\nD) Argon"


@pytest.mark.parametrize(
    ("says", "wanted"),
    [
        ("A leaf takes it up.\n\nANSWER: $C$", Standing.RIGHT),
        ("A leaf takes it up.\n\nANSWER: C", Standing.RIGHT),
        ("A leaf takes it up.\n\nANSWER: A", Standing.WRONG),
        ("I have no idea.", Standing.NO_ANSWER),
    ],
)
def test_choices(says: str, wanted: Standing) -> None:
    assert standing(PROMPT, says, "C", OPTIONS) is wanted


@pytest.mark.parametrize(
    ("says", "wanted"),
    [
        ("It is a circle.\n\nANSWER: \\pi", Standing.RIGHT),
        ("It is a circle.\n\nANSWER: 2\\pi", Standing.WRONG),
    ],
)
def test_maths(says: str, wanted: Standing) -> None:
    prompt = 'What is the area of a circle of radius 1? End with "ANSWER: $ANSWER".'
    assert standing(prompt, says, "\\pi") is wanted
