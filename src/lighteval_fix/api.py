"""The public functions: rooms composed, no logic."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .sources import open_run as open_run
    from .sources import open_runs as open_runs

_ROOMS = {
    "open_run": "sources",
    "open_runs": "sources",
}
"""Public name -> the room that holds it; loaded on first use."""

__all__: list[str] = [*_ROOMS]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{room}", __package__), name)
    globals()[name] = value
    return value
