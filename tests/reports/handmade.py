"""A run made by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lighteval_fix.model import (
    Cause,
    Change,
    Equal,
    Generation,
    Gold,
    Grade,
    Item,
    Kind,
    Part,
    Policy,
    Proof,
    Reading,
    Recorded,
    Rule,
    Run,
    Standing,
)


@dataclass(frozen=True)
class ListReader:
    """A reader over items that are at hand."""

    rows: tuple[Item, ...] = field(default=())

    def items(self, part: Part | None = None) -> Iterator[Item]:
        yield from self.rows if part is None else self.rows[part.start : part.stop]

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield Part(0, len(self.rows))


def make_item(row: int, text: str, *, question: str = "How many?", gold: str = "7", score: float = 0.0) -> Item:
    return Item(
        id=str(row),
        row=row,
        prompt=question,
        question=question,
        golds=(Gold(gold),),
        generations=(Generation(text),),
        recorded=(Recorded("extractive_match", score, 0),),
        task="counting|0",
    )


def make_grade(item: Item, change: Change, *, answer: str = "7", cause: Cause | None = None) -> Grade:
    text = item.generations[0].text
    at = max(text.rfind(answer), 0)
    right = change is Change.RECOVERED or (change is Change.KEPT and item.recorded[0].score == 1.0)
    standing = Standing.RIGHT if right else Standing.WRONG
    return Grade(
        id=item.id,
        row=item.row,
        task=item.task,
        sample=0,
        samples=1,
        kind=Kind.MATH,
        standing=standing,
        golds=tuple(g.text for g in item.golds),
        reading=Reading(answer, ((at, at + len(answer)),), Rule.ANSWER_LINE),
        verdict=Equal(Proof.EXACT),
        by_policy=((Policy.IDENTICAL, Standing.WRONG), (Policy.VALUE, standing), (Policy.IN_CONTEXT, standing)),
        recorded=item.recorded,
        change=change,
        cause=cause,
        text_length=len(text),
    )


def make_run(items: list[Item]) -> Run:
    return Run(path="made/by/hand", format="lighteval", reader=ListReader(tuple(items)), model="m", task="counting|0")
