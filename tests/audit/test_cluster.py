"""A real Ray cluster of two nodes on loopback: the same grades as here, and a lost node changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix import open_runs
from lighteval_fix.audit.cluster import on_ray
from lighteval_fix.audit.codec import to_json
from lighteval_fix.audit.regrade import profile_of
from lighteval_fix.audit.work import Work
from lighteval_fix.grading.grader import Options
from lighteval_fix.model import Kind, Part, RowError, Run

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples" / "run"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="Ray is not installed here; `make test` installs it")
    from ray.cluster_utils import Cluster

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, logging_level="error")
    yield made
    ray.shutdown()
    made.shutdown()


def runs() -> list[Run]:
    return [run for run in open_runs(str(EXAMPLES)) if run.kind is not Kind.CODE]


def rows(run: Run) -> list[Part]:
    count = sum(1 for _ in run.items())
    key = next(iter(run.parts(2**30))).key
    return [Part(row, row + 1, key) for row in range(count)]


def graded(work: Work, parts: list[Part], jobs: int = 2) -> list[Any]:
    return [to_json(grade) for _, grades in on_ray(work, iter(parts), jobs) for grade in grades]


def test_the_cluster_gives_what_this_process_gives(cluster: Any) -> None:
    for run in runs():
        work = Work(run, Options(), profile_of(run))
        assert graded(work, rows(run)) == [to_json(grade) for grade in work.grades(None)]


def test_a_node_lost_in_the_middle_changes_nothing(cluster: Any) -> None:
    run = max(runs(), key=lambda r: len(rows(r)))
    work = Work(run, Options(), profile_of(run))
    expected = [to_json(grade) for grade in work.grades(None)]
    parts = rows(run) * 6
    seen = []
    for place, (_, grades) in enumerate(on_ray(work, iter(parts), 4)):
        seen += [to_json(grade) for grade in grades]
        if place == 10:
            cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
    assert seen == expected * 6
    cluster.add_node(num_cpus=1)


class Deadly(Run):
    """A run whose third row kills the process that reads it."""

    def items(self, part: Part | None = None) -> Iterator[Any]:
        if part is not None and part.start <= 2 < part.stop:
            os._exit(1)
        yield from Run.items(self, part)


def test_what_kills_every_worker_costs_one_row(cluster: Any) -> None:
    run = max(runs(), key=lambda r: len(rows(r)))
    fields = {name: getattr(run, name) for name in Run.__dataclass_fields__}
    work = Work(Deadly(**fields), Options())
    [(_, grades)] = on_ray(work, iter([Part(0, 4, rows(run)[0].key)]), 2)
    lost = [grade for grade in grades if isinstance(grade, RowError)]
    assert [(error.row, error.reason) for error in lost] == [(2, "worker_died")]
    assert {grade.row for grade in grades} == {0, 1, 2, 3}
