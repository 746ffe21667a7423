"""What the documentation shows is what the code does today; every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import docs, docs_fixes

ROOT = Path(__file__).parents[2]
PAGES = docs.pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_generated_parts_are_current(page: Path) -> None:
    assert docs.render(page) == page.read_text(encoding="utf-8"), "stale: run `make docs`"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not re.match(r"https?:", target):
            assert (page.parent / target).exists(), target


def test_every_command_is_documented() -> None:
    from lighteval_fix.cli.app import COMMANDS

    shown = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"<!-- generated: help {command} -->" in shown, command


def test_every_fix_has_its_page() -> None:
    pages = {path.name for path in (ROOT / "docs" / "fixes").glob("[0-9]*.md")}
    assert pages == {f"{fix.number}-{fix.name}.md" for fix in docs_fixes.all_fixes()}


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        if page.name != "README.md":
            assert f"({page.name})" in contents, page.name


def test_the_places_where_changes_belong_are_there() -> None:
    page = (ROOT / "docs" / "where-changes-belong.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w*./-]+/[\w*./-]*)`", page)
    assert len(named) > 20
    for place in named:
        assert [*ROOT.glob(place), *(ROOT / "src" / "lighteval_fix").glob(place)], place


def test_every_code_says_what_it_means() -> None:
    empty = [line for line in docs.codes().split("\n") if re.fullmatch(r"\| `[^`]+` \|\s*\|", line)]
    assert empty == []
