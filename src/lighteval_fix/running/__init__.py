"""Floor 2: what a program does, found out by running it, as it was written, inside a sandbox."""

from .compare import compare_output
from .stdio import run_program

__all__ = ["compare_output", "run_program"]
