"""Grades a mathematical answer: read it, read the golds, decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..deciding import decide_policies
from ..model import Grade, Item, Kind, NoAnswer, Policy, Standing, Undecided, Verdict
from ..reading import read_answer, read_gold
from ..text.prompt import cut_prompt
from .grader import Options
from .shared import ending_of, make_grade, policies_of, standing_of

if TYPE_CHECKING:
    from ..reading.profile import Profile


@dataclass(frozen=True, slots=True)
class MathGrader:
    """Grades every generation of an item against its golds, under all policies at or below the one in force."""

    options: Options
    profile: Profile | None = None

    def grade(self, item: Item) -> Iterator[Grade]:
        """One grade per generation."""
        golds = tuple([_gold(gold.text) for gold in item.golds])
        question = item.question if item.question is not None else cut_prompt(item.prompt).question
        for sample, generation in enumerate(item.generations):
            ending = ending_of(item, generation, self.profile)
            reading = read_answer(
                generation.text, prompt=item.prompt, unfinished=self.options.unfinished, split=ending.split
            )
            if isinstance(reading, NoAnswer):
                judged = _unanswered(self.options.policy)
            else:
                judged = self._judge(golds, reading.text, question or None)
            yield make_grade(
                item,
                sample,
                Kind.MATH,
                reading,
                ending,
                golds=golds,
                standings=judged.standings,
                verdict=judged.verdict,
                matched_gold=judged.matched,
            )

    def _judge(self, golds: tuple[str, ...], answer: str, question: str | None) -> Judged:
        options = self.options
        if options.comparator is not None:
            verdicts = [options.comparator(gold, answer, options.timeout) for gold in golds]
            policies = policies_of(options.policy)
            return _judged_by([dict.fromkeys(policies, verdict) for verdict in verdicts], policies)
        short = sum(map(len, golds)) + len(answer) + len(question or "") <= _SHORT
        known = judged if short else judged.__wrapped__
        return known(golds, answer, question, options.policy, options.precision, options.timeout)


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer comes to beside the golds of its item.

    Args:
        standings: under each policy at or below the one in force, strictest first.
        verdict: under the policy in force; None where there was no answer.
        matched: index of the gold that is equal.
    """

    standings: tuple[tuple[Policy, Standing], ...]
    verdict: Verdict | None = None
    matched: int | None = None


_SHORT = 8000
"""Characters up to which an answer with its golds and question is remembered: what is remembered stays small."""


@lru_cache(maxsize=2048)
def judged(
    golds: tuple[str, ...], answer: str, question: str | None, policy: Policy, precision: int, timeout: float
) -> Judged:
    """The verdict on an answer: samples of one question give the same answer again and again."""
    verdicts = [
        decide_policies(gold, answer, question=question, policy=policy, precision=precision, timeout=timeout)
        for gold in golds
    ]
    return _judged_by(verdicts, policies_of(policy))


def _judged_by(verdicts: Sequence[Mapping[Policy, Verdict]], policies: Sequence[Policy]) -> Judged:
    combined = {policy: combine([verdict[policy] for verdict in verdicts]) for policy in policies}
    verdict, matched = combined[policies[-1]]
    return Judged(tuple((policy, standing_of(combined[policy][0])) for policy in policies), verdict, matched)


@lru_cache(maxsize=len(Policy))
def _unanswered(policy: Policy) -> Judged:
    return Judged(tuple((each, Standing.NO_ANSWER) for each in policies_of(policy)))


def _gold(text: str) -> str:
    return _read_gold(text) if len(text) <= _SHORT else _read_gold.__wrapped__(text)


@lru_cache(maxsize=2048)
def _read_gold(text: str) -> str:
    reading = read_gold(text)
    return text.strip() if isinstance(reading, NoAnswer) else reading.text


def combine(verdicts: Sequence[Verdict]) -> tuple[Verdict, int | None]:
    """Several golds: equal if any is (and which one), different only if all are, else undecided."""
    for index, verdict in enumerate(verdicts):
        if verdict.kind == "equal":
            return verdict, index
    for verdict in verdicts:
        if isinstance(verdict, Undecided):
            return verdict, None
    return verdicts[0], None
