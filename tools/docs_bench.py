"""The benchmark page's tables, from the results of `python -m bench --json bench/results.json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bench.table import markdown

RESULTS = Path(__file__).resolve().parent.parent / "bench" / "results.json"


def bench_tables() -> str:
    """All tables."""
    return markdown(json.loads(RESULTS.read_text(encoding="utf-8")))


GENERATORS: dict[str, Callable[..., str]] = {"bench": bench_tables}
