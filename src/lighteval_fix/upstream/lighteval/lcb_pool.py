"""0021: LiveCodeBench scoring starts a pool and a manager process for every single item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..edits import Replace
from ..fix import Finding, Fix, Group, Seen, Transplant

if TYPE_CHECKING:
    # What the target module's own namespace holds.
    from lighteval.tasks.tasks.lcb.codegen_metrics import (
        ProcessPoolExecutor,
        evaluate_generations_by_problem,
        json,
        multiprocessing,
        run_test,
    )

_LCB = ("lighteval.tasks.tasks.lcb.codegen_metrics", "lighteval.tasks.extended.lcb.codegen_metrics")


def check_correctness(sample: Any, generation: Any, timeout: Any) -> Any:
    # The program's process reports through a pipe; a manager would be a process more for each program.
    forks = "fork" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if forks else None)
    receiver, sender = context.Pipe(duplex=False)

    def report(channel: object) -> None:
        channel.send(run_test(sample, test=generation, timeout=timeout))  # type: ignore[attr-defined]

    tests = len(json.loads(sample["input_output"])["inputs"])
    process = context.Process(target=report, args=(sender,))
    process.start()
    sender.close()
    try:
        outcome = receiver.recv() if receiver.poll((timeout + 1) * tests + 5) else None
    except EOFError:
        outcome = None
    receiver.close()
    process.kill()
    process.join()
    return [-1] * tests if outcome is None else outcome


def evaluate_generations(
    samples_list: Any, generations_list: Any, num_process_evaluate: Any = 16, timeout: Any = 6
) -> Any:
    jobs = [[generations, samples_list[index], timeout] for index, generations in enumerate(generations_list)]
    if len(jobs) <= 1:
        # A single item's programs run one after the other, each in a process of its own: a pool adds nothing.
        return {index: evaluate_generations_by_problem(job) for index, job in enumerate(jobs)}
    with ProcessPoolExecutor(max_workers=min(num_process_evaluate, len(jobs))) as executor:
        return dict(enumerate(executor.map(evaluate_generations_by_problem, jobs)))


class _Pool(Exception):
    """Raised in place of starting a pool while probing."""


def _probe() -> Finding:
    from importlib import import_module

    from .. import live

    module: Any = import_module(next(name for name in _LCB if live.source_of(name) is not None))

    def refuse(*_: object, **__: object) -> None:
        raise _Pool

    pool, module.ProcessPoolExecutor = module.ProcessPoolExecutor, refuse
    check, module.check_correctness = module.check_correctness, lambda *_, **__: [True]
    try:
        module.evaluate_generations([{"input_output": "{}"}], [["print(1)"]])
    except _Pool:
        return Finding(Seen.FAULT, "scoring one item starts a pool of processes")
    finally:
        module.ProcessPoolExecutor, module.check_correctness = pool, check
    return Finding(Seen.CLEAN, "scoring one item starts no pool")


FIX = Fix(
    name="lcb-pool",
    number="0021",
    group=Group.HANGING,
    body=Transplant(
        (
            Replace(
                modules=_LCB,
                qualname="check_correctness",
                shapes=("9983a953ff1b",),
                function=check_correctness,
            ),
            Replace(
                modules=_LCB,
                qualname="evaluate_generations",
                shapes=("2ccc58504024",),
                function=evaluate_generations,
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="scoring LiveCodeBench is slow: a pool and a manager process for every item",
    why=(
        "The metric is called once an item, and each call starts a pool of eight processes for its one job, and a "
        "manager process for each program, which take longer than most programs. A single item is run where it is, "
        "and each program's process reports through a pipe. Verdicts and limits are the same."
    ),
)
