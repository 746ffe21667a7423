"""Everything measured in one run on the same inputs: `python -m bench [--json FILE] [--generations N]`.

Sections: start-up, the real runs beside LightEval's own metric and math-verify, a big run beside the floor, scaling
with processes and Ray workers, cost by length and by number of items, the worst single item. Ratios are printed with
the figures they come from. Every command is killed after its time limit. Reads `../shared/data`; asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .common import LIGHTEVAL, MATH_VERIFY, ROOT, RUNS, exponent, machine, measured, ratio

Figures = dict[str, Any]
CLI = (sys.executable, "-m", "lighteval_fix")


def start_up(options: argparse.Namespace) -> Figures:
    """The fastest and the middle of eleven: the fastest is what the program costs, the rest is the machine."""
    found: Figures = {}
    for name, command in {
        "--help": [*CLI, "--help"],
        "import lighteval_fix": [sys.executable, "-c", "import lighteval_fix"],
        "python alone": [sys.executable, "-c", "pass"],
    }.items():
        walls, cpus = [], []
        for _ in range(11):
            wall, cpu = unwatched(command)
            walls.append(wall)
            cpus.append(cpu)
        found[name] = {
            "fastest_s": round(min(walls), 3),
            "median_s": round(statistics.median(walls), 3),
            "cpu_s": round(min(cpus), 3),
        }
    return found


def unwatched(command: list[str]) -> tuple[float, float]:
    """Seconds by the clock and processor seconds of a short command; watching would cost time of its own."""
    import os
    import subprocess

    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    used = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    return time.perf_counter() - started, used.ru_utime + used.ru_stime


def real_runs(options: argparse.Namespace) -> Figures:
    """The maths and choice runs together, and each beside its peers on the same rows."""
    if not RUNS.is_dir():
        return {"left_out": "no real runs here"}
    whole = measured([*CLI, "regrade", str(RUNS), "--task", "[am]*", "--quiet", "--json", "/dev/null"], 120)
    line = next((RUNS / "details").rglob("*requested-line*.parquet"))
    single = measured([*CLI, "regrade", str(line), "--quiet", "--json", "/dev/null"], 60)
    found: Figures = {"all runs together": whole.figures(), "500 items": single.figures(), "each": {}}
    from lighteval_fix import open_runs

    for run in open_runs(str(RUNS)):
        if run.kind is None:
            found["each"][run.task.partition("|")[0].partition("__")[2]] = beside_peers(run, options)
    return found


def beside_peers(run: Any, options: argparse.Namespace) -> Figures:
    """Processor seconds a generation, ours and theirs, on the rows that the peer got through in its time."""
    from lighteval_fix.audit.regrade import options_of, profile_of
    from lighteval_fix.audit.work import Work

    work = Work(run, options_of(), profile_of(run))
    items = [item for item in run.items() if hasattr(item, "generations")]
    ours, scores = [], []
    work.one(items[0])
    for item in items:
        started = time.process_time()
        grades = work.one(item)
        ours.append(time.process_time() - started)
        scores.append(sum(grade.score for grade in grades))
    per_item = len(items[0].generations)
    found: Figures = {
        "generations": len(items) * per_item,
        "ours_us": round(sum(ours) / len(items) / per_item * 1e6),
        "ours_worst_ms": round(max(ours) * 1e3, 1),
    }
    for who, python in {"lighteval": LIGHTEVAL, "math-verify": MATH_VERIFY}.items():
        if not python.exists():
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
            for item in items:
                file.write(json.dumps(row_of(item, str(work.one(item)[0].kind))) + "\n")
            file.flush()
            done = measured([str(python), "-u", str(ROOT / "bench" / "peers.py"), who, file.name], options.patience)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.endswith("}")]
        rows = lines[1:]
        theirs = sum(row["cpu"] for row in rows)
        same = sum(ours[: len(rows)])
        found[who] = {
            "rows": len(rows),
            "us": round(theirs / max(len(rows), 1) / per_item * 1e6),
            "ratio": ratio(same, theirs) if rows else None,
            "imports_s": round(lines[0]["imports_cpu_s"], 1) if lines else None,
            "finished": done.code == 0,
        }
    return found


def row_of(item: Any, kind: str) -> Figures:
    """An item as the peers read it."""
    texts = [generation.text for generation in item.generations]
    return {
        "kind": kind,
        "metric": item.recorded[0].metric,
        "query": item.prompt,
        "choices": [f" {label}" for label in item.labels or item.choices] or [gold.text for gold in item.golds],
        "gold_index": item.gold_index[0] if item.gold_index else 0,
        "texts": texts,
        "post": [
            generation.text if generation.post_processed is None else generation.post_processed
            for generation in item.generations
        ],
    }


def big_run(options: argparse.Namespace) -> Figures:
    """One run of many generations, beside the floor; one process beside two; one Ray worker beside two."""
    from .synthetic import named, write

    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        big, small = named(Path(folder) / "big"), named(Path(folder) / "small")
        started = time.monotonic()
        characters = write(big, options.generations)
        made = time.monotonic() - started
        few = max(1000, options.generations // 10)
        write(small, few)
        floor = measured([sys.executable, str(ROOT / "bench" / "floor.py"), str(big), "2"], 1200)
        ours = regraded(big, 2)
        found: Figures = {
            "generations": options.generations,
            "text_gb": round(characters / 1e9, 3),
            "file_gb": round(big.stat().st_size / 1e9, 3),
            "made_in_s": round(made, 1),
            "floor": floor.figures(),
            "regrade --jobs 2": ours.figures(),
            "generations_per_s": round(options.generations / ours.wall),
            "generations_per_cpu_s": round(options.generations / ours.cpu),
            "times_floor_wall": ratio(floor.wall, ours.wall),
            "times_floor_cpu": ratio(floor.cpu, ours.cpu),
        }
        jobs = {count: regraded(small, count) for count in (1, 2)}
        found["scaling"] = {
            "generations": few,
            "1 process": jobs[1].figures(),
            "2 processes": jobs[2].figures(),
            "speed_up": ratio(jobs[2].wall, jobs[1].wall),
        }
        if LIGHTEVAL.exists():
            found["ray"] = on_ray(small)
        return found


def regraded(path: Path, jobs: int) -> Any:
    """The command on a file."""
    return measured([*CLI, "regrade", str(path), "--quiet", "--jobs", str(jobs), "--json", "/dev/null"], 3600)


def on_ray(path: Path) -> Figures:
    """One worker and two, the cluster's start not counted."""
    seconds: dict[int, float] = {}
    for nodes in (1, 2):
        done = measured([str(LIGHTEVAL), "-m", "bench.on_ray", str(path), str(nodes)], 600)
        if done.code == 0 and done.stdout.split():
            seconds[nodes] = float(done.stdout.split()[1])
    if len(seconds) < 2:
        return {"left_out": "the cluster did not come up in time"}
    return {
        "1 worker_s": round(seconds[1], 1),
        "2 workers_s": round(seconds[2], 1),
        "speed_up": ratio(seconds[2], seconds[1]),
    }


