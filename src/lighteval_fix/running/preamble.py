"""What LightEval 0.13.0 puts before every program: star imports of these modules, then the modules' own names.

With it come a recursion limit and a limit on the digits of an integer of 50,000 each, which the fork server sets.
"""

from __future__ import annotations

_STARRED = (
    *("string", "re", "datetime", "collections", "heapq", "bisect", "copy", "math", "random", "statistics"),
    *("itertools", "functools", "operator", "io", "sys", "json", "builtins", "typing"),
)
_NAMED = tuple(name for name in _STARRED if name not in ("builtins", "typing"))

PREAMBLE = "".join(f"from {name} import *\n" for name in _STARRED) + "".join(f"import {name}\n" for name in _NAMED)
"""Python source, run in the program's namespace before it."""
