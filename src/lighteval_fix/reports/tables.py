"""One row a generation, as parquet, JSON lines or CSV (by the file's ending), written as the grades come."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, TextIO

from ..audit.summary import RunSummary, Skipped
from ..grading.grader import Options
from ..model import Grade, InputError, RowError, Run
from .part_file import PartFile, refuse_input
from .rows import Row, row_of

_BATCH_ROWS = 2000
ENDINGS = (".parquet", ".jsonl", ".csv")


class TableReport:
    """Writes all runs into one table. At most one batch of rows is held."""

    def __init__(self, path: Path) -> None:
        """`path` ends in `.parquet`, `.jsonl` or `.csv`; raises InputError for anything else."""
        if path.suffix not in ENDINGS:
            raise InputError(f"unknown table format {path.suffix!r}; known: {', '.join(ENDINGS)}", str(path))
        self._file = PartFile(path)
        self._run: Run | None = None
        self._rows: list[Row] = []
        self._writer: _ParquetRows | _TextRows = (
            _ParquetRows(self._file.part) if path.suffix == ".parquet" else _TextRows(self._file.part, path.suffix)
        )

    def begin(self, run: Run, options: Options) -> None:
        """A run starts."""
        refuse_input(self._file.final, run)
        self._run = run

    def add(self, grade: Grade | RowError) -> None:
        """One more row."""
        assert self._run is not None, "add before begin"
        self._rows.append(row_of(self._run, grade))
        if len(self._rows) >= _BATCH_ROWS:
            self._flush()

    def end(self, run: Run, summary: RunSummary) -> None:
        """The run is complete."""
        self._flush()

    def skip(self, skipped: Skipped) -> None:
        """Skipped runs have no rows."""

    def finish(self) -> None:
        """The file appears."""
        self._flush()
        self._writer.close()
        self._file.keep()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write(self._rows)
            self._rows = []


class _TextRows:
    """JSON lines, or CSV with nested values as JSON."""

    def __init__(self, path: Path, ending: str) -> None:
        self._stream: TextIO = path.open("w", encoding="utf-8", newline="")
        self._csv = csv.writer(self._stream, lineterminator="\n") if ending == ".csv" else None
        self._header = False

    def write(self, rows: list[Row]) -> None:
        if self._csv is None:
            for row in rows:
                # U+2028 and U+2029 end lines for some readers of JSON lines; as escapes they do not.
                text = json.dumps(row, ensure_ascii=False, allow_nan=False)
                self._stream.write(text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029") + "\n")
            return
        if not self._header:
            self._csv.writerow(list(rows[0]))
            self._header = True
        for row in rows:
            self._csv.writerow([_cell(value) for value in row.values()])

    def close(self) -> None:
        self._stream.close()


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


class _ParquetRows:
    def __init__(self, path: Path) -> None:
        import pyarrow.parquet

        self._schema = schema()
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema, compression="zstd")

    def write(self, rows: list[Row]) -> None:
        import pyarrow

        self._writer.write_table(pyarrow.Table.from_pylist(rows, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


def schema() -> Any:
    """The parquet schema: the same whatever the rows hold."""
    import pyarrow as pa

    text, whole, real, truth = pa.string(), pa.int64(), pa.float64(), pa.bool_()
    return pa.schema(
        [
            ("path", text),
            ("model", text),
            ("task", text),
            ("id", text),
            ("row", whole),
            ("sample", whole),
            ("samples", whole),
            ("kind", text),
            ("standing", text),
            ("from", real),
            ("level", text),
            ("to", real),
            ("change", text),
            ("cause", text),
            ("cause_by", text),
            ("golds", pa.list_(text)),
            ("matched_gold", whole),
            ("answer", text),
            ("verdict", pa.struct([("kind", text), ("proof", text), ("reason", text), ("evidence", text)])),
            (
                "reading",
                pa.struct(
                    [
                        ("rule", text),
                        ("spans", pa.list_(pa.list_(whole))),
                        ("in_reasoning", truth),
                        ("no_answer", text),
                    ]
                ),
            ),
            ("marks", pa.list_(text)),
            ("by_policy", pa.list_(pa.struct([("policy", text), ("standing", text)]))),
            ("finished", truth),
            ("recorded", pa.list_(pa.struct([("metric", text), ("score", real)]))),
            ("error", text),
            ("detail", text),
        ]
    )
