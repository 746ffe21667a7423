"""The fingerprint of an input file, taken while the grading goes on."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path
from threading import Thread


class Fingerprint:
    """SHA-256 of a local file, computed by a thread of its own; None for what is no plain local file."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._value: str | None = None
        self._thread: Thread | None = None
        if self._path.is_file():
            self._thread = Thread(target=self._compute, daemon=True)
            self._thread.start()

    def _compute(self) -> None:
        try:
            with self._path.open("rb") as file:
                self._value = file_digest(file, "sha256").hexdigest()
        except OSError:
            self._value = None  # the reader of the run meets the same error and reports it

    def value(self) -> str | None:
        """The hash; waits for it."""
        if self._thread is not None:
            self._thread.join()
        return self._value
