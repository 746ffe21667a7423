"""Output files that appear whole or not at all, and never in the place of an input."""

from __future__ import annotations

import errno
import os
import weakref
from pathlib import Path

from ..model import InputError, Run


class PartFile:
    """A path to write to beside the final one; `keep` puts it there, and without that it is gone in the end.

    A device or a pipe (`/dev/stdout`) is written to as it is: a file must never take its place.

    Raises:
        OSError: nothing can be written there, known before any work is done.
    """

    def __init__(self, final: Path) -> None:
        self.final = final
        self.part = final
        self._drop: weakref.finalize[[], PartFile] | None = None
        if final.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(final))
        if final.exists() and not final.is_file():
            return
        final.parent.mkdir(parents=True, exist_ok=True)
        self.part = final.with_name(f".{final.name}.{os.getpid()}.part")
        try:
            self.part.touch()
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(final)) from None
        self._drop = weakref.finalize(self, self.part.unlink, missing_ok=True)

    def write(self, text: str) -> None:
        """The whole content at once, and that is all.

        Raises:
            OSError: it could not be written; names the final file.
        """
        try:
            self.part.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self.final)) from None
        self.keep()

    def keep(self) -> None:
        """The file is complete."""
        if self._drop is not None:
            self.part.replace(self.final)
            self._drop.detach()


def refuse_input(final: Path, run: Run) -> None:
    """Raise InputError where writing `final` would overwrite what `run` is read from."""
    source = Path(run.path.partition("::")[0])
    if final.exists() and source.exists() and os.path.samefile(final, source):
        raise InputError("the output would overwrite this input", run.path)


def encodable(text: str) -> str:
    """Text that has a UTF-8 form: a lone surrogate in model text becomes a replacement character of the same length."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _lone(text) else text


def _lone(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
