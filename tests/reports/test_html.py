"""The page without a browser: what is embedded, escaped, cut and counted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.audit.document import RunDoc
from lighteval_fix.model import Cause
from lighteval_fix.reports.charts import bars, flow_svg, length_bins
from lighteval_fix.reports.html import _title, embed
from lighteval_fix.reports.meanings import meanings
from lighteval_fix.reports.segments import segments


@given(st.text())
def test_embedded_text_survives_and_closes_no_script(text: str) -> None:
    embedded = embed({"t": text})
    assert "<" not in embedded
    assert ">" not in embedded
    assert json.loads(embedded)["t"] == text.encode("utf-8", "replace").decode()


@given(
    st.text(max_size=60), st.integers(0, 60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4)
)
def test_pieces_put_together_are_the_text(text: str, start: int, spans: list[tuple[int, int]]) -> None:
    read = [(min(s), max(s)) for s in spans]
    assert "".join(t for _, t in segments(text, start, read, read, read[0] if read else None)) == text


def test_long_reasoning_is_cut_and_says_so() -> None:
    pieces = segments("r" * 50_000 + "ANSWER: 7", 50_000, [(50_008, 50_009)], [])
    assert pieces[0][0] == "reasoning"
    assert "42,000 characters left out" in pieces[0][1]
    assert pieces[1:] == [("plain", "ANSWER: "), ("read", "7")]


def test_an_answer_read_inside_the_reasoning_is_not_folded_away() -> None:
    assert [k for k, _ in segments("<think>so 7", 11, [(10, 11)], [])] == ["plain", "read"]


def test_flow_counts_in_words() -> None:
    svg = flow_svg({("wrong", "right"): 3, ("right", "right"): 5, ("right", "no_answer"): 1})
    assert "3 recorded wrong, now right" in svg
    assert "1 recorded right, now no answer" in svg
    assert flow_svg({}) == ""


def test_every_length_falls_into_one_bin() -> None:
    rows = length_bins([(n, n > 1000) for n in (0, 1, 5, 999, 1001, 80_000, 80_000)])
    assert sum(r.count for r in rows) == 7
    assert sum(r.changed for r in rows) == 3


def test_bars_longest_first() -> None:
    assert [(b.label, b.count, b.share) for b in bars({"a": 1, "b": 4, "c": 0})] == [("b", 4, 100.0), ("a", 1, 25.0)]


def test_assets_name_no_other_host() -> None:
    assets = Path(__file__).parents[2] / "src" / "lighteval_fix" / "reports" / "assets"
    for asset in assets.iterdir():
        assert not re.search(r"https?://|//[a-z]+\.|@import|url\(", asset.read_text(encoding="utf-8")), asset.name


def test_what_the_harness_graded_is_marked_apart_or_as_both() -> None:
    text = "first 5, then ANSWER: 7"
    assert [k for k, _ in segments(text, 0, [(22, 23)], [], (6, 7))] == ["plain", "harness", "plain", "read"]
    assert [k for k, _ in segments(text, 0, [(22, 23)], [], (22, 23))] == ["plain", "both"]
    assert segments(text, 0, [(14, 23)], [], (22, 23))[1:] == [("read", "ANSWER: "), ("both", "7")]


def test_every_cause_is_explained() -> None:
    said = meanings("Cause")
    assert list(said) == [str(cause) for cause in Cause]
    assert all(said.values())


def test_a_run_without_a_models_name_has_a_title_without_one() -> None:
    assert _title([cast(RunDoc, {"model": model, "task": "sums"}) for model in ("", "")]) == "Re-grading of sums"
    assert _title([cast(RunDoc, {"model": model, "task": "sums"}) for model in ("a", "b")]).endswith("sums, 2 models")
