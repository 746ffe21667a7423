"""Where LightEval's comparator and this corpus disagree, class by class.

    HF_HUB_OFFLINE=1 .venv-lighteval/bin/python -m tests.deciding.disagreements     # writes the file anew

A class is a kind of fault in one direction: LightEval refuses what is equal, or equates what is not.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from .corpus import FILES, FOLDER, pairs

FILE: Path = FOLDER / "disagreements.toml"
REFUSES, EQUATES = "refuses what is equal", "equates what is not"

Class = tuple[str, str, str]
"""Corpus file, kind of fault, direction."""


def found() -> dict[Class, list[tuple[str, str]]]:
    """Every disagreement over the corpora, but for hostile texts, on some of which LightEval hangs."""
    from lighteval_fix.upstream.lighteval.comparator import compare

    classes: dict[Class, list[tuple[str, str]]] = {}
    for row in pairs(*(file for file in FILES if file != "hostile")):
        if row.want == "not_different":
            continue
        theirs = compare(row.gold, row.answer).kind == "equal"
        if theirs != (row.want == "equal"):
            direction = EQUATES if theirs else REFUSES
            classes.setdefault((row.file, row.fault, direction), []).append((row.gold, row.answer))
    return classes


def listed() -> dict[Class, list[tuple[str, str]]]:
    """The disagreements in the file."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        (entry["corpus"], entry["fault"], entry["lighteval"]): [(gold, answer) for gold, answer in entry["pairs"]]
        for entry in data["class"]
    }


def main() -> None:
    """Write the file."""
    classes = found()
    lines = [
        "# Where LightEval 0.13.0's comparator disagrees with the corpus, class by class.",
        "# Written by `python -m tests.deciding.disagreements`; a test fails when a new class appears.",
        f"# {len(classes)} classes, {sum(map(len, classes.values()))} pairs.",
    ]
    for (file, fault, direction), members in classes.items():
        lines += [
            "",
            "[[class]]",
            f'corpus = "{file}"',
            f'fault = "{fault}"',
            f'lighteval = "{direction}"',
            "pairs = [",
        ]
        lines += [f"  [{_literal(gold)}, {_literal(answer)}]," for gold, answer in members]
        lines.append("]")
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _literal(text: str) -> str:
    return f"'{text}'" if "'" not in text else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    main()
