"""What reading, deciding, running and grading come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from .codes import (
    Cause,
    CauseBy,
    Change,
    Kind,
    Mark,
    NoAnswerReason,
    Policy,
    Proof,
    Rule,
    SplitState,
    Standing,
    Status,
    UndecidedReason,
)
from .items import Recorded

Span: TypeAlias = tuple[int, int]
"""Half-open pair of code-point offsets into the text as it was passed."""


@dataclass(frozen=True, slots=True)
class Split:
    """A generation cut into reasoning and answer part.

    `answer_start` is the code-point offset of the answer part in the text; `answer == text[answer_start:answer_end]`.
    Unfinished: the whole trace is `reasoning` and `answer` is empty.
    """

    reasoning: str
    answer: str
    state: SplitState
    answer_start: int = 0
    answer_end: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """The string that is the answer, where it stands, and the rule that found it."""

    text: str
    spans: tuple[Span, ...]
    rule: Rule
    in_reasoning: bool = False
    marks: tuple[Mark, ...] = ()
    passed_over: tuple[tuple[Span, Rule], ...] = ()
    """Other candidates that were seen and outranked, for `explain` (bounded)."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No answer, and why."""

    reason: NoAnswerReason
    passed_over: tuple[tuple[Span, Rule], ...] = ()


@dataclass(frozen=True, slots=True)
class Equal:
    """Proved to mean the same. `evidence` quotes the question where it licensed the equality."""

    proof: Proof
    evidence: str = ""
    kind: ClassVar[Literal["equal"]] = "equal"


@dataclass(frozen=True, slots=True)
class Different:
    """Proved to mean something else."""

    proof: Proof
    evidence: str = ""
    kind: ClassVar[Literal["different"]] = "different"


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither could be proved."""

    reason: UndecidedReason
    detail: str = ""
    kind: ClassVar[Literal["undecided"]] = "undecided"


Verdict: TypeAlias = Equal | Different | Undecided


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the ladder: its name, what it came to, and a line for the reader."""

    name: str
    outcome: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict with everything that led to it."""

    verdict: Verdict
    gold_form: str
    answer_form: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program did. Times in seconds, memory in bytes; text is UTF-8 with surrogateescape."""

    stdout: str
    stderr: str
    status: Status
    exit_code: int | None
    seconds: float
    peak_bytes: int
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Grade:
    """One generation, graded.

    Args:
        id, row, task: of its item.
        sample, samples: which generation of how many of its item.
        kind: the grader that judged it.
        standing: right, wrong, undecided, no answer, error.
        golds: what the golds were read as.
        matched_gold: index of the gold that settled it as right, else None.
        reading: what was read, or why nothing was.
        verdict: None where there was nothing to decide.
        by_policy: the standing under each policy at or below the one in force, strictest first.
        unfinished_standing: the standing had an unfinished trace counted as no answer.
        finished: the trace was closed, or never had any reasoning.
        recorded: the scores of this generation or of its item.
        cause: set by audit where the verdict changed.
        detail: one line for the reader (the first failing test, an error).
        text_length: characters in the generation.
    """

    id: str
    row: int
    task: str
    sample: int
    samples: int
    kind: Kind
    standing: Standing
    golds: tuple[str, ...] = ()
    matched_gold: int | None = None
    reading: Reading | NoAnswer | None = None
    verdict: Verdict | None = None
    by_policy: tuple[tuple[Policy, Standing], ...] = ()
    unfinished_standing: Standing = Standing.WRONG
    finished: bool = True
    marks: tuple[Mark, ...] = ()
    recorded: tuple[Recorded, ...] = ()
    change: Change = Change.NOT_COMPARABLE
    cause: Cause | None = None
    cause_by: CauseBy = CauseBy.INFERRED
    detail: str = ""
    text_length: int = 0

    @property
    def score(self) -> float:
        """1.0 where right, else 0.0; undecided counts as 0 and stays in the denominator."""
        return 1.0 if self.standing is Standing.RIGHT else 0.0


@dataclass(frozen=True, slots=True)
class Flip:
    """A changed verdict, as the contract's JSON shows it."""

    id: str
    row: int
    sample: int | None
    before: float
    after: float
    cause: Cause
    cause_by: CauseBy
    golds: tuple[str, ...]
    matched_gold: int | None
    answer: str | None
    verdict: Verdict | None
    reading: Reading | NoAnswer | None
