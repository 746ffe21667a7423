"""The pages of the fixes, from the fixes themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from lighteval_fix.upstream.catalog import all_fixes
from lighteval_fix.upstream.fix import DEFAULT_GROUPS, Fix

from . import versions

PAGES = Path(__file__).resolve().parent.parent / "docs" / "fixes"


def _page(fix: Fix) -> str:
    return f"{fix.number}-{fix.name}.md"


def one(number: str) -> str:
    """A fix: the fault, its smallest case, who has it, what ships."""
    fix = next(fix for fix in all_fixes() if fix.number == number)
    ships = (
        f"a diff (`lighteval-fix patch export` writes `{fix.number}-{fix.name}.patch` against the installed source) "
        "and a change at import time"
        if fix.exportable
        else "a change at import time only: it calls this package, so it cannot be a diff"
    )
    default = "on by default" if fix.group in DEFAULT_GROUPS else "on request, since it can change what a score means"
    lines = [
        f"# {fix.number} {fix.name}\n",
        f"**{fix.title}**\n",
        f"{fix.why}\n",
        "| | |\n|---|---|",
        f"| harness | {fix.harness} |",
        f"| seen in | {', '.join(fix.seen_in)} |",
        f"| group | `{fix.group}`, {default} |",
        f"| ships as | {ships} |",
    ]
    if fix.depends:
        lines.append(f"| comes with | {', '.join(f'`{name}`' for name in fix.depends)} |")
    if fix.harness == "lighteval":
        lines.append(
            f"\nSee whether your harness has it: `lighteval-fix doctor`. "
            f"Run with it: `lighteval-fix run --fixes default,{fix.name} -- …`."
        )
    return "\n".join(lines) + "\n"


def table() -> str:
    """All fixes in one table."""
    rows = ["| fix | group | the fault | ships as |", "|---|---|---|---|"]
    for fix in sorted(all_fixes(), key=lambda fix: fix.number):
        ships = "diff and import time" if fix.exportable else "import time"
        title = fix.title.replace("|", "\\|")
        rows.append(f"| [{fix.number} {fix.name}](fixes/{_page(fix)}) | {fix.group} | {title} | {ships} |")
    return "\n".join(rows) + "\n"


def table_here() -> str:
    """The same table for the page that lies among the fixes' pages."""
    return table().replace("](fixes/", "](")


def table_readme() -> str:
    """The same table for the README."""
    return table().replace("](fixes/", "](docs/fixes/")


def versions_table() -> str:
    """What came of every fix in every version that was asked, from the data file."""
    asked = json.loads(versions.DATA.read_text(encoding="utf-8"))
    heads = [entry["version"] for entry in asked]
    rows = [f"| | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    for fix in sorted(all_fixes(), key=lambda fix: fix.number):
        if fix.harness == "lighteval":
            cells = [versions.outcome(entry["fixes"][fix.name]) for entry in asked]
            rows.append(f"| [{fix.number} {fix.name}]({_page(fix)}) | {' | '.join(cells)} |")
    for fixes, name in zip(versions.RUNS, ("a run without fixes", "a run with the default ones"), strict=True):
        rows.append(f"| {name} | {' | '.join(entry['runs'][fixes].replace('|', ' ') for entry in asked)} |")
    with_them = [
        f"{entry['version']} with {', '.join(f'{name} {number}' for name, number in entry['with'].items())}"
        for entry in asked
    ]
    return "\n".join(rows) + f"\n\nAsked were LightEval {'; '.join(with_them)}.\n"


def ensure_pages() -> None:
    """A page for every fix, none for one that is gone."""
    wanted = {_page(fix): fix for fix in all_fixes()}
    for name, fix in wanted.items():
        path = PAGES / name
        if not path.exists():
            path.write_text(f"<!-- generated: fix {fix.number} -->\n<!-- end -->\n", encoding="utf-8")
    for path in PAGES.glob("[0-9]*.md"):
        if path.name not in wanted:
            path.unlink()


GENERATORS: dict[str, Callable[..., str]] = {
    "fix": one,
    "fixes": table_here,
    "fixes-readme": table_readme,
    "versions": versions_table,
}
