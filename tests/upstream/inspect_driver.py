"""Runs `lighteval eval` offline, for test_inspect.py: one question on disk, inspect_ai's mock model, no download.

One process for all scenarios, since LightEval takes long to import. Standard input: a JSON list of
`{"fixes": names, "says": what the model says, "folder": …}`; the folder holds `data/`. What a scenario said goes to
`said.txt` there, its exit code to `code.txt`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import tiktoken

# The mock model counts tokens with an encoding that would be downloaded: bytes will do.
BYTES = tiktoken.Encoding(
    name="bytes", pat_str=r"[\s\S]", mergeable_ranks={bytes([n]): n for n in range(256)}, special_tokens={}
)


def scenario(fixes: str, says: str, folder: Path) -> int:
    from inspect_ai.model._providers.mockllm import MockLLM

    MockLLM.default_output = says
    # Its cache of answers outlives a run otherwise.
    os.environ["INSPECT_CACHE_DIR"] = str(folder / "cache")
    from lighteval_fix.upstream import catalog
    from lighteval_fix.upstream.install import installer
    from lighteval_fix.upstream.run import lighteval

    # LightEval's task table, with its question on disk; loading it at all takes the rest of the group `dying`.
    installer().install(catalog.select(["judge-lookup", "tiny-benchmarks-download"]))
    import lighteval.tasks.tasks.aime as aime

    task: Any = aime.aime24
    task.hf_repo, task.hf_avail_splits, task.evaluation_splits = str(folder / "data"), ["train"], ["train"]
    arguments = ["eval", "mockllm/model", "aime24", "--log-dir", str(folder / "logs"), "--display", "none"]
    try:
        return lighteval(arguments, fixes.split(","))
    finally:
        installer().uninstall()


def main() -> None:
    tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_, **__: BYTES  # type: ignore[assignment]
    for asked in json.load(sys.stdin):
        folder = Path(asked["folder"])
        with (folder / "said.txt").open("w") as said:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
        code = scenario(asked["fixes"], asked["says"], folder)
        sys.stdout.flush()
        sys.stderr.flush()
        (folder / "code.txt").write_text(str(code))


if __name__ == "__main__":
    main()
