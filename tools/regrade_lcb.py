"""`python -m tools.regrade_lcb --details PATH [--tolerance X]`: the same as `lighteval-fix regrade-lcb`."""

from __future__ import annotations

from .regrade import run

if __name__ == "__main__":
    run("regrade-lcb")
