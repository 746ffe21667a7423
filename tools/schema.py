"""`python -m tools.schema`: write docs/schema.json, the JSON Schema of `--json`, from the types."""

from __future__ import annotations

import json
from pathlib import Path

from lighteval_fix.reports.summary_json import schema

PATH = Path(__file__).resolve().parent.parent / "docs" / "schema.json"


def text() -> str:
    """The file's content."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
