"""Generations made to be slow: long, deep, repetitive, never closed; each answers one maths question."""

from __future__ import annotations


def texts(scale: int = 1) -> dict[str, str]:
    """Name -> generation. `scale` makes the long ones longer."""
    big = 100_000 * scale
    return {
        "answer of 1 MB": "ANSWER: " + "7" * (10 * big),
        "sum of 1 MB": "ANSWER: $" + "1+" * (5 * big) + "1$",
        "list of 1 MB": "ANSWER: (" + ",".join("12" for _ in range(3 * big)) + ")",
        "tower of powers": "ANSWER: $" + "9^{" * 2000 + "9" + "}" * 2000 + "$",
        "short tower": "ANSWER: $9^{9^{9^{9^{9^{9}}}}}$",
        "factorials": "ANSWER: $((((99!)!)!)!)!$",
        "open braces": "ANSWER: \\boxed{" + "{" * big,
        "nested braces": "ANSWER: \\boxed{" + "{" * big + "7" + "}" * big + "}",
        "nested fractions": "ANSWER: $" + "\\frac{1}{1+" * 5000 + "1" + "}" * 5000 + "$",
        "nested parentheses": "ANSWER: $" + "(" * big + "7" + ")" * big + "$",
        "boxes in a loop": "So \\boxed{\\boxed{" * (big // 4),
        "empty boxes": "\\boxed{} " * (big // 4) + "\\boxed{7}",
        "complete boxes": "Then \\boxed{12}. " * (big // 4),
        "answer lines": "ANSWER: 12\n" * (big // 2),
        "cues without values": "the answer is " * (big // 4),
        "templates": 'ANSWER: $ANSWER" ' * (big // 4),
        "tags": "<think>" * big + "ANSWER: 7",
        "closing tags": "</think>" * big + "ANSWER: 7",
        "angle brackets": "<" * (5 * big) + "\nANSWER: 7",
        "white space": "ANSWER:" + " \t" * (5 * big) + "7",
        "line breaks": "ANSWER:" + "\n" * (5 * big) + "7",
        "asterisks": "ANSWER: " + "*" * (5 * big) + "7" + "*" * (5 * big),
        "dollars": "ANSWER: " + "$" * (5 * big),
        "back ticks": "```\n" * big + "ANSWER: 7",
        "json": '{"answer": ' * (big // 2) + "7" + "}" * (big // 2),
        "backslashes": "ANSWER: " + "\\" * (10 * big),
        "digits and commas": "ANSWER: " + "1," * (5 * big) + "1",
        "polynomial": "ANSWER: $(" + "+".join(f"x_{{{i}}}" for i in range(300)) + ")^{300}$",
        "roots": "ANSWER: $" + "\\sqrt{2+" * 3000 + "2" + "}" * 3000 + "$",
        "decimal": "ANSWER: 0." + "3" * (10 * big),
        "sets of sets": "ANSWER: $" + "\\{" * 20_000 + "7" + "\\}" * 20_000 + "$",
        "unicode": "ANSWER: " + "²" * (5 * big),
    }


QUESTION = 'End your reply with "ANSWER: $ANSWER".\n\nWhat is the value?'
GOLD = "\\boxed{7}"
