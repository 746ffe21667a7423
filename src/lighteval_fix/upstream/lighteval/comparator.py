"""LightEval's own comparator, for whoever wants only the reading corrected (`--comparator lighteval`).

Both answers go through LightEval's own extraction and comparison, as its maths metric sends a gold and a prediction
through them. Its answer is a bare yes or no: an answer that it could not parse, that timed out or that is wrong are all
a no. So its no is shown as `different` with the proof `lighteval`, which says who answered and that nothing was proved.
"""

from __future__ import annotations

import logging
import threading
from functools import cache
from typing import Any

from ...model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict

PRECISION = 6
"""Digits after the point: the metric's own default."""


def compare(gold: str, answer: str, seconds: float = 5.0) -> Verdict:
    """What LightEval's comparator says of two answers.

    Args:
        gold, answer: bare answers, as they stand in a box.
        seconds: LightEval's limit for each parse and for the comparison; whole seconds, at least one.

    Raises:
        ImportError: LightEval is not installed.
    """
    if threading.current_thread() is not threading.main_thread():
        return Undecided(
            UndecidedReason.UNSUPPORTED, "LightEval's comparator stops itself by an alarm: main thread only"
        )
    if not gold.strip() or not answer.strip():
        return Undecided(UndecidedReason.EMPTY)
    limit = max(1, round(seconds))
    try:
        golds, answers = _extracted(gold, limit), _extracted(answer, limit)
    except (TimeoutError, RecursionError, MemoryError) as why:
        return Undecided(UndecidedReason.TIMEOUT, f"LightEval's extraction: {type(why).__name__}")
    if not answers:
        return Undecided(UndecidedReason.UNPARSED, "LightEval extracted nothing from the answer")
    from lighteval.metrics.utils.math_comparison import compare_gold_target

    same = bool(compare_gold_target(golds or [gold], answers, PRECISION, timeout_seconds=limit))
    return Equal(Proof.LIGHTEVAL) if same else Different(Proof.LIGHTEVAL)


def _extracted(text: str, seconds: int) -> list[Any]:
    from lighteval.metrics.utils.extractive_match_utils import extract_target_from_pred

    found: list[Any] = extract_target_from_pred(
        f"\\boxed{{{_bare(text)}}}",
        _patterns(),
        fallback_mode="first_match",
        extraction_mode="any_match",
        timeout_seconds=seconds,
    )
    return found


def _bare(text: str) -> str:
    """Without the dollar signs around the whole: LightEval's pattern for a box does not look inside a formula."""
    text = text.strip()
    inner = text[1:-1] if len(text) > 2 and text[0] == text[-1] == "$" else text
    return inner if "$" not in inner else text


@cache
def _patterns() -> list[Any]:
    from lighteval.metrics.utils.extractive_match_utils import (
        ExprExtractionConfig,
        LatexExtractionConfig,
        get_extraction_regexes_inspect,
    )
    from lighteval.utils.language import Language

    logging.getLogger("lighteval").setLevel(logging.ERROR)
    targets = (ExprExtractionConfig(), LatexExtractionConfig(boxed_match_priority=0))
    patterns: list[Any] = get_extraction_regexes_inspect(targets, Language.ENGLISH)
    return patterns
