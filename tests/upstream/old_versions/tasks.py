"""One small task as LightEval 0.10 and 0.11 want it."""

from dataclasses import fields

from lighteval.metrics import dynamic_metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

TARGETS = [dynamic_metrics.ExprExtractionConfig(), dynamic_metrics.LatexExtractionConfig()]


def sums(line, task_name=None):
    return Doc(task_name=task_name, query=line["question"], choices=[line["answer"]], gold_index=0)


def metric():
    targets = {"gold_extraction_target": TARGETS, "pred_extraction_target": TARGETS}
    if hasattr(dynamic_metrics, "multilingual_extractive_match_metric"):
        return dynamic_metrics.multilingual_extractive_match_metric(**targets)
    import numpy as np
    from lighteval.metrics.utils.metric_utils import SampleLevelMetric
    from lighteval.tasks.requests import SamplingMethod

    return SampleLevelMetric(
        metric_name="extractive_match",
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=dynamic_metrics.MultilingualExtractiveMatchMetric(**targets),
        corpus_level_fn=np.mean,
    )


KNOWN = {field.name for field in fields(LightevalTaskConfig)}
GIVEN = {
    "name": "sums",
    "prompt_function": sums,
    "suite": ["custom"],
    "hf_repo": "data",
    "hf_subset": "default",
    "hf_avail_splits": ["test"],
    "evaluation_splits": ["test"],
    "generation_size": 64,
    "metric" if "metric" in KNOWN else "metrics": [metric()],
    "stop_sequence": [],
    "version": 1,
}
TASKS_TABLE = [LightevalTaskConfig(**{name: value for name, value in GIVEN.items() if name in KNOWN})]
