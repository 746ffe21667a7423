"""oMLX is not on PyPI: a stand-in package with the same signatures and the same faults, before and after."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.harness import applied
from lighteval_fix.upstream import catalog, export
from lighteval_fix.upstream.fix import State
from lighteval_fix.upstream.install import Installer

pytestmark = pytest.mark.slow  # each imports a stand-in in a process of its own

BASE = '''
"""A stand-in, written for this test."""
import re
from abc import ABC


class BaseBenchmark(ABC):
    @staticmethod
    def _extract_mc_answer(response: str, valid_letters: list[str]) -> str:
        """The chosen letter."""
        shouted = response.strip().upper()
        group = "".join(valid_letters)
        cued = re.findall("answer\\\\s*(?:is|:)\\\\s*([" + group + "])\\\\b", shouted)
        if cued:
            return cued[-1]
        alone = re.findall("\\\\b([" + group + "])\\\\b", shouted)
        if alone:
            return alone[-1]
        if shouted and shouted[0] in valid_letters:
            return shouted[0]
        return ""

    @staticmethod
    def _strip_think_tags(text: str) -> str:
        """Without reasoning."""
        if "<think>" not in text:
            return text
        return re.sub("<think>.*?</think>", "", text, flags=re.DOTALL).strip()


class Quiz(BaseBenchmark):
    def read(self, text):
        return self._extract_mc_answer(self._strip_think_tags(text), list("ABCD"))
'''

SAME = [
    ("", "ABCD", ""),
    ("I don't know", "ABCD", ""),
    ("B", "ABCD", "B"),
    ("A. Abstract algebra", "ABCD", "A"),
    ("Looking at A and B, B is correct", "ABCD", "B"),
    ("The answer is not A, it is B", "ABCD", "B"),
    ("B is wrong because... The answer is A", "ABCD", "A"),
    ("I initially thought C but answer is D", "ABCD", "D"),
    ("answer: 1", "12", "1"),
    ("the answer is a matter of taste; C", "ABCD", "C"),
]
CHANGED = [
    ("The answer is B. Note that A is a distractor.", "ABCD", "A", "B"),
    ("Answer: C. Option D is close to it.", "ABCD", "D", "C"),
    ("ANSWER IS D. A is incorrect.", "ABCD", "A", "D"),
    ("the answer is a, not b", "ABCD", "B", "A"),
    ("The answer is C because I did the sum twice.", "ABCDEFGHIJ", "I", "C"),
    ("The answer is F. I considered E as well.", "ABCDEFGHIJ", "E", "F"),
    ("The answer is 2. 1 is wrong.", "12", "1", "2"),
    ("The answer is A. Actually, I'll go with B.", "ABCD", "B", "A"),
    ("The answer is (C). D is close.", "ABCD", "D", "C"),
    ("Answer: **C**, since D is too large", "ABCD", "D", "C"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    package = tmp_path / "omlx" / "eval"
    package.mkdir(parents=True)
    (tmp_path / "omlx" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "base.py").write_text(BASE)
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    sys.path.remove(str(tmp_path))
    for name in [name for name in sys.modules if name.split(".")[0] == "omlx"]:
        del sys.modules[name]


def base() -> Any:
    return importlib.import_module("omlx.eval.base")


@pytest.mark.parametrize("loaded", [False, True])
def test_every_shape_before_and_after(folder: Path, loaded: bool) -> None:
    if loaded:
        extract = base().BaseBenchmark._extract_mc_answer
        assert [extract(text, list(labels)) for text, labels, _ in SAME] == [value for _, _, value in SAME]
        assert [extract(text, list(labels)) for text, labels, _, _ in CHANGED] == [old for _, _, old, _ in CHANGED]
    place = Installer()
    try:
        results = place.install(catalog.select(["omlx"]))
        assert [result.state for result in results] == [State.INSTALLED, State.INSTALLED]
        extract = base().BaseBenchmark._extract_mc_answer
        assert [extract(text, list(labels)) for text, labels, _ in SAME] == [value for _, _, value in SAME]
        assert [extract(text, list(labels)) for text, labels, _, _ in CHANGED] == [new for _, _, _, new in CHANGED]
        assert base().Quiz().read("<think>A or B</think>The answer is D, not C") == "D"
    finally:
        place.uninstall()
    assert base().BaseBenchmark._extract_mc_answer(CHANGED[0][0], list("ABCD")) == "A"


@pytest.mark.parametrize(
    "text, left",
    [
        ("maybe A</think>B", "B"),
        ("<think>A</think>B", "B"),
        ("<think>A</think><think>C</think>B", "B"),
        ("x</think>y</think>B", "B"),
        ("no tags at all ", "no tags at all "),
        ("<think>never closed", "<think>never closed"),
        ("B", "B"),
    ],
)
def test_think_tags(folder: Path, text: str, left: str) -> None:
    place = Installer()
    try:
        place.install(catalog.select(["omlx"]))
        assert base().BaseBenchmark._strip_think_tags(text) == left
    finally:
        place.uninstall()


def test_a_thousand_open_tags_cost_no_more_than_their_length(folder: Path) -> None:
    place = Installer()
    try:
        place.install(catalog.select(["omlx"]))
        text = "<think>" * 200_000
        assert base().BaseBenchmark._strip_think_tags(text) == text
    finally:
        place.uninstall()


def test_a_mended_omlx_is_left_alone(folder: Path) -> None:
    place = Installer()
    try:
        place.install(catalog.select(["omlx"]))
        again = Installer().install(catalog.select(["omlx"]))
        assert [result.state for result in again] == [State.FIXED_UPSTREAM, State.FIXED_UPSTREAM]
    finally:
        place.uninstall()


def test_other_arguments_are_refused(folder: Path) -> None:
    from lighteval_fix.model import UpstreamShapeError

    file = folder / "omlx" / "eval" / "base.py"
    file.write_text(BASE.replace("valid_letters: list[str]", "letters").replace("valid_letters", "letters"))
    with pytest.raises(UpstreamShapeError):
        Installer().install(catalog.select(["omlx"]))


def test_the_diff_applies_to_a_checkout(folder: Path, tmp_path: Path) -> None:
    import subprocess

    tree = export.checkout(folder, "omlx")
    written, left_out = export.write(catalog.select(["omlx"]), tree, tmp_path / "out")
    assert len(written) == 2
    assert left_out == []
    for patch in written:
        subprocess.run(["patch", "-p1", "-d", str(folder), "-i", str(patch)], check=True, capture_output=True)
    assert base().BaseBenchmark._extract_mc_answer(CHANGED[0][0], list("ABCD")) == "B"


def test_the_door_mends_omlx_where_it_is_importable(folder: Path) -> None:
    with applied(fixes=("omlx",)):
        assert base().BaseBenchmark._extract_mc_answer(CHANGED[0][0], list("ABCD")) == "B"
    assert base().BaseBenchmark._extract_mc_answer(CHANGED[0][0], list("ABCD")) == "A"
