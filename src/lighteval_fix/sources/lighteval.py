"""LightEval's details files.

From 0.11 on a row holds the structs `doc`, `metric`, `model_response`; before that (0.6 to 0.10) flat columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model import Kind, Run
from .lighteval_names import origin
from .lighteval_rows import StructReader, has_tests, is_log_likelihood, peek
from .source import Around, Container, Head, Layout, NoReader

NAME = "lighteval"
_STRUCTS = Layout((Container.PARQUET,), ("doc", "metric", "model_response"))


class LightevalSource:
    """Details files, with what the results JSON beside them adds."""

    name = NAME
    layouts: tuple[Layout, ...] = (_STRUCTS,)

    def matches(self, head: Head) -> bool:
        return any(layout.closeness(head) >= 1 for layout in self.layouts)

    def is_companion(self, head: Head, around: Around) -> bool:
        have = set(head.columns)
        return {"config_general", "results"} <= have and head.container in (Container.JSON_OBJECT, Container.PARQUET)

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        yield struct_run(head, around)


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
