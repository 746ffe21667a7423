"""`lighteval-fix regrade` and `regrade-lcb`."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..grading.grader import CodeOptions, Comparator, Options
from ..model import Kind, Policy, Unfinished
from .exits import Exit, as_utf8, closed_pipe, worst

if TYPE_CHECKING:
    from ..audit.document import Document
    from ..audit.journal import Journal
    from ..audit.work import Replay
    from ..reports.report import Report


class FailOn(StrEnum):
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"
    UNDECIDED = "undecided"


class ComparatorName(StrEnum):
    OWN = "own"
    LIGHTEVAL = "lighteval"


class ExplainBy(StrEnum):
    INFER = "infer"
    REPLAY = "replay"


class EngineName(StrEnum):
    LOCAL = "local"
    RAY = "ray"


class Preamble(StrEnum):
    HARNESS = "harness"
    NONE = "none"


class SandboxName(StrEnum):
    BUBBLEWRAP = "bubblewrap"
    NONE = "none"


_UNITS = {"": 1, "b": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def parse_bytes(text: str) -> int:
    """`4GiB`, `512MB` or a number of bytes.

    Raises:
        typer.BadParameter: anything else.
    """
    number = text.strip().rstrip("BbKkMmGgIi").strip()
    unit = text.strip()[len(number) :].strip().lower()
    if not number.isascii() or not number.isdecimal() or unit not in _UNITS or int(number) == 0:
        raise typer.BadParameter(f"not a size: {text!r} (for instance 4GiB)")
    return int(number) * _UNITS[unit]


def parse_columns(text: str | None) -> dict[str, str] | None:
    """`gold=answer,prompt=question` as a mapping.

    Raises:
        typer.BadParameter: a part without a name or a column.
    """
    if text is None:
        return None
    columns = {}
    for part in text.split(","):
        name, equals, column = part.partition("=")
        if not (name.strip() and equals and column.strip()):
            raise typer.BadParameter(f"expected NAME=COLUMN, got {part!r}")
        columns[name.strip()] = column.strip()
    return columns


def regrade(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Details files, folders, globs or URLs.")],
    kind: Annotated[Kind | None, typer.Option(help="Grade every item by this grader.")] = None,
    task: Annotated[str | None, typer.Option(metavar="GLOB", help="Only tasks whose name matches.")] = None,
    source: Annotated[str, typer.Option(metavar="FORMAT", help="The input's format.")] = "auto",
    columns: Annotated[
        str | None, typer.Option(metavar="NAME=COLUMN,…", help="Which columns of a plain table hold what.")
    ] = None,
    policy: Annotated[Policy, typer.Option(help="How much an equality may lean on.")] = Policy.IN_CONTEXT,
    precision: Annotated[int, typer.Option(min=0, help="Digits a rounded decimal must show after its point.")] = 6,
    unfinished: Annotated[
        Unfinished, typer.Option(help="What to do with a reasoning trace that was never closed.")
    ] = Unfinished.READ,
    comparator: Annotated[ComparatorName, typer.Option(help="Who compares answers.")] = ComparatorName.OWN,
    explain: Annotated[
        ExplainBy, typer.Option(help="Infer the causes, or prove them by LightEval's own metric.")
    ] = ExplainBy.INFER,
    show: Annotated[int, typer.Option(min=0, metavar="N", help="Changed items shown for each run.")] = 10,
    jobs: Annotated[int, typer.Option(min=0, metavar="N", help="Processes; 0 is one a core.")] = 0,
    engine: Annotated[EngineName, typer.Option(help="Where the work is done.")] = EngineName.LOCAL,
    ray_address: Annotated[str | None, typer.Option(metavar="URL", help="A running Ray cluster.")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep what is done in FILE, and go on from it.")
    ] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE|-", help="Write everything as JSON.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one row a generation (.parquet, .jsonl, .csv).")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to read.")] = None,
    inspect_scores: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the scores for Inspect's log editing.")
    ] = None,
    lm_eval_samples: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write samples as lm-evaluation-harness does.")
    ] = None,
    fail_on: Annotated[FailOn | None, typer.Option(help="Exit with 3 where this is found.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No report on the terminal.")] = False,
    timeout: Annotated[float, typer.Option(min=0.001, help="Programs: CPU seconds a test.")] = 6.0,
    memory: Annotated[str, typer.Option(help="Programs: address space.")] = "4GiB",
    tolerance: Annotated[float, typer.Option(min=0.0, help="Programs: tolerance for decimals; 0 is exact.")] = 1e-6,
    preamble: Annotated[
        Preamble, typer.Option(help="Programs: start with LightEval's customary imports, or not.")
    ] = Preamble.HARNESS,
    sandbox: Annotated[SandboxName, typer.Option(help="Programs: how they are kept apart.")] = SandboxName.BUBBLEWRAP,
    python: Annotated[str | None, typer.Option(metavar="EXE", help="Programs: their interpreter.")] = None,
) -> None:
    """Grade finished runs again: the corrected score, and every changed verdict with its cause."""
    from .session import Session

    gc.set_threshold(50_000, 20, 50)  # a re-grade makes hardly any garbage; looking for it costs a tenth of the time
    options = Options(
        policy=policy,
        precision=precision,
        unfinished=unfinished,
        kind=kind,
        comparator=_comparator(comparator),
        code=_possible(
            CodeOptions(
                timeout=timeout,
                memory_bytes=parse_bytes(memory),
                tolerance=tolerance,
                preamble=str(preamble),
                sandbox=str(sandbox),
                python=python,
            )
        ),
    )
    session = Session(
        options,
        jobs=jobs,
        engine=str(engine),
        replay=_replay(explain),
        quiet=quiet,
        source=source,
        task=task,
        columns=parse_columns(columns),
        reports=_reports(out, html, inspect_scores, lm_eval_samples),
        outputs=[path for path in (_file(json), html) if path is not None],
    )
    if ray_address is not None:
        os.environ["RAY_ADDRESS"] = ray_address
    with _journal(resume) as session.journal:
        for path in paths:
            for run in session.found(path):
                session.grade(run)
    document = session.summary().to_dict()
    for report in session.reports:
        report.finish()
    _write(document, json, show, quiet)
    codes = [*session.exits, *_failed(document, fail_on)]
    raise typer.Exit(worst(codes))


def _possible(code: CodeOptions) -> CodeOptions:
    """The same, where programs can be run so; what cannot be is a wrong call, not a fault of every item."""
    from ..running.compare import checked_tolerance
    from ..running.interpreter import describe
    from ..running.limits import Limits

    try:
        Limits(seconds=code.timeout, memory_bytes=code.memory_bytes)
        checked_tolerance(code.tolerance)
        if code.python is not None:
            describe(code.python)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    return code


def _journal(path: Path | None) -> AbstractContextManager[Journal | None]:
    if path is None:
        return nullcontext()
    from ..audit.journal import Journal

    return Journal(path)


def _need_lighteval(option: str) -> None:
    if find_spec("lighteval") is None:
        raise typer.BadParameter(f"{option} needs LightEval: pip install 'lighteval-fix[lighteval]'")


def _comparator(name: ComparatorName) -> Comparator | None:
    if name is ComparatorName.OWN:
        return None
    _need_lighteval("--comparator lighteval")
    made: Comparator = import_module("lighteval_fix.upstream.lighteval.comparator").compare
    return made


def _replay(name: ExplainBy) -> Replay | None:
    if name is ExplainBy.INFER:
        return None
    _need_lighteval("--explain replay")
    made: Replay = import_module("lighteval_fix.upstream.lighteval.replay").replay
    return made


def _file(json: str | None) -> Path | None:
    """Where the JSON goes. That it can be written is found out before an hour's grading, not after it."""
    if json is None or json == "-":
        return None
    from ..reports.part_file import PartFile

    return PartFile(Path(json)).final


