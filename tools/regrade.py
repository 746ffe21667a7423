"""`python -m tools.regrade --details PATH --task NAME [--show N]`: `lighteval-fix regrade` from a checkout."""

from __future__ import annotations

import sys

from lighteval_fix.cli.app import main


def arguments(command: str, given: list[str]) -> list[str]:
    """`--details PATH` as the command's argument; `--task NAME` also without its few-shot suffix."""
    made = [command]
    words = iter(given)
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--details":
            made.append(value if equals else next(words, ""))
        elif name == "--task":
            task = value if equals else next(words, "")
            made += ["--task", task if "|" in task or "*" in task else f"{task}*"]
        else:
            made.append(word)
    return made


def run(command: str) -> None:
    """Call the command line with the translated arguments."""
    sys.argv = ["lighteval-fix", *arguments(command, sys.argv[1:])]
    main()


if __name__ == "__main__":
    run("regrade")
