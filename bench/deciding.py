"""Deciding beside math-verify 0.9.0 and LightEval 0.13.0: verdicts and time on the same pairs, in one run.

    .venv/bin/python -m bench.deciding [--quick] [--speed] [--alone]

The peers run in their own environments (`.venv-math-verify`, `.venv-lighteval`, made by `make test`), each in one
process that reads pairs as JSON lines and writes back a yes or no with the time it took; imports and the first pair,
which builds their tables, are not counted. Reads `../shared/data`; prints tables; asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
PEERS = {"math-verify 0.9.0": ".venv-math-verify", "LightEval 0.13.0": ".venv-lighteval"}
OWN = "lighteval-fix"

Pair = tuple[str, str, str | None]
Result = tuple[str, float, float]
"""Kind of verdict, seconds by the clock, seconds of this process's CPU (a busy machine stretches the first only)."""


# --------------------------------------------------------------------------- pairs


def rows(path: str) -> list[dict[str, object]]:
    """A JSON-lines file of the shared data."""
    return [json.loads(line) for line in (DATA / path).read_text(encoding="utf-8").splitlines()]


def _strings(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, list) else [str(value)]


def rendered(text: str) -> str:
    """The same answer as another typesetter would write it."""
    text = re.sub(r"\\[dt]frac(?![a-z])", r"\\frac", text) if "\\dfrac" in text else text.replace("\\frac", "\\dfrac")
    text = re.sub(r"(?<![\\a-zA-Z])([-+=,])", r" \1 ", text)
    text = re.sub(r"\\left(?![a-z])|\\right(?![a-z])", "", text) if "\\left" in text else text
    return f" {text} "


# --------------------------------------------------------------------------- who decides


def own(policy: str) -> Callable[[Iterable[Pair]], list[Result]]:
    """Our verdicts in this process; no pair is warmed up, and the parser's memory starts empty."""

    def run(pairs: Iterable[Pair]) -> list[Result]:
        from lighteval_fix import decide

        decide("1/2", "0.5", policy=policy, question="Find x.")
        found = []
        for gold, answer, question in pairs:
            start, used = time.perf_counter(), time.process_time()
            verdict = decide(gold, answer, policy=policy, question=question)
            found.append((str(verdict.kind), time.perf_counter() - start, time.process_time() - used))
        return found

    return run


def peer(name: str) -> Callable[[Iterable[Pair]], list[Result]]:
    """A peer's verdicts, from its own environment."""

    def run(pairs: Iterable[Pair]) -> list[Result]:
        python = ROOT / PEERS[name] / "bin" / "python"
        lines = "".join(json.dumps([gold, answer]) + "\n" for gold, answer, _ in pairs)
        done = subprocess.run(
            [str(python), str(Path(__file__).resolve()), "--peer", name],
            input=lines, capture_output=True, text=True, encoding="utf-8", check=True, cwd=ROOT,
        )  # fmt: skip
        return [(kind, clock, cpu) for kind, clock, cpu in map(json.loads, done.stdout.splitlines())]

    return run


def _bare(text: str) -> str:
    text = text.strip()
    inner = text[1:-1] if len(text) > 2 and text[0] == text[-1] == "$" else text
    return inner if "$" not in inner else text


def serve(name: str) -> None:
    """The peer's side: pairs in, verdicts out."""
    if name.startswith("math-verify"):
        from math_verify import parse, verify

        def equal(gold: str, answer: str) -> bool:
            return bool(verify(parse(f"\\boxed{{{_bare(gold)}}}"), parse(f"\\boxed{{{_bare(answer)}}}")))

    else:
        from lighteval_fix.upstream.lighteval.comparator import compare

        def equal(gold: str, answer: str) -> bool:
            return compare(gold, answer).kind == "equal"

    equal("\\frac12", "0.5")
    for line in sys.stdin:
        gold, answer = json.loads(line)
        start, used = time.perf_counter(), time.process_time()
        try:
            kind = "equal" if equal(gold, answer) else "not equal"
        except Exception as why:
            kind = f"raised {type(why).__name__}"
        print(json.dumps([kind, time.perf_counter() - start, time.process_time() - used]), flush=True)


# --------------------------------------------------------------------------- tables


def equals(results: list[Result]) -> int:
    """How many were called equal."""
    return sum(kind == "equal" for kind, _, _ in results)


