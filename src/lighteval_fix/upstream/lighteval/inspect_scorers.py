"""0022, 0023: the scorers of `lighteval eval` compare lists of extractions instead of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..edits import Replace
from ..fix import Finding, Fix, Group, Seen, Transplant

if TYPE_CHECKING:
    # What the target modules' own namespaces hold, and the functions round the ones that are replaced.
    from lighteval.metrics.metrics import (
        Language,
        Score,
        extract_target_from_pred,
        extraction_mode,
        fallback_mode,
        get_extraction_regexes_inspect,
        gold_extraction_regexes,
        pred_extraction_regexes,
        timeout_seconds,
    )

_METRICS = ("lighteval.metrics.metrics",)
_OLYMPIAD = ("lighteval.tasks.tasks.olympiade_bench",)
_SHAPES = ("8d3217e9ae0a",)


async def by_value(state: Any, target: Any) -> Any:
    from lighteval.metrics.utils.math_comparison import compare_gold_target

    options = (fallback_mode, extraction_mode, timeout_seconds)
    predicted = extract_target_from_pred(state.output.completion, pred_extraction_regexes, *options)
    text = target.text.strip()
    gold = extract_target_from_pred(text, gold_extraction_regexes, *options)
    marks = str.maketrans("", "", ", $")
    if not any(isinstance(part, str) and part.translate(marks) == text.translate(marks) for part in gold):
        # Not read, or read in part: it is LaTeX without delimiters, or has its own.
        whole = text if "$" in text or "\\boxed" in text else f"${text}$"
        gold = extract_target_from_pred(whole, pred_extraction_regexes, *options)
    # No pair, no credit: nothing read equals nothing.
    right = compare_gold_target(gold, predicted, timeout_seconds=timeout_seconds)
    return Score(value="C" if right else "I", explanation=state.output.completion, answer=str(predicted))


async def by_label(state: Any, target: Any) -> Any:
    options = (fallback_mode, extraction_mode, timeout_seconds)
    # As many labels as the question has options; all of them where it does not say.
    count = len(state.choices) or 26

    def read(text: object, regexes: object) -> object:
        configs = [config for _, config in regexes]  # type: ignore[attr-defined]
        found = extract_target_from_pred(
            text, get_extraction_regexes_inspect(configs, Language.ENGLISH, len_choices=count), *options
        )
        return found[0] if found else None

    predicted = read(state.output.completion, pred_extraction_regexes)
    gold = read(target.text, gold_extraction_regexes)
    right = predicted is not None and predicted == gold
    return Score(value="C" if right else "I", explanation=state.output.completion, answer=str(predicted))


def _score(scorer: Any, completion: str, gold: str, choices: tuple[str, ...] = ()) -> str:
    """What a scorer says, without an evaluation round it."""
    from importlib import import_module
    from types import SimpleNamespace

    state = SimpleNamespace(output=SimpleNamespace(completion=completion), choices=choices)
    waiting = scorer(state, import_module("inspect_ai.scorer").Target(gold))
    try:
        waiting.send(None)
    except StopIteration as end:
        return str(end.value.value)
    raise RuntimeError("the scorer waits for something")


def _module(name: str) -> Any:
    from importlib import import_module

    return import_module(name)


def _probe_value() -> Finding:
    scorer = _module(_METRICS[0]).math_scorer()
    if _score(scorer, "So it is $\\boxed{70.0}$.", "70") != "C":
        return Finding(Seen.FAULT, "gold 70 against \\boxed{70.0} is incorrect")
    if _score(scorer, "I have no idea.", "\\sqrt{2}") != "I":
        return Finding(Seen.FAULT, "gold \\sqrt{2} against 'I have no idea.' is correct")
    return Finding(Seen.CLEAN, "70 equals 70.0, and nothing read is incorrect")


def _probe_label() -> Finding:
    scorer = _module(_METRICS[0]).multichoice_scorer()
    if _score(scorer, "Answer: A", "C", ("one", "two", "three")) != "I":
        return Finding(Seen.FAULT, "gold C against 'Answer: A' is correct")
    if _score(scorer, "Answer: C", "C", ("one", "two", "three")) != "C" or (
        _score(scorer, "No idea.", "B", ("one", "two", "three")) != "I"
    ):
        return Finding(Seen.FAULT, "only the label A is known; gold B against 'No idea.' is correct")
    return Finding(Seen.CLEAN, "every label is known, and nothing read is incorrect")


VALUE = Fix(
    name="scorer-values",
    number="0022",
    group=Group.SCORING,
    body=Transplant(
        (
            Replace(modules=_METRICS, qualname="math_scorer.<locals>.score", shapes=_SHAPES, function=by_value),
            Replace(
                modules=_OLYMPIAD,
                qualname="olympiad_bench_scorer.<locals>.score",
                shapes=_SHAPES,
                function=by_value,
            ),
        )
    ),
    probe=_probe_value,
    seen_in=("0.12.2", "0.13.0"),
    title="`math_scorer` calls 70 and 70.0 different, and an answer that it cannot read right",
    why=(
        "The scorer compares the lists that extraction returns, a value and its text, so `70` against `\\boxed{70.0}` "
        "and `0.5` against `\\boxed{\\frac12}` are incorrect; and where neither side yields anything the two empty "
        'lists are equal: gold `\\sqrt{2}` against "I have no idea" is correct. `olympiad_bench_scorer` is the same '
        "code. The values are compared by the comparison that the other backends use, a gold without delimiters is "
        "read as the LaTeX that it is, and what was not read is never right."
    ),
)
LABEL = Fix(
    name="scorer-labels",
    number="0023",
    group=Group.SCORING,
    body=Transplant(
        (Replace(modules=_METRICS, qualname="multichoice_scorer.<locals>.score", shapes=_SHAPES, function=by_label),)
    ),
    probe=_probe_label,
    seen_in=("0.12.2", "0.13.0"),
    title="`multichoice_scorer` knows the label A alone",
    why=(
        "Its patterns are built for one choice, so only A is ever read, and any answer equals a gold of B to J since "
        "both sides yield nothing. Labels are offered for every option, and what was not read is never right."
    ),
)
FIXES = (VALUE, LABEL)
