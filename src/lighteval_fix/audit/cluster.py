"""The same parts on a Ray cluster that is already there: for runs that outgrow a machine. No scheduler of our own.

Every node needs this package and the input under the same path or URL. Programs go to nodes that have the sandbox.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from ..model import Kind, LightevalFixError, Part, RowError, SandboxMissing
from .ahead import Graded, in_order
from .alike import Result
from .engine import AHEAD, collect_seldom, grade_part
from .transport import Packed, unpack
from .work import Work

_RETRIES = 3
"""Times that Ray starts a task anew whose node or worker was lost."""


def on_ray(work: Work, parts: Iterator[Part], jobs: int) -> Iterator[Graded]:
    """Parts with their grades, in order; lost workers are retried, and what kills every worker costs one row.

    Args:
        work: what to do.
        parts: where.
        jobs: tasks handed to the cluster at once are at most twice as many, so that no core waits for its next one;
            with 0 the cluster's cores are the measure, and more are handed over, so that a slow part holds up none.

    The cluster is the one that `RAY_ADDRESS` names; without it a local one is started.

    Raises:
        LightevalFixError: Ray is not installed, or the cluster cannot be reached.
        SandboxMissing: programs are to be run, and no node has the sandbox.
    """
    try:
        import ray
    except ImportError:
        raise LightevalFixError("Ray is not installed: pip install 'lighteval-fix[ray]'") from None
    if not ray.is_initialized():
        try:
            ray.init(address=os.environ.get("RAY_ADDRESS"), log_to_driver=False, logging_level="error")
        except ConnectionError as error:
            raise LightevalFixError(f"no Ray cluster at {os.environ.get('RAY_ADDRESS')}: {error}") from error
    task = ray.remote(max_retries=_RETRIES, retry_exceptions=False)(_grade_part)
    shared = ray.put(work)
    places = _places(ray, work)
    at_once = 2 * jobs if jobs else AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(part: Part) -> Any:
        strategy = next(places)
        return (task if strategy is None else task.options(scheduling_strategy=strategy)).remote(shared, part)

    def collect(part: Part, result: Any) -> list[Result]:
        return _collect(ray, submit, part, result)

    yield from in_order(parts, at_once, submit, collect, lambda result: ray.cancel(result, force=True))


def _grade_part(work: Work, part: Part) -> Packed:
    collect_seldom()
    return grade_part(work, part)


def _collect(ray: Any, submit: Any, part: Part, result: Any) -> list[Result]:
    """The part's grades; where its worker died again and again, halves are tried until one row is left to blame."""
    try:
        return unpack(ray.get(result))
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError, ray.exceptions.NodeDiedError):
        if part.stop - part.start <= 1:
            return [RowError(part.start, "worker_died", "the process that graded this row was lost")]
    middle = (part.start + part.stop) // 2
    halves = Part(part.start, middle, part.key), Part(middle, part.stop, part.key)
    return [grade for half in halves for grade in _collect(ray, submit, half, submit(half))]


def _places(ray: Any, work: Work) -> Iterator[Any]:
    """Where the next task may run: anywhere, or for programs the nodes that have the sandbox, one after another."""
    if work.run.kind is not Kind.CODE or work.options.code.sandbox == "none":
        return cycle([None])
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    probe = ray.remote(num_cpus=0)(_has_sandbox)
    fixed = [NodeAffinitySchedulingStrategy(node["NodeID"], soft=False) for node in ray.nodes() if node["Alive"]]
    found = ray.get([probe.options(scheduling_strategy=place).remote() for place in fixed])
    able = [place for place, missing in zip(fixed, found, strict=True) if missing is None]
    if not able:
        raise SandboxMissing(f"no node of the Ray cluster has the sandbox: {found[0]}")
    return cycle(able)


def _has_sandbox() -> str | None:
    """None where this node can run programs, else why not."""
    from ..running import run_program

    try:
        run_program("pass")
    except SandboxMissing as error:
        return str(error)
    return None
