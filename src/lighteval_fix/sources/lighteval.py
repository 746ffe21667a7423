"""LightEval's details files.

From 0.11 on a row holds the structs `doc`, `metric`, `model_response`; before that (0.6 to 0.10) flat columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import Kind, Run
from . import lighteval_flat
from .lighteval_names import origin
from .lighteval_rows import StructReader, has_tests, is_log_likelihood, peek
from .source import Around, Container, Head, Layout, NoReader
from .values import mapping

NAME = "lighteval"
_STRUCTS = Layout((Container.PARQUET,), ("doc", "metric", "model_response"))
_FLAT = Layout((Container.PARQUET,), lighteval_flat.COLUMNS)


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
    doc, metric = peek(head.place)
    known = origin(head.place, around)
    task = known.task or str(doc.get("task_name") or "")
    skipped = is_log_likelihood(doc)
    return Run(
        path=str(head.place),
        format=NAME,
        reader=NoReader() if skipped else StructReader(head.place, task),
        version=known.version,
        date=known.date,
        model=known.model,
        task=task,
        metrics=tuple(metric),
        reported=known.reported,
        kind=Kind.CODE if has_tests(doc) else None,
        bytes=head.size,
        skip="log_likelihood" if skipped else None,
    )


def flat_run(head: Head, around: Around) -> Run:
    """The run of one details file of 0.6 to 0.10."""
    first = lighteval_flat.peek(head.place)
    known = origin(head.place, around)
    skipped = lighteval_flat.is_log_likelihood(first)
    metrics = mapping(lighteval_flat.literal(first.get("metrics")))
    return Run(
        path=str(head.place),
        format=NAME,
        reader=NoReader() if skipped else lighteval_flat.FlatReader(head.place, known.task),
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
