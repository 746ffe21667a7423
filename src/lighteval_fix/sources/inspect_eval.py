"""Inspect logs: `.eval` (a zip of JSON members, packed with deflate or Zstandard) and `.json`.

inspect_ai itself is not needed. Samples of one id are the epochs of one item.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model import InputError, Item, Part, RowError, Run
from .archive import open_archive
from .files import STREAM_ERRORS, Place
from .inspect_samples import build_item, scores_of_results
from .json_rows import json_object
from .records import WHOLE
from .source import Around, Container, Head, Layout
from .values import Record, listed, loads, mapping, text

_SAMPLE_NAME = re.compile(r"samples/(?P<id>.*)_epoch_(?P<epoch>\d+)\.json")
_START = "_journal/start.json"
_UNPACKED_RATIO = 4
"""About how many bytes of JSON one packed byte holds."""


class InspectSource:
    """Logs of Inspect, those that `lighteval eval` writes among them."""

    name = "inspect_eval"
    layouts: tuple[Layout, ...] = (Layout((Container.JSON_OBJECT,), ("version", "eval", "status", "samples|results")),)

    def matches(self, head: Head) -> bool:
        if head.container is Container.ZIP:
            return bool({"header.json", _START} & set(head.columns))
        return self.layouts[0].closeness(head) >= 1 and isinstance(head.record.get("eval"), Mapping)

    def is_companion(self, head: Head, around: Around) -> bool:
        return False

    def runs(self, head: Head, around: Around, options: Mapping[str, Any]) -> Iterator[Run]:
        packed = head.container is Container.ZIP
        header = _zip_header(head.place, head.columns) if packed else head.record
        told = mapping(header.get("eval"))
        task = text(told.get("task")) or ""
        sampled = packed or bool(listed(header.get("samples")))
        limit = _generation_limit(header)
        names = scorers(header)
        yield Run(
            path=str(head.place),
            format=self.name,
            reader=ZipReader(head.place, task, limit) if packed else JsonReader(head.place, task, limit),
            version=text(mapping(told.get("packages")).get("inspect_ai")),
            date=text(told.get("created")),
            model=text(told.get("model")),
            task=task,
            metrics=names,
            reported=scores_of_results(mapping(header.get("results"))),
            bytes=head.size,
            skip=None if sampled else "no_samples",
        )


def scorers(header: Record) -> tuple[str, ...]:
    """Names of the scorers in order."""
    results = [mapping(score) for score in listed(mapping(header.get("results")).get("scores"))]
    planned = [mapping(score) for score in listed(mapping(header.get("eval")).get("scorers"))]
    found = [text(score.get("name")) for score in results or planned]
    return tuple(dict.fromkeys(name.rpartition("/")[2] for name in found if name))


def _generation_limit(header: Record) -> int | None:
    for config in (
        mapping(mapping(header.get("plan")).get("config")),
        mapping(mapping(header.get("eval")).get("model_generate_config")),
    ):
        limit = config.get("max_tokens")
        if isinstance(limit, int):
            return limit
    return None


def _zip_header(place: Place, names: tuple[str, ...]) -> Record:
    """The header, or the journal's start where the run was interrupted before it had one."""
    with open_archive(place.path) as archive:
        for name in ("header.json", _START):
            if name in names:
                try:
                    return mapping(loads(archive.read(name)))
                except (*STREAM_ERRORS, ValueError) as error:
                    raise InputError(f"damaged log: {name}: {error}", str(place)) from error
    return {}


@dataclass(frozen=True, slots=True)
class ZipReader:
    """Samples of an `.eval` log, one member at a time; the epochs of one sample are read together."""

    place: Place
    task: str
    generation_limit: int | None = None

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        with open_archive(self.place.path) as archive:
            groups = sample_groups(archive.names)
            start, stop = (part.start, min(part.stop, len(groups))) if part is not None else (0, len(groups))
            for row in range(start, stop):
                samples = []
                for name in groups[row]:
                    try:
                        samples.append(mapping(loads(archive.read(name))))
                    except (*STREAM_ERRORS, ValueError) as error:
                        yield RowError(row, "damaged_sample", f"{name}: {error}"[:200])
                if samples:
                    yield build_item(row, samples, self.task, self.generation_limit)
            if archive.cut and stop == len(groups):
                yield RowError(len(groups), "truncated_file", "the log is cut off here")

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        with open_archive(self.place.path) as archive:
            start = size = 0
            groups = sample_groups(archive.names)
            for row, names in enumerate(groups):
                size += _UNPACKED_RATIO * sum(archive.size(name) for name in names)
                if size >= batch_bytes and row + 1 < len(groups):
                    yield Part(start, row + 1)
                    start, size = row + 1, 0
            if start < len(groups) or archive.cut:
                yield Part(start, len(groups))


def sample_groups(names: Iterable[str]) -> list[list[str]]:
    """Member names, one list a sample id with its epochs in order; ids as Inspect lists them, numbers as numbers."""
    epochs: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        match = _SAMPLE_NAME.fullmatch(name)
        if match:
            epochs.setdefault(match["id"], []).append((int(match["epoch"]), name))

    def order(key: str) -> tuple[int, int, str]:
        return (0, int(key), "") if key.isascii() and key.isdigit() and len(key) < 19 else (1, 0, key)

    return [[name for _, name in sorted(epochs[key])] for key in sorted(epochs, key=order)]


@dataclass(frozen=True, slots=True)
class JsonReader:
    """Samples of a `.json` log, which is one object and is read whole."""

    place: Place
    task: str
    generation_limit: int | None = None

    def items(self, part: Part | None = None) -> Iterator[Item | RowError]:
        log = json_object(self.place)
        if log is None:
            yield RowError(0, "bad_json", "not one JSON object")
            return
        groups: dict[str, list[Record]] = {}
        for sample in listed(log.get("samples")):
            groups.setdefault(str(mapping(sample).get("id")), []).append(mapping(sample))
        for row, samples in enumerate(groups.values()):
            yield build_item(row, samples, self.task, self.generation_limit)

    def parts(self, batch_bytes: int) -> Iterator[Part]:
        yield WHOLE
