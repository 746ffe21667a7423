"""From a path to its runs: expand, sniff, hand to the source that knows the content."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from ..model import InputError, Run, SeveralRuns, UnknownFormat
from .evalscope import EvalscopeSource
from .files import STREAM_ERRORS, Place, expand, open_raw
from .inspect_eval import InspectSource
from .lcb import LcbSource
from .lighteval import LightevalSource
from .lm_eval import LmEvalSource
from .mmlu_pro import MmluProSource
from .omlx import OmlxSource
from .opencompass import OpencompassSource
from .sniff import head_of
from .source import Around, Container, Head, NoReader, Source, broken_run, closeness
from .table import TableSource
from .verifiers import VerifiersSource

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        LightevalSource(),
        LmEvalSource(),
        InspectSource(),
        EvalscopeSource(),
        OpencompassSource(),
        MmluProSource(),
        LcbSource(),
        VerifiersSource(),
        OmlxSource(),
        TableSource(),
    )
}
"""The built-in sources, the most specific first."""


UNKNOWN = "unknown_format"
"""Why a file in a folder that no source knows is skipped."""


def open_runs(path: str, *, source: str = "auto", **options: Any) -> Iterator[Run]:
    """The runs at a file, folder, glob or fsspec URL, in the order of their paths; lazy.

    Args:
        path: what to open; a path object will do.
        source: a format's name, or `auto` to recognise it by its content.
        options: passed to the source (`columns` for tables).

    Raises:
        InputError: nothing is there, or the one file cannot be read.
        UnknownFormat: the one file is of no known format; the message names the three nearest.
        ValueError: `source` is no format.
    """
    if source != "auto" and source not in SOURCES:
        raise ValueError(f"unknown source {source!r}; known: auto, {', '.join(SOURCES)}")
    return _runs(str(path), source, options)


def open_run(path: str, *, source: str = "auto", **options: Any) -> Run:
    """The one run at `path`; other files in a folder do not count.

    Raises:
        SeveralRuns: there are more.
        InputError: as `open_runs`, and where there is none.
    """
    runs = (run for run in open_runs(path, source=source, **options) if run.skip != UNKNOWN)
    first = next(runs, None)
    if first is None:
        raise InputError("no run found", str(path))
    if next(runs, None) is not None:
        raise SeveralRuns("holds several runs", str(path))
    return first


def _runs(path: str, source: str, options: Mapping[str, Any]) -> Iterator[Run]:
    files, several = expand(path)
    places = [place for file in files for place in _places(file)]
    several = several or len(places) > 1
    around = Around(tuple(places))
    found = False
    for place in places:
        try:
            runs = list(_runs_of(place, around, source, options, several))
        except InputError as error:
            if not several:
                raise
            runs = [broken_run(place, error)]
        for run in runs:
            found = True
            yield run
    if not found:
        raise InputError("no run found", path)


def _places(file: str) -> list[Place]:
    """A file is a place; an archive that is no log of its own is one place a member."""
    try:
        with open_raw(file) as raw:
            if raw.read(4) != b"PK\x03\x04":
                return [Place(file)]
            with zipfile.ZipFile(raw) as archive:
                names = sorted(info.filename for info in archive.infolist() if not info.is_dir())
    except (InputError, *STREAM_ERRORS, ValueError):
        return [Place(file)]  # told when its head is looked at
    if any(name in ("header.json", "_journal/start.json") for name in names):
        return [Place(file)]
    return [Place(file, name) for name in names if not name.rpartition("/")[2].startswith(".")]


def _runs_of(place: Place, around: Around, source: str, options: Mapping[str, Any], several: bool) -> Iterator[Run]:
    head = head_of(place)
    if source != "auto":
        chosen = SOURCES[source]
        if several and chosen.is_companion(head, around):
            return
        yield from chosen.runs(head, around, options)
        return
    if options.get("columns"):
        yield from SOURCES["table"].runs(head, around, options)
        return
    for candidate in SOURCES.values():
        if candidate.is_companion(head, around):
            if not several:
                raise UnknownFormat(f"this belongs to a {candidate.name} run but holds no generations", str(place))
            return
    for candidate in SOURCES.values():
        if candidate.matches(head):
            yield from candidate.runs(head, around, options)
            return
    if not several:
        raise UnknownFormat(_unknown(head), str(place))
    yield Run(path=str(place), format="unknown", reader=NoReader(), bytes=head.size, skip=UNKNOWN)


def _unknown(head: Head) -> str:
    nearest = sorted(SOURCES.values(), key=lambda source: -closeness(source, head))[:3]
    what = "unknown content" if head.container is Container.UNKNOWN else f"unknown {head.container} layout"
    return f"{what}; nearest formats: {', '.join(source.name for source in nearest)}"
