"""Re-grading on a Ray cluster on this machine: `python bench/on_ray.py FILE NODES`. Starts the cluster, grades the
first parts to warm the workers up, then prints the seconds for the whole file."""

from __future__ import annotations

import os
import sys
import time
from itertools import islice


def main() -> None:
    """Run it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    from lighteval_fix import open_runs
    from lighteval_fix.audit.cluster import on_ray
    from lighteval_fix.audit.regrade import profile_of
    from lighteval_fix.audit.work import Work
    from lighteval_fix.grading.grader import Options

    path, nodes = sys.argv[1], int(sys.argv[2])
    answers, sys.stdout = sys.stdout, sys.stderr
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for _ in range(nodes - 1):
        cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    [run] = open_runs(path)
    work = Work(run, Options(), profile_of(run))
    parts = list(run.parts(4 * 2**20))
    for _ in on_ray(work, islice(iter(parts * 2), 2 * nodes), 0):
        pass
    started = time.monotonic()
    count = sum(len(grades) for _, grades in on_ray(work, iter(parts), 0))
    print(count, time.monotonic() - started, file=answers, flush=True)
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
