"""0027: oMLX leaves reasoning in place whose opening tag stood in the prompt."""

from __future__ import annotations

from typing import Any

from ..edits import Replace
from ..fix import Finding, Fix, Group, Transplant

_BASE = ("omlx.eval.base",)


def _strip_think_tags(text: str) -> str:
    if "<think>" not in text and "</think>" not in text:
        return text
    kept = []
    position = 0
    while (start := text.find("<think>", position)) >= 0:
        end = text.find("</think>", start)
        if end < 0:
            # Cut off before it was closed: left as it is.
            break
        kept.append(text[position:start])
        position = end + len("</think>")
    left = "".join(kept) + text[position:]
    # A closing tag that is left over was opened in the prompt, so the reasoning ends there.
    return left.rpartition("</think>")[2].strip()


def _probe() -> Finding:
    from importlib import import_module

    benchmark: Any = import_module(_BASE[0]).BaseBenchmark
    left = benchmark._strip_think_tags("maybe A</think>B")
    return Finding.of(left != "B", f"what is left of 'maybe A</think>B' is {left!r}")


FIX = Fix(
    name="omlx-think-tags",
    number="0027",
    group=Group.OMLX,
    harness="omlx",
    body=Transplant(
        (
            Replace(
                modules=_BASE, qualname="BaseBenchmark._strip_think_tags", any_shape=True, function=_strip_think_tags
            ),
        )
    ),
    probe=_probe,
    seen_in=("main at 062a2cd",),
    title="reasoning that ends in a closing tag without an opening one is graded as the answer",
    why=(
        "Chat templates put the opening tag into the prompt, so a generation may hold the closing one only, and then "
        "nothing is removed. Everything up to a closing tag that no opening one matches is reasoning; a trace that "
        "was cut off before its closing tag stays as it is."
    ),
)
