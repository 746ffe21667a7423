"""Paths to summaries: what `regrade` and `diff` both do, with every fault of the input told in one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..audit.alike import Alike, Result
from ..audit.inputs import Fingerprint
from ..audit.regrade import grades_of, results_of
from ..audit.summary import RunSummary, Skipped, Summary
from ..audit.tally import Tally
from ..audit.work import BUG, Replay, same_answer
from ..grading.grader import Options
from ..model import Grade, InputError, RowError, Run, SandboxMissing, Standing
from ..reports.part_file import refuse_input
from ..reports.report import Report
from .exits import NAME_A_RUN, Exit, talk, what_to_do
from .progress import watched

if TYPE_CHECKING:
    from ..audit.journal import Journal

_ROWS_TOLD = 10
"""Bad rows named on stderr for each run; all are in the JSON."""
_BUGS_TOLD = 3
_TASKS_TOLD = 8


@dataclass(slots=True)
class Session:
    """Grades runs one after another and remembers what went wrong."""

    options: Options
    jobs: int = 0
    engine: str = "local"
    replay: Replay | None = None
    quiet: bool = False
    source: str = "auto"
    task: str | None = None
    columns: Mapping[str, str] | None = None
    reports: Sequence[Report] = ()
    outputs: Sequence[Path] = ()
    """Files that are written at the end, so that none can take the place of an input."""
    journal: Journal | None = None
    runs: list[RunSummary] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    _no_sandbox: str | None = None
    _bugs: int = 0

    def __post_init__(self) -> None:
        from ..sources.find import SOURCES

        if self.source != "auto" and self.source not in SOURCES:
            raise typer.BadParameter(f"no format {self.source!r}; known: auto, {', '.join(SOURCES)}")

    def found(self, path: str) -> Iterator[Run]:
        """The runs at `path` whose task is asked for. What cannot be read is told, and costs nothing else."""
        options = {"columns": dict(self.columns)} if self.columns else {}
        tasks: set[str] = set()
        matched = known = False
        try:
            from ..sources.find import UNKNOWN, open_runs

            for run in open_runs(path, source=self.source, **options):
                known = known or run.skip != UNKNOWN
                tasks.add(run.task)
                if self.task is None or fnmatch(run.task, self.task):
                    matched = True
                    yield run
        except InputError as error:
            self._say(what_to_do(error))
            return
        if not known:
            self._say(f"{path}: no run found, only files of unknown formats; {NAME_A_RUN}")
        elif not matched:
            held = sorted(task for task in tasks if task)
            some = ", ".join(held[:_TASKS_TOLD]) + (", …" if len(held) > _TASKS_TOLD else "")
            self._say(f"{path}: no task matches {self.task!r}; it holds {some or 'none'}")

    def _say(self, problem: str) -> None:
        talk(problem)
        self.exits.append(Exit.INPUT)

    def grade(self, run: Run) -> None:
        """Grade one run, or list it as skipped."""
        if run.skip is not None:
            self._skip(Skipped(run.path, run.skip))
            return
        for output in self.outputs:
            refuse_input(output, run)
        fingerprint = Fingerprint(run.path)
        tally = Tally(run, self.options, same_answer(self.options))
        for report in self.reports:
            report.begin(run, self.options)
        try:
            for result in watched(self._results(run), run.task or run.path, self.quiet):
                tally.add(result)
                if isinstance(result, Alike):
                    continue
                self._note(result)
                for report in self.reports:
                    report.add(result)
        except SandboxMissing as error:
            self._no_sandbox = str(error)
            self._skip(Skipped(run.path, "sandbox_missing"))
            return
        except InputError as error:
            self._say(str(error))
        summary = tally.summary(fingerprint.value())
        self.runs.append(summary)
        for report in self.reports:
            report.end(run, summary)
        self._tell(summary)

    def _results(self, run: Run) -> Iterator[Result]:
        """The run's grades, one by one only where something is written of each."""
        if self.reports or self.journal is not None:
            return grades_of(
                run, self.options, jobs=self.jobs, engine=self.engine, replay=self.replay, journal=self.journal
            )
        return results_of(run, self.options, jobs=self.jobs, engine=self.engine, replay=self.replay)

    def _skip(self, skipped: Skipped) -> None:
        self.skipped.append(skipped)
        for report in self.reports:
            report.skip(skipped)

    def _note(self, grade: Grade | RowError) -> None:
        if isinstance(grade, Grade) and grade.standing is Standing.ERROR:
            if grade.detail.startswith(BUG):
                self._bugs += 1
                if self._bugs <= _BUGS_TOLD:
                    talk(f"row {grade.row}: {grade.detail}")
                self.exits.append(Exit.BUG)
            else:
                self.exits.append(Exit.INPUT)

    def _tell(self, summary: RunSummary) -> None:
        for error in summary.errors[:_ROWS_TOLD]:
            whole = error.reason == "unreadable_file"
            where = summary.path if whole else f"{summary.path}, row {error.row}"
            talk(f"{where}: {error.reason}{f' ({error.detail})' if error.detail else ''}")
        if len(summary.errors) > _ROWS_TOLD:
            talk(f"{summary.path}: {len(summary.errors) - _ROWS_TOLD} more rows could not be graded")
        if summary.errors:
            self.exits.append(Exit.INPUT)
        elif not summary.items:
            talk(f"{summary.path}: holds no rows")
            self.exits.append(Exit.INPUT)

    def summary(self) -> Summary:
        """All runs so far; says how to get a sandbox where one was missing."""
        if self._no_sandbox is not None:
            talk(self._no_sandbox)
            graded = any(run.items for run in self.runs)
            self.exits.append(Exit.INPUT if graded else Exit.SANDBOX)
            self._no_sandbox = None
        if self._bugs:
            talk(f"{self._bugs} generations met a bug of lighteval-fix; please report the lines above")
        return Summary(self.options, tuple(self.runs), tuple(self.skipped))
