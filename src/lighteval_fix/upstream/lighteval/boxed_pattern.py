"""0014: the pattern for boxes between math delimiters is cubic in the number of boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..edits import Call, Insert
from ..fix import Finding, Fix, Group, Seen, Transplant

if TYPE_CHECKING:
    import re

_MATCH = ("lighteval.metrics.utils.extractive_match_utils",)
_SHAPES = ("d34111e21cae", "991e1fa41f7b")


def _linear_boxed(pattern: re.Pattern[str], literal: object) -> re.Pattern[str]:  # type: ignore[no-any-unimported, unused-ignore]
    """The same matches as `pattern`, found in linear time, where it is one of the two patterns for boxes.

    What closes a math environment depends on its opening alone, and it holds a box if one `\\boxed{` and a later `}`
    stand in it. So every span is found by plain searches, and the pattern is only asked to fill in the groups of a
    span that is known to match. Answers of a search hold for every start before what it found, so each stretch of
    text is searched once for each thing.
    """
    if "boxed" not in pattern.pattern:
        return pattern
    opening = re.compile(r"(?<!\\)\$\$|(?<!\\)\\\[|(?<!\\|\d)\$|(?<!\\)\\\(|\s\[")
    ends = {
        "$$": re.compile(r"\$\$"),
        "\\[": re.compile(r"\\\]"),
        "$": re.compile(r"(?<!\\)\$|\n"),
        "\\(": re.compile(r"\\\)|\n"),
        "[": re.compile(r"[\n\]\[]"),
        "box": re.compile(r"\\boxed\{"),
        "}": re.compile(r"\}"),
    }
    tail = re.compile(r"\s*(?:\\?%|[Pp]ercent|[Pp]ct)?")
    words = (getattr(literal, "and_word", ","), getattr(literal, "or_word", ","), ",")
    links = [re.compile(rf"\s*(?:{word})\s*") for word in words]

    class Linear:
        def __init__(self) -> None:
            self.pattern = pattern.pattern
            self.flags = pattern.flags

        def finditer(self, text: str) -> object:
            spans = environments(text) if "latexInlineDollar" in pattern.pattern else bare(text)
            for start, end in spans:
                match = pattern.fullmatch(text, start, end)
                if match is not None:
                    yield match

    def bare(text: str):  # type: ignore[no-untyped-def]
        # From the first box that is followed by a brace to the last brace of all.
        start, last = text.find("\\boxed{"), text.rfind("}")
        if start >= 0 and start + len("\\boxed{") < last:
            yield start, last + 1

    def environments(text: str):  # type: ignore[no-untyped-def]
        known: dict[str, tuple[int, int]] = {}

        def next_of(what: str, start: int) -> int:
            asked, found = known.get(what, (-1, -1))
            if asked <= start <= found:
                return found
            if asked >= 0 and start < asked <= found:
                match = ends[what].search(text, start, asked + len("\\boxed{"))
                if match is not None and match.start() < asked:
                    return match.start()
                known[what] = (start, found)
                return found
            match = ends[what].search(text, start)
            found = match.start() if match is not None else len(text)
            known[what] = (start, found)
            return found

        def environment(match: re.Match[str] | None) -> int:  # type: ignore[no-any-unimported, unused-ignore]
            # Where the environment that opens here ends, or -1.
            if match is None:
                return -1
            kind, start = (match.group() if match.group() in ends else "["), match.end()
            close = next_of(kind, start)
            if close >= len(text) or text[close] in "\n[" or (kind != "[" and text[close - 1] == "\\"):
                return -1
            end = close + (1 if kind in "$[" else 2)
            if kind == "[":
                if not text[end : end + 1].isspace():
                    return -1
                end += 1
            box = next_of("box", start)
            return end if box < close and next_of("}", box + len("\\boxed{") + 1) < close else -1

        position = 0
        while (match := opening.search(text, position)) is not None:
            end = environment(match)
            if end < 0:
                position = match.start() + 1
                continue
            end = tail.match(text, end).end()  # type: ignore[union-attr]
            for _ in range(5):
                further = -1
                for link in links:
                    joined = link.match(text, end)
                    if joined is None:
                        continue
                    further = environment(opening.match(text, joined.end()))
                    if further < 0 and text[joined.end() - 1].isspace():
                        further = environment(opening.match(text, joined.end() - 1))
                    if further >= 0:
                        break
                if further < 0:
                    break
                end = tail.match(text, further).end()  # type: ignore[union-attr]
            yield match.start(), end
            position = end

    return Linear()  # type: ignore[return-value]


def _probe() -> Finding:
    from importlib import import_module
    from time import process_time

    module: Any = import_module(_MATCH[0])
    language: Any = import_module("lighteval.utils.language").Language.ENGLISH
    patterns = [pattern for pattern, _ in module.lazy_latex_regex(module.LatexExtractionConfig(), language)]

    def seconds(boxes: int) -> float:
        text = "$" + "\\boxed{5}, " * boxes
        start = process_time()
        for pattern in patterns:
            if "boxed" in pattern.pattern:
                list(pattern.finditer(text))
        return process_time() - start

    # Cubic: eight times the time for twice the boxes. Linear work is far below a millisecond here.
    small, large = seconds(40), seconds(120)
    if large > 0.02 and large > 8 * small:
        return Finding(Seen.FAULT, f"an unclosed $ before 40 boxes costs {small:.4f} s, before 120 {large:.4f} s")
    return Finding(Seen.CLEAN, f"an unclosed $ before 120 boxes costs {large:.4f} s")


FIX = Fix(
    name="boxed-pattern",
    number="0014",
    group=Group.HANGING,
    body=Transplant(
        (
            Insert(modules=_MATCH, qualname="lazy_latex_regex", shapes=_SHAPES, function=_linear_boxed),
            Call(
                modules=_MATCH,
                qualname="lazy_latex_regex",
                shapes=_SHAPES,
                callee="re.compile",
                template="_linear_boxed({}, translation_literal)",
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="a generation that ends in a loop of boxes stops the metrics for good",
    why=(
        "Three lazy quantifiers in a row (before a box, in it, after it) are tried in every combination where an "
        "opening delimiter is not closed: `$` followed by 320 times `\\boxed{5}, ` takes seconds, twice as many "
        "eight times that. The alarm of the time limit is not seen while `re` is matching, so a run is stuck at "
        '"computing metrics". What closes an environment does not depend on the boxes in it, so the spans are found '
        "by plain searches, in linear time, and are the same."
    ),
)
