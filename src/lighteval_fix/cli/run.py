"""`lighteval-fix run`: LightEval's own command line with fixes in place."""

from __future__ import annotations

from typing import Annotated

import typer

from .exits import Exit, talk


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "run",
        help="Run LightEval's own command line, with the fixes installed first: "
        "lighteval-fix run [--fixes …] -- ARGS. Arguments and exit code are LightEval's.",
        context_settings={"allow_extra_args": True},
    )(run)


def run(
    context: typer.Context,
    fixes: Annotated[
        str,
        typer.Option(
            help="Comma-separated groups, names or numbers of fixes; `default` is dying, measuring, hanging, "
            "sampling and scoring, which never change which text is read; `all`; `none`."
        ),
    ] = "default",
) -> int:
    """Install and hand over."""
    from ..model import UpstreamShapeError

    wanted = [word.strip() for word in fixes.split(",") if word.strip()]
    try:
        from ..upstream import catalog

        catalog.select(wanted)
    except ValueError as error:
        talk(str(error))
        return Exit.USAGE
    from ..upstream.live import package_root
    from ..upstream.run import lighteval

    if package_root("lighteval") is None:
        talk("LightEval is not installed in this environment: pip install 'lighteval[math]==0.13.0'")
        return Exit.INPUT
    try:
        return lighteval(context.args, wanted)
    except UpstreamShapeError as error:
        talk(f"{error}. `lighteval-fix doctor` shows every fault; `--fixes` chooses among the fixes.")
        return Exit.INPUT
