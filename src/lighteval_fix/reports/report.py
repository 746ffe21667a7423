"""The seam behind which every report sits: begin a run, add its grades as they come, end it, finish the document."""

from __future__ import annotations

from typing import Protocol

from ..audit.summary import RunSummary, Skipped
from ..grading.grader import Options
from ..model import Grade, RowError, Run


class Report(Protocol):
    """Receives runs one after another. Nothing is kept per grade unless the report says so.

    Order of calls: `begin`, `add`…, `end` for each graded run, `skip` for each other one, `finish` once at the end.
    A report that shows texts reads them again from `run` (by row) in `end`: texts are not handed through here.
    """

    def begin(self, run: Run, options: Options) -> None:
        """A run starts."""
        ...

    def add(self, grade: Grade | RowError) -> None:
        """The next grade, or a row that could not be graded, in row order."""
        ...

    def end(self, run: Run, summary: RunSummary) -> None:
        """The run is complete."""
        ...

    def skip(self, skipped: Skipped) -> None:
        """A run that is not graded, and why."""
        ...

    def finish(self) -> None:
        """All runs are through: write what is still to be written."""
        ...
