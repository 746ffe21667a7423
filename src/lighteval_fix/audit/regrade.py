"""A finished run, graded again: the generator that everything else listens to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ..grading.grader import CodeOptions, Comparator, Options
from ..model import Grade, Item, Kind, Policy, RowError, Run, Unfinished
from .alike import Result, one_by_one
from .engine import ENGINES, results_by
from .inputs import Fingerprint
from .summary import Skipped, Summary
from .tally import Tally
from .work import Replay, Work, same_answer

if TYPE_CHECKING:
    from ..reading.profile import Profile
    from .journal import Journal

PROFILE_ITEMS = 64
"""Items at the start of a run from which its habits are learnt (does a trace close its reasoning?)."""


def options_of(
    *,
    policy: str = Policy.IN_CONTEXT,
    unfinished: str = Unfinished.READ,
    precision: int = 6,
    timeout: float = 5.0,
    kind: str | None = None,
    comparator: Comparator | None = None,
    code: CodeOptions | None = None,
) -> Options:
    """Options from the plain values of the public functions.

    Raises:
        ValueError: an unknown policy, kind or way with unfinished traces; a negative precision; no time at all.
    """
    if precision < 0:
        raise ValueError(f"precision must not be negative: {precision}")
    if not timeout > 0:
        raise ValueError(f"timeout must be above 0: {timeout}")
    return Options(
        policy=Policy(policy),
        precision=precision,
        unfinished=Unfinished(unfinished),
        timeout=timeout,
        kind=None if kind is None else Kind(kind),
        comparator=comparator,
        code=code or CodeOptions(),
    )


def iter_grades(
    run: Run,
    *,
    policy: str = Policy.IN_CONTEXT,
    unfinished: str = Unfinished.READ,
    precision: int = 6,
    timeout: float = 5.0,
    jobs: int = 1,
    engine: str = "local",
    sandbox: str = "bubblewrap",
    kind: str | None = None,
    replay: Replay | None = None,
) -> Iterator[Grade | RowError]:
    """Grades of every generation of `run` in row order, with what changed and why.

    Args:
        run: from `open_run` or `open_runs`.
        policy: `identical`, `value` or `in-context`.
        unfinished: `read` reads a trace that was never closed, `no-answer` does not.
        precision: digits after the point that a rounded decimal must show.
        timeout: seconds one pair may take.
        jobs: processes; 1 works in this one, 0 takes one a core.
        engine: where the work is done.
        sandbox: how programs are run: `bubblewrap` or `none`.
        kind: `math`, `choice` or `code`, to grade every item so.
        replay: proves causes by running the harness's own metric.

    Raises:
        ValueError: an option that is not known.
        SandboxMissing: programs are to be run, and bubblewrap is absent or refused.
    """
    options = options_of(
        policy=policy,
        unfinished=unfinished,
        precision=precision,
        timeout=timeout,
        kind=kind,
        code=CodeOptions(sandbox=sandbox),
    )
    return grades_of(run, options, jobs=jobs, engine=engine, replay=replay)


def grades_of(
    run: Run,
    options: Options,
    *,
    jobs: int = 1,
    engine: str = "local",
    replay: Replay | None = None,
    journal: Journal | None = None,
) -> Iterator[Grade | RowError]:
    """The same for options that are put together already; `journal` keeps what is done and goes on from it."""
    return one_by_one(results_by(engine, _work(run, options, engine, replay), jobs, journal))


def results_of(
    run: Run, options: Options, *, jobs: int = 1, engine: str = "local", replay: Replay | None = None
) -> Iterator[Result]:
    """The same for a `Tally`: grades that are alike may come as their number."""
    return results_by(engine, replace(_work(run, options, engine, replay), counted=True), jobs)


def _work(run: Run, options: Options, engine: str, replay: Replay | None) -> Work:
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}: {', '.join(ENGINES)}")
    return Work(run, options, profile_of(run), replay)


def profile_of(run: Run) -> Profile:
    """The run's habits, learnt from its first items."""
    from ..reading.profile import Profile

    items = (item for item in islice(run.items(), PROFILE_ITEMS) if isinstance(item, Item))
    return Profile.of((item.prompt, generation.text) for item in items for generation in item.generations)


def regrade(
    run: Run,
    *,
    policy: str = Policy.IN_CONTEXT,
    unfinished: str = Unfinished.READ,
    precision: int = 6,
    timeout: float = 5.0,
    jobs: int = 1,
    engine: str = "local",
    sandbox: str = "bubblewrap",
    kind: str | None = None,
    replay: Replay | None = None,
) -> Summary:
    """`run` graded again and summed up; arguments and errors as those of `iter_grades`."""
    options = options_of(
        policy=policy,
        unfinished=unfinished,
        precision=precision,
        timeout=timeout,
        kind=kind,
        code=CodeOptions(sandbox=sandbox),
    )
    if run.skip is not None:
        return Summary(options, (), (Skipped(run.path, run.skip),))
    fingerprint = Fingerprint(run.path)
    tally = Tally(run, options, same_answer(options))
    for result in results_of(run, options, jobs=jobs, engine=engine, replay=replay):
        tally.add(result)
    return Summary(options, (tally.summary(fingerprint.value()),))
