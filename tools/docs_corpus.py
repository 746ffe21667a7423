"""Tables of the corpora and of the licences: what the tests hold to is what the pages show."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"
LICENCES = ROOT / "src" / "lighteval_fix" / "deciding" / "context" / "licences.toml"
SHOWN = 4
"""Pairs of a group that a page shows."""


def _rows(path: Path, key: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8")).get(key, [])
    return rows


def code(text: object) -> str:
    """A value as inline code that survives a Markdown table."""
    flat = " ".join(str(text).split())
    flat = flat if len(flat) <= 90 else f"{flat[:87]}…"
    ticks = "``" if "`" in flat else "`"
    return (
        f"{ticks}{' ' if ticks == '``' else ''}{flat.replace('|', chr(92) + '|')}{' ' if ticks == '``' else ''}{ticks}"
    )


def pairs(*files: str) -> str:
    """The groups of pairs of these files: the kind of fault, some of its pairs, and what they come to."""
    out = []
    for file in files:
        groups = _rows(CORPUS / "deciding" / f"{file}.toml", "group")
        asked = any("question" in group for group in groups)
        out.append(f"### {file} ({sum(len(group['pairs']) for group in groups)} pairs)\n")
        out.append("| kind | pairs | come to |" if not asked else "| kind | question | pairs | come to |")
        out.append("|---|---|---|" if not asked else "|---|---|---|---|")
        for group in groups:
            some = "<br>".join(f"{code(gold)} and {code(answer)}" for gold, answer in group["pairs"][:SHOWN])
            more = len(group["pairs"]) - SHOWN
            some += f"<br>and {more} more" if more > 0 else ""
            want = group["want"].replace("_", " ")
            want += " (known to be wrong today)" if "xfail" in group else ""
            question = f"{group.get('question', '')} | " if asked else ""
            out.append(f"| {group['fault']} | {question.replace(chr(10), ' ')}{some} | {want} |")
        out.append("")
    return "\n".join(out) + "\n"


def licences() -> str:
    """What a question may license, a row a licence."""
    out = ["| licence | accepts | still refuses |", "|---|---|---|"]
    for row in _rows(LICENCES, "licence"):
        out.append(f"| {row['kind'].replace('_', ' ')} | {row['accepts']} | {row['refuses']} |")
    return "\n".join(out) + "\n"


def readings(file: str, most: str = "40") -> str:
    """Texts and what is read from them."""
    cases = [case for case in _rows(CORPUS / "reading" / f"{file}.toml", "case") if len(case["text"]) < 140]
    step = max(1, len(cases) // int(most))
    out = [f"{len(cases)} short cases; every {step}th:\n", "| text | is read as |", "|---|---|"]
    for case in cases[::step]:
        want = code(case["want"]) if "want" in case else "no answer"
        out.append(f"| {code(case['text'])} | {want} |")
    return "\n".join(out) + "\n"


GENERATORS: dict[str, Callable[..., str]] = {"pairs": pairs, "licences": licences, "readings": readings}
