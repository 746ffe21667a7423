"""0008: `lighteval eval` hands inspect_ai options under names that it does not know."""

from __future__ import annotations

from typing import Any

from ..edits import Insert, Keywords
from ..fix import Finding, Fix, Group, Seen, Transplant

_INSPECT = ("lighteval.main_inspect",)
_SHAPES = ("326cacbc2035",)


def _response_schema(text: str | None) -> object:
    """The JSON schema given on the command line, as inspect_ai wants it; None where none was given."""
    if text is None:
        return None
    from inspect_ai.model import ResponseSchema
    from inspect_ai.util import JSONSchema

    return ResponseSchema(name="response", json_schema=JSONSchema.model_validate_json(text))


class _Sent(Exception):
    """Raised in place of the evaluation, with the names of the options that it was given."""


def _probe() -> Finding:
    from importlib import import_module
    from inspect import signature
    from types import FunctionType, SimpleNamespace

    from .. import live

    if live.source_of(_INSPECT[0]) is None:
        return Finding(Seen.NOT_THERE, "this version has no `lighteval eval`")
    module = import_module(_INSPECT[0])
    known = set(import_module("inspect_ai.model").GenerateConfig.model_fields)
    known |= set(signature(import_module("inspect_ai").eval_set).parameters)

    def sent(*_: object, **options: object) -> None:
        raise _Sent(*options)

    # The command itself, with an empty task table and nobody to evaluate.
    registry: Any = import_module("lighteval.tasks.registry")
    command = FunctionType(
        module.eval.__code__, {**vars(module), "inspect_ai_eval_set": sent}, "eval", module.eval.__defaults__
    )
    real, registry.Registry = registry.Registry, lambda **_: SimpleNamespace(task_to_configs={})
    try:
        command(models=[], tasks="")
    except _Sent as names:
        unknown = sorted(set(names.args) - known)
        return Finding.of(
            bool(unknown), f"inspect_ai does not know {', '.join(unknown)}" if unknown else "all are known"
        )
    finally:
        registry.Registry = real
    return Finding(Seen.NOT_THERE, "the command started no evaluation")


FIX = Fix(
    name="inspect-options",
    number="0008",
    group=Group.DYING,
    body=Transplant(
        (
            Insert(modules=_INSPECT, qualname="eval", shapes=_SHAPES, function=_response_schema),
            Keywords(
                modules=_INSPECT,
                qualname="eval",
                shapes=_SHAPES,
                callee="inspect_ai_eval_set",
                renamed=(
                    ("frequence_penalty", "frequency_penalty={}"),
                    ("log_probs", "logprobs={}"),
                    ("response_format", "response_schema=_response_schema({})"),
                ),
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.12.2", "0.13.0"),
    title="`lighteval eval` ends in a ValidationError before the first request",
    why=(
        "The command passes `frequence_penalty`, `log_probs` and `response_format` on to inspect_ai, set or not. "
        "A current inspect_ai refuses unknown generation options, so no evaluation starts. They are sent as "
        "`frequency_penalty`, `logprobs` and `response_schema`, the last one parsed from its JSON text."
    ),
)
