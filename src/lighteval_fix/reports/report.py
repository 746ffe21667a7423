"""The seam behind which every report sits."""

from __future__ import annotations

from typing import Protocol

from ..audit.document import Document
from ..model import Grade, RowError, Run


class Report(Protocol):
    """Receives runs one after another: `begin`, then `add` for every grade in row order; `end` once, after all runs.

    Texts are not handed through here: a report that shows them reads them again from the run, by row.
    """

    def begin(self, run: Run) -> None:
        """A run starts; the grades that follow are its own."""
        ...

    def add(self, grade: Grade | RowError) -> None:
        """The next grade, or a row that could not be graded."""
        ...

    def end(self, summary: Document) -> None:
        """All runs are through: write what is still to be written. `summary` is the JSON of the contract."""
        ...
