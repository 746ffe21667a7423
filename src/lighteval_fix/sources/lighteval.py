"""LightEval's details files.

From 0.11 on a row holds the structs `doc`, `metric`, `model_response`; before that (0.6 to 0.10) flat columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import ItemReader, Kind, Run
from . import lighteval_flat, lighteval_rows
from .lighteval_names import origin
from .records import RecordReader, Records
from .source import Around, Container, Head, Layout, NoReader
from .values import mapping

NAME = "lighteval"
_CONTAINERS = (Container.PARQUET, Container.JSON_LINES, Container.JSON_OBJECT)
"""Details are parquet; `push_details_to_hub` pushes them as JSON lines."""

_STRUCTS = Layout(_CONTAINERS, lighteval_rows.STRUCTS)
_FLAT = Layout(_CONTAINERS, lighteval_flat.COLUMNS)


class LightevalSource:
    """Details files, with what the results JSON beside them adds."""

    name = NAME
    layouts: tuple[Layout, ...] = (_STRUCTS, _FLAT)

    def matches(self, head: Head) -> bool:
        return any(layout.closeness(head) >= 1 for layout in self.layouts)

    def is_companion(self, head: Head, around: Around) -> bool:
        have = set(head.columns)
        return {"config_general", "results"} <= have and head.container in (Container.JSON_OBJECT, Container.PARQUET)

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        yield flat_run(head, around) if _FLAT.closeness(head) >= 1 else struct_run(head, around)


def struct_run(head: Head, around: Around) -> Run:
    """The run of one details file of 0.11 or later."""
    if head.container is Container.PARQUET:
        doc, metric = lighteval_rows.peek(head.place)
    else:
        doc, metric = mapping(head.record.get("doc")), mapping(head.record.get("metric"))
    known = origin(head.place, around)
    task = known.task or str(doc.get("task_name") or "")
    skipped = lighteval_rows.is_log_likelihood(doc)
    return Run(
        path=str(head.place),
        format=NAME,
        reader=NoReader() if skipped else _struct_reader(head, task),
        version=known.version,
        date=known.date,
        model=known.model,
        task=task,
        metrics=tuple(metric),
        reported=known.reported,
        kind=Kind.CODE if lighteval_rows.has_tests(doc) else None,
        bytes=head.size,
        skip="log_likelihood" if skipped else None,
    )


def _struct_reader(head: Head, task: str) -> ItemReader:
    if head.container is Container.PARQUET:
        return lighteval_rows.StructReader(head.place, task)
    return RecordReader(Records(head.place, head.container), lighteval_rows.record_item, task)


def _flat_reader(head: Head, task: str) -> ItemReader:
    if head.container is Container.PARQUET:
        return lighteval_flat.FlatReader(head.place, task)
    return RecordReader(Records(head.place, head.container), lighteval_flat.build_item, task)


def flat_run(head: Head, around: Around) -> Run:
    """The run of one details file of 0.6 to 0.10."""
    first = lighteval_flat.peek(head.place) if head.container is Container.PARQUET else head.record
    known = origin(head.place, around)
    skipped = lighteval_flat.is_log_likelihood(first)
    metrics = mapping(lighteval_flat.literal(first.get("metrics")))
    return Run(
        path=str(head.place),
        format=NAME,
        reader=NoReader() if skipped else _flat_reader(head, known.task),
        version=known.version,
        date=known.date,
        model=known.model,
        task=known.task,
        metrics=tuple(str(name) for name in metrics),
        reported=known.reported,
        kind=Kind.CODE if lighteval_flat.has_tests(first) else None,
        bytes=head.size,
        skip="log_likelihood" if skipped else None,
    )
