"""Runs anywhere: globs, memory, object stores, archives."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from summaries import DATA, summary

from lighteval_fix.model import InputError, Item
from lighteval_fix.sources import open_run, open_runs

DETAILS = next((DATA / "lighteval").rglob("details_sums*.parquet"))


def test_globs_and_paths() -> None:
    assert len(list(open_runs(str(DATA / "lighteval" / "**" / "details_*.parquet")))) == 4
    assert len(list(open_runs(str(DETAILS.parent)))) == 4
    relative = os.path.relpath(DETAILS)
    assert open_run(relative).model == "acme/tiny-1"
    assert open_run(DETAILS).reported == open_run(relative).reported  # type: ignore[arg-type]


@pytest.fixture
def memory() -> Iterator[str]:
    filesystem = fsspec.filesystem("memory")
    for path in (DATA / "lighteval").rglob("*"):
        if path.is_file():
            filesystem.pipe(f"/runs/{path.relative_to(DATA).as_posix()}", path.read_bytes())
    yield "memory://runs"
    filesystem.rm("/runs", recursive=True)


def test_memory(memory: str) -> None:
    runs = list(open_runs(memory))
    local = list(open_runs(str(DATA / "lighteval")))
    assert [(run.task, run.model, run.reported) for run in runs] == [
        (run.task, run.model, run.reported) for run in local
    ]
    assert [list(run.items()) for run in runs] == [list(run.items()) for run in local]
    assert len(list(open_runs(f"{memory}/lighteval/details/**/details_sums*.parquet"))) == 1
    one = open_run(next(run.path for run in runs if run.task == "sums|0"))
    assert one.model == "acme/tiny-1"
    assert one.reported == (("avg@n:n=2", 0.5),)
    with pytest.raises(InputError, match="no such file"):
        open_run(f"{memory}/nothing.parquet")


def test_pushed_data_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """`hf://` through a stand-in file system: what matters here is how a pushed data set is laid out."""
    from fsspec.implementations.memory import MemoryFileSystem

    class Hub(MemoryFileSystem):  # type: ignore[misc]
        protocol = "hf"
        store: ClassVar[dict[str, Any]] = {}
        pseudo_dirs: ClassVar[list[str]] = [""]

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            return "/" + path.removeprefix("hf://").strip("/")

        def unstrip_protocol(self, name: str) -> str:
            return "hf://" + name.strip("/")

    registry = importlib.import_module("fsspec.registry")  # `fsspec.registry` is the mapping of the same name
    monkeypatch.setitem(registry._registry, "hf", Hub)
    hub = Hub()
    root = "/datasets/results-org/details_acme__tiny-1_private"
    here = DATA / "lighteval_json" / "details_acme__tiny-1_private"
    for path in here.rglob("*.*"):
        if path.is_file():
            hub.pipe(f"{root}/{path.relative_to(here).as_posix()}", path.read_bytes())
    (run,) = open_runs(f"hf:/{root}")
    assert (run.format, run.model, run.task) == ("lighteval", "acme/tiny-1", "sums|0")
    assert run.reported == (("avg@n:n=2", 0.5),)
    assert sum(isinstance(item, Item) for item in run.items()) == 3
    hub.rm(f"{root}/results_2026-01-05T10-20-30.000001.json")
    (alone,) = open_runs(f"hf:/{root}/**/*.parquet")
    assert alone.model == "acme/tiny-1"


def test_unknown_protocol() -> None:
    with pytest.raises(InputError, match="cannot open this kind of URL"):
        open_run("nowhere://bucket/file.parquet")


def test_packed_parquet(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / (DETAILS.name + ".gz")
    path.write_bytes(gzip.compress(DETAILS.read_bytes()))
    assert list(open_run(str(path)).items()) == list(open_run(str(DETAILS)).items())
    archive = shutil.make_archive(str(tmp_path / "runs"), "zip", DATA / "lighteval")
    runs = [run for run in open_runs(archive) if run.format == "lighteval"]
    assert {run.task for run in runs} == {"sums|0", "rivers|0", "lcb:tiny|0", "mmlu:tiny|0"}
    assert {run.model for run in runs} == {"acme/tiny-1"}
    assert all(run.reported for run in runs)


def test_the_sources_import_no_heavy_library() -> None:
    code = (
        "import sys; import lighteval_fix.sources as s; s.open_runs\n"
        "print(sorted({'pyarrow', 'fsspec', 'zstandard', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_object_store(monkeypatch: pytest.MonkeyPatch) -> None:
    moto = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            monkeypatch.setenv(name, value)
        filesystem = fsspec.filesystem("s3", endpoint_url=f"http://{host}:{port}")
        filesystem.mkdir("bucket")
        for path in (DATA / "lighteval").rglob("*"):
            if path.is_file():
                filesystem.pipe(f"bucket/runs/{path.relative_to(DATA).as_posix()}", path.read_bytes())
        runs = [run for run in open_runs("s3://bucket/runs") if run.task == "sums|0"]
        local = open_run(str(DETAILS))
        assert [list(run.items()) for run in runs] == [list(local.items())]
        assert runs[0].model == local.model
        assert all(isinstance(run.items(), Iterator) for run in runs)
    finally:
        server.stop()


def test_summaries_of_a_url_and_of_a_path_agree(memory: str) -> None:
    path = DETAILS.relative_to(DATA).as_posix()
    there, here = summary(open_run(f"{memory}/{path}")), summary(open_run(str(DETAILS)))
    assert {**there, "path": ""} == {**here, "path": ""}
    assert any(isinstance(item, Item) for item in open_run(f"{memory}/{path}").items())
