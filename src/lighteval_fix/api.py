"""The public functions: rooms composed, no logic. Every name is loaded on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .audit.regrade import iter_grades as iter_grades
    from .audit.regrade import regrade as regrade
    from .audit.summary import RunSummary as RunSummary
    from .audit.summary import Summary as Summary
    from .model import *  # noqa: F403
    from .reading.code import read_code as read_code
    from .running.compare import compare_output as compare_output
    from .sources import open_run as open_run
    from .sources import open_runs as open_runs
    from .text.reasoning import DEFAULT_TAGS as DEFAULT_TAGS
    from .text.reasoning import split_reasoning as split_reasoning

    __version__: str

_ROOMS = {
    "open_run": "sources",
    "open_runs": "sources",
    "iter_grades": "audit.regrade",
    "regrade": "audit.regrade",
    "Summary": "audit.summary",
    "RunSummary": "audit.summary",
    "read_answer": "reading",
    "read_gold": "reading",
    "read_letter": "reading",
    "read_code": "reading.code",
    "split_reasoning": "text.reasoning",
    "DEFAULT_TAGS": "text.reasoning",
    "decide": "deciding",
    "explain": "deciding",
    "answers_equivalent": "deciding",
    "run_program": "running",
    "compare_output": "running.compare",
}
"""Public name -> the room that holds it. The types and codes of `model` are public, too."""


def _all() -> list[str]:
    from . import model

    return [*_ROOMS, *model.__all__]


__all__: list[str] = _all()


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib import metadata

        value: Any = metadata.version("lighteval-fix")
    else:
        room = _ROOMS.get(name, "model" if name in __all__ else None)
        if room is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f".{room}", __package__), name)
    globals()[name] = value
    return value
