"""The only exit codes, and the one place where an exception becomes one."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from pathlib import Path

import typer

from ..model import InputError, LightevalFixError, SandboxMissing, UnknownFormat
from ..text.visible import visible


class Exit(IntEnum):
    """Where several hold, `worst` says which is reported."""

    DONE = 0
    INPUT = 1
    """Some input could not be read or graded (the rest is done and written), or an output could not be written."""
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
    print(f"lighteval-fix: {visible(message, 1000)}", file=sys.stderr)


NAME_A_RUN = "name the folder that the harness wrote (LightEval: `details`), or a file of it"


def what_to_do(error: LightevalFixError) -> str:
    """What an error says, and what can be done about it where it does not say so itself."""
    hint = ""
    if isinstance(error, UnknownFormat):
        hint = "; if it is one, name it with `--source`; a plain table wants `--columns response=…,gold=…`"
    elif isinstance(error, InputError) and str(error).endswith("no run found"):
        hint = f"; {NAME_A_RUN}"
    return f"{error}{hint}"


def exit_code(command: Callable[[], object]) -> int:
    """Run `command` and say what the process should exit with. A command ends early by `typer.Exit(code)`."""
    try:
        result = command()
        sys.stdout.flush()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else Exit.DONE
    except typer.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, typer.Abort):
        talk("interrupted")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return closed_pipe()
    except SandboxMissing as error:
        talk(str(error))
        return Exit.SANDBOX
    except LightevalFixError as error:
        talk(what_to_do(error))
        return Exit.INPUT
    except OSError as error:
        return _refused(error)
    except Exception as error:
        said = getattr(error, "format_message", None)
        if callable(said) and hasattr(error, "exit_code"):
            # typer's own usage errors; its class moved between versions, its shape did not
            talk(_usage(said(), getattr(getattr(error, "ctx", None), "command_path", "lighteval-fix")))
            return Exit.USAGE
        import traceback

        traceback.print_exc()
        talk(f"this is a bug of lighteval-fix ({type(error).__name__}); please report the lines above")
        return Exit.BUG
    if result == Exit.INTERRUPTED:
        talk("interrupted")  # typer has made it an exit code before we see it
    return result if isinstance(result, int) else Exit.DONE


def _usage(said: str, command: str) -> str:
    """A usage error in one line, with where the options stand."""
    said = said.strip().rstrip(".").replace("Value error, ", "").replace("\n", " ")
    return f"{said[:1].lower()}{said[1:]}{'' if said.endswith('?') else ';'} see `{command} --help`"


def write_out(text: str, to: str) -> None:
    """A result to a file, or to stdout where `to` is `-`. JSON is UTF-8 whatever the terminal's encoding is."""
    if to != "-":
        from ..reports.part_file import PartFile

        PartFile(Path(to)).write(text)
        return
    as_utf8()
    sys.stdout.write(text)


def as_utf8() -> None:
    """From here on stdout is UTF-8, as JSON has to be."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


class _Closed(io.TextIOBase):
    """What stands for a stdout that the shell has closed (`>&-`), which is None in Python."""

    def write(self, text: str, /) -> int:
        raise OSError(errno.EBADF, "stdout is closed")


def open_streams() -> None:
    """Have a stdout and a stderr in any case: writing to a closed one fails as a full disk does, talk goes nowhere."""
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  as long as the process lives


def any_character() -> None:
    """What stdout or stderr has no byte for is shown as an escape (LC_ALL=C, a path that is no UTF-8)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def closed_pipe() -> Exit:
    """The reader of our stdout has gone (`| head`): nothing is wrong, and nothing more can be said to it."""
    _drop_stdout()
    return Exit.DONE


def _refused(error: OSError) -> Exit:
    """The operating system said no: a full disk, a folder that may not be written to."""
    _drop_stdout()  # what is still unwritten would fail once more while Python ends
    said = error.strerror or str(error)
    talk(f"{error.filename}: {said}" if error.filename else f"an output could not be written: {said}")
    return Exit.INPUT


def _drop_stdout() -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
