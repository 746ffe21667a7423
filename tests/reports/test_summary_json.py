from __future__ import annotations

import io
import json
from pathlib import Path

import jsonschema
import pytest

from lighteval_fix.audit.regrade import regrade
from lighteval_fix.model import RowError
from lighteval_fix.reports.summary_json import schema, write_json
from tests.audit.handmade import item, run_of, scored
from tools.schema import PATH, text


def made() -> dict[str, object]:
    rows = (
        item(0, "7", "ANSWER: 7", recorded=scored("acc", 0.0)),
        item(1, "7", "nothing \ud800 said", recorded=scored("acc", 1.0)),
        RowError(2, "null_gold"),
    )
    return dict(regrade(run_of(*rows)).to_dict())


def test_the_documented_schema_is_that_of_the_types() -> None:
    assert PATH.read_text(encoding="utf-8") == text(), "run `python -m tools.schema`"


def test_the_schema_is_one_and_the_document_keeps_it() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(made(), schema())


def test_the_schema_can_fail() -> None:
    document = made()
    document["schema_version"] = 2
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema())
    document = made()
    del document["runs"][0]["flips"][0]["cause"]  # type: ignore[index]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema())


def test_lone_surrogates_survive(tmp_path: Path) -> None:
    document = made()
    document["runs"][0]["task"] = "odd \ud83d"  # type: ignore[index]
    write_json(document, tmp_path / "out.json")  # type: ignore[arg-type]
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == document
    held = io.StringIO()
    write_json(document, held)  # type: ignore[arg-type]
    assert json.loads(held.getvalue()) == document


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    write_json(made(), tmp_path / "out.json")  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
