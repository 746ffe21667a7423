"""0004: a choice letter written as the prompt shows it, in dollars, is not read."""

from __future__ import annotations

from typing import Any

from ..edits import Assigned
from ..fix import Finding, Fix, Group, Transplant

_MATCH = ("lighteval.metrics.utils.extractive_match_utils",)


def _probe() -> Finding:
    from importlib import import_module

    module: Any = import_module(_MATCH[0])
    config = module.IndicesExtractionConfig(prefix_for_extraction="NativeLetters", try_extract_without_anchor=True)
    language = import_module("lighteval.utils.language").Language.ENGLISH
    read = module.extract_target_from_pred(
        "A cell makes it.\nAnswer: $C$", [(module.lazy_indices_regex(config, 4, language), config)]
    )
    return Finding.of(read[:1] != ["C"], f"'Answer: $C$' is read as {read[0] if read else 'nothing'}")


FIX = Fix(
    name="letter-in-dollars",
    number="0004",
    group=Group.READING,
    body=Transplant(
        (
            Assigned(
                modules=_MATCH,
                qualname="lazy_indices_regex",
                shapes=("dd2a81cfb5c4", "57f933ba4b64"),
                name="indice_str_re",
                template='r"\\$?" + {} + r"\\$?"',
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="`Answer: $C$` is not read, and another letter of the text is",
    why=(
        "Prompts ask for `Answer: $LETTER`, and models copy the dollar, on one side or on both. The pattern for "
        "a letter allows none, so the next best letter is read, often the article at the start of a sentence. "
        "An optional dollar is allowed on either side."
    ),
)
