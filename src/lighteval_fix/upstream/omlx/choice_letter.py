"""0026: oMLX looks for a lower-case cue in a text that it has upper-cased, so the last letter anywhere wins."""

from __future__ import annotations

import re
from typing import Any

from ..edits import Replace
from ..fix import Finding, Fix, Group, Transplant

_BASE = ("omlx.eval.base",)


def _extract_mc_answer(response: str, valid_letters: list[str]) -> str:
    text = response.strip()
    labels = "|".join(re.escape(label) for label in sorted(valid_letters, key=len, reverse=True))
    if not text or not labels:
        return ""
    # An explicit cue, the last one, in any case. A small `a` or `i` before another word is no label there.
    cue = r"answer\s*(?:is|:)\s*[(\[*$\"']{0,3}(?!(?-i:[ai])\s+[a-z])(" + labels + r")(?!\w)"
    stated = re.findall(cue, text, re.IGNORECASE)
    if stated:
        return str(stated[-1]).upper()
    # The last label that is a word of its own.
    alone = re.findall(r"(?<!\w)(?:" + labels + r")(?!\w)", text.upper())
    if alone:
        return str(alone[-1])
    # The first character.
    first = text[0].upper()
    return first if first in valid_letters else ""


def _probe() -> Finding:
    from importlib import import_module

    benchmark: Any = import_module(_BASE[0]).BaseBenchmark
    read = benchmark._extract_mc_answer("The answer is B. Note that A is a distractor.", ["A", "B", "C", "D"])
    return Finding.of(read != "B", f"'The answer is B. Note that A is a distractor.' is read as {read or 'nothing'}")


FIX = Fix(
    name="omlx-choice-letter",
    number="0026",
    group=Group.OMLX,
    harness="omlx",
    body=Transplant(
        (
            Replace(
                modules=_BASE,
                qualname="BaseBenchmark._extract_mc_answer",
                any_shape=True,
                function=_extract_mc_answer,
            ),
        )
    ),
    probe=_probe,
    seen_in=("main at 062a2cd",),
    title="`The answer is B. Note that A is a distractor.` is read as A",
    why=(
        "The multiple-choice extractor upper-cases the response and then looks for a lower-case `answer is`, so its "
        "first step never fires and the last letter anywhere wins, the article and the pronoun I among them; twelve "
        "benchmarks share it. The three documented steps stay as they are (an explicit cue, the last one, in any "
        "case; the last label as a word of its own; the first character), and the first one works."
    ),
)
