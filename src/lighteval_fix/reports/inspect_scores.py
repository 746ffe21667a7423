"""Scores in the form that Inspect's `precomputed_scores` reads: one JSON line a sample and epoch.

    inspect score LOG.eval --scorer inspect_ai/precomputed_scores -S scores=FILE.jsonl --action append

(with `--model mockllm/model` where the package of the log's own model is not installed: nothing is generated).
Inspect refuses two records with one id and epoch, so a second run goes to a file of its own, `FILE-2.jsonl`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from ..audit.summary import RunSummary, Skipped
from ..grading.grader import Options
from ..model import Grade, Item, RowError, Run, Standing
from .part_file import PartFile, refuse_input
from .rows import Row, answer_of

_VALUES = {
    Standing.RIGHT: "C",
    Standing.WRONG: "I",
    Standing.UNDECIDED: "I",
    Standing.NO_ANSWER: "N",
}
"""Undecided counts as 0 and stays in the denominator, as everywhere here; the metadata says that it is undecided."""


class InspectScores:
    """Writes one file a run."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._runs = 0
        self._file: PartFile | None = None
        self._stream: TextIO | None = None
        self._epochs: dict[tuple[int, int], int] = {}
        self._done: list[PartFile] = []
        self._seen: set[tuple[str, int | None]] = set()

    def begin(self, run: Run, options: Options) -> None:
        """A run starts."""
        self._runs += 1
        final = self._path
        if self._runs > 1:
            final = final.with_name(f"{final.stem}-{self._runs}{final.suffix}")
        refuse_input(final, run)
        self._file = PartFile(final)
        self._stream = self._file.part.open("w", encoding="utf-8", newline="\n")
        self._epochs = epochs_of(run) if run.format == "inspect_eval" else {}
        self._seen = set()

    def add(self, grade: Grade | RowError) -> None:
        """One record; a row that could not be graded has none, and stays unscored in Inspect."""
        if isinstance(grade, RowError) or grade.standing is Standing.ERROR:
            return
        assert self._stream is not None, "add before begin"
        record = record_of(grade, self._epochs.get((grade.row, grade.sample), grade.sample + 1))
        key = (record["id"], record["epoch"])
        if key in self._seen:  # ids repeat in a run of another harness: Inspect would refuse the whole file
            return
        self._seen.add(key)
        self._stream.write(json.dumps(record, ensure_ascii=True, allow_nan=False) + "\n")

    def end(self, run: Run, summary: RunSummary) -> None:
        """The run is complete."""
        if self._stream is not None and self._file is not None:
            self._stream.close()
            self._done.append(self._file)

    def skip(self, skipped: Skipped) -> None:
        """Skipped runs have no scores."""

    def finish(self) -> None:
        """The files appear."""
        for file in self._done:
            file.keep()
        self._done = []


def record_of(grade: Grade, epoch: int) -> Row:
    """One record."""
    return {
        "id": grade.id,
        "epoch": epoch,
        "value": _VALUES[grade.standing],
        "answer": answer_of(grade),
        "explanation": _explanation(grade),
        "metadata": {
            "standing": str(grade.standing),
            "change": str(grade.change),
            "cause": str(grade.cause) if grade.cause is not None else None,
            "golds": list(grade.golds),
        },
    }


def _explanation(grade: Grade) -> str:
    if grade.verdict is None:
        return grade.detail or str(grade.standing)
    code = grade.verdict.reason if grade.verdict.kind == "undecided" else grade.verdict.proof
    return f"{grade.verdict.kind}: {code}"


def epochs_of(run: Run) -> dict[tuple[int, int], int]:
    """`(row, sample) -> epoch` where an epoch that ended in an error makes the two differ."""
    found = {}
    for item in run.items():
        if isinstance(item, Item):
            for sample, generation in enumerate(item.generations):
                if generation.epoch is not None:
                    found[item.row, sample] = generation.epoch
    return found
