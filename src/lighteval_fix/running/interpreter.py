"""The Python that runs the programs, and the folders that it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_ASK = """import importlib.util as u, sys
assert sys.version_info >= (3, 9), "Python 3.9 or later is needed"
print(sys.base_prefix, sys.base_exec_prefix, sys.executable, u.MAGIC_NUMBER.hex(), *sys.path, sep="\\n")"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter as it describes itself.

    Args:
        executable: the real binary, with every link followed.
        path: its `sys.path` without the entry for the script, so that a program sees the packages it would see.
        folders: what must be readable for it to work, outermost folders only.
        magic: the mark of its bytecode, in hexadecimal.
    """

    executable: str
    path: tuple[str, ...]
    folders: tuple[str, ...]
    magic: str


@lru_cache(maxsize=8)
def describe(python: str | None = None) -> Interpreter:
    """The interpreter at `python`, or the one that runs this.

    Raises:
        ValueError: it cannot be started, or is older than 3.9.
    """
    chosen = python or sys.executable
    try:
        asked = subprocess.run(
            [chosen, "-I", "-c", _ASK], capture_output=True, text=True, check=True, timeout=60, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or "").strip().rsplit("\n", 1)[-1]
        raise ValueError(f"the interpreter {chosen!r} cannot be started: {said or error}") from error
    lines = asked.stdout.splitlines()
    bases, executable = lines[:2], os.path.realpath(lines[2])
    path = tuple(p for p in lines[4:] if p and os.path.exists(p) and not _is_source_checkout(p))
    needed = {*bases, os.path.dirname(executable), *path}
    return Interpreter(executable, path, _outermost(needed), lines[3])


def _is_source_checkout(folder: str) -> bool:
    """A folder that an editable install put on the path: a working tree, no place for a program to look into."""
    return not any(
        part in ("site-packages", "dist-packages") or part.startswith("python3") for part in Path(folder).parts
    )


def _outermost(folders: set[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for folder in sorted(os.path.realpath(f) for f in folders):
        if not any(folder == k or folder.startswith(k.rstrip("/") + "/") for k in kept):
            kept.append(folder)
    return tuple(kept)
