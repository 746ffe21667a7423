"""Runs `lighteval eval` offline, for test_inspect.py: one question on disk, inspect_ai's mock model, no download.

Arguments: fixes, what the model says, the log folder, the data folder.
"""

from __future__ import annotations

import sys
from typing import Any

import tiktoken

# The mock model counts tokens with an encoding that would be downloaded: bytes will do.
BYTES = tiktoken.Encoding(
    name="bytes", pat_str=r"[\s\S]", mergeable_ranks={bytes([n]): n for n in range(256)}, special_tokens={}
)


def main(fixes: str, says: str, logs: str, data: str) -> int:
    tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_, **__: BYTES  # type: ignore[assignment]
    from inspect_ai.model._providers.mockllm import MockLLM

    MockLLM.default_output = says
    from lighteval_fix.upstream import catalog
    from lighteval_fix.upstream.install import installer
    from lighteval_fix.upstream.run import lighteval

    # LightEval's task table, with its question on disk; loading it at all takes the rest of the group `dying`.
    installer().install(catalog.select(["judge-lookup", "tiny-benchmarks-download"]))
    import lighteval.tasks.tasks.aime as aime

    task: Any = aime.aime24
    task.hf_repo, task.hf_avail_splits, task.evaluation_splits = data, ["train"], ["train"]
    return lighteval(["eval", "mockllm/model", "aime24", "--log-dir", logs, "--display", "none"], fixes.split(","))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
