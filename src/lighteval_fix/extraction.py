"""Door kept for a documented module path: older signatures, translated into calls of `reading` and `deciding`."""

from __future__ import annotations

from typing import Literal

from .model import Reading, Rule, Unfinished
from .text.reasoning import split_reasoning

Prefer = Literal["requested", "boxed"]


def answers_equivalent(gold: str, pred: str, precision: int = 6, timeout_seconds: float = 5) -> bool:
    """Whether `gold` and `pred` are proved to be the same value (without the question)."""
    from .deciding import decide

    return decide(gold, pred, precision=precision, timeout=float(timeout_seconds)).kind == "equal"


def extract_final_answer(text: str, prefer: Prefer = "requested") -> str | None:
    """The answer in `text` (behind its reasoning, where that is closed), or None.

    Args:
        text: the generation.
        prefer: what wins where both stand there: the requested line, or the last box.
    """
    candidates = extract_all_candidates(text, prefer)
    return candidates[0] if candidates else None


def extract_all_candidates(text: str, prefer: Prefer = "requested") -> list[str]:
    """Every answer that was seen in `text`, the best one first.

    Raises:
        ValueError: `prefer` is neither "requested" nor "boxed".
    """
    if prefer not in ("requested", "boxed"):
        raise ValueError(f"prefer must be 'requested' or 'boxed', not {prefer!r}")
    from .reading import read_answer

    reading = read_answer(text, unfinished=Unfinished.READ)
    found: list[tuple[str, Rule]] = []
    if isinstance(reading, Reading):
        found.append((reading.text, reading.rule))
    start = split_reasoning(text).answer_start
    passed = [(text[a:b].strip(), rule) for (a, b), rule in reading.passed_over if a >= start or reading_all(text)]
    found += passed
    if prefer == "boxed":
        found.sort(key=lambda candidate: candidate[1] not in (Rule.BOX, Rule.BOX_LIST))
    return list(dict.fromkeys(text for text, _ in found if text))


def reading_all(text: str) -> bool:
    """Whether nothing in `text` closes a reasoning trace, so that the whole text is read."""
    return split_reasoning(text).state in ("none", "unfinished")
