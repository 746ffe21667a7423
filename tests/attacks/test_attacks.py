"""Programs that try to get out, to stay, or to cheat: each is contained, and the next program does not notice."""

from __future__ import annotations

import os
import socket
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.model import Status
from lighteval_fix.model import Tests as ProgramTests
from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.judge import judge
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask
from lighteval_fix.running.stdio import named_sandbox
from lighteval_fix.running.stock import Stock

pytestmark = pytest.mark.sandbox


def corpus(name: str) -> dict[str, Any]:
    folder = Path(__file__).parents[1] / "corpus/attacks"
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


ATTACKS: list[dict[str, Any]] = corpus("programs")["attack"]
DOUBLE = "print(int(input()) * 2)\n"
BOXED = named_sandbox("bubblewrap")


def ours() -> set[str]:
    """Processes of this test's: what descends from it, and whatever runs as the user of one of its sandboxes."""
    parents, found = dict[str, str](), set[str]()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[name] = Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[1]
            user = Path(f"/proc/{name}").stat().st_uid
        except OSError:
            continue
        if user >= 1 << 30 and (user & 0x3FFFFFFF) >> 7 == os.getpid():
            found.add(name)
    for name in parents:
        above = name
        while above in parents:
            above = parents[above]
            if above == str(os.getpid()):
                found.add(name)
    return found


def left_files() -> set[str]:
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("lighteval-fix-")}


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left() -> Iterator[None]:
    processes, files = ours(), left_files()
    yield
    for _ in range(50):
        if not ours() - processes:
            break
        time.sleep(0.1)
    assert not ours() - processes
    assert not left_files() - files


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def stock() -> Iterator[Stock]:
    made = Stock()
    yield made
    made.close()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack["name"])
def test_is_contained(attack: dict[str, Any], tmp_path: Path, port: int, stock: Stock) -> None:
    hidden = tmp_path / "expected.txt"
    hidden.write_text("the expected output")
    hidden.chmod(0o644)
    code = attack["code"].replace("HIDDEN", str(hidden)).replace("PORT", str(port))
    limits = Limits(seconds=attack.get("seconds", 6), memory_bytes=512 << 20)
    with Candidate(BOXED, code, describe(), limits, stock) as candidate:
        outcome = candidate.run(Ask(b"")).outcome
        assert outcome.status in attack["status"], outcome
        assert outcome.stdout == attack.get("stdout", outcome.stdout).lstrip("\n"), outcome
        if attack["status"] == ["ok"]:
            again = candidate.run(Ask(b"")).outcome
            assert (again.status, again.stdout) == (outcome.status, outcome.stdout)
    with Candidate(BOXED, DOUBLE, describe(), limits, stock) as innocent:
        after = innocent.run(Ask(b"21\n")).outcome
    assert (after.status, after.stdout) == (Status.OK, "42\n")


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "-" * 200000 + "1",
        "x = " + "+".join(["1"] * 100000),
        "x = [" * 3000,
        "\0",
        "# -*- coding: nonsense -*-\nprint(1)",
        "if 1:\n" + "".join(" " * n + "if 1:\n" for n in range(1, 300)),
        "\ud800",
    ],
    ids=["brackets", "signs", "sum", "open", "nul", "coding", "indent", "surrogate"],
)
def test_a_compiler_bomb_is_the_programs_own_failure(code: str) -> None:
    with Candidate(BOXED, code, describe(), Limits(memory_bytes=512 << 20)) as candidate:
        outcome = candidate.run(Ask(b"")).outcome
    if outcome.status is not Status.OK:
        assert outcome.status in (Status.ERROR, Status.KILLED, Status.MEMORY, Status.TIMEOUT)
        assert outcome.stdout == ""


FORGED: dict[str, str] = {entry["name"]: entry["code"] for entry in corpus("calls")["call"]}


@pytest.mark.parametrize("code", FORGED.values(), ids=FORGED.keys())
def test_a_forged_result_is_wrong(code: str) -> None:
    with Candidate(BOXED, code, describe(), Limits(seconds=3)) as candidate:
        found = judge(candidate, ProgramTests(("21",), ("42",), "f"), tolerance=1e-6, preamble="harness")
    assert not found.passed


def test_arguments_changed_in_one_test_are_whole_in_the_next() -> None:
    code = "seen = []\ndef f(a):\n    seen.append(1)\n    a.append(0)\n    return [len(seen), len(a)]\n"
    with Candidate(BOXED, code, describe(), Limits()) as candidate:
        found = judge(
            candidate,
            ProgramTests(("[]", "[]", "[5]"), ("[1, 1]", "[1, 1]", "[1, 2]"), "f"),
            tolerance=0,
            preamble="none",
        )
    assert found.passed
