"""The only exit codes, and the one place where an exception becomes one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum

import typer

from ..model import LightevalFixError, SandboxMissing


class Exit(IntEnum):
    """Where several hold, `worst` says which is reported."""

    DONE = 0
    INPUT = 1
    """Some input could not be read or graded; the rest is done and written."""
    USAGE = 2
    FAIL_ON = 3
    """What `--fail-on` names has happened."""
    SANDBOX = 4
    """The sandbox is missing and nothing else could be graded."""
    BUG = 70
    INTERRUPTED = 130


_PRECEDENCE = (Exit.INTERRUPTED, Exit.BUG, Exit.USAGE, Exit.SANDBOX, Exit.INPUT, Exit.FAIL_ON)


def worst(codes: Iterable[Exit]) -> Exit:
    """The code that is reported where several hold: 130, 70, 2, 4, 1, 3, else 0."""
    seen = set(codes)
    return next((code for code in _PRECEDENCE if code in seen), Exit.DONE)


def talk(message: str) -> None:
    """One line on stderr, control characters made visible (a message may quote model text or a path)."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)
    print(f"lighteval-fix: {line}", file=sys.stderr)


@contextmanager
def guarded() -> Iterator[None]:
    """Turn what a command raises into its exit code; usage errors are typer's own and stay so."""
    try:
        yield
        sys.stdout.flush()
    except (SystemExit, typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except KeyboardInterrupt:
        talk("interrupted")
        sys.exit(Exit.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our stdout has gone (`| head`): nothing is wrong, and nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.DONE)
    except SandboxMissing as error:
        talk(str(error))
        sys.exit(Exit.SANDBOX)
    except LightevalFixError as error:
        talk(str(error))
        sys.exit(Exit.INPUT)
    except Exception as error:
        import traceback

        traceback.print_exc()
        talk(f"this is a bug of lighteval-fix ({type(error).__name__}); please report the lines above")
        sys.exit(Exit.BUG)
