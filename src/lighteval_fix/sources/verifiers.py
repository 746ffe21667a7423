"""verifiers: `results.jsonl` (or the data set it is saved as), one rollout a row, with `metadata.json` beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import Generation, Item, Recorded, RowError, Run
from .grouping import GroupedReader
from .names import beside, components
from .records import Records
from .references import golds_from
from .source import Around, Container, Head, Layout
from .values import Record, chat_text, last_user_text, listed, message_text, number, text

_SCORE_WORDS = ("reward", "correct", "accuracy", "pass@")


class VerifiersSource:
    """Saved evaluation results of verifiers environments."""

    name = "verifiers"
    layouts: tuple[Layout, ...] = (
        Layout(
            (Container.JSON_LINES, Container.JSON_OBJECT, Container.PARQUET),
            ("prompt", "completion", "answer", "reward"),
        ),
    )

    def matches(self, head: Head) -> bool:
        return self.layouts[0].closeness(head) >= 1

    def is_companion(self, head: Head, around: Around) -> bool:
        return head.container is Container.JSON_OBJECT and {"env_id", "model", "num_examples"} <= set(head.columns)

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        told = beside(head.place, around, "metadata.json")
        environment, model = _from_folders(components(head.place))
        task = text(told.get("env_id")) or environment or text(head.record.get("task")) or ""
        yield Run(
            path=str(head.place),
            format=self.name,
            reader=GroupedReader(Records(head.place, head.container), build_item, example_of, task),
            date=text(told.get("date")),
            model=text(told.get("model")) or model,
            task=task,
            metrics=tuple(score.metric for score in _scores(head.record)),
            reported=(("reward", mean),) if (mean := number(told.get("avg_reward"))) is not None else (),
            bytes=head.size,
        )


def _from_folders(words: tuple[str, ...]) -> tuple[str | None, str | None]:
    """`…/ENVIRONMENT--ORG--MODEL/RUN/results.jsonl`."""
    for word in reversed(words):
        environment, dashes, model = word.partition("--")
        if dashes:
            return environment, model.replace("--", "/")
    return None, None


def example_of(record: Record) -> str:
    """What rollouts of one example share. Not the id: in older files it numbers something else."""
    return f"{record.get('prompt')!r}\n{record.get('answer')!r}"


def _scores(record: Record) -> tuple[Recorded, ...]:
    """The reward first, then what else is a score by its name; counts of turns and calls are not."""
    names = [name for name in record if name != "reward" and any(word in name for word in _SCORE_WORDS)]
    return tuple(
        Recorded(name, score) for name in ("reward", *names) if (score := number(record.get(name))) is not None
    )


def build_item(row: int, record: Record, task: str) -> Item | RowError:
    """One rollout: its answer is the last assistant message."""
    answer, reasoning = last_assistant(record.get("completion"))
    if answer is None:
        return RowError(row, "no_generation")
    golds = golds_from(record.get("answer"))
    if golds is None:
        return RowError(row, "null_gold")
    prompt = chat_text(record.get("prompt"))
    if not prompt:
        return RowError(row, "no_prompt")
    return Item(
        id=text(record.get("example_id")) or str(row),
        row=row,
        prompt=prompt,
        question=last_user_text(record.get("prompt")),
        golds=golds,
        generations=(Generation(answer, reasoning=reasoning),),
        recorded=_scores(record),
        task=task,
    )


def last_assistant(completion: object) -> tuple[str | None, str | None]:
    """Text and reasoning of the last assistant message; a plain string is the text itself."""
    if isinstance(completion, str):
        return completion, None
    for message in reversed(listed(completion)):
        if isinstance(message, Mapping) and message.get("role") == "assistant":
            content = message.get("content")
            return message_text(content) if content is not None else "", text(message.get("reasoning_content"))
    return None, None
