"""Programs that read standard input and write standard output."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..model import Outcome
from .bubblewrap import Bubblewrap
from .candidate import Candidate
from .interpreter import describe
from .limits import Limits
from .octets import octets
from .plain import Plain
from .sandbox import Sandbox
from .session import Ask

SANDBOXES: Mapping[str, Sandbox] = MappingProxyType({"bubblewrap": Bubblewrap(), "none": Plain()})


def named_sandbox(name: str) -> Sandbox:
    """The sandbox of that name.

    Raises:
        ValueError: there is none.
    """
    if name not in SANDBOXES:
        raise ValueError(f"unknown sandbox {name!r}; known: {', '.join(SANDBOXES)}")
    return SANDBOXES[name]


def run_program(
    code: str,
    stdin: str = "",
    *,
    timeout: float = 6.0,
    memory_bytes: int = 4 * 2**30,
    sandbox: str = "bubblewrap",
    python: str | None = None,
) -> Outcome:
    """Run a program as it is written, as `python program.py` would, and say what it did.

    Args:
        code: the program's text.
        stdin: its standard input (UTF-8; surrogates as `octets` has them).
        timeout: seconds from its start; time that a busy machine kept it waiting for a processor does not count. Unless
            it had a processor for all of it and half as much again, a program over its time is run once more, alone.
        memory_bytes: address space per process, and resident memory of all its processes together.
        sandbox: `bubblewrap`, or `none` for no protection at all.
        python: interpreter to use; None for the one that runs this.

    Raises:
        SandboxMissing: bubblewrap is not installed, or the host refuses it.
        ValueError: an unknown sandbox, an impossible limit, or an interpreter that does not start.
    """
    limits = Limits(seconds=timeout, memory_bytes=memory_bytes)
    with Candidate(named_sandbox(sandbox), code, describe(python), limits) as candidate:
        return candidate.run(Ask(octets(stdin))).outcome
