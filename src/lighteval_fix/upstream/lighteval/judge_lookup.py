"""0006: judge metrics look their model up by a keyword that huggingface_hub no longer has."""

from __future__ import annotations

from ..edits import Keywords
from ..fix import Finding, Fix, Group, Seen, Transplant

_SAMPLE = ("lighteval.metrics.metrics_sample",)


def _probe() -> Finding:
    from importlib import import_module

    judge = import_module(_SAMPLE[0]).JudgeLLM
    try:
        judge(
            judge_model_name="nobody/probe",
            template=lambda *_: "",
            process_judge_response=lambda _: 0,
            judge_backend="transformers",
        )
    except TypeError as error:
        return Finding(Seen.FAULT, f"constructing a judge raises TypeError: {error}")
    return Finding(Seen.CLEAN, "a judge was constructed")


FIX = Fix(
    name="judge-lookup",
    number="0006",
    group=Group.DYING,
    body=Transplant(
        (
            Keywords(
                modules=_SAMPLE,
                qualname="JudgeLLM.__init__",
                shapes=("a413837e8776", "75ea1a5dc818"),
                callee="api.list_models",
                renamed=(("model_name", "search={}"),),
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="judge metrics die on `HfApi.list_models(model_name=…)`, so the task table cannot be loaded",
    why=(
        "Judge metrics with the `transformers` or `vllm` backend ask the Hub for their model when they are "
        "constructed, which two task modules do at import. Current huggingface_hub has no `model_name` keyword and "
        "raises TypeError, so no task can be loaded at all. The keyword is `search` now. The listing is an iterator "
        "and is still not read, as before: constructing a judge needs no network."
    ),
)
