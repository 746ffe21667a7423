"""Runs `lighteval-fix run` once a scenario in one process, for test_pipeline.py: LightEval takes long to import.

The fixes are taken out between scenarios, and a module that could not be imported is imported anew in the next one.
Standard input: a JSON list of `{"output": folder, "fixes": names, "tasks": names, "arguments": [...]}`. What a scenario
said goes to `said.txt` in its folder, its exit code to `code.txt`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def scenario(asked: dict[str, Any]) -> None:
    from lighteval_fix.cli.app import main
    from lighteval_fix.upstream.install import installer

    output = Path(asked["output"])
    with (output / "said.txt").open("w") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    sys.argv = ["lighteval-fix", "run", "--fixes", asked["fixes"], "--", *asked["arguments"]]
    start = time.monotonic()
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    installer().uninstall()
    sys.stdout.flush()
    sys.stderr.flush()
    (output / "code.txt").write_text(str(code))
    (output / "seconds.txt").write_text(f"{time.monotonic() - start:.1f}")


if __name__ == "__main__":
    for each in json.load(sys.stdin):
        scenario(each)
