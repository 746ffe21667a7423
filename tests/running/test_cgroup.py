"""Control groups: where they may be made, what is written, and that nothing of them is left."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lighteval_fix.model import Status
from lighteval_fix.running import bubblewrap
from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.cgroup import Found, Group, make, usable_place
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask
from lighteval_fix.running.stdio import named_sandbox

Host = Callable[..., Found]


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder made has the kernel's files in it, and takes them along when it goes."""
    mkdir, rmdir = Path.mkdir, Path.rmdir

    def made(self: Path, *how: int, **more: bool) -> None:
        mkdir(self, *how, **more)
        if not self.name.startswith("lighteval-fix-"):
            return
        for name in ("cgroup.procs", "cgroup.kill", "memory.max", "memory.swap.max", "pids.max"):
            (self / name).touch()
        (self / "memory.events").write_text("low 0\noom 0\noom_kill 0\n")

    def removed(self: Path) -> None:
        for file in self.iterdir():
            file.unlink()
        rmdir(self)

    monkeypatch.setattr(Path, "mkdir", made)
    monkeypatch.setattr(Path, "rmdir", removed)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    def found(
        own: str = "/user/session",
        mounts: str = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
        controllers: str = "cpu memory pids\n",
        above: str = "memory pids\n",
    ) -> Found:
        top = tmp_path / "sys/fs/cgroup"
        inner = top / own.lstrip("/")
        inner.mkdir(parents=True, exist_ok=True)
        (inner / "cgroup.controllers").write_text(controllers)
        for folder in (inner, *(p for p in inner.parents if p.is_relative_to(top))):
            (folder / "cgroup.subtree_control").write_text(above if folder != inner else "")
        proc = tmp_path / "proc"
        proc.mkdir()
        (proc / "mounts").write_text(f"tmpfs /tmp tmpfs rw 0 0\n{mounts}")
        (proc / "cgroup").write_text(f"4:memory:/elsewhere\n0::{own}\n")
        return usable_place(str(proc), str(tmp_path))

    return found


def test_a_group_goes_beside_our_own(host: Host, tmp_path: Path) -> None:
    assert host().place == tmp_path / "sys/fs/cgroup/user"


def test_groups_of_the_dead_are_taken_away(host: Host, tmp_path: Path) -> None:
    place = tmp_path / "sys/fs/cgroup/user"
    for pid in (2**30, os.getpid()):
        (place / f"lighteval-fix-{pid}-0").mkdir(parents=True)
    assert host().place == place
    assert [folder.name for folder in place.glob("lighteval-fix-*")] == [f"lighteval-fix-{os.getpid()}-0"]


def test_or_into_it_at_the_top(host: Host, tmp_path: Path) -> None:
    found = host(own="/")
    assert found.place == tmp_path / "sys/fs/cgroup"
    assert (found.place / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_otherwise_it_says_why_not(host: Host) -> None:
    assert host(mounts="") == Found(None, "no cgroup v2 is mounted")


def test_controllers_that_are_elsewhere(host: Host) -> None:
    assert host(controllers="hugetlb\n") == Found(None, "cgroup v2 is there, but not for memory and pids")


def test_folders_that_may_not_be_written_to(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, how: False)
    assert host() == Found(None, "no cgroup v2 folder may be written to")


def test_what_a_group_is_told(kernel: None, tmp_path: Path) -> None:
    limits = Limits(memory_bytes=64 << 20, processes=10)
    group = make(limits, tmp_path)
    assert group is not None
    assert int((group.path / "memory.max").read_text()) > limits.memory_bytes
    assert (group.path / "memory.swap.max").read_text() == "0"
    assert int((group.path / "pids.max").read_text()) > limits.processes
    assert group.adopt(4711)
    assert (group.path / "cgroup.procs").read_text() == "4711"
    (group.path / "memory.events").write_text("oom 3\noom_kill 2\n")
    assert group.kills() == 2
    group.remove()
    group.remove()
    assert not list(tmp_path.iterdir())


def test_a_group_that_takes_no_limits_is_none(kernel: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.write", lambda fd, data: (_ for _ in ()).throw(OSError("busy")))
    assert make(Limits(), tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_no_place_no_group(tmp_path: Path) -> None:
    assert make(Limits(), None) is None
    assert make(Limits(), tmp_path / "missing") is None
    assert not Group(tmp_path / "missing").adopt(1)


@pytest.mark.parametrize("found", [Found(Path("/sys/fs/cgroup/x")), Found(None, "no cgroup v2 is mounted")])
def test_doctor_says_which(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "usable_place", lambda: found)
    monkeypatch.setattr(bubblewrap, "_found", lambda name: name)
    assert (str(found.place) if found.place else found.reason) in bubblewrap.state()


@pytest.mark.sandbox
def test_the_kernel_keeps_the_bound() -> None:
    place = usable_place().place
    if place is None:
        pytest.skip(usable_place().reason)
    before = set(place.iterdir())
    code = "import os\nfor _ in range(6):\n    if not os.fork():\n        break\nx = b'x' * (200 << 20)\n"
    with Candidate(named_sandbox("bubblewrap"), code, describe(), Limits(memory_bytes=256 << 20)) as candidate:
        assert candidate.run(Ask(b"")).outcome.status in (Status.MEMORY, Status.KILLED)
        assert set(place.iterdir()) > before
    assert set(place.iterdir()) == before
