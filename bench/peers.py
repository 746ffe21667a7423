"""The other side of the comparison, each in an environment of its own: `python bench/peers.py WHO FILE`.

Reads rows as JSON lines, scores each generation as the peer would, prints one JSON line a row: its score, its seconds
by the clock and its processor seconds. Imports and the first row, which builds tables, come before the first line.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Scorer = Callable[[Row], float]


def lighteval() -> Scorer:
    """LightEval's own metric, kept from hanging and from dying by the fixes of those names."""
    from lighteval_fix.upstream.lighteval.replay_worker import LightevalMetric

    peer = LightevalMetric()
    built: dict[str, Any] = {}

    def score(row: Row) -> float:
        if row["metric"] not in built:
            built[row["metric"]] = next(iter(peer._candidates(row["metric"], row["kind"])))()
        metric = built[row["metric"]]
        response = peer.response(text=row["texts"], text_post_processed=row["post"])
        got = metric.compute_sample(doc=peer._doc(row), model_response=response)
        return float(got[metric.metric_name])

    return score


def math_verify() -> Scorer:
    """math-verify alone, as its README has it: parse both, verify."""
    from math_verify import StringExtractionConfig, parse, verify

    letters = [StringExtractionConfig(strings=tuple("ABCDEFGHIJ"))]

    def score(row: Row) -> float:
        if row["kind"] == "choice":
            gold = [row["choices"][row["gold_index"]].strip().lower()]
            return sum(float(verify(gold, parse(text, letters))) for text in row["texts"])
        gold = parse(row["choices"][row["gold_index"]])
        return sum(float(verify(gold, parse(text))) for text in row["texts"])

    return score


def main() -> None:
    """Score the rows."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    logging.disable(logging.ERROR)
    who, path = sys.argv[1:]
    answers, sys.stdout = sys.stdout, sys.stderr
    started = time.process_time()
    score = {"lighteval": lighteval, "math-verify": math_verify}[who]()
    print(json.dumps({"imports_cpu_s": time.process_time() - started}), file=answers, flush=True)
    with open(path, encoding="utf-8") as rows:
        for number, line in enumerate(rows):
            row = json.loads(line)
            if number == 0:
                score(row)
            wall, cpu = time.perf_counter(), time.process_time()
            try:
                value: float | str = score(row)
            except Exception as error:  # theirs; its kind is told, and the row counts with its time
                value = type(error).__name__
            told = {"score": value, "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
            print(json.dumps(told), file=answers, flush=True)


if __name__ == "__main__":
    main()
