"""Text that has no UTF-8 goes in, comes out and is compared, and a program is the text that it was given as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.model import Status
from lighteval_fix.model import Tests as ProgramTests
from lighteval_fix.running.candidate import Candidate
from lighteval_fix.running.compare import compare_output
from lighteval_fix.running.harness import Piece, Reenactment
from lighteval_fix.running.interpreter import describe
from lighteval_fix.running.judge import judge
from lighteval_fix.running.limits import Limits
from lighteval_fix.running.octets import as_seen, octets
from lighteval_fix.running.session import Ask
from lighteval_fix.running.stdio import named_sandbox, run_program

any_text = st.text(st.characters(categories=None) | st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF))


@given(any_text)
def test_every_text_has_bytes_and_looks_like_them(text: str) -> None:
    data = octets(text)
    assert as_seen(text) == data.decode("utf-8", "surrogateescape")
    assert octets(as_seen(text)) == data
    assert compare_output(as_seen(text), text, 0)


@given(st.binary())
def test_undecodable_bytes_come_back(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    assert octets(text) == data
    assert as_seen(text) == text


@pytest.mark.parametrize("text", ["\ud800", "a\udfff\nb", "\udcc3\udca9", "\udcff \ud800"])
def test_a_lone_surrogate_goes_through_a_program(text: str) -> None:
    tests = ProgramTests((text,), (text,), None)
    for code in ("import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())", "import sys\nprint(sys.stdin.read())"):
        with Candidate(named_sandbox("none"), code, describe(), Limits()) as candidate:
            assert judge(candidate, tests, tolerance=0, preamble="none").passed
    harness = Reenactment(named_sandbox("none"), describe(), Limits())
    harness.passes("print(input())", tests, frozenset(Piece), 1)
    assert run_program("print(len(input()))", "\ud800", sandbox="none").status is Status.OK
    assert not compare_output("\ufffd", text)


@pytest.mark.parametrize(
    "head",
    [
        "# -*- coding: latin-1 -*-\n",
        "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n",
        "# coding: utf-99\n",
        "# coding: ascii\n",
        "# coding: utf-16\n",
        "# coding: rot13\n",
        "\ufeff",
        "\ufeff# coding: utf-8\n",
        "\ufeff# coding: latin-1\n",
    ],
)
def test_a_program_is_text_whatever_its_cookie_says(head: str) -> None:
    code = head + "s = 'é'\nprint(s, len(s))\n1 / 0\n"
    with Candidate(named_sandbox("none"), code, describe(), Limits()) as candidate:
        for _ in range(2):
            outcome = candidate.run(Ask(b"")).outcome
            assert outcome.stdout == "é 1\n"
            assert outcome.stderr.endswith("\nZeroDivisionError: division by zero\n")


def test_only_the_first_byte_order_mark_is_none_of_its_characters() -> None:
    for code in ("\ufeff\ufeffprint(1)\n", "print(1)\n\ufeff"):
        assert run_program(code, sandbox="none").status is Status.ERROR


def test_a_program_with_half_a_surrogate_pair_does_not_compile() -> None:
    outcome = run_program("print('\ud800')\n", sandbox="none")
    assert (outcome.status, outcome.stderr.splitlines()[-1].split(":")[0]) == (Status.ERROR, "SyntaxError")
