"""Sandboxes started ahead: used where they fit and still live, never otherwise, and ended with their owner."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import pytest

from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.session import Ask, Session
from lighteval_fix.running.stdio import named_sandbox
from lighteval_fix.running.stock import Stock, stock_of_thread

pytestmark = pytest.mark.sandbox

BOXED = named_sandbox("bubblewrap")


def said(stock: Stock, word: str, limits: Limits | None = None) -> str:
    with Candidate(BOXED, f"print({word!r})", describe(), limits or Limits(), stock) as candidate:
        return candidate.run(Ask(b"")).outcome.stdout


def test_every_program_has_a_sandbox_of_its_own() -> None:
    stock = Stock()
    try:
        assert [said(stock, word) for word in "abc"] == ["a\n", "b\n", "c\n"]
    finally:
        stock.close()


def test_a_spare_for_other_limits_is_not_used() -> None:
    stock = Stock()
    try:
        said(stock, "a")
        assert said(stock, "b", Limits(seconds=1)) == "b\n"
    finally:
        stock.close()


def test_a_spare_that_died_is_not_used() -> None:
    stock = Stock()
    try:
        said(stock, "a")
        for spare in stock._spares:
            spare.process.kill()
            spare.process.wait()
        assert said(stock, "b") == "b\n"
    finally:
        stock.close()


def test_programs_follow_each_other_in_one_sandbox() -> None:
    stock = Stock()
    try:
        sessions = []
        for _ in range(4):
            with Session(BOXED, "print(1)", describe(), Limits(), stock) as session:
                assert session.run(Ask(b"")).stdout == b"1\n"
            session.close()
            sessions.append(session)
        assert len({session._started.process.pid for session in sessions}) == 1
    finally:
        stock.close()


def test_a_closed_stock_holds_no_process_and_no_descriptor() -> None:
    said(Stock(), "warm")
    before = len(os.listdir("/proc/self/fd"))
    stock = Stock()
    said(stock, "a")
    held = [spare.process for spare in stock._spares]
    assert held
    stock.close()
    assert all(process.returncode is not None for process in held)
    assert len(os.listdir("/proc/self/fd")) <= before


def in_a_worker(word: str) -> str:
    return said(stock_of_thread(), word)


def test_workers_side_by_side() -> None:
    said(stock_of_thread(), "before the fork")
    with ProcessPoolExecutor(3) as pool:
        assert list(pool.map(in_a_worker, map(str, range(12)))) == [f"{n}\n" for n in range(12)]


def test_a_process_that_just_ends_leaves_nothing_behind() -> None:
    code = (
        "import os, sys\nsys.path[:0] = sys.argv[1:]\n"
        "from lighteval_fix.running.stock import stock_of_thread as stock\n"
        "from lighteval_fix.running.stdio import named_sandbox\n"
        "from lighteval_fix.running.interpreter import describe\n"
        "from lighteval_fix.running.limits import Limits\n"
        "stock().refill(named_sandbox('bubblewrap'), describe(), Limits())\n"
        "print(*(s.process.pid for s in stock()._spares), flush=True)\nos._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *sys.path], capture_output=True, text=True, check=True)
    pids = done.stdout.split()
    assert pids
    for _ in range(100):
        if not any(_runs(pid) for pid in pids):
            break
        subprocess.run(["sleep", "0.05"], check=True)
    assert not any(_runs(pid) for pid in pids)


def _runs(pid: str) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
