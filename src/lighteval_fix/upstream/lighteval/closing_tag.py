"""0003: reasoning whose opening tag stood in the prompt is not removed."""

from __future__ import annotations

from typing import Any

from ..edits import Replace
from ..fix import Finding, Fix, Group, Transplant

_UTILS = ("lighteval.utils.utils",)


def remove_reasoning_tags(text: str, tag_pairs: Any) -> str:
    for opening, closing in tag_pairs:
        kept = []
        position = 0
        while (start := text.find(opening, position)) >= 0:
            end = text.find(closing, start)
            if end < 0:
                # Cut off before it was closed: left as it is.
                break
            kept.append(text[position:start])
            position = end + len(closing)
        text = "".join(kept) + text[position:]
        # A closing tag that is left over was opened in the prompt, so the reasoning ends there.
        text = text.rpartition(closing)[2]
    return text


def _probe() -> Finding:
    from importlib import import_module

    left = import_module(_UTILS[0]).remove_reasoning_tags("so 41</think> 42", [("<think>", "</think>")])
    return Finding.of(left != " 42", f"what is left of 'so 41</think> 42' is {left!r}")


FIX = Fix(
    name="closing-tag-only",
    number="0003",
    group=Group.READING,
    body=Transplant(
        (
            Replace(
                modules=_UTILS,
                qualname="remove_reasoning_tags",
                shapes=("a92b6f41c2e2",),
                function=remove_reasoning_tags,
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.11.0", "0.12.2", "0.13.0"),
    title="reasoning that ends in a closing tag without an opening one is graded as the answer",
    why=(
        "Chat templates of reasoning models put the opening tag into the prompt, so the generation holds the closing "
        "one only, and nothing is removed. Everything up to such a tag is reasoning; a trace that was cut off before "
        "its closing tag stays as it is. Alone this makes some runs worse, since right answers that are not read at "
        "the end were credited from the reasoning: a letter in dollars (`Answer: $C$`), a bare final line "
        "(`ANSWER: \\pi`). So it brings the fixes that read those with it."
    ),
    depends=("letter-in-dollars", "own-grading"),
)
