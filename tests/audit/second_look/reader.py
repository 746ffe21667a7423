"""A reader of its own for the second look: it shares no code with the package and is as simple as can be.

The last line that says ANSWER, else the last box, else what the last "answer is" says, else the last formula of the
last paragraph. It knows nothing of prompts; it is evidence, not a product.
"""

from __future__ import annotations

import re

CLOSING = ("</think>", "<|end_of_thought|>", "<|begin_of_solution|>")


def after_reasoning(text: str) -> str:
    cut = max((text.rfind(tag) + len(tag) for tag in CLOSING if tag in text), default=0)
    return text[cut:]


def boxed(text: str) -> str | None:
    at = text.rfind("\\boxed{")
    while at >= 0:
        depth, start = 1, at + len("\\boxed{")
        for place in range(start, len(text)):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            if depth == 0:
                return text[start:place].strip()
        at = text.rfind("\\boxed{", 0, at)
    return None


def last_answer(text: str) -> str | None:
    text = after_reasoning(text).strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in reversed(lines[-3:]):
        match = re.match(r"\**(?:FINAL )?ANSWER\**\s*:\**\s*(.+)$", line, re.IGNORECASE)
        if match:
            inside = boxed(match[1])
            return bare(inside if inside is not None else match[1])
    box = boxed(text)
    if box is not None:
        return bare(box)
    said = re.findall(r"answer is:?\s*(.+?)(?:\.\s|\.$|\n|$)", text, re.IGNORECASE)
    if said:
        return bare(said[-1])
    tail = lines[-1] if lines else ""
    formulas = re.findall(r"\$([^$]+)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", "\n".join(lines[-3:]), re.DOTALL)
    if formulas:
        return bare(next(part for part in formulas[-1] if part))
    numbers = re.findall(r"-?\d[\d,]*(?:\.\d+)?", tail)
    return numbers[-1] if numbers else None


def bare(text: str) -> str:
    text = text.strip().strip("*").strip()
    match = re.fullmatch(r"\$+(.+?)\$+\.?|\\\((.+?)\\\)\.?|\\\[(.+?)\\\]\.?", text, re.DOTALL)
    if match:
        text = next(part for part in match.groups() if part)
    return text.strip().rstrip(".")


def gold_of(text: str) -> str:
    box = boxed(text)
    return bare(box if box is not None else re.sub(r"^ANSWER:\s*", "", text))


def letter(text: str, labels: str) -> str | None:
    text = after_reasoning(text)
    said = re.findall(rf"answer(?: is)?:?\**\s*\(?\$?([{labels}])\b", text, re.IGNORECASE)
    return said[-1].upper() if said else None
