"""0020: MMLU-Pro offers as many labels as its options have characters, and asks for "one of ABCD"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..edits import Replace
from ..fix import Finding, Fix, Group, Transplant

if TYPE_CHECKING:
    # What the target module's own namespace holds.
    from lighteval.tasks.tasks.mmlu_pro import TEMPLATE, Doc, ascii_uppercase

_TASK = ("lighteval.tasks.tasks.mmlu_pro",)


def mmlu_pro_prompt_function(line: Any, task_name: Any = None) -> Any:
    # One label an option, in the question as in the choices.
    labels = ascii_uppercase[: len(line["options"])]
    query = TEMPLATE.replace("one of ABCD", f"one of {labels}").format(
        question=line["question"],
        choices="\n".join(f"{label}: {option}" for label, option in zip(labels, line["options"], strict=False)),
    )
    return Doc(
        task_name=task_name,
        query=query,
        choices=list(labels),
        gold_index=line["answer_index"],
        instruction=query,
    )


def _probe() -> Finding:
    from importlib import import_module

    line = {"question": "?", "options": ["one", "two", "three"], "answer_index": 1}
    doc = import_module(_TASK[0]).mmlu_pro_prompt_function(line)
    asked = "one of ABCD" in doc.query
    return Finding.of(
        len(doc.choices) != 3 or asked,
        f"{len(doc.choices)} labels for 3 options{', and the prompt asks for one of ABCD' if asked else ''}",
    )


FIX = Fix(
    name="mmlu-pro-labels",
    number="0020",
    group=Group.SAMPLING,
    body=Transplant(
        (
            Replace(
                modules=_TASK,
                qualname="mmlu_pro_prompt_function",
                shapes=("d49296a10791",),
                function=mmlu_pro_prompt_function,
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.12.2", "0.13.0"),
    title="MMLU-Pro has 17 labels for three options, and its prompt asks for one of ABCD among ten",
    why=(
        "The labels are cut to the length of the options joined into one string, so letters that no option has are "
        "read as answers; the prompt names four letters whatever the number of options. Both follow the options."
    ),
)
