"""`lighteval-fix decide`: one pair, with every step that led to the verdict."""

from __future__ import annotations

import json as json_module
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..model import Policy
from .exits import write_out

if TYPE_CHECKING:
    from rich.console import Console

    from ..model import Decision


def decide(
    gold: Annotated[str, typer.Argument(help="The reference.")],
    answer: Annotated[str, typer.Argument(help="The answer.")],
    question: Annotated[str | None, typer.Option(help="The question that both answer.")] = None,
    policy: Annotated[Policy | None, typer.Option(help="Default: in-context with a question, value without.")] = None,
    precision: Annotated[int, typer.Option(min=0, help="Digits a rounded decimal must show after its point.")] = 6,
    json: Annotated[str | None, typer.Option(metavar="FILE|-", help="Write the decision as JSON.")] = None,
) -> None:
    """Decide whether two answers mean the same, and say by which proof."""
    from ..deciding import explain

    decision = explain(
        gold, answer, question=question, policy=None if policy is None else str(policy), precision=precision
    )
    if json is not None:
        text = json_module.dumps(decision_document(decision), ensure_ascii=False, indent=1) + "\n"
        write_out(text, json)
        if json == "-":
            return
    from ..reports.terminal import console_for

    print_decision(console_for(sys.stdout), decision)


def decision_document(decision: Decision) -> dict[str, Any]:
    """Plain values for JSON."""
    from ..audit.document import verdict_document

    return {
        "schema_version": 1,
        "verdict": dict(verdict_document(decision.verdict)),
        "gold_form": decision.gold_form,
        "answer_form": decision.answer_form,
        "steps": [{"name": s.name, "outcome": s.outcome, "detail": s.detail} for s in decision.steps],
    }


COLOURS = {"equal": "bold green", "different": "bold red", "undecided": "bold yellow"}


def print_decision(console: Console, decision: Decision) -> None:
    """Both parsed forms, every step, and the verdict with its proof."""
    from rich.text import Text

    from ..audit.document import verdict_document
    from ..text.visible import visible

    console.print(Text(f"gold read as    {visible(decision.gold_form, 300)}"))
    console.print(Text(f"answer read as  {visible(decision.answer_form, 300)}"))
    for step in decision.steps:
        line = Text(f"  {step.name.replace('_', ' ')}: {step.outcome.replace('_', ' ')}", style="dim")
        if step.detail:
            line.append(f"  {visible(step.detail, 200)}")
        console.print(line)
    said = verdict_document(decision.verdict)
    why = said.get("proof") or said.get("reason") or ""
    line = Text(said["kind"], style=COLOURS[said["kind"]]).append(f"  {why.replace('_', ' ')}", style="")
    if "evidence" in said:
        line.append(f"  {visible(said['evidence'], 300)}", style="dim")
    console.print(line)


def register(app: typer.Typer) -> None:
    """Add `decide`."""
    app.command("decide")(decide)
