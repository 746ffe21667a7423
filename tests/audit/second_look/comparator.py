"""Runs in an environment of its own, where math-verify is installed: pairs in as JSON lines, verdicts out."""

import json
import sys

from math_verify import parse, verify
from math_verify.parser import ExprExtractionConfig, LatexExtractionConfig

TARGETS = (LatexExtractionConfig(), ExprExtractionConfig())


def words(text: str) -> str:
    for wrapper in ("\\text{", "\\mathrm{", "\\textbf{"):
        if text.startswith(wrapper) and text.endswith("}"):
            text = text[len(wrapper) : -1]
    return text.strip("() .").lower()


def same(gold: str, answer: str) -> bool:
    if words(gold) == words(answer):
        return True
    return bool(verify(parse(f"${gold}$", TARGETS), parse(f"${answer}$", TARGETS)))


for line in sys.stdin:
    gold, answer = json.loads(line)
    print(json.dumps(answer is not None and same(gold, answer)), flush=True)