def cost(options: argparse.Namespace) -> Figures:
    """Processor seconds by length of a text and by number of items, and the exponent of a power law through them."""
    from lighteval_fix import open_runs, read_answer
    from lighteval_fix.audit.regrade import options_of, profile_of
    from lighteval_fix.audit.work import Work
    from lighteval_fix.model import Part

    from .synthetic import filler, named, write

    def fastest(call: Callable[[], object]) -> float:
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            call()
            best = min(best, time.process_time() - started)
        return best

    lengths = []
    for length in (2**14, 2**16, 2**18, 2**20, 2**22):
        text = filler(length) + "\nANSWER: 7"
        lengths.append((length, fastest(lambda text=text: read_answer(text))))  # type: ignore[misc]
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        path = named(Path(folder) / "few")
        write(path, 8000)
        [run] = open_runs(str(path))
        work = Work(run, options_of(), profile_of(run))
        numbers = [
            (count, fastest(lambda count=count: list(work.grades(Part(0, count)))))  # type: ignore[misc]
            for count in (500, 1000, 2000, 4000, 8000)
        ]
    return {
        "by length": {"ms": {n: round(s * 1e3, 2) for n, s in lengths}, "exponent": round(exponent(lengths[1:]), 2)},
        "by items": {"s": {n: round(s, 3) for n, s in numbers}, "exponent": round(exponent(numbers), 2)},
    }


def worst(options: argparse.Namespace) -> Figures:
    """The slowest of the hostile generations, each graded with everything, seconds by the clock."""
    from lighteval_fix import Item
    from lighteval_fix.audit.regrade import options_of
    from lighteval_fix.audit.work import Work
    from lighteval_fix.model import Generation, Gold, Run
    from lighteval_fix.sources.source import NoReader

    from .hostile import GOLD, QUESTION, texts

    work = Work(Run("hostile", "lighteval", NoReader()), options_of())
    seconds = {}
    for name, text in texts().items():
        item = Item("1", 0, QUESTION, None, (Gold(GOLD),), generations=(Generation(text),))
        started = time.perf_counter()
        work.one(item)
        seconds[name] = round(time.perf_counter() - started, 3)
    slowest = sorted(seconds.items(), key=lambda pair: -pair[1])[:5]
    return {"limit_s": 5.0, "slowest": dict(slowest), "items": len(seconds)}


SECTIONS: dict[str, Callable[[argparse.Namespace], Figures]] = {
    "start-up": start_up,
    "worst": worst,
    "cost": cost,
    "runs": real_runs,
    "big": big_run,
}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--generations", type=int, default=1_000_000, help="of the big run")
    parser.add_argument("--patience", type=float, default=240.0, help="seconds a peer gets for one run")
    parser.add_argument("--scratch", type=Path, help="folder for the big run (10 GB for a million generations)")
    parser.add_argument("--only", help=f"sections, comma between: {', '.join(SECTIONS)}")
    options = parser.parse_args()
    wanted = options.only.split(",") if options.only else list(SECTIONS)
    results: Figures = {}
    if options.json and options.json.exists() and options.only:
        results = json.loads(options.json.read_text(encoding="utf-8"))
    results["machine"] = machine()
    for name in wanted:
        results[name] = SECTIONS[name](options)
        print(json.dumps({name: results[name]}, indent=1, ensure_ascii=False), flush=True)
        if options.json:
            options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    from .table import markdown

    print(markdown(results))


if __name__ == "__main__":
    main()
