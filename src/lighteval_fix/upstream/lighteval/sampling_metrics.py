"""0015 to 0019: metrics over several samples of one item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..edits import Call, Prepend, Replace
from ..fix import Finding, Fix, Group, Seen, Transplant
from . import samples

if TYPE_CHECKING:
    # What the target modules' own namespaces hold.
    from lighteval.metrics.metrics_sample import Doc, ModelResponse, np

_SAMPLE = ("lighteval.metrics.metrics_sample",)
_OUTPUT = ("lighteval.models.model_output",)
_SINCE_011 = ("0.11.0", "0.12.2", "0.13.0")
# 0.11 counts with `k` what is `n` since, and calls the scorer differently.
_NAMES_011 = (("self.compute_score", "self.score_sample"), ("self.n", "self.k"), ("value of n", "value of k"))


def __getitem__(self: Any, index: int) -> Any:
    # One sample with everything that belongs to it, what was post-processed and its reasoning included.
    kept = dict(vars(self))
    for name in (
        "output_tokens",
        "text_post_processed",
        "reasonings",
        "logprobs",
        "argmax_logits_eq_gold",
        "logits",
        "unconditioned_logprobs",
    ):
        values = kept.get(name)
        if values:
            kept[name] = values[index : index + 1 or None]
    kept["text"] = [self.text[index]]
    return ModelResponse(**kept)


def average(self: Any, doc: Any, model_response: Any, **kwargs: Any) -> Any:
    if self.n is None:
        raise Exception("You did not set the value of n")
    from copy import copy

    # Scored as the other sampling metrics do it: the final text, prepared in the same way as the gold.
    prepared = copy(doc)
    prepared.choices = [self.preprocess(text=choice) for choice in doc.choices]
    all_scores = []
    for index in range(self.n):
        sample = model_response[index]
        sample.text = [self.preprocess(text=model_response.final_text[index])]
        sample.text_post_processed = None
        all_scores.append(self.compute_score(prepared, sample))
    # What a scorer noted about its reading goes into the details.
    doc.specific = prepared.specific
    return np.mean(all_scores)


def majority(self: Any, doc: Any, model_response: Any, **kwargs: Any) -> Any:
    if self.n is None:
        raise Exception("You did not set the value of n")
    if len(doc.get_golds()) > 1:
        raise Exception("Cannot compute maj@n with several golds")
    answers = [self.preprocess(text=text) for text in model_response.final_text[: self.n]]
    # All choices, since `gold_index` counts among all of them.
    prepared = Doc(
        query=doc.query,
        choices=[self.preprocess(text=choice) for choice in doc.choices],
        gold_index=doc.gold_index,
    )
    return self.compute_score(prepared, ModelResponse(text=[max(answers, key=answers.count)]))


def _own_count(self: Any, model_response: Any) -> None:
    if self.n is None:
        # For this item alone: the next one may have another number of samples.
        from copy import copy

        self = copy(self)
        self.n = len(model_response.final_text)


def _own_count_010(self: Any, predictions: Any) -> None:
    if self.n is None:
        # For this item alone: the next one may have another number of samples.
        from copy import copy

        self = copy(self)
        self.n = len(predictions)


def _metrics() -> Any:
    from importlib import import_module

    return import_module(_SAMPLE[0])


def _probe_slice() -> Finding:
    part = samples.response("<think>1</think>2", "3", final=("2", "3"))[0]
    return Finding.of(part.final_text != ["2"], f"the final text of the first sample is {part.final_text[0]!r}")


def _probe_average() -> Finding:
    module = _metrics()
    metric, size = (module.AvgAtN, "n") if hasattr(module, "AvgAtN") else (module.AvgAtK, "k")
    texts = ("<think>no</think> 2 ", "2\n")
    score = metric(**{size: 2}, strip_strings=True).compute(
        doc=samples.document("2"), model_response=samples.response(*texts, final=(" 2 ", "2\n"))
    )
    return Finding.of(float(score) != 1.0, f"two right answers with white space round them average {float(score)}")


def _probe_majority() -> Finding:
    module = _metrics()
    metric, size = (module.MajAtN, "n") if hasattr(module, "MajAtN") else (module.MajAtK, "k")
    doc, said = samples.document("no", "yes", gold=1), samples.response("yes")
    try:
        score = metric(**{size: 1}).compute(doc=doc, model_response=said)
    except (IndexError, AttributeError) as error:
        return Finding(Seen.FAULT, f"a gold at index 1 raises {type(error).__name__}: {error}")
    # 0.11 finds the gold, and not the scorer of a metric that was given one.
    scorer: Any = type("Scorer", (module.SampleLevelComputation,), {"compute": lambda self, doc, model_response: 1})
    try:
        score = min(score, metric(**{size: 1}, sample_scoring_function=scorer()).compute(doc=doc, model_response=said))
    except AttributeError as error:
        return Finding(Seen.FAULT, f"with a scorer of its own (as for maths) it raises AttributeError: {error}")
    return Finding.of(score != 1, f"a right answer scores {score}")


def _probe_normalize() -> Finding:
    try:
        _metrics().SamplingMetric(normalize="remove_braces")
    except ValueError as error:
        return Finding(Seen.FAULT, f'SamplingMetric(normalize="remove_braces"): {error}')
    return Finding(Seen.CLEAN, "a normalization is found by its name")


def _probe_count() -> Finding:
    metric = _metrics().PassAtK(k=1)
    if samples.before_011():
        # There, a metric's own comparison takes one argument fewer than it is given.
        metric.score_sample = lambda pred, gold, _: int(pred == gold)
    samples.score(metric, samples.document("2"), "2")
    score = samples.score(metric, samples.document("2"), "1", "2")
    return Finding.of(float(score) != 0.5, f"one right answer of two scores {float(score)} after an item with one")


SLICE = Fix(
    name="response-slice",
    number="0015",
    group=Group.SAMPLING,
    body=Transplant(
        (
            Replace(
                modules=_OUTPUT,
                qualname="ModelResponse.__getitem__",
                shapes=("e74f933da245",),
                function=__getitem__,
            ),
        )
    ),
    probe=_probe_slice,
    seen_in=_SINCE_011,
    title="one sample of a response has lost its post-processed text",
    why=(
        "`ModelResponse.__getitem__` builds a new response without `text_post_processed` and `reasonings`, so whoever "
        "scores sample by sample scores the raw text, reasoning included. Everything kept for each sample is sliced."
    ),
)
AVERAGE = Fix(
    name="avg-at-n",
    number="0016",
    group=Group.SAMPLING,
    body=Transplant(
        (
            Replace(modules=_SAMPLE, qualname="AvgAtN.compute", shapes=("cfd174d13094",), function=average),
            Replace(
                modules=_SAMPLE,
                qualname="AvgAtK.compute",
                shapes=("d593677d6cd3",),
                function=average,
                renamed=_NAMES_011,
            ),
        )
    ),
    probe=_probe_average,
    seen_in=_SINCE_011,
    title="avg@n scores the raw text: 0.0 where maj@n and pass@1 on the same generations are 1",
    why=(
        "avg@n took single samples of the response, which had lost their post-processed text, and never prepared gold "
        "and prediction as its `strip_strings` and `normalize` say. With reasoning tags removed, or white space round "
        "an answer, right answers count as wrong. Gold and final text are prepared as in maj@n and pass@k. An unset "
        "`n` raises, as it does there."
    ),
    depends=("response-slice",),
)
MAJORITY = Fix(
    name="maj-at-n",
    number="0017",
    group=Group.SAMPLING,
    body=Transplant(
        (
            Replace(
                modules=_SAMPLE,
                qualname="MajAtN.compute",
                shapes=("325362b1e4ab", "042b06f5d4d6"),
                function=majority,
            ),
            Replace(
                modules=_SAMPLE,
                qualname="MajAtK.compute",
                shapes=("23b6d090042d",),
                sound=("16407e6d6bd3",),
                function=majority,
                renamed=_NAMES_011,
            ),
        )
    ),
    probe=_probe_majority,
    seen_in=_SINCE_011,
    title="maj@n raises an error where the gold is not the first choice, or the scorer is one of its own",
    why=(
        "The gold is put into a document whose only choice it is, under its old index. All choices are prepared and "
        "kept, so the index holds. (0.12 hands the scorer its two arguments the wrong way round, and 0.11 looks for it "
        "under a name that a metric with a scorer of its own does not have: AttributeError in both.)"
    ),
)
NORMALIZE = Fix(
    name="normalize-by-name",
    number="0018",
    group=Group.SAMPLING,
    body=Transplant(
        (
            Call(
                modules=_SAMPLE,
                qualname="SamplingMetric.__init__",
                shapes=("6fc066a6df8b", "a652d2c9a265"),
                callee="inspect.getmembers",
                template="dict({})",
            ),
        )
    ),
    probe=_probe_normalize,
    seen_in=_SINCE_011,
    title="a sampling metric never finds the normalization that it is told by name",
    why=(
        "`inspect.getmembers` returns a list of pairs, and the name is looked up in it, so every name is an unknown "
        "one and raises ValueError. The pairs are made a dict."
    ),
)
COUNT = Fix(
    name="own-sample-count",
    number="0019",
    group=Group.SAMPLING,
    body=Transplant(
        (
            Prepend(
                modules=_SAMPLE,
                qualname="PassAtK.compute",
                shapes=("5706af330801", "da26ae5138a1"),
                function=_own_count,
            ),
            Prepend(
                modules=_SAMPLE,
                qualname="GPassAtK.compute",
                shapes=("292049a7baf0", "d1404ee34c4e"),
                function=_own_count,
            ),
            Prepend(modules=_SAMPLE, qualname="PassAtK.compute", shapes=("25264b46a299",), function=_own_count_010),
            Prepend(modules=_SAMPLE, qualname="GPassAtK.compute", shapes=("c8346c2b6ad6",), function=_own_count_010),
        )
    ),
    probe=_probe_count,
    seen_in=("0.10.0", *_SINCE_011),
    title="pass@k and g-pass@k keep the first item's sample count for all later ones",
    why=(
        "Where `n` is not given, it is set on the metric itself by the first item, so later items are cut to that "
        "many samples, or judged as if they had that many. The count is made for each item."
    ),
)
FIXES = (SLICE, AVERAGE, MAJORITY, NORMALIZE, COUNT)
