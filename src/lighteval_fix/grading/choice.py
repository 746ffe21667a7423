"""Grades a multiple-choice answer: read the label, compare labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

from ..model import Different, Equal, Grade, Item, Kind, NoAnswer, Proof, Standing, Verdict
from ..reading import read_letter
from ..text.prompt import cut_prompt
from .grader import Options
from .shared import ending_of, make_grade, policies_of, standing_of

if TYPE_CHECKING:
    from ..reading.profile import Profile


@dataclass(frozen=True, slots=True)
class ChoiceGrader:
    """Grades every generation of an item against the labels of its right options. Labels leave nothing to a policy."""

    options: Options
    profile: Profile | None = None

    def grade(self, item: Item) -> Iterator[Grade]:
        """One grade per generation; an error where neither the item nor its prompt has any options."""
        labels = labels_of(item)
        golds = tuple(labels[index] for index in item.gold_index) or tuple(gold.text for gold in item.golds)
        texts = option_texts(item, labels)
        policies = policies_of(self.options.policy)
        for sample, generation in enumerate(item.generations):
            ending = ending_of(item, generation, self.profile)
            if not labels:
                standings = tuple((policy, Standing.ERROR) for policy in policies)
                yield make_grade(
                    item, sample, Kind.CHOICE, None, ending, golds=golds, standings=standings, detail="no_options"
                )
                continue
            reading = read_letter(
                generation.text,
                list(labels),
                prompt=item.prompt,
                options=texts,
                unfinished=self.options.unfinished,
                split=ending.split,
            )
            verdict: Verdict | None = None
            matched = None
            standing = Standing.NO_ANSWER
            if not isinstance(reading, NoAnswer):
                matched = golds.index(reading.text) if reading.text in golds else None
                verdict = Different(Proof.SAME_LABEL) if matched is None else Equal(Proof.SAME_LABEL)
                standing = standing_of(verdict)
            yield make_grade(
                item,
                sample,
                Kind.CHOICE,
                reading,
                ending,
                golds=golds,
                standings=tuple((policy, standing) for policy in policies),
                verdict=verdict,
                matched_gold=matched,
            )


def labels_of(item: Item) -> tuple[str, ...]:
    """The labels of the options: as the run says, else those in the prompt, else letters in order."""
    count = len(item.choices)
    if len(item.labels) >= count > 0 or (item.labels and not count):
        return item.labels
    shown = tuple(option.label for option in cut_prompt(item.prompt).options)
    if len(shown) == count:
        return shown
    return tuple(ascii_uppercase[index] if index < 26 else str(index + 1) for index in range(count))


def option_texts(item: Item, labels: tuple[str, ...]) -> list[str] | None:
    """The texts of the options in the order of `labels`, where the run knows them; else the reader takes them from the
    prompt, if it needs them at all."""
    return list(item.choices) if item.choices and item.choices != labels else None
