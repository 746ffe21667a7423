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
from .shared import POLICIES, ending_of, make_grade, standing_of

if TYPE_CHECKING:
    from ..reading.profile import Profile


@dataclass(frozen=True, slots=True)
class MathGrader:
    """Grades every generation of an item against its golds, under all policies at or below the one in force."""

    options: Options
    profile: Profile | None = None

    def grade(self, item: Item) -> Iterator[Grade]:
        """One grade per generation."""
        golds = tuple(_gold(gold.text) for gold in item.golds)
        policies = POLICIES[: POLICIES.index(self.options.policy) + 1]
        question = item.question if item.question is not None else cut_prompt(item.prompt).question
        for sample, generation in enumerate(item.generations):
            ending = ending_of(item, generation, self.profile)
            reading = read_answer(
                generation.text, prompt=item.prompt, unfinished=self.options.unfinished, split=ending.split
            )
            if isinstance(reading, NoAnswer):
                standings = tuple((policy, Standing.NO_ANSWER) for policy in policies)
                yield make_grade(item, sample, Kind.MATH, reading, ending, golds=golds, standings=standings)
                continue
            verdicts = [self._decide(gold, reading.text, question or None, policies) for gold in golds]
            combined = {policy: combine([verdict[policy] for verdict in verdicts]) for policy in policies}
            verdict, matched = combined[self.options.policy]
            yield make_grade(
                item,
                sample,
                Kind.MATH,
                reading,
                ending,
                golds=golds,
                standings=tuple((policy, standing_of(combined[policy][0])) for policy in policies),
                verdict=verdict,
                matched_gold=matched,
            )

    def _decide(
        self, gold: str, answer: str, question: str | None, policies: Sequence[Policy]
    ) -> Mapping[Policy, Verdict]:
        options = self.options
        if options.comparator is not None:
            return dict.fromkeys(policies, options.comparator(gold, answer, options.timeout))
        known = _decided if len(gold) + len(answer) + len(question or "") <= _SHORT else _decided.__wrapped__
        return known(gold, answer, question, options.policy, options.precision, options.timeout)


_SHORT = 8000
"""Characters up to which a pair with its question, or a gold, is remembered: what is remembered stays small."""


@lru_cache(maxsize=2048)
def _decided(
    gold: str, answer: str, question: str | None, policy: Policy, precision: int, timeout: float
) -> Mapping[Policy, Verdict]:
    """The verdicts on a pair: samples of one question give the same answer again and again."""
    return decide_policies(gold, answer, question=question, policy=policy, precision=precision, timeout=timeout)


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
