"""The seam between a run and the rooms that judge it: the Grader Protocol and the options of a re-grade."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from ..model import Grade, Item, Kind, Policy, Unfinished, Verdict

Comparator: TypeAlias = Callable[[str, str, float], Verdict]
"""(gold, answer, seconds) -> verdict: another comparator than our own, such as the harness's. Must pickle."""


@dataclass(frozen=True, slots=True)
class CodeOptions:
    """How programs are run.

    Args:
        timeout: seconds a test may take: wall time less what it spent waiting for a processor. Over that, it is run
            once more, alone, unless it had a processor for all of it and half as much again.
        memory_bytes: address space of a program.
        tolerance: relative tolerance for expected tokens with a decimal point; 0 is exact.
        preamble: a program runs as written first; with `harness`, one that dies of what LightEval's preamble provides
            (a name, the recursion or digit limit) is run again with it and marked; `none` leaves it at that.
        sandbox: `bubblewrap`, or `none` as the explicit way out.
        python: interpreter that runs the programs; None is the one running now.
    """

    timeout: float = 6.0
    memory_bytes: int = 4 * 2**30
    tolerance: float = 1e-6
    preamble: str = "harness"
    sandbox: str = "bubblewrap"
    python: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a re-grade: plain values, so that they cross a process border.

    Args:
        policy: how much an equality may lean on; every stricter policy is judged along with it.
        precision: digits after the point that a rounded decimal must show.
        unfinished: what to do with a reasoning trace that was never closed.
        timeout: seconds one pair may take in the comparator.
        kind: grade every item by this grader, whatever its shape.
        comparator: None is our own.
    """

    policy: Policy = Policy.IN_CONTEXT
    precision: int = 6
    unfinished: Unfinished = Unfinished.READ
    timeout: float = 5.0
    kind: Kind | None = None
    comparator: Comparator | None = None
    code: CodeOptions = field(default_factory=CodeOptions)


class Grader(Protocol):
    """Judges the generations of one item. Holds no state that a second item could see."""

    def grade(self, item: Item) -> Iterator[Grade]:
        """One `Grade` per generation, in the order they were sampled; `change` and `cause` are audit's to set."""
        ...
