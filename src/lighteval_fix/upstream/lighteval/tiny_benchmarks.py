"""0007: the tiny benchmarks download a pickle when they are imported, and then open it somewhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..edits import Argument, Replace
from ..fix import Finding, Fix, Group, Seen, Transplant

if TYPE_CHECKING:
    # What the target module's own namespace holds.
    from lighteval.tasks.tasks.tiny_benchmarks import os, pathlib, requests

_TINY = (
    "lighteval.tasks.tasks.tiny_benchmarks",
    "lighteval.tasks.tasks.tiny_benchmarks.main",
    "lighteval.tasks.extended.tiny_benchmarks.main",
)


def __init__(self: Any, task: str) -> None:
    # The parameters are fetched when a score is computed: a task table has to load without a network.
    known = [*self.LEADEBRBOARD_SCENARIOS, *self.BENCHS]
    if task not in known:
        raise ValueError(f"Bench name must be one of {','.join(known)}.")
    self.task = task
    self.scenario = task if task in self.BENCHS else "lb"
    self.number_of_examples = 100
    self.num_samples = 0
    self.estimates = None


def download(self: Any) -> str:
    # Beside this file, wherever the run was started, and whole or not at all.
    target = pathlib.Path(__file__).resolve().parent / "tinyBenchmarks.pkl"
    if not target.is_file():
        answer = requests.get(
            "https://raw.githubusercontent.com/felipemaiapolo/tinyBenchmarks/main/tinyBenchmarks/tinyBenchmarks.pkl"
        )
        answer.raise_for_status()
        partial = target.with_name(f"{target.name}.{os.getpid()}")
        partial.write_bytes(answer.content)
        os.replace(partial, target)
    return str(target)


class _Downloads(Exception):
    """Raised in place of a download while probing."""


def _probe() -> Finding:
    import sys
    from importlib import import_module

    import requests as library

    from .. import live

    name = next((name for name in _TINY if live.source_of(name) is not None), None)
    if name is None:
        return Finding(Seen.NOT_THERE, "this version has no tiny benchmarks")

    def refuse(*_: object, **__: object) -> None:
        raise _Downloads

    opened: list[str] = []

    def note(path: object, *_: object, **__: object) -> None:
        opened.append(str(path))
        raise _Downloads

    real = library.get
    library.get = refuse  # type: ignore[assignment]
    # In 0.11 the package round the module constructs judges first; that they fail is another fault (`judge-lookup`).
    hub: Any = import_module("huggingface_hub").HfApi
    listing, hub.list_models = hub.list_models, lambda *_, **__: iter(())
    loaded = name in sys.modules
    try:
        module = import_module(name)
        if loaded:
            module.TinyCorpusAggregator("arc")
    except _Downloads:
        return Finding(Seen.FAULT, "importing the task module asks the network for a pickle")
    finally:
        library.get, hub.list_models = real, listing
    library.get = refuse  # type: ignore[assignment]
    vars(module)["open"] = note
    try:
        aggregator = module.TinyCorpusAggregator("arc")
        getattr(aggregator, "compute_corpus", getattr(aggregator, "aggregate", refuse))([])
    except _Downloads:
        pass
    finally:
        library.get = real
        del vars(module)["open"]
    astray = [path for path in opened if not path.startswith("/")]
    if astray:
        return Finding(Seen.FAULT, f"its parameters are opened relative to the working folder: {astray[0]}")
    return Finding(Seen.CLEAN, "the task module was imported without a download")


FIX = Fix(
    name="tiny-benchmarks-download",
    number="0007",
    group=Group.DYING,
    body=Transplant(
        (
            Replace(
                modules=_TINY,
                qualname="TinyCorpusAggregator.__init__",
                shapes=("df5643d8e62b",),
                function=__init__,
            ),
            Replace(
                modules=_TINY,
                qualname="TinyCorpusAggregator.download",
                shapes=("0c96c0b027af",),
                function=download,
            ),
            Argument(
                modules=_TINY,
                qualname="TinyCorpusAggregator.compute_corpus",
                shapes=("9303627cf309", "926e5a2c9f02"),
                callee="open",
                template="self.download()",
            ),
            Argument(
                modules=_TINY,
                qualname="TinyCorpusAggregator.aggregate",
                shapes=("66c534dae4dc",),
                callee="open",
                template="self.download()",
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="loading the task table downloads a pickle, and its scores look for it in another place",
    why=(
        "The aggregator downloads its parameters in `__init__`, and the module builds twelve of them at import: "
        "offline, no task of any kind can be loaded (ConnectionError). `compute_corpus` then opens the file under a "
        "path relative to the working folder that has not existed since the tasks were moved. The file is fetched "
        "when it is first needed, written beside the module in one step, and opened there; a failed download "
        "raises instead of being passed over."
    ),
)
