"""The boxed pattern: the same spans and groups as the old one wherever that one finishes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("lighteval")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

from lighteval_fix import harness  # noqa: E402
from lighteval_fix.upstream.install import installer  # noqa: E402

PIECES = (
    *("$", "$$", "\\$", "\\[", "\\]", "\\(", "\\)", " [", "] ", "[", "]", "\\boxed{", "}", "{", "\\boxed{5}"),
    *("\\boxed{}", " ", "\n", "a", "1", "\\", "%", "\\%", " percent", "percentage", " and ", "and", " or ", ","),
    *("$\\boxed{5}$", "\\[\\boxed{1}\\]", "\\(\\boxed{2}\\)", " [\\boxed{3}] ", "$$\\boxed{4}$$"),
)


@pytest.fixture(scope="module")
def patterns() -> Iterator[dict[str, tuple[list[Any], list[Any]]]]:
    """Language -> the old and the new patterns for boxes."""
    from lighteval.metrics.utils import extractive_match_utils as match
    from lighteval.utils.language import Language

    def boxed(language: Any) -> list[Any]:
        config = match.LatexExtractionConfig()
        return [pattern for pattern, _ in match.lazy_latex_regex(config, language) if "boxed" in pattern.pattern]

    languages = (Language.ENGLISH, Language.FRENCH)
    old = {language.value: boxed(language) for language in languages}
    harness.apply_all(fixes=["boxed-pattern"])
    new = {language.value: boxed(language) for language in languages}
    yield {name: (old[name], new[name]) for name in old}
    installer().uninstall()


def found(pattern: Any, text: str) -> list[tuple[tuple[int, int], dict[str, str | None]]]:
    return [(match.span(), match.groupdict()) for match in pattern.finditer(text)]


@pytest.mark.parametrize("seed", range(8))
def test_the_same_on_random_texts(patterns: dict[str, tuple[list[Any], list[Any]]], seed: int) -> None:
    draw = random.Random(seed)
    hits = 0
    for _ in range(4000):
        text = "".join(draw.choice(PIECES) for _ in range(draw.randrange(1, 14)))
        for old, new in patterns.values():
            for before, after in zip(old, new, strict=True):
                wanted = found(before, text)
                hits += bool(wanted)
                assert found(after, text) == wanted, text
    assert hits > 1000


@pytest.mark.parametrize(
    "text",
    [
        "$" + "\\boxed{5}, " * 20000,
        "\\[ \\boxed{5} " * 20000,
        "\\( \\boxed{5} " * 20000,
        "$\\boxed{1}$, \\[ " * 20000,
        "\\boxed{" * 20000,
        " [ " * 20000 + "\\boxed{5}",
        "\\[ " * 20000 + "\\boxed{ \\]" * 20000,
    ],
    ids=["dollar", "bracket", "parenthesis", "linked", "never closed", "inline bracket", "many openings"],
)
def test_what_never_came_back_comes_back(patterns: dict[str, tuple[list[Any], list[Any]]], text: str) -> None:
    for _, new in patterns.values():
        for pattern in new:
            assert all(0 <= match.start() < match.end() <= len(text) for match in pattern.finditer(text))


def test_one_box_at_the_end_of_a_loop(patterns: dict[str, tuple[list[Any], list[Any]]]) -> None:
    text = "$" + "\\boxed{5}, " * 5000 + "\nSo $\\boxed{6}$"
    (environments, _) = patterns["eng"][1]
    assert [match.group() for match in environments.finditer(text)] == ["$\\boxed{6}$"]
