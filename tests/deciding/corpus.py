"""The pairs of `tests/corpus/deciding`, read from their TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "corpus" / "deciding"
FILES = ("numbers", "algebra", "structures", "words", "units", "notation", "hostile", "licences", "redteam") + (
    "breadth",
    "asked",
    "wide",
    "names",
)


@dataclass(frozen=True)
class Row:
    """One pair and what it must come to."""

    file: str
    fault: str
    gold: str
    answer: str
    want: str
    policy: str
    question: str | None
    both_ways: bool
    xfail: str | None

    @property
    def name(self) -> str:
        """For pytest: file, fault and the pair, short."""
        return f"{self.file}:{self.fault}:{self.gold[:40]}|{self.answer[:40]}"


def pairs(*files: str) -> Iterator[Row]:
    """Every pair of the files named, or of all."""
    for file in files or FILES:
        data = tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))
        for group in data["group"]:
            unknown = set(group) - {"fault", "want", "policy", "question", "pairs", "both_ways", "xfail"}
            if unknown:
                raise ValueError(f"{file}: {group['fault']}: {unknown}")
            for gold, answer in group["pairs"]:
                yield Row(
                    file,
                    group["fault"],
                    gold,
                    answer,
                    group["want"],
                    group.get("policy", "in-context" if "question" in group else "value"),
                    group.get("question"),
                    group.get("both_ways", True),
                    group.get("xfail"),
                )
