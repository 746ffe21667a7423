"""What texts parse to, by the corpus of notations, and what holds of any text whatever."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lighteval_fix.deciding import limits
from lighteval_fix.deciding.parsing import parse_answer, presentation
from lighteval_fix.deciding.parsing.glyphs import as_latex, original_position
from lighteval_fix.deciding.parsing.kinds import kind_of
from lighteval_fix.deciding.parsing.lex import lex
from lighteval_fix.deciding.parsing.show import show
from lighteval_fix.deciding.parsing.tokens import Reject
from lighteval_fix.deciding.value import Listing, Parsed, Quantity, Scalar, Unparsed
from tests.laws import examples

CORPUS = tomllib.loads(
    (Path(__file__).parent.parent / "corpus" / "deciding" / "parsing.toml").read_text(encoding="utf-8")
)["group"]
SAME = [(group["of"], line[0], text) for group in CORPUS for line in group.get("same", ()) for text in line]
REFUSED = [(group["unparsed"], text) for group in CORPUS if "unparsed" in group for text in group["texts"]]
PIECES = sorted({text for _, _, text in SAME} | {text for _, text in REFUSED})
SCRAPS = (
    *"{}()[]|,;:^_&=<>+-*/!%$'\". ",
    *("1", "23", "0.5", "x", "e", "i", "E", "C", "f(", "pi", "and", "or", "for", "cm", "word", "½", "²", "√", "∪", "é"),
    *(r"\frac", r"\sqrt", r"\left", r"\right", r"\text{", r"\{", r"\}", r"\\", r"\begin{cases}", r"\end{cases}"),
    *(r"\begin{pmatrix}", r"\end{pmatrix}", r"\sin", r"\log", r"\int", r"\sum", r"\pm", r"\cup", r"\circ", r"\pi"),
    *(r"\overline", r"\dot", r"\mid", r"\in", r"\mathbb{R}", r"\infty", r"\boxed{", r"\quad", r"\,", r"\pmod", "dx"),
)


def texts() -> st.SearchStrategy[str]:
    """Texts near the language: notations, cut and joined at random, and loose tokens."""
    scrap = st.lists(st.sampled_from(SCRAPS), max_size=14).map("".join)
    cut = st.tuples(st.sampled_from(PIECES), st.integers(0, 12), st.sampled_from(SCRAPS), st.sampled_from(PIECES))
    return st.one_of(
        scrap, cut.map(lambda t: t[0][: t[1]] + t[2] + t[3]), st.sampled_from(PIECES), st.text(max_size=30)
    )


# A test for each group of the corpus, since a test for every text takes longer than what it parses.
@pytest.mark.parametrize("of", sorted({of for of, _, _ in SAME}))
def test_notations(of: str) -> None:
    for canonical, text in [(canonical, text) for group, canonical, text in SAME if group == of]:
        parsed, shown = parse_answer(text), parse_answer(canonical)
        assert isinstance(parsed, Parsed), (text, parsed)
        assert isinstance(shown, Parsed), (canonical, shown)
        assert parsed.value == shown.value, (text, canonical)
        assert show(parsed.value) == canonical, text


@pytest.mark.parametrize("why", sorted({why for why, _ in REFUSED}))
def test_refused(why: str) -> None:
    for text in [text for group, text in REFUSED if group == why]:
        parsed = parse_answer(text)
        assert isinstance(parsed, Unparsed), (text, show(parsed.value))
        assert why in parsed.why, (text, parsed)
        assert not parsed.over_limit, text


@pytest.mark.parametrize(
    ("text", "position"),
    [(r"\frac{1}{2}}", 11), ("1,,2", 2), ("x = 2^", 6), (r"2 + \unknown", 4), ("½ + }", 4), ("π·√ + 5", 4)],
)
def test_position_is_where_it_was_seen(text: str, position: int) -> None:
    parsed = parse_answer(text)
    assert isinstance(parsed, Unparsed)
    assert parsed.position == position


@pytest.mark.parametrize(
    "text",
    [
        "{" * 4_000 + "}" * 4_000,
        "(" * 4_000 + "1" + ")" * 4_000,
        r"\frac" * 1_500,
        r"\sqrt" * 1_500 + "2",
        r"\sin " * 1_500 + "x",
        "2^" * 2_000 + "2",
        "f(" * 3_000,
        r"\{" * 3_000,
        "|" * 6_000,
        "7" * 3_000,
        "1e99999",
        "1+" * 4_000 + "1",
        "5" * 1_000_000,
    ],
    ids=lambda text: text[:8],
)
def test_over_a_limit(text: str) -> None:
    parsed = parse_answer(text)
    assert isinstance(parsed, Unparsed)
    assert parsed.over_limit


@pytest.mark.parametrize(
    "piece", ["1A", "1.", ".1", "1,234", "{1,", "|x", r"\text{a", "$", "x'", "a,", " and ", "1 234 ", "²", "½"]
)
def test_tokens_stay_in_proportion_to_the_text(piece: str) -> None:
    text = as_latex(piece * (limits.MAX_LENGTH // len(as_latex(piece)) - 1))
    try:
        tokens = lex(text)
    except Reject:
        return
    assert len(tokens.kinds) <= limits.MAX_TOKENS + 1


def test_a_tower_of_powers_is_read_and_not_computed() -> None:
    assert isinstance(parse_answer("2^{2^{2^{2^{20}}}}"), Parsed)
    assert isinstance(parse_answer("1000000000!"), Parsed)
    assert isinstance(parse_answer(r"\sum_{k=1}^{10^{9}} k"), Parsed)


def test_second_readings() -> None:
    bare = parse_answer("70,110")
    assert isinstance(bare, Parsed)
    assert bare.value == parse_answer("70110").value  # type: ignore[union-attr]
    assert isinstance(bare.other, Listing)
    metres = parse_answer("5 m")
    assert isinstance(metres, Parsed)
    assert isinstance(metres.value, Scalar)
    assert isinstance(metres.other, Quantity)
    tiny = parse_answer("3e-2")
    assert isinstance(tiny, Parsed)
    assert tiny.other == parse_answer("3e - 2").value  # type: ignore[union-attr]
    for plain in ("4.2e-3", "1e5", "1,024", "(1,234)", "5", "5x", r"5\text{ m}"):
        parsed = parse_answer(plain)
        assert isinstance(parsed, Parsed)
        assert parsed.other is None, plain


def test_marks() -> None:
    marks = {
        r"50\%": (True, None, False, False),
        r"\$5": (False, "$", False, False),
        "45°": (False, None, True, False),
        "3 1/2": (False, None, False, True),
        "90° - x": (False, None, True, False),
        r"\sin 30°": (False, None, False, False),
    }
    for text, want in marks.items():
        value = parse_answer(text).value  # type: ignore[union-attr]
        assert isinstance(value, Scalar)
        assert (value.percent, value.currency, value.degree, value.mixed) == want, text


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (r"\left( 1 , 2 \right)", "(1,2)"),
        (r"\dfrac{1}{2}", r"\frac{1}{2}"),
        (r"$x = 5$.", "x=5"),
        (r"\boxed{\text{No solution}}", "No  solution"),
        (r"\[ 2\,\pi \]", r"2\pi"),
        ("**58", "58"),
    ],
)
def test_presentation(one: str, two: str) -> None:
    assert presentation(one) == presentation(two)


@pytest.mark.parametrize(("one", "two"), [("(1,2)", "[1,2]"), ("12", "1 2"), ("-5", "5"), (r"\$5", "5"), ("1,2", "12")])
def test_presentation_keeps_what_means_something(one: str, two: str) -> None:
    assert presentation(one) != presentation(two)


@settings(max_examples=examples(400), deadline=None, derandomize=True)
@given(texts())
def test_never_raises_and_shows_what_it_read(text: str) -> None:
    parsed = parse_answer(text)
    presentation(text)
    if isinstance(parsed, Unparsed):
        assert 0 <= parsed.position <= len(text)
        assert parsed.why
        return
    assert kind_of(parsed.value)
    canonical = show(parsed.value)
    if canonical.isascii():
        again = parse_answer(canonical)
        assert isinstance(again, Parsed), canonical
        assert again.value == parsed.value or show(again.value) == canonical


@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(texts(), st.text(max_size=200), st.binary(max_size=200).map(lambda b: b.decode("latin-1"))))
def test_never_raises(text: str) -> None:
    parsed = parse_answer(text)
    assert isinstance(parsed, Parsed | Unparsed)
    assert isinstance(presentation(text), str)


@settings(max_examples=examples(200), deadline=None)
@given(
    st.sampled_from(SAME),
    st.sampled_from(["${}$", r"\({}\)", r"\[{}\]", r"\boxed{{{}}}", " {}  ", r"\,{}\;", r"\displaystyle {}"]),
)
def test_wrappers_do_not_matter(same: tuple[str, str, str], wrapper: str) -> None:
    text = same[2].rstrip(".")
    if "$" in text or text.startswith("\\["):
        return
    plain, wrapped = parse_answer(text), parse_answer(wrapper.format(text))
    assert isinstance(plain, Parsed)
    assert isinstance(wrapped, Parsed)
    assert wrapped.value == plain.value


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(SAME))
def test_macros_of_size_do_not_matter(same: tuple[str, str, str]) -> None:
    text = same[2]
    if "cfrac" in text or "\\left" in text or "\\big" in text or "array" in text:
        return
    sized = text.replace("\\frac", "\\dfrac")
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        sized = "\\left" + sized[:-1] + "\\right)"
    plain, changed = parse_answer(text), parse_answer(sized)
    assert isinstance(plain, Parsed)
    assert isinstance(changed, Parsed)
    assert changed.value == plain.value


@given(st.text(alphabet="½²π√x1é ", max_size=12), st.integers(0, 40))
def test_positions_come_back_into_the_text(text: str, position: int) -> None:
    assert 0 <= original_position(text, position) <= len(text)


def test_kinds() -> None:
    kinds = {
        "5": "Real", r"3\pi": "Real", "1+2i": "Complex", "x+1": "Expression", "(1,2)": "Vector", "1,2": "Set",
        r"\pm 2": "Set", r"\{1,2\}": "Set", "[1,2]": "Interval", r"x \in [1,2]": "Interval", "x+y=1": "Equation",
        "y=2x": "Function", "f(x)=x": "Function", "x<1": "Inequality", "even": "Others", "(C)": "Others",
        "3:1": "Others", r"\begin{pmatrix}1\\2\end{pmatrix}": "Matrix", r"5\text{ cm}": "Real", "12_5": "Real",
        r"\mathbb{R}": "Interval", r"\sum_{k=1}^n k": "Expression", r"\sum_{k=1}^5 k": "Real",
    }  # fmt: skip
    for text, kind in kinds.items():
        assert kind_of(parse_answer(text).value) == kind, text  # type: ignore[union-attr]
