"""What can go wrong, as a tree:

LightevalFixError
├── InputError(path, row)        some input cannot be read
│   ├── UnknownFormat            no source knows this file
│   └── SeveralRuns              `open_run` met more than one run
├── SandboxMissing               programs cannot be run: bubblewrap is absent or refused
└── UpstreamShapeError           the installed harness is not the one that a fix was written for
"""

from __future__ import annotations


class LightevalFixError(Exception):
    """The root: everything raised on purpose by this package."""


class InputError(LightevalFixError):
    """Some input cannot be read.

    Args:
        message: one line, without the path.
        path: the file, folder or URL.
        row: the row (0-based), where one is to blame.
    """

    def __init__(self, message: str, path: str = "", row: int | None = None) -> None:
        where = path if row is None else f"{path}, row {row}"
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.path = path
        self.row = row

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str, int | None]]:
        return type(self), (self.message, self.path, self.row)


class UnknownFormat(InputError):
    """No source recognises the content."""


class SeveralRuns(InputError):
    """`open_run` found more than one run; use `open_runs`."""


class SandboxMissing(LightevalFixError):
    """bubblewrap is not installed, or this host refuses it namespaces; the message says which and what to do."""


class UpstreamShapeError(LightevalFixError):
    """The installed harness does not have the shape that a fix relies on."""
