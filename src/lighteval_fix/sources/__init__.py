"""Brings finished runs in: one file a format, recognised by content, read lazily."""

from .find import SOURCES, open_run, open_runs

__all__ = ["SOURCES", "open_run", "open_runs"]
