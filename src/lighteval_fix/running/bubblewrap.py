"""bubblewrap: a program in namespaces of its own, on a read-only system, with nothing of the host's home.

As root no user namespace is made, since a process limit binds no one whose real uid is 0, whatever uid it sees:
bubblewrap keeps only the two capabilities that the server needs to become, before anything else, a high uid that no
other sandbox has at the time. As an ordinary user the user namespace is what allows the others.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..model import SandboxMissing
from .cgroup import Group, make, usable_place
from .interpreter import Interpreter
from .limits import MEBIBYTE, Limits
from .sandbox import COMMON, ENVIRONMENT, Launch, server_files

INSTALL = (
    "bubblewrap is not installed: install it (Debian and Ubuntu: apt-get install bubblewrap; "
    "Fedora: dnf install bubblewrap)"
)
WAY_OUT = "`--sandbox none` runs the programs without any sandbox; only for programs that you trust"

_PROGRAM = "/program/program.py"
_HOME = "/scratch"
_SHARED = "/dev/shm"
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
_counter = itertools.count()


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Programs in bubblewrap (0.8 or later)."""

    name: str = "bubblewrap"
    contains: bool = True

    def prepare(self, python: Interpreter, limits: Limits, control: int) -> Launch:
        """Raises SandboxMissing where bubblewrap is not installed."""
        bwrap = _found("bwrap")
        if bwrap is None:
            raise SandboxMissing(f"{INSTALL}. {WAY_OUT}.")
        group = make(limits, usable_place().place)
        files = [(f"/server/{name}", _in_memory(data)) for name, data in server_files(python.magic)]
        command = [
            bwrap,
            *_system(python),
            *_folder("/server"),
            *(word for path, fd in files for word in ("--perms", "0444", "--ro-bind-data", str(fd), path)),
            *(
                "--unshare-pid",
                "--unshare-ipc",
                "--unshare-net",
                "--unshare-uts",
                "--hostname",
                "sandbox",
                "--unshare-cgroup-try",
            ),
            *("--as-pid-1", "--die-with-parent", "--new-session", "--chdir", _HOME),
            *_scratch(limits, python),
            *("--remount-ro", "/", "--remount-ro", "/dev"),
        ]
        user = _unused_uid() if os.getuid() == 0 else 0
        if user:
            command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        else:
            command += ["--unshare-user"]
        command += [python.executable, "-S", "-s", "-B", files[0][0], str(control), str(user), *COMMON]
        return Launch(
            command=tuple(command),
            environment={**ENVIRONMENT, "HOME": _HOME, "TMPDIR": _HOME},
            pass_fds=tuple(fd for _, fd in files),
            program=_PROGRAM,
            home=_HOME,
            writable=(_HOME, _SHARED),
            processes=limits.processes if os.getuid() == 0 or _counts_by_namespace() else 0,
            contained=True,
            group=group,
            cleanup=lambda: _clean_up(files, group),
        )

    def refused(self, message: str) -> str:
        """Installed, yet it did not come up: this host does not let it make namespaces."""
        if "bwrap:" not in message:
            return f"the fork server did not start in bubblewrap: {message.strip()[-300:] or 'no message'}. {WAY_OUT}."
        shown = next((line for line in message.splitlines() if line.strip()), "it ended without a message")
        return (
            f"bubblewrap is installed, but this host refuses to let it work ({shown.strip()[:300]}). In Docker, start "
            "the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined (or --privileged)."
            " On a host whose AppArmor or kernel settings forbid it, allow unprivileged user namespaces (sysctl "
            "kernel.apparmor_restrict_unprivileged_userns=0, or kernel.unprivileged_userns_clone=1), or run as root. "
            f"{WAY_OUT}."
        )


def _system(python: Interpreter) -> Iterator[str]:
    """The read-only system: /usr with its links, a few files of /etc, and the interpreter's own folders."""
    yield from ("--ro-bind", "/usr", "/usr")
    for link in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(link):
            yield from ("--symlink", os.readlink(link), link)
        elif os.path.isdir(link):
            yield from ("--ro-bind", link, link)
    yield from _folder("/etc")
    for path in _ETC:
        yield from ("--ro-bind-try", path, path)
    made = {"/", "/etc"}
    for folder in python.folders:
        if folder == "/usr" or folder.startswith("/usr/"):
            continue
        for parent in _parents(folder):
            if parent not in made:
                made.add(parent)
                yield from _folder(parent)
        yield from ("--ro-bind", folder, folder)
    yield from ("--proc", "/proc", "--dev", "/dev")


def _scratch(limits: Limits, python: Interpreter) -> Iterator[str]:
    if not any(folder.startswith("/tmp/") for folder in python.folders):
        yield from ("--symlink", _HOME, "/tmp")
    yield from ("--size", str(limits.scratch_bytes), "--perms", "1777", "--tmpfs", _HOME)
    for place in (_SHARED, os.path.dirname(_PROGRAM)):
        yield from ("--size", str(16 * MEBIBYTE), "--perms", "1777", "--tmpfs", place)


def _folder(path: str) -> tuple[str, ...]:
    """As root bubblewrap makes missing parents for itself alone, so each is made by name."""
    return ("--perms", "0755", "--dir", path)


def _parents(folder: str) -> list[str]:
    parts = folder.strip("/").split("/")[:-1]
    return ["/" + "/".join(parts[: n + 1]) for n in range(len(parts))]


@lru_cache(maxsize=4)
def _found(name: str) -> str | None:
    return shutil.which(name)


def _in_memory(data: bytes) -> int:
    """A descriptor on a file in memory that holds `data`, at its start."""
    fd = os.memfd_create("sandbox")
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _clean_up(files: list[tuple[str, int]], group: Group | None) -> None:
    for _, fd in files:
        os.close(fd)
    if group is not None:
        group.remove()


def state() -> str:
    """One line on what contains programs on this host, as `doctor` shows it."""
    if _found("bwrap") is None:
        return f"programs cannot be run: {INSTALL}"
    place = usable_place()
    if place.place is not None:
        return f"programs run in bubblewrap, memory and processes also bounded by control groups in {place.place}"
    return f"programs run in bubblewrap, memory and processes bounded by resource limits alone ({place.reason})"


def _unused_uid() -> int:
    """A uid of this process's own: from its pid and a running number, inside what our user namespace maps."""
    number = (os.getpid() << 7 | next(_counter) & 127) & 0x3FFFFFFF
    first, size = _uid_pool()
    return first + number % size


@lru_cache(maxsize=1)
def _uid_pool() -> tuple[int, int]:
    with open("/proc/self/uid_map") as mapped:
        ranges = [(int(inside), int(count)) for inside, _, count in (line.split() for line in mapped)]
    first, count = max(ranges, key=lambda r: r[1])
    if first + count > 1 << 31:
        return 1 << 30, 1 << 30
    low = min(first + count - 1, first + count // 2)
    return low, first + count - low


@lru_cache(maxsize=1)
def _counts_by_namespace() -> bool:
    """Since Linux 5.14 a process limit counts within the user namespace; before, all of the user's on the host."""
    release = os.uname().release.split("-")[0].split(".")
    return (int(release[0]), int(release[1])) >= (5, 14)
