"""Pieces of LightEval's way of running a program, to name what made it fail there. Never for a verdict.

`harness.py` reads this file as text and runs single functions of it inside the sandbox: `rewrite` as a program, `mock`,
`leave` and `guard` before the candidate. So each function brings its own imports and leaves no name behind.
"""


def rewrite() -> None:
    """Read a preamble, something to run late and a program from standard input, with NUL between them, and write what
    LightEval 0.13.0 would run in the program's place.

    A final main guard is opened, every statement that is no import moves into one function, the preamble goes first,
    and the whole is a module that is not `__main__`. A program that does not parse stays as it is.
    """
    import ast
    import sys

    preamble, late, source = sys.stdin.read().split("\0", 2)
    try:
        tree = ast.parse(source)
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.If) and ast.unparse(last.test) == "__name__ == '__main__'":
            tree.body[-1:] = last.body
        imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        shell = ast.parse("def wrapped_function():\n    pass")
        assert isinstance(shell.body[0], ast.FunctionDef)
        shell.body[0].body = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
        head, function = "\n".join(map(ast.unparse, imports)), ast.unparse(shell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        sys.stdout.write(source)
    else:
        sys.stdout.write(f"{preamble}\n{head}\n__name__ = 'tmp_sol'\n{function}\n{late}\nwrapped_function()\n")


def mock() -> None:
    """Stand-ins for standard input and `open` that hold the input as text; output goes to a buffer in memory."""
    import atexit
    import builtins
    import io
    import os
    import sys
    from unittest.mock import mock_open

    data = sys.stdin.read()
    lines = iter(data.split("\n"))
    stdin, caught = io.StringIO(data), io.StringIO()
    for name, stand_in in (
        ("readline", lambda *_: next(lines)),
        ("readlines", lambda *_: data.split("\n")),
        ("read", lambda *_: data),
    ):
        setattr(stdin, name, stand_in)
    builtins.open = mock_open(read_data=data)
    sys.stdin, sys.stdout = stdin, caught
    write, out, nowhere = os.write, os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)

    def deliver() -> None:
        rest = memoryview(caught.getvalue().encode("utf-8", "surrogateescape"))
        while rest:
            rest = rest[write(out, rest) :]

    atexit.register(deliver)


def leave() -> None:
    """The run is over when the main thread is at its end, whatever other threads still do."""
    import atexit
    import os
    import sys
    import threading

    def over() -> None:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(0)

    threading._register_atexit(over)  # type: ignore[attr-defined]


def guard() -> None:
    """Functions and modules that LightEval replaces by None."""
    import builtins
    import os
    import shutil
    import subprocess
    import sys

    taken = (
        "kill system putenv remove removedirs rmdir fchdir setuid fork forkpty killpg rename renames truncate replace"
        " unlink fchmod fchown chmod chown chroot lchflags lchmod lchown getcwd chdir"
    )
    for name in taken.split():
        setattr(os, name, None)
    for name in ("quit", "help"):
        setattr(builtins, name, None)
    for name in ("rmtree", "move", "chown"):
        setattr(shutil, name, None)
    setattr(subprocess, "Popen", None)  # noqa: B010
    for name in ("ipdb", "joblib", "resource", "psutil", "tkinter"):
        sys.modules[name] = None  # type: ignore[assignment]
