"""Re-grade finished LLM evaluations: which right answers scored zero, and why.

Public names are loaded on first use, so `import lighteval_fix` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import *  # noqa: F403
    from .api import __version__ as __version__


def __getattr__(name: str) -> Any:
    if name.startswith("_") and name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Not `from . import api`: that asks this very function for `api` first.
    api = importlib.import_module(".api", __name__)
    try:
        value = getattr(api, name)
    except AttributeError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    api = importlib.import_module(".api", __name__)
    return sorted([*globals(), *api.__all__])
