"""The policies, from strict to loose. Each one asks the stricter first, so none can lose what a stricter one holds."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Different, Equal, Policy, Proof, Undecided, UndecidedReason, Verdict
from . import values
from .trial import Trial
from .value import Parsed, Unparsed

ORDER = (Policy.IDENTICAL, Policy.VALUE, Policy.IN_CONTEXT)
_ALGEBRA_FOR = 3
"""Licensed readings for which computer algebra may be asked."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold and an answer as given, with presentation removed, and as parsed."""

    gold_text: str
    answer_text: str
    gold_shown: str
    answer_shown: str
    gold: Parsed | Unparsed | None
    answer: Parsed | Unparsed | None


def identical(pair: Pair) -> Verdict:
    """The same text once presentation is removed."""
    if not pair.gold_shown or not pair.answer_shown:
        return Undecided(UndecidedReason.EMPTY)
    return Equal(Proof.IDENTICAL) if pair.gold_shown == pair.answer_shown else Different(Proof.IDENTICAL)


def value(pair: Pair, trial: Trial) -> Verdict:
    """The same mathematical object, judged without the question."""
    for parsed in (pair.gold, pair.answer):
        if isinstance(parsed, Unparsed):
            reason = UndecidedReason.LIMIT if parsed.over_limit else UndecidedReason.UNPARSED
            return Undecided(reason, f"{parsed.why} at {parsed.position}")
    assert isinstance(pair.gold, Parsed)
    assert isinstance(pair.answer, Parsed)
    verdict = values.compare(pair.gold.value, pair.answer.value, trial)
    if isinstance(verdict, Different) and _other_reading(pair.gold, pair.answer, trial):
        return Undecided(UndecidedReason.NOT_PROVED, "equal in another reading of the text")
    return verdict


def _other_reading(gold: Parsed, answer: Parsed, trial: Trial) -> bool:
    """Whether a second reading that one of the texts has in use would make the two equal."""
    if gold.other is None and answer.other is None:
        return False
    ours = [reading for reading in (gold.value, gold.other) if reading is not None]
    theirs = [reading for reading in (answer.value, answer.other) if reading is not None]
    pairs = [(one, two) for one in ours for two in theirs][1:]
    inner = Trial(trial.precision, trial.seed, trial.deadline, algebra=False)
    return any(isinstance(values.compare(one, two, inner), Equal) for one, two in pairs)


def in_context(pair: Pair, question: str, by_value: Verdict, trial: Trial) -> Verdict:
    """What the question licenses: readings of the pair that its words allow, each decided by the rules of `value`."""
    if isinstance(by_value, Equal) or pair.gold is None or pair.answer is None:
        return by_value
    from .context import rewrites

    for number, rewrite in enumerate(rewrites(question, pair.gold, pair.answer, pair.gold_text, pair.answer_text)):
        inner = Trial(trial.precision, trial.seed, trial.deadline, algebra=number < _ALGEBRA_FOR)
        verdict = values.compare(rewrite.gold, rewrite.answer, inner)
        trial.note("licence", verdict.kind, rewrite.evidence)
        if isinstance(verdict, Equal):
            return Equal(Proof.LICENSED, rewrite.evidence)
        if trial.seconds_left() < 0:
            break
    return by_value
