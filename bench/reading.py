"""Reading beside LightEval 0.13.0's extraction: time on the same generations, in one run.

    .venv/bin/python -m bench.reading [--quick] [--alone]

LightEval runs in its own environment (`.venv-lighteval`), in a process that is killed where one text takes longer than
`PATIENCE` seconds (its box pattern hangs on looping generations); such a text counts as `PATIENCE` seconds, so that its
total is a lower bound. Times are processor seconds; imports, compilation of patterns and the first text do not count.
For choices both are timed on the text as generated, and again on the text after LightEval has removed the reasoning
(whose removal is not counted); ours counts the split and the reading of the prompt each time.
Reads `../shared/data`; prints tables; asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
PEER = ROOT / ".venv-lighteval" / "bin" / "python"
PATIENCE = 5.0
CHOICES = ("qwen3-30b-law-think", "qwen3-30b-psychology-closing-tag-only")
MATHS = (
    "qwen2.5-14b-instruct",
    "qwen2.5-14b-instruct-requested-line",
    "sky-t1-27b",
    "sky-t1-32b-corrupt-0.5",
    "sky-t1-4-samples",
)

Job = dict[str, Any]


# --------------------------------------------------------------------------- what is read


def run_rows(name: str) -> list[Job]:
    """The documents and generations of one of LightEval's runs."""
    import pyarrow.parquet as pq

    folder = DATA / "runs" / "lighteval" / "details" / "replay" / name
    (path,) = sorted(folder.glob("*/*.parquet"))
    return [
        {"prompt": row["doc"]["query"], "labels": row["doc"]["choices"], "text": text, "after": after}
        for row in pq.read_table(path, columns=["doc", "model_response"]).to_pylist()
        for text, after in zip(
            row["model_response"]["text"],
            row["model_response"]["text_post_processed"] or row["model_response"]["text"],
            strict=True,
        )
    ]


def looping() -> list[Job]:
    """The generations that end in a loop of boxes."""
    path = DATA / "generations" / "qwen2.5-math-7b_math500.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [{"prompt": None, "labels": None, "text": json.loads(line)["text"]} for line in lines]


# --------------------------------------------------------------------------- who reads


def timed(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def own(jobs: list[Job], field: str = "text") -> list[float]:
    """Seconds a text, by our readers."""
    from lighteval_fix import read_answer, read_letter

    def read(job: Job) -> object:
        if job["labels"] is None:
            return read_answer(job[field], prompt=job["prompt"])
        return read_letter(job[field], job["labels"], prompt=job["prompt"])

    read({**jobs[0], field: "Answer: B, and so on. 答案"})
    return [timed(lambda job=job: read(job)) for job in jobs]  # type: ignore[misc]


class Peer:
    """LightEval's extraction in a process of its own, one text at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [str(PEER), str(Path(__file__).resolve()), "--peer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
        )
        assert process.stdout is not None
        process.stdout.readline()
        return process

    def seconds(self, text: str, labels: list[str] | None) -> float | None:
        """Seconds for one text; None where it was killed."""
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"text": text, "labels": labels}) + "\n")
        process.stdin.flush()
        answer = _line_within(process.stdout, PATIENCE)
        if answer is None:
            self.close()
            return None
        return float(answer)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _line_within(stream: IO[str], seconds: float) -> str | None:
    ready, _, _ = select.select([stream], [], [], seconds)
    return stream.readline() if ready else None


def serve() -> None:
    """LightEval's side: a text in, seconds out."""
    from lighteval.metrics.utils.extractive_match_utils import (
        ExprExtractionConfig,
        IndicesExtractionConfig,
        LatexExtractionConfig,
        extract_target_from_pred,
        get_extraction_regexes,
    )
    from lighteval.tasks.requests import Doc
    from lighteval.utils.language import Language

    maths = (LatexExtractionConfig(), ExprExtractionConfig())
    letters = (IndicesExtractionConfig(prefix_for_extraction="NativeLetters"),)

    def extract(text: str, labels: list[str] | None) -> object:
        doc = Doc(query="", choices=labels or ["1"], gold_index=0)
        return extract_target_from_pred(
            text, get_extraction_regexes(doc, maths if labels is None else letters, Language.ENGLISH)
        )

    extract("The answer is $\\boxed{\\frac12}$", None)
    extract("The answer is B", list("ABCDEFGHIJ"))
    print("ready", flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        start = time.process_time()
        try:
            extract(job["text"], job["labels"])
        finally:
            seconds = time.process_time() - start
        print(seconds, flush=True)


# --------------------------------------------------------------------------- tables


def table(title: str, jobs: list[Job], peer: Peer | None, field: str, step: int) -> None:
    """One line: our time on all texts, and on those that the peer was given, beside the peer's."""
    ours = own(jobs, field)
    line = f"  {title:56} {len(jobs):5} {sum(ours):9.3f} {sum(ours) / len(jobs) * 1e6:9.0f}"
    if peer is not None:
        part = range(0, len(jobs), step)
        theirs = [peer.seconds(jobs[i][field], jobs[i]["labels"]) for i in part]
        killed = theirs.count(None)
        total = sum(PATIENCE if seconds is None else seconds for seconds in theirs)
        same = sum(ours[i] for i in part)
        line += f" {len(theirs):7} {total:11.3f} {killed:6} {total / same:10.1f}"
    print(line, flush=True)


def linear() -> None:
    """Texts of 64 KB and 1 MB whose answer stands at the end, and texts without one."""
    from lighteval_fix import read_answer, read_letter

    print("\ncost by length (ms)                                64 KB       1 MB")
    words = "so we look at the value of $x$ and then add \\frac{1}{2} to it, but the answer is not clear yet.\n"
    for title, end in (("an answer line at the end", "Answer: 4"), ("no answer", "and so on")):
        for name, read in (("read_answer", read_answer), ("read_letter", read_letter)):
            row = []
            for size in (65_536, 1_048_576):
                text = (words * (size // len(words)) + "\n" + end).replace("4", "B" if name == "read_letter" else "4")
                row.append(min(timed(lambda text=text, read=read: read(text)) for _ in range(5)) * 1e3)  # type: ignore[misc]
            print(f"  {name + ', ' + title:44} {row[0]:9.2f} {row[1]:10.2f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="LightEval reads every twentieth maths text only")
    parser.add_argument("--alone", action="store_true", help="without LightEval")
    options = parser.parse_args()
    if options.peer:
        serve()
        return
    if not DATA.is_dir():
        print(f"no data at {DATA}")
        return
    peer = None if options.alone or not PEER.exists() else Peer()
    if peer is None and not options.alone:
        print("left out: LightEval 0.13.0 (.venv-lighteval is not there)")
    heads = ("texts", "ours s", "us/text", "given", "LightEval s", "killed", "times ours")
    print(" " * 58 + "{:>6} {:>9} {:>9} {:>7} {:>11} {:>6} {:>10}".format(*heads))
    for name in CHOICES:
        jobs = run_rows(name)
        table(f"{name}, as generated", jobs, peer, "text", 1)
        table(f"{name}, reasoning removed", jobs, peer, "after", 1)
    step = 20 if options.quick else 5
    for name in MATHS:
        table(name, [{**job, "labels": None} for job in run_rows(name)], peer, "text", step)
    table("qwen2.5-math-7b (loops)", looping(), peer, "text", step)
    if peer is not None:
        peer.close()
    linear()


if __name__ == "__main__":
    main()
