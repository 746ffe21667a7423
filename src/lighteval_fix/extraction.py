"""Door kept for a documented module path: older signatures, translated into calls of `reading` and `deciding`."""

from __future__ import annotations

from typing import Literal

from .model import Reading, Unfinished

Prefer = Literal["requested", "boxed"]


def answers_equivalent(gold: str, pred: str, precision: int = 6, timeout_seconds: float = 5) -> bool:
    """Whether `gold` and `pred` are proved to be the same value (without the question)."""
    from . import deciding

    return deciding.answers_equivalent(gold, pred, precision, timeout_seconds)


def extract_final_answer(text: str, prefer: Prefer = "requested") -> str | None:
    """The answer in `text` (behind its reasoning, where that is closed, else in all of it), or None.

    Args:
        text: the generation.
        prefer: what wins where both stand there: the requested line, or the last box.

    Raises:
        ValueError: `prefer` is neither "requested" nor "boxed".
    """
    from .reading import read_answer

    reading = read_answer(text, unfinished=Unfinished.READ, prefer=prefer)
    return reading.text if isinstance(reading, Reading) else None


def extract_all_candidates(text: str, prefer: Prefer = "requested") -> list[str]:
    """Every answer that was seen in `text`, the best one first; arguments and errors as above."""
    from .reading import read_answer

    reading = read_answer(text, unfinished=Unfinished.READ, prefer=prefer)
    found = [reading.text] if isinstance(reading, Reading) else []
    found += [text[start:stop].strip() for (start, stop), _ in reading.passed_over]
    return [candidate for candidate in dict.fromkeys(found) if candidate]
