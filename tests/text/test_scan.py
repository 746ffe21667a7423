"""The scanners: offsets stay those of the whole text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.text.scan import (
    close_brace,
    close_environment,
    fences,
    find_backward,
    find_unescaped,
    inside_fence,
    line_bounds,
    math_at,
    narrow,
)


@given(st.text("ab ", max_size=200), st.integers(1, 9))
def test_backward_is_forward_reversed_whatever_the_step(text: str, step: int) -> None:
    pattern = re.compile("ab")
    forward = [m.start() for m in pattern.finditer(text)]
    assert [m.start() for m in find_backward(pattern, text, 0, len(text), step)] == forward[::-1]


def test_braces_that_are_escaped_do_not_count() -> None:
    text = r"\boxed{\{1, 2\} \cup {3}} rest}"
    assert text[: close_brace(text, 6, len(text)) + 1] == r"\boxed{\{1, 2\} \cup {3}}"
    assert close_brace("{{}", 0, 3) == -1


def test_environments_nest() -> None:
    text = r"\begin{cases}\begin{array}x\end{array}\end{cases}tail"
    assert text[close_environment(text, 0, len(text)) :] == "tail"
    assert close_environment(r"\begin{cases}", 0, 13) == -1


def test_an_odd_run_of_backslashes_escapes() -> None:
    assert find_unescaped(r"\$ \\$", "$", 0, 6) == 5


def test_maths_and_money() -> None:
    assert math_at("$x+1$ rest", 0, 10) == (1, 4, 5)
    assert math_at("$5 for the pen and $7 for two", 0, 29) is None
    assert math_at(r"\[ x \] y", 0, 9) == (2, 5, 7)
    assert math_at("$$x$$", 0, 5) == (2, 3, 5)
    assert math_at("$x", 0, 2) is None


def test_a_fence_with_an_info_string_closes_nothing() -> None:
    text = "```python\nx = 1\n```python\ny = 2\n```\n"
    first, second = fences(text)
    assert not first.closed
    assert text[second.body : second.body_end] == "y = 2\n"
    assert inside_fence([first, second], text.index("y =")) is second
    assert inside_fence([first, second], text.index("x =")) is None


def test_a_longer_fence_holds_a_shorter_one() -> None:
    text = "````\n```\ninner\n```\n````"
    (block,) = fences(text)
    assert text[block.body : block.body_end] == "```\ninner\n```\n"


def test_narrow_keeps_offsets() -> None:
    wide = "答案：Ｃ，３。"
    assert narrow(wide) == "答案:C,3."
    assert narrow("plain") == "plain"


def test_the_line_of_an_offset() -> None:
    text = "one\ntwo\nthree"
    assert line_bounds(text, 5, 0, len(text)) == (4, 7)
    assert line_bounds(text, 9, 0, len(text)) == (8, 13)
