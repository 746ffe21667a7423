"""The command line: one file a command, each with `register(app)`. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

import typer

from .exits import Exit, any_character, exit_code, open_streams

COMMANDS = ("regrade", "diff", "explain", "decide", "doctor", "patch", "run")
"""Modules of this package in the order of `--help`. A module that is absent from an installation is left out."""

app = typer.Typer(
    name="lighteval-fix",
    help="Re-grade finished LLM evaluations: which right answers scored zero, and why.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(f"lighteval-fix {version('lighteval-fix')}")
        raise typer.Exit(Exit.DONE)


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for _name in COMMANDS:
    if find_spec(f"{__package__}.{_name}") is not None:
        import_module(f"{__package__}.{_name}").register(app)


def main() -> None:
    """Entry point of `lighteval-fix`."""
    open_streams()
    any_character()
    sys.exit(exit_code(lambda: app(prog_name="lighteval-fix", standalone_mode=False)))
