"""What file and folder names tell, for harnesses that write it nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..model import InputError
from .files import Place, is_url, open_stream
from .source import Around
from .values import loads

DATE = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?"


def iso(date: str) -> str:
    """A date as file names hold it, `2025-01-31T10-20-30.5`, in ISO form."""
    day, _, time = date.partition("T")
    return f"{day}T{time[:8].replace('-', ':')}{time[8:]}"


def components(place: Place) -> tuple[str, ...]:
    """Folders and name; a file name that joins folders by a double underscore is taken apart."""
    return (*place.parts, *place.name.split("__"))


def stem(name: str) -> str:
    """A file name without its ending."""
    return re.sub(r"\.(?:jsonl|json|parquet|csv|tsv)\Z", "", name)


def sibling(place: Place, name: str) -> Place:
    """Another file in the same folder (of the same archive)."""
    if place.member:
        folder = place.member.rpartition("/")[0]
        return Place(place.path, f"{folder}/{name}" if folder else name)
    path = place.path if is_url(place.path) else place.path.replace("\\", "/")
    folder, slash, _ = path.rpartition("/")
    return Place(f"{folder}{slash}{name}")


def object_at(place: Place) -> Mapping[str, Any]:
    """The JSON object in a small file beside a run; empty where there is none or it does not parse."""
    try:
        with open_stream(place) as stream:
            value = loads(stream.read())
    except (InputError, ValueError, KeyError, OSError):
        return {}
    return value if isinstance(value, Mapping) else {}


def beside(place: Place, around: Around, name: str) -> Mapping[str, Any]:
    """The JSON object in the file `name` next to `place`, or else found together with it."""
    for candidate in [sibling(place, name), *(other for other in around.places if other.name == name)]:
        found = object_at(candidate)
        if found:
            return found
    return {}
