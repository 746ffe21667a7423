"""Warnings that a harness cannot silence by accident."""

from __future__ import annotations

import logging


def warn(logger: logging.Logger, message: str, *values: object) -> None:
    """Log a warning, also after a harness has set up its own logging.

    LightEval's command line calls `dictConfig`, which disables every logger that exists by then, ours too. Whoever
    wants to be spared sets a level or a filter, which are respected.
    """
    logger.disabled = False
    logger.warning(message, *values)
