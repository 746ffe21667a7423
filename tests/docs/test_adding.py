"""The page on adding things, followed to the letter in a copy of the repository."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n(]+?)(?: \([^\n]*)?\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(section: str) -> list[tuple[str, str]]:
    return [(match[2], textwrap.dedent(match[3])) for match in BLOCK.finditer(SECTIONS[section])]


def follow(section: str, copy: Path) -> list[str]:
    """Do what the blocks say; returns what its commands printed."""
    said = []
    for language, text in blocks(section):
        if language == "diff":
            for name, hunk in re.findall(r"--- (\S+)\n((?:[ +].*\n)+)", text):
                edit(copy / name, hunk)
        elif language == "console":
            for command, wanted in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n?)*)", text, re.MULTILINE):
                printed = execute(command, copy)
                for line in wanted.splitlines():
                    assert line in printed, printed
                said.append(printed)
        else:
            first, _, rest = text.partition("\n")
            path = copy / first.split()[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(("\n" if file.tell() else "") + rest)
    return said


def edit(path: Path, hunk: str) -> None:
    lines = hunk.splitlines()
    before = "".join(f"{line[1:]}\n" for line in lines if line[0] == " ")
    after = "".join(f"{line[1:]}\n" for line in lines)
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path.name} has changed: {before!r}"
    path.write_text(text.replace(before, after), encoding="utf-8")


def execute(command: str, copy: Path) -> str:
    words = shlex.split(command)
    words = [sys.executable, "-m", "lighteval_fix", *words[1:]] if words[0] == "lighteval-fix" else words
    words = [sys.executable, *words[1:]] if words[0] == "python" else words
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "NO_COLOR": "1"}
    done = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("src", "tests", "tools", "bench"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize("section", SECTIONS)
def test_under_ten_steps(section: str) -> None:
    assert 0 < len(re.findall(r"^\d+\. ", SECTIONS[section], re.MULTILINE)) < 10


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS)
def test_every_step_works(section: str, copy: Path) -> None:
    said = follow(section, copy)
    assert said, "nothing was tried"
    assert not any(re.search(r"\d (failed|error)", printed) for printed in said)
    if any(language == "python" for language, _ in blocks(section)):
        checked = execute("python -m mypy", copy)
        assert "Success" in checked, checked


@pytest.mark.slow
def test_the_cases_fail_before(copy: Path) -> None:
    """A case that passes without its rule shows nothing."""
    cases = {"A cue": "tests/reading -k corpus", "An equivalence": "tests/deciding/test_corpus.py -k units"}
    for section, tests in cases.items():
        text = next(text for language, text in blocks(section) if language == "toml")
        path = copy / text.partition("\n")[0].split()[1]
        path.write_text(path.read_text(encoding="utf-8") + text.partition("\n")[2], encoding="utf-8")
        assert " failed" in execute(f"python -m pytest {tests}", copy), section
