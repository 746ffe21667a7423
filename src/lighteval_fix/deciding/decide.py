"""Prove it equal, prove it different, or say why not."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ..model import Decision, Equal, Policy, Undecided, UndecidedReason, Verdict
from . import policy as policies_module
from .parsing.show import show
from .policy import ORDER, Pair
from .trial import Trial, seed_of
from .value import Parsed, Unparsed


def decide(
    gold: str,
    answer: str,
    *,
    question: str | None = None,
    policy: Policy | str | None = None,
    precision: int = 6,
    timeout: float = 5.0,
) -> Verdict:
    """Whether an answer means the same as the gold.

    Args:
        gold, answer: the two answers as text.
        question: the current question alone; what its words license is used under `in-context`.
        policy: `identical`, `value` or `in-context`; by default `in-context` with a question, `value` without.
        precision: right digits after the point from which a decimal may stand for an exact value.
        timeout: seconds after which computer algebra is given up; everything else is bounded by counted work.

    Raises:
        ValueError: unknown policy.
        TypeError: gold, answer or question is not a string.
    """
    return _run(gold, answer, question, _policy(policy, question), precision, timeout, keep=False)[0]


def explain(
    gold: str,
    answer: str,
    *,
    question: str | None = None,
    policy: Policy | str | None = None,
    precision: int = 6,
    timeout: float = 5.0,
) -> Decision:
    """As `decide`, with both parsed forms as text and every step tried."""
    verdict, pair, trial = _run(gold, answer, question, _policy(policy, question), precision, timeout, keep=True)
    ours, theirs = pair.parsed()
    return Decision(verdict, _form(ours), _form(theirs), tuple(trial.steps))


def answers_equivalent(gold: str, pred: str, precision: int = 6, timeout_seconds: float = 5) -> bool:
    """Whether the two are proved equal under `value`."""
    return decide(gold, pred, precision=precision, timeout=timeout_seconds).kind == "equal"


def decide_policies(
    gold: str,
    answer: str,
    *,
    question: str | None = None,
    policy: Policy | str | None = None,
    policies: Sequence[Policy | str] | None = None,
    precision: int = 6,
    timeout: float = 5.0,
) -> dict[Policy, Verdict]:
    """The verdict under every policy named, or under all up to `policy`; both texts are parsed once."""
    wanted = (
        ORDER[: ORDER.index(_policy(policy, question)) + 1]
        if policies is None
        else tuple(_policy(name, question) for name in policies)
    )
    _check(gold, answer, question)
    trial = Trial(precision, seed_of(gold, answer), time.monotonic() + max(0.0, timeout))
    return dict(_verdicts(Pair(gold, answer), question, wanted, trial))


# --------------------------------------------------------------------------- the run


def _policy(name: Policy | str | None, question: str | None) -> Policy:
    if name is None:
        return Policy.IN_CONTEXT if question else Policy.VALUE
    try:
        return Policy(name)
    except ValueError:
        raise ValueError(f"unknown policy {name!r}; known: {', '.join(ORDER)}") from None


def _check(gold: object, answer: object, question: object) -> None:
    for name, text in (("gold", gold), ("answer", answer)):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a string, not {type(text).__name__}")
    if question is not None and not isinstance(question, str):
        raise TypeError(f"question must be a string, not {type(question).__name__}")


def _run(
    gold: str, answer: str, question: str | None, policy: Policy, precision: int, timeout: float, *, keep: bool
) -> tuple[Verdict, Pair, Trial]:
    _check(gold, answer, question)
    trial = Trial(precision, seed_of(gold, answer), time.monotonic() + max(0.0, timeout), keep)
    pair = Pair(gold, answer)
    return _verdicts(pair, question, (policy,), trial)[policy], pair, trial


def _verdicts(pair: Pair, question: str | None, wanted: Sequence[Policy], trial: Trial) -> dict[Policy, Verdict]:
    """Each policy starts from what the stricter one holds, so equal stays equal."""
    strict = policies_module.identical(pair)
    trial.note("identical", strict.kind)
    found: dict[Policy, Verdict] = {Policy.IDENTICAL: strict}
    loosest = max(wanted, key=ORDER.index, default=Policy.IDENTICAL)
    verdict = strict
    if loosest is not Policy.IDENTICAL:
        if not isinstance(strict, (Equal, Undecided)):
            verdict = policies_module.value(pair, trial)
        found[Policy.VALUE] = verdict
    if loosest is Policy.IN_CONTEXT:
        if question and not (isinstance(strict, Undecided) and strict.reason is UndecidedReason.EMPTY):
            verdict = policies_module.in_context(pair, question, verdict, trial)
        found[Policy.IN_CONTEXT] = verdict
    return {name: found[name] for name in wanted}


def _form(parsed: Parsed | Unparsed) -> str:
    match parsed:
        case Parsed():
            return show(parsed.value)
        case Unparsed():
            return f"unparsed: {parsed.why} at {parsed.position}"