def _reports(
    out: Path | None, html: Path | None, inspect_scores: Path | None, lm_eval_samples: Path | None
) -> list[Report]:
    made: list[Report] = []
    if out is not None:
        from ..reports.tables import TableReport

        made.append(TableReport(out))
    if html is not None:
        from ..reports.html import HtmlReport

        made.append(HtmlReport(html))
    if inspect_scores is not None:
        from ..reports.inspect_scores import InspectScores

        made.append(InspectScores(inspect_scores))
    if lm_eval_samples is not None:
        from ..reports.lm_eval_samples import LmEvalSamples

        made.append(LmEvalSamples(lm_eval_samples))
    return made


def _write(document: Document, json: str | None, show: int, quiet: bool) -> None:
    from ..reports.markdown import step_summary
    from ..reports.summary_json import write_json

    if json is not None and json != "-":
        write_json(document, Path(json))
    try:
        if not quiet:
            from ..reports.terminal import print_report

            print_report(document, show=show, file=sys.stderr if json == "-" else sys.stdout)
        if json == "-":
            as_utf8()
            write_json(document, sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        closed_pipe()
    summary_file = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary_file:
        with open(summary_file, "a", encoding="utf-8") as file:
            file.write(step_summary(document, show=show))


def _failed(document: Document, fail_on: FailOn | None) -> list[Exit]:
    def found(run: int) -> bool:
        counts, verdicts = document["runs"][run]["changes"], document["runs"][run]["verdicts"]
        match fail_on:
            case FailOn.CHANGED:
                return counts["recovered"] + counts["withdrawn"] > 0
            case FailOn.WITHDRAWN:
                return counts["withdrawn"] > 0
            case FailOn.UNDECIDED:
                return verdicts["undecided"] > 0
            case None:
                return False

    return [Exit.FAIL_ON] if any(found(run) for run in range(len(document["runs"]))) else []


def register(app: typer.Typer) -> None:
    """Add `regrade` and `regrade-lcb`."""
    app.command("regrade")(regrade)
    app.command("regrade-lcb", hidden=False, help="The same for programs: `regrade --kind code`.")(
        _with_kind(Kind.CODE)
    )


def _with_kind(kind: Kind):  # type: ignore[no-untyped-def]
    """`regrade` with another default for `--kind`, so that the two commands cannot drift apart."""
    import inspect
    from functools import wraps

    @wraps(regrade)
    def command(**arguments: object) -> None:
        regrade(**arguments)  # type: ignore[arg-type]

    signature = inspect.signature(regrade)
    changed = [p.replace(default=kind) if p.name == "kind" else p for p in signature.parameters.values()]
    command.__signature__ = signature.replace(parameters=changed)  # type: ignore[attr-defined]
    return command
