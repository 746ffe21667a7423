"""The pages of the fixes, from the fixes themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
        *_case(fix),
        "| | |\n|---|---|",
        f"| harness | {fix.harness} |",
        f"| seen in | {', '.join(fix.seen_in)} |",
        f"| group | `{fix.group}`, {default} |",
        f"| ships as | {ships} |",
    ]
    if fix.depends:
        lines.append(f"| comes with | {', '.join(f'`{name}`' for name in fix.depends)} |")
    named = f" --harness {fix.harness}" if fix.harness != "lighteval" else ""
    chosen = "default" if fix.group in DEFAULT_GROUPS else f"default,{fix.name}"
    use = ["lighteval-fix doctor # does your harness have it?"]
    if not named:
        use.append(f"lighteval-fix run --fixes {chosen} -- … # run with it")
    if fix.exportable:
        export = f"lighteval-fix patch export{named} --fixes {fix.name} --source CHECKOUT"
        use.append(f"{export} # patches/{fix.number}-{fix.name}.patch, against that checkout")
    lines.append("\n".join(["\n```sh", *_aligned(use), "```"]))
    return "\n".join(lines) + "\n"


def _aligned(lines: list[str]) -> list[str]:
    """Shell lines with their remarks under one another."""
    parts = [[part.strip() for part in line.split("#", 1)] for line in lines]
    width = max(len(command) for command, _ in parts)
    return [f"{command:{width}}  # {remark}" for command, remark in parts]


def _case(fix: Fix) -> list[str]:
    """What its probe finds on the newest version that was asked, before and after."""
    found = next(
        (entry for entry in reversed(_asked()) if "finds" in entry["fixes"].get(fix.name, {}).get("before_import", {})),
        None,
    )
    if found is None:
        return []
    each = found["fixes"][fix.name]
    return [
        f"Its smallest case, by its probe on {fix.harness} {found['version']}:\n",
        "```text",
        f"as it is      {each['fault']['detail']}",
        f"with the fix  {each['before_import']['finds']}",
        "```\n",
    ]


def _asked() -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(versions.DATA.read_text(encoding="utf-8"))
    return loaded


def table() -> str:
    """All fixes in one table."""
    rows = ["| fix | group | the fault | confidence | ships as |", "|---|---|---|---|---|"]
    for fix in sorted(all_fixes(), key=lambda fix: fix.number):
        ships = "diff and import time" if fix.exportable else "import time"
        title = fix.title.replace("|", "\\|")
        link = f"[{fix.number} {fix.name}](fixes/{_page(fix)})"
        rows.append(f"| {link} | {fix.group} | {title} | {_confidence(fix)} | {ships} |")
    return "\n".join(rows) + "\n"


def _confidence(fix: Fix) -> str:
    """How the fault is known: from where its probe showed it."""
    if fix.harness != "lighteval":
        return f"read in its source ({', '.join(fix.seen_in)}), shown on a stand-in"
    shown = [e["version"] for e in _asked() if e["fixes"].get(fix.name, {}).get("fault", {}).get("state") == "present"]
    where = " to ".join(dict.fromkeys((shown[0], shown[-1]))) if shown else "none"
    return f"shown on {where}" + (f", {_STAND_INS[fix.name]} a stand-in" if fix.name in _STAND_INS else ", live")


_STAND_INS = {"sglang-import": "SGLang"}
"""Parts that the tests do not have: those of a GPU machine."""


def table_here() -> str:
    """The same table for the page that lies among the fixes' pages."""
    return table().replace("](fixes/", "](")


def table_readme() -> str:
    """The same table for the README."""
    return table().replace("](fixes/", "](docs/fixes/")


def versions_table() -> str:
    """What came of every fix in every version that was asked, from the data file."""
    asked = _asked()
    heads = [entry["version"] for entry in asked]
    rows = [f"| | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    for fix in sorted(all_fixes(), key=lambda fix: fix.number):
        if fix.harness == "lighteval":
            found = [entry["fixes"].get(fix.name) for entry in asked]
            cells = ["not asked" if each is None else versions.outcome(each) for each in found]
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
