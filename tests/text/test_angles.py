"""Angle brackets: kept as a text shows them, whatever was asked for before, and given up where they are too many."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lighteval_fix.text.angles import MANY, angles, may_close

PIECES = st.lists(
    st.sampled_from(["<", "</", "<|", "<think>", "x < 3", "</answer>", "a", "<｜", "<7", "\n"]), max_size=40
)


def test_brackets_with_something_to_name_behind_them() -> None:
    assert angles("a < b <c> </d> <| <3 <") == (6, 10, 15)
    assert angles("no bracket") == ()
    assert angles("") == ()


def test_too_many_are_not_kept() -> None:
    assert angles("<a" * MANY) == tuple(range(0, 2 * MANY, 2))
    assert angles("<a" * (MANY + 1)) is None
    assert may_close("<a" * (MANY + 1) + "</b", 0, 2 * MANY + 5)
    assert not may_close("<a" * (MANY + 1) + "</b", 0, 2 * MANY)


@given(PIECES, st.integers(0, 60), st.integers(0, 60))
def test_a_closing_tag_is_where_it_stands(pieces: list[str], lo: int, hi: int) -> None:
    text = "".join(pieces)
    assert may_close(text, lo, hi) == any(text.startswith("</", at) for at in range(lo, min(hi, len(text))))
    assert angles(text) == tuple(
        at
        for at in range(len(text))
        if text[at] == "<" and (text[at + 1 : at + 2].isalpha() or text[at + 1 : at + 2] in ("/", "|", "｜"))
    )


@given(st.text(alphabet="<a/|｜x1 éß中_", max_size=60))
def test_stepping_and_pattern_find_the_same(text: str) -> None:
    more = "<x" * 13
    assert angles(text + more) == (*angles_of(text), *range(len(text), len(text) + len(more), 2))
    assert angles(more + text) == (*range(0, len(more), 2), *(len(more) + at for at in angles_of(text)))


def angles_of(text: str) -> tuple[int, ...]:
    return angles(text + " ") or ()
