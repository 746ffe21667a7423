"""0024: maths and choices graded by our own reading and deciding, inside LightEval, with either backend."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...model import Item, Reading, Standing
from .. import live
from ..fix import Finding, Fix, Group, Hook, Undo
from . import in_process, samples

_MODULES = ("lighteval.metrics.dynamic_metrics", "lighteval.metrics", "lighteval.pipeline", "lighteval.main_inspect")


def _install() -> Undo:
    undo_metrics = in_process.install(in_process.is_extractive)
    undo_scorers = _install_scorers()

    def undo() -> None:
        undo_scorers()
        undo_metrics()

    return undo


def _install_scorers() -> Undo:
    """`lighteval eval`: tasks that the other backends grade by extraction get our scorer in place of theirs."""
    if live.source_of("lighteval.main_inspect") is None:
        return lambda: None
    module: Any = import_module("lighteval.main_inspect")
    original = module.get_inspect_ai_task

    def task_with_our_scorer(config: Any, *arguments: Any, **named: Any) -> Any:
        task = original(config, *arguments, **named)
        if any(in_process.is_extractive(_plain(metric)) for metric in config.metrics):
            task.scorer = [_scorer()]
        return task

    module.get_inspect_ai_task = task_with_our_scorer

    def undo() -> None:
        if module.get_inspect_ai_task is task_with_our_scorer:
            module.get_inspect_ai_task = original

    return undo


def _plain(metric: Any) -> Any:
    """A metric, also where the task table holds a member of LightEval's enumeration."""
    return getattr(metric, "value", metric)


def _scorer() -> Any:
    scoring: Any = import_module("inspect_ai.scorer")

    @scoring.scorer(metrics=[scoring.accuracy(), scoring.stderr()], name="lighteval_fix")  # type: ignore[untyped-decorator, unused-ignore]
    def lighteval_fix() -> Any:
        async def score(state: Any, target: Any) -> Any:
            grade = next(iter(in_process.graders().of(item := inspect_item(state, target)).grade(item)))
            reading = grade.reading
            return scoring.Score(
                value="C" if grade.standing is Standing.RIGHT else "I",
                answer=reading.text if isinstance(reading, Reading) else None,
                explanation=state.output.completion,
                metadata={"standing": grade.standing.value, "golds": list(grade.golds)},
            )

        return score

    return lighteval_fix()


def inspect_item(state: Any, target: Any) -> Item:
    """The item that an inspect_ai sample is."""
    from string import ascii_uppercase

    from ...model import Generation, Gold

    options = tuple(str(choice.value) for choice in state.choices)
    labels = tuple(ascii_uppercase[: len(options)])
    golds = tuple(target)
    prompt = state.user_prompt.text
    return Item(
        id=str(state.sample_id),
        row=0,
        prompt=prompt,
        question=state.input_text or None,
        golds=tuple(Gold(gold) for gold in golds),
        choices=options,
        gold_index=tuple(labels.index(gold) for gold in golds if gold in labels),
        labels=labels,
        generations=(Generation(text=state.output.completion, finish_reason=state.output.stop_reason),),
    )


def _probe() -> Finding:
    dynamic: Any = import_module("lighteval.metrics.dynamic_metrics")
    doc = samples.document(
        "ANSWER: It is $\\boxed{\\pi}$.",
        query='End with "ANSWER: $ANSWER".\n\nWhat is the area of a circle of radius 1?',
        id="0",
    )
    response = samples.response("It is that.\nANSWER: \\pi")
    units: Any = import_module("lighteval.metrics.utils.metric_utils")
    targets = [dynamic.ExprExtractionConfig(), dynamic.LatexExtractionConfig()]
    metric = units.SampleLevelMetric(
        metric_name="extractive_match",
        higher_is_better=True,
        category=None,
        sample_level_fn=dynamic.MultilingualExtractiveMatchMetric(
            gold_extraction_target=targets, pred_extraction_target=targets
        ),
        corpus_level_fn=None,
    )
    apply_metric = import_module("lighteval.metrics").apply_metric
    score = apply_metric(responses=[response], docs=[doc], metrics=[metric])[0]["extractive_match"]
    return Finding.of(score != 1, f"`ANSWER: \\pi` on the requested line scores {float(score)}")


FIX = Fix(
    name="own-grading",
    number="0024",
    group=Group.GRADING,
    body=Hook(install=_install, modules=_MODULES, needs=in_process.NEEDS),
    probe=_probe,
    seen_in=("0.11.0", "0.12.2", "0.13.0"),
    title="a right answer on the bare line that the prompt asks for is not read",
    why=(
        "MATH-500's prompt asks for a last line `ANSWER: …`; what stands there is read only in dollars, in a box or "
        "as a number, and a box or a phrase anywhere outranks it. Metrics of extractive match (MATH-500, AIME, GPQA, "
        "MMLU-Pro, GSM8K and friends, also under pass@k, avg@n, maj@n and g-pass@k) are judged by this package's "
        "reading and deciding, as a finished run is re-graded; with `lighteval eval` by a scorer of the same."
    ),
)
