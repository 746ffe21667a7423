"""Grading inside LightEval: its documents and responses become items, our grades become its scores.

LightEval calls `apply_metric` once a task with all documents and all responses. That is where the metrics that we judge
are taken out, so that every generation is seen whole, as a finished run is, and a run's habits are known.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...grading.grader import CodeOptions, Options
from ...grading.kind import Graders
from ...grading.sampling import Metric, Over, parse_metric, score_item
from ...model import Grade, Item, Kind, NoAnswer, Reading, RowError, SandboxMissing, Unfinished
from ..fix import Undo
from ..warn import warn

if TYPE_CHECKING:
    from ...reading.profile import Profile

_PROFILE_ITEMS = 64
_log = logging.getLogger("lighteval_fix.grading")
NEEDS = (("lighteval.pipeline", "apply_metric"),)
"""What of LightEval the hooks build on: 0.10 has a function for every category of metrics in its place."""
Judged = Callable[[Any], bool]
"""Whether a LightEval metric is one that we judge."""


def options() -> Options:
    """As a re-grade has them by default."""
    return Options(unfinished=Unfinished.READ, code=CodeOptions())


def is_extractive(metric: Any) -> bool:
    """Maths and choices: an extractive match, by itself or under a metric over several samples."""
    extractive: Any = import_module("lighteval.metrics.dynamic_metrics").MultilingualExtractiveMatchMetric
    function = metric.sample_level_fn
    # 0.11 keeps under `score_sample` what is `compute_score` since.
    compute = getattr(function, "score_sample", None) or getattr(function, "compute_score", None)
    scorer = getattr(compute, "__self__", None)
    return not metric.batched_compute and (isinstance(function, extractive) or isinstance(scorer, extractive))


def is_code(metric: Any) -> bool:
    """LiveCodeBench's metric, wherever its class comes from; 0.11 has it as a function."""
    function = metric.sample_level_fn
    return type(function).__name__ == "CodegenMetric" or getattr(function, "__name__", "") == "codegen_metric"


_active: list[tuple[Judged, Kind | None]] = []
"""What is judged by us in this process, whatever the order in which it was asked for and taken back."""


def install(judged: Judged, kind: Kind | None = None) -> Undo:
    """Judge the metrics that `judged` picks ourselves, as `kind` or as each item needs."""
    places: list[Any] = [import_module("lighteval.metrics"), import_module("lighteval.pipeline")]
    for place in places:
        if not isinstance(place.apply_metric, _ApplyMetric):
            place.apply_metric = _ApplyMetric(place.apply_metric)
    entry = (judged, kind)
    _active.append(entry)

    def undo() -> None:
        _active.remove(entry)
        for place in places:
            if not _active and isinstance(place.apply_metric, _ApplyMetric):
                place.apply_metric = place.apply_metric.original

    return undo


class _ApplyMetric:
    """LightEval's `apply_metric`, with the metrics that we judge taken out and judged."""

    def __init__(self, original: Any) -> None:
        self.original = original

    def __call__(self, responses: Sequence[Any], docs: Sequence[Any], metrics: Sequence[Any]) -> Any:
        ours = [next((entry for entry in _active if entry[0](metric)), None) for metric in metrics]
        theirs = [metric for metric, entry in zip(metrics, ours, strict=True) if entry is None]
        outputs = self.original(responses=responses, docs=docs, metrics=theirs)
        for entry in _active:
            mine = [metric for metric, which in zip(metrics, ours, strict=True) if which is entry]
            if mine:
                for output, scores in zip(outputs, self._judged(responses, docs, mine, entry[1]), strict=True):
                    output.update(scores)
        return outputs

    def _judged(
        self, responses: Sequence[Any], docs: Sequence[Any], metrics: Sequence[Any], kind: Kind | None
    ) -> Iterator[dict[str, Any]]:
        """Scores of every document; one that we cannot judge keeps LightEval's own, and is spoken of."""
        items = [item_of(row, *pair) for row, pair in enumerate(zip(docs, responses, strict=True))]
        graders = Graders(options(), _profile(items), kind)
        for item, doc, response in zip(items, docs, responses, strict=True):
            try:
                yield _scores(item, doc, metrics, graders)
            except SandboxMissing:
                raise
            except Exception as why:
                # Hours of generating must not be lost for one item; nor may it pass for judged.
                warn(_log, "item %s is scored by LightEval's own metric: %s: %s", doc.id, type(why).__name__, why)
                (scores,) = self.original(responses=[response], docs=[doc], metrics=list(metrics))
                yield scores


def item_of(row: int, doc: Any, response: Any) -> Item | RowError:
    """The item that a details file of this run would hold."""
    from ...sources.lighteval_rows import build_item

    names = ("id", "query", "instruction", "choices", "gold_index", "specific", "task_name", "generation_size")
    fields = {name: getattr(doc, name, None) for name in names}
    said: dict[str, Any] = {
        name: getattr(response, name, None) for name in ("text", "text_post_processed", "reasonings", "output_tokens")
    }
    if getattr(doc, "fewshot_samples", None):
        said["input"] = response.input
    return build_item(row, fields, {}, said, str(fields["task_name"] or ""))


def _scores(item: Item | RowError, doc: Any, metrics: Sequence[Any], graders: Graders) -> dict[str, Any]:
    if isinstance(item, RowError):
        raise ValueError(f"{item.reason} {item.detail}".rstrip())
    grades = list(graders.of(item).grade(item))
    scores = {name: _score(meant(name, metric), grades) for metric in metrics for name in _names(metric)}
    _note(doc, grades)
    return scores


def _profile(items: Sequence[Item | RowError]) -> Profile:
    from ...reading.profile import Profile

    first = (item for item in islice(items, _PROFILE_ITEMS) if isinstance(item, Item))
    return Profile.of((item.prompt, generation.text) for item in first for generation in item.generations)


def _names(metric: Any) -> list[str]:
    return list(metric.metric_name) if isinstance(metric.metric_name, list) else [metric.metric_name]


def meant(name: str, metric: Any) -> Metric:
    """What a LightEval metric's score called `name` stands for.

    Its numbers are those of the metric itself, since 0.11 does not put them into the name (`pass@k_with_k&n`); and for
    0.11 `k` is what `n` is since, where an average or a majority is meant.
    """
    parsed = parse_metric(name)
    if parsed is None:
        raise ValueError(f"{name} is no score of right and wrong")
    k, n = (getattr(metric.sample_level_fn, number, None) for number in ("k", "n"))
    match parsed.over:
        case Over.PASS:
            return replace(parsed, k=k or parsed.k, n=n or parsed.n)
        case Over.MEAN | Over.MAJORITY:
            return replace(parsed, n=n or k or parsed.n)
    return parsed


def _score(metric: Metric, grades: Sequence[Grade]) -> float:
    from ...deciding import decide

    answers = [grade.reading.text if isinstance(grade.reading, Reading) else None for grade in grades]
    return score_item(
        metric,
        [grade.score for grade in grades],
        answers,
        lambda first, second: decide(first, second, policy="value").kind == "equal",
    )


def _note(doc: Any, grades: Sequence[Grade]) -> None:
    """What was read goes into the details, where LightEval keeps it too."""
    if not grades or grades[0].kind is Kind.CODE:
        return
    doc.specific = {
        **(doc.specific or {}),
        "extracted_predictions": ["" if isinstance(r := g.reading, NoAnswer) or r is None else r.text for g in grades],
        "extracted_golds": list(grades[0].golds),
    }


def graders() -> Graders:
    """Graders for items that come one by one."""
    return Graders(options())
