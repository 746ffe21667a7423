"""Samples in the form of lm-evaluation-harness, with our verdict as a second filter beside the harness's own.

An lm-eval run is written as it was, then once more under the filter `lighteval-fix`; any other run gets the recorded
score under the filter `recorded`. The viewers of that harness then show the two side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from ..audit.summary import RunSummary, Skipped
from ..grading.grader import Options
from ..model import Grade, Item, RowError, Run
from ..sources.lm_eval import LmEvalReader, samples
from .part_file import PartFile, refuse_input
from .rows import Row, answer_of, recorded_score

FILTER = "lighteval-fix"
_METRIC = "exact_match"
_UNSAFE = str.maketrans(dict.fromkeys('/\\:*?"<>|', "_"))


class LmEvalSamples:
    """Writes `samples_TASK_DATE.jsonl` for every run into a folder. Holds one score and answer a generation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._grades: dict[int, list[tuple[float, str | None]]] = {}
        self._before: dict[int, float | None] = {}
        self._run: Run | None = None
        self._written: list[PartFile] = []
        self._names: set[str] = set()

    def begin(self, run: Run, options: Options) -> None:
        """A run starts."""
        self._run, self._grades, self._before = run, {}, {}

    def add(self, grade: Grade | RowError) -> None:
        """One more grade of its item."""
        assert self._run is not None, "add before begin"
        if isinstance(grade, Grade):
            self._grades.setdefault(grade.row, []).append((grade.score, answer_of(grade)))
            self._before.setdefault(grade.row, recorded_score(self._run, grade)[0])

    def end(self, run: Run, summary: RunSummary) -> None:
        """The run is complete: its texts are read once more."""
        final = self._folder / self._name(run)
        refuse_input(final, run)
        file = PartFile(final)
        with file.part.open("w", encoding="utf-8", newline="\n") as stream:
            if isinstance(run.reader, LmEvalReader):
                self._copied(run.reader, stream)
            else:
                for filter_name in ("recorded", FILTER):
                    for item in run.items():
                        if isinstance(item, Item) and item.row in self._grades:
                            _write(stream, self._made(item, filter_name))
        self._written.append(file)

    def skip(self, skipped: Skipped) -> None:
        """Skipped runs have no samples."""

    def finish(self) -> None:
        """The files appear."""
        for file in self._written:
            file.keep()
        self._written = []

    def _name(self, run: Run) -> str:
        task = (run.task or Path(run.path).stem).translate(_UNSAFE)
        date = (run.date or "1970-01-01T00:00:00").replace(":", "-").split("+")[0]
        name = f"samples_{task}_{date}.jsonl"
        count = 2
        while name in self._names:
            name, count = f"samples_{task}-{count}_{date}.jsonl", count + 1
        self._names.add(name)
        return name

    def _copied(self, reader: LmEvalReader, stream: TextIO) -> None:
        for _, record in _raw(reader):
            _write(stream, record)
        for row, record in _raw(reader):
            if row in self._grades:
                _write(stream, self._second(row, record))

    def _second(self, row: int, record: Row) -> Row:
        old = [name for name in record.get("metrics", []) if isinstance(name, str)]
        kept = {name: value for name, value in record.items() if name not in old}
        return kept | self._verdict(row)

    def _verdict(self, row: int) -> Row:
        grades = self._grades[row]
        return {
            "filtered_resps": [answer if answer is not None else "[invalid]" for _, answer in grades],
            "filter": FILTER,
            "metrics": [_METRIC],
            _METRIC: sum(score for score, _ in grades) / len(grades),
        }

    def _made(self, item: Item, filter_name: str) -> Row:
        made: Row = {
            "doc_id": item.row,
            "doc": {"id": item.id, "question": item.question or item.prompt, "choices": list(item.choices)},
            "target": item.golds[0].text if item.golds else "",
            "arguments": {"gen_args_0": {"arg_0": item.prompt, "arg_1": {}}},
            "resps": [[generation.text for generation in item.generations]],
        }
        if filter_name == FILTER:
            return made | self._verdict(item.row)
        before = self._before.get(item.row)
        predicted = [generation.predicted or generation.text for generation in item.generations]
        scores: Row = {"metrics": [_METRIC], _METRIC: before} if before is not None else {"metrics": []}
        return made | {"filtered_resps": predicted, "filter": filter_name} | scores


def _raw(reader: LmEvalReader) -> Iterator[tuple[int, Row]]:
    for found in samples(reader.place):
        if not isinstance(found, RowError) and isinstance(found[1], dict):
            yield found


def _write(stream: TextIO, record: Row) -> None:
    # Infinity and NaN are kept as the harness wrote them; lone surrogates have no UTF-8, so all is ASCII.
    stream.write(json.dumps(record, ensure_ascii=True) + "\n")
