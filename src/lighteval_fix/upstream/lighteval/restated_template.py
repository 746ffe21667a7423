"""0002: the prompt's own template, restated while thinking, is read as an answer."""

from __future__ import annotations

from typing import Any

from ..edits import Assigned, Insert, Prepend
from ..fix import Finding, Fix, Group, Transplant
from . import samples

_DYNAMIC = ("lighteval.metrics.dynamic_metrics",)
_METRIC = "MultilingualExtractiveMatchMetric.compute"
_SHAPES = ("f506a598f936",)
_METRIC_010 = "multilingual_extractive_match_metric.<locals>.sample_level_fn"
_SHAPES_010 = ("cbaf39ccfdc3",)


def _without_template(text: str, query: str) -> str:
    """The text without restatements of the answer format that the query asks for; all else stays as it is."""
    import re

    # The slot words that are in use, and those that this query explains ("… $RESULT, where RESULT is …").
    slots = {"ANSWER", "LETTER"}
    slots.update(
        word
        for word in re.findall(r":\s*(?:\$?\\boxed\{|[$<\[{])([A-Z][A-Z_]{2,})\b", query)
        if re.search(rf"\bwhere\b.{{0,20}}\b{word}\b", query)
    )
    slot = "|".join(sorted(slots))
    placed = rf"\$?\\boxed\{{\s*(?:\\text\{{)?(?:{slot})\}}?\s*\}}\$?|[$<\[{{](?:{slot})\b[$>\]}}]?"
    cue = r"(?i:(?:therefore,?\s+)?(?:the\s+)?(?:final\s+)?answer(?:\s+is)?)\s*:\s*"
    restated = re.compile(rf"(?:{cue})?(?:{placed})(?:\.?\s*(?i:I hope it is correct))?")
    return restated.sub(" ", text)


def _before(predictions: Any, formatted_doc: Any) -> None:
    predictions = [_without_template(text, formatted_doc.query) for text in predictions]


def _probe() -> Finding:
    from importlib import import_module

    module: Any = import_module(_DYNAMIC[0])
    latex = module.LatexExtractionConfig()
    targets = [module.ExprExtractionConfig(), latex]
    if samples.before_011():
        metric = module.multilingual_extractive_match_metric(
            gold_extraction_target=targets, pred_extraction_target=targets
        ).sample_level_fn
    else:
        metric = module.MultilingualExtractiveMatchMetric(
            gold_extraction_target=targets, pred_extraction_target=targets
        )
    doc = samples.document("321", query="End with 'the final answer is: $\\boxed{ANSWER}$. I hope it is correct'.")
    text = (
        "I have to end with: the final answer is: $\\boxed{ANSWER}$. I hope it is correct. "
        "The sum comes to $\\boxed{321}$."
    )
    score = samples.score(metric, doc, text)
    return Finding.of(score != 1, f"\\boxed{{321}} after a restated template scores {score}")


FIX = Fix(
    name="restated-template",
    number="0002",
    group=Group.READING,
    body=Transplant(
        (
            Insert(modules=_DYNAMIC, qualname=_METRIC, shapes=_SHAPES, function=_without_template),
            Assigned(
                modules=_DYNAMIC,
                qualname=_METRIC,
                shapes=_SHAPES,
                name="predictions",
                template="[_without_template(text, doc.query) for text in {}]",
            ),
            Insert(modules=_DYNAMIC, qualname=_METRIC_010, shapes=_SHAPES_010, function=_without_template),
            Prepend(modules=_DYNAMIC, qualname=_METRIC_010, shapes=_SHAPES_010, function=_before),
        )
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="a template of the prompt, restated while thinking, outranks the answer",
    why=(
        "Models restate the format that they were asked for. `the final answer is: $\\boxed{ANSWER}$. I hope it is "
        "correct` has the highest priority of all patterns, so the word ANSWER is compared with the gold, and an "
        "answer given in a box of its own counts for nothing. Restatements are taken out before anything is read: "
        "the slots ANSWER and LETTER, and slots that the query itself explains."
    ),
)
