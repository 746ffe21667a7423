"""What one decision carries with it: how much work it may do, what it has tried, and how its points are drawn.

Work is counted (nodes, terms, digits), never timed, so that a verdict depends on neither load nor machine; the clock
is only the backstop, and only the killable worker and the loops between steps look at it.
"""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass, field

from ..model import Step, Undecided, UndecidedReason

MAX_BITS = 100_000
"""Bits of the largest integer that exact arithmetic builds."""
MAX_TERMS = 2_000
"""Terms of the largest polynomial."""
MAX_SUM = 2_000
"""Terms of the longest sum or product that is written out."""
MAX_NODES = 4_000
"""Nodes of the largest expression handed to computer algebra."""
WORK = 150_000
"""Elementary steps of one decision."""


class Limit(Exception):
    """A limit on work would be passed."""


class OutOfTime(Limit):
    """The backstop: the clock, not the work, ended the decision."""


class Unsupported(Exception):
    """This step does not know the notation."""


class Undefined(Exception):
    """The expression has no value (0/0, the logarithm of 0, the root of a negative number at a real point)."""


@dataclass(slots=True)
class Trial:
    """One decision under way.

    Args:
        precision: digits after the point from which a rounded decimal counts as the exact value.
        seed: drawn from the two texts, symmetric in them.
        deadline: `time.monotonic()` value at which the backstop ends the decision.
        keep: record steps for `explain`.
    """

    precision: int = 6
    seed: int = 0
    deadline: float = float("inf")
    keep: bool = False
    algebra: bool = True
    work: int = WORK
    look: int = WORK
    """The clock is looked at when work falls below this."""
    steps: list[Step] = field(default_factory=list)

    def spend(self, amount: int) -> None:
        """Count work; raises `Limit` once all of it is used."""
        self.work -= amount
        if self.work < 0:
            raise Limit("work")
        if self.work < self.look:
            self.look = self.work - 5_000
            if self.seconds_left() < 0:
                self.work = -1
                raise OutOfTime("time")

    def note(self, name: str, outcome: str, detail: str = "") -> None:
        """Record a step, if anybody wants to read it."""
        if self.keep and len(self.steps) < 200:
            self.steps.append(Step(name, outcome, detail))

    def seconds_left(self) -> float:
        """Until the backstop."""
        return self.deadline - time.monotonic()


def seed_of(first: str, second: str) -> int:
    """The same for both orders of the pair, on every machine."""
    one, two = zlib.crc32(first.encode("utf-8", "replace")), zlib.crc32(second.encode("utf-8", "replace"))
    return one ^ two ^ 0x5EED


def gave_up(limit: Limit) -> Undecided:
    """The verdict where a limit ended the decision."""
    reason = UndecidedReason.TIMEOUT if isinstance(limit, OutOfTime) else UndecidedReason.LIMIT
    return Undecided(reason, str(limit))
