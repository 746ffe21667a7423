"""Which rules a result was graded by: the version of the tool, and a hash of the tables it reads and judges with."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_TABLES = ("reading", "deciding")
_SUFFIXES = (".toml", ".json", ".txt", ".tsv", ".csv")


@cache
def rules_hash() -> str:
    """SHA-256 over every data file of reading and deciding (cues, units, licences), names and contents, in the order
    of their names: two results with the same hash and version were graded by the same rules."""
    digest = sha256()
    for room in _TABLES:
        for path in sorted((_PACKAGE / room).rglob("*")):
            if path.suffix in _SUFFIXES:
                digest.update(f"{path.relative_to(_PACKAGE).as_posix()}\0".encode())
                digest.update(path.read_bytes())
                digest.update(b"\0")
    return digest.hexdigest()


@cache
def version() -> str:
    """The installed version of this package."""
    return metadata.version("lighteval-fix")