def verdict_tables(peers: list[str]) -> None:
    """Right and wrong answers called equal."""
    verify = rows("pairs/hardverify.jsonl")
    right = [(str(row["gold"]), str(row["equal"]), str(row["question"])) for row in verify]
    wrong = [(str(row["gold"]), str(row["different"]), str(row["question"])) for row in verify]
    deciders = {f"{OWN}, {policy}": own(policy) for policy in ("value", "in-context")} | {
        name: peer(name) for name in peers
    }
    print(f"\nhardverify: {len(verify)} questions          right called equal   wrong called equal")
    for name, run in deciders.items():
        print(f"  {name:34} {equals(run(right)):10} {equals(run(wrong)):20}")
    pairs = [row for row in rows("pairs/hard_pairs.jsonl") if row["answer"] is not None]
    texts = [(str(row["gold"]), str(row["answer"]), str(row["question"])) for row in pairs]
    print(f"\nhard_pairs: {len(pairs)} pairs     label    equal called equal   different called equal   seconds")
    for name, run in deciders.items():
        results = run(texts)
        for label in ("value", "context"):
            if name.startswith(OWN) and (label == "context") != name.endswith("in-context"):
                continue
            same = [result for result, row in zip(results, pairs, strict=True) if row[label] == "equal"]
            other = [result for result, row in zip(results, pairs, strict=True) if row[label] == "different"]
            total = sum(clock for _, clock, _ in results)
            hits, slips = f"{equals(same)} of {len(same)}", f"{equals(other)} of {len(other)}"
            print(f"  {name:26} {label:8} {hits:>15} {slips:>20} {total:14.3f}")


def speed_table(peers: list[str], step: int) -> None:
    """The same pairs, timed one by one."""
    golds = [answer for row in rows("golds/math_test.jsonl") for answer in _strings(row["answers"])][::step]
    again: list[Pair] = [(gold, rendered(gold), None) for gold in golds]
    hard: list[Pair] = [
        (str(row["gold"]), str(row["answer"]), None)
        for row in rows("pairs/hard_pairs.jsonl")
        if row["answer"] is not None
    ]
    print(f"\nspeed: {len(again)} golds against themselves re-rendered, {len(hard)} hard pairs (value); CPU and clock")
    print(
        "                     set     equal   CPU s  clock s  median us    p99 us  worst ms   CPU x ours  clock x ours"
    )
    for title, pairs in (("golds", again), ("hard", hard)):
        ours: tuple[float, float] | None = None
        for name in (OWN, *peers):
            results = (own("value") if name == OWN else peer(name))(pairs)
            times = sorted(cpu for _, _, cpu in results)
            cpu, clock = sum(times), sum(clock for _, clock, _ in results)
            ours = ours or (cpu, clock)
            middle, late = statistics.median(times) * 1e6, times[int(len(times) * 0.99)] * 1e6
            print(
                f"  {name:18} {title:6} {equals(results):6} {cpu:7.3f} {clock:8.3f} {middle:10.1f} {late:9.0f} "
                f"{times[-1] * 1e3:9.2f} {cpu / ours[0]:12.1f} {clock / ours[1]:13.1f}",
                flush=True,
            )


def questions_table(step: int) -> None:
    """What a verdict costs where every pair comes with a question of its own, as in a run of one sample each."""
    from lighteval_fix.deciding.decide import decide_policies

    problems = [(str(row["problem"]), str(row["answer"])) for row in rows("golds/math500.jsonl")][::step]
    shifted = [answer for _, answer in problems[7:] + problems[:7]]
    print("\nwith a question, all policies                CPU s  median us    p99 us")
    for title, answers in (
        ("golds re-rendered", [rendered(gold) for _, gold in problems]),
        ("golds of other problems", shifted),
    ):
        times = []
        for (problem, gold), answer in zip(problems, answers, strict=True):
            used = time.process_time()
            decide_policies(gold, answer, question=f"{title}: {problem}", policy="in-context")
            times.append(time.process_time() - used)
        times.sort()
        middle, late = statistics.median(times) * 1e6, times[int(len(times) * 0.99)] * 1e6
        print(f"  {title:38} {sum(times):8.3f} {middle:10.1f} {late:9.0f}")


def limits_table() -> None:
    """Texts made to hang."""
    from lighteval_fix import decide

    print("\nlimits                                   verdict       ms")
    for name, text in {
        "2^{2^{2^{2^{20}}}}": "2^{2^{2^{2^{20}}}}",
        "a sum to 10^9": "\\sum_{k=1}^{1000000000} \\frac{1}{k^2}",
        "10,000 nested braces": "{" * 10_000 + "1" + "}" * 10_000,
        "1 MB": "1+" * 524_288 + "1",
    }.items():
        start = time.perf_counter()
        kind = decide("\\frac{\\pi^2}{6}", text).kind
        print(f"  {name:36} {kind:10} {(time.perf_counter() - start) * 1e3:8.1f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="every tenth gold")
    parser.add_argument("--speed", action="store_true", help="only the times")
    parser.add_argument("--alone", action="store_true", help="without the peers")
    options = parser.parse_args()
    if options.peer:
        serve(options.peer)
        return
    if not DATA.is_dir():
        print(f"no data at {DATA}")
        return
    peers = [] if options.alone else [name for name, venv in PEERS.items() if (ROOT / venv / "bin" / "python").exists()]
    for name in PEERS.keys() - set(peers):
        print(f"left out: {name} ({PEERS[name]} is not there)")
    if not options.speed:
        verdict_tables(peers)
    speed_table(peers, 10 if options.quick else 1)
    questions_table(10 if options.quick else 1)
    limits_table()


if __name__ == "__main__":
    main()
