"""What LightEval says about a run outside its rows: file name, folders, and the results JSON beside the details."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..model import InputError
from .files import Place, is_url, open_stream
from .source import Around
from .values import loads, mapping, number

_DATE = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"
_DETAILS_NAME = re.compile(rf"details_(?P<task>.+)_(?P<date>{_DATE})\.(?:parquet|jsonl?|csv)")
_DATED = re.compile(_DATE)
_LEVELS = 8
"""Folders above the details in which the results JSON is looked for."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Model, task, date and what the results JSON adds; empty where nothing says it."""

    task: str = ""
    date: str | None = None
    model: str | None = None
    version: str | None = None
    reported: tuple[tuple[str, float], ...] = ()


def origin(place: Place, around: Around) -> Origin:
    """Everything that names and neighbours of a details file tell."""
    named = _DETAILS_NAME.fullmatch(place.name)
    task = named["task"] if named else ""
    date = named["date"] if named else _date_folder(place)
    results = _results_beside(place, date, around) if date else {}
    general = mapping(results.get("config_general"))
    key, scores = _scores_of(results, task)
    sha = general.get("lighteval_sha")
    return Origin(
        task=key or task,
        date=iso(date) if date else None,
        model=_model_named(general) or _model_folder(place, date),
        version=sha if isinstance(sha, str) and sha not in ("", "?") else None,
        reported=scores,
    )


def iso(date: str) -> str:
    """LightEval's `2025-01-31T10-20-30.5` as ISO `2025-01-31T10:20:30.5`."""
    day, _, time = date.partition("T")
    return f"{day}T{time.replace('-', ':')}"


def _date_folder(place: Place) -> str | None:
    for folder in reversed(place.parts):
        if _DATED.fullmatch(folder):
            return folder
    return None


def _model_named(general: Mapping[str, Any]) -> str | None:
    for name in (general.get("model_name"), mapping(general.get("model_config")).get("model_name")):
        if isinstance(name, str) and name:
            return name
    return None


def _model_folder(place: Place, date: str | None) -> str | None:
    """`details/ORG/MODEL/DATE/…` on disk, or a pushed dataset `ORG/details_ORG__MODEL[_private]/DATE/…`."""
    parts = list(place.parts)
    if parts and date is not None and parts[-1] == date:
        parts.pop()
    if "details" in parts:
        below = parts[len(parts) - parts[::-1].index("details") :]
        return "/".join(below) or None
    for folder in reversed(parts):
        if folder.startswith("details_") and "__" in folder:
            return folder.removeprefix("details_").removesuffix("_private").replace("__", "/")
    return None


def _results_beside(place: Place, date: str, around: Around) -> Mapping[str, Any]:
    name = f"results_{date}.json"
    known = [other for other in around.places if other.name == name]
    for candidate in [*_nearest_first(known, place), *_likely_places(place, date, name)]:
        try:
            with open_stream(candidate) as stream:
                found = loads(stream.read())
        except (InputError, ValueError):
            continue
        if isinstance(found, Mapping) and "results" in found:
            return found
    return {}


def _nearest_first(known: list[Place], place: Place) -> list[Place]:
    mine = place.parts

    def shared(other: Place) -> tuple[int, int]:
        model = set(other.parts) & set(mine)
        same = next((i for i, (a, b) in enumerate(zip(other.parts, mine, strict=False)) if a != b), len(mine))
        return (-len(model), -same)

    return sorted(known, key=shared)


def _likely_places(place: Place, date: str, name: str) -> list[Place]:
    """Above the details file, and in the `results` tree that mirrors the `details` tree."""
    if place.member:
        return []
    separator = "/" if is_url(place.path) else None
    folder = _parent(place.path, separator)
    found = []
    below: list[str] = []
    for _ in range(_LEVELS):
        if not folder:
            break
        found.append(Place(f"{folder}/{name}"))
        last = folder.replace("\\", "/").rsplit("/", 1)[-1]
        if last == "details":
            model = [part for part in reversed(below) if part != date]
            found.append(Place("/".join([_parent(folder, separator) or ".", "results", *model, name])))
        below.append(last)
        folder = _parent(folder, separator)
    return found


def _parent(path: str, separator: str | None) -> str:
    if separator is None:
        path = path.replace("\\", "/")
    return path.rpartition("/")[0]


def _plain(task: str) -> str:
    """Task names as compared: `|` becomes `:` or `_` on file systems that do not allow it."""
    return re.sub(r"[|:_]", "_", task)


def _scores_of(results: Mapping[str, Any], task: str) -> tuple[str | None, tuple[tuple[str, float], ...]]:
    tables = mapping(results.get("results"))
    wanted = _plain(task)
    for key, scores in tables.items():
        if key == task or _plain(key) == wanted or _plain(key).removeprefix("lighteval_") == wanted:
            return key, _scores(mapping(scores))
    return None, ()


def _scores(table: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    return tuple(
        (name, score)
        for name, value in table.items()
        if not name.endswith("_stderr") and (score := number(value)) is not None
    )
