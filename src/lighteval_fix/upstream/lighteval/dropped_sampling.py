"""0010, 0011, 0012: sampling parameters that are set, dropped on the way, and reported as used."""

from __future__ import annotations

import logging
from typing import Any

from ..edits import Call, Replace
from ..fix import Finding, Fix, Group, Seen, Transplant

_INPUT = ("lighteval.models.model_input",)
_ALL = ("0.10.0", "0.11.0", "0.12.2", "0.13.0")


def to_litellm_dict(self: Any) -> dict[str, Any]:
    extra = {name: getattr(self, name) for name in ("top_k", "min_p", "presence_penalty")}
    extra = {name: value for name, value in extra.items() if value is not None}
    named = {
        "max_completion_tokens": self.max_new_tokens,
        "stop": self.stop_tokens,
        "temperature": self.temperature,
        "top_p": self.top_p,
        "seed": self.seed,
        "repetition_penalty": self.repetition_penalty,
        "frequency_penalty": self.frequency_penalty,
        # litellm puts the content of `extra_body` at the top level of the request; so must whoever sends it by hand.
        "extra_body": extra or None,
    }
    return {name: value for name, value in named.items() if value is not None}


def to_inference_providers_dict(self: Any) -> dict[str, Any]:
    extra = {name: getattr(self, name) for name in ("top_k", "min_p", "repetition_penalty")}
    extra = {name: value for name, value in extra.items() if value is not None}
    named = {
        "max_tokens": self.max_new_tokens,
        "stop": self.stop_tokens,
        "temperature": self.temperature,
        "top_p": self.top_p,
        "seed": self.seed,
        "presence_penalty": self.presence_penalty,
        "frequency_penalty": self.frequency_penalty,
        "response_format": self.response_format,
        # The client puts the content of `extra_body` at the top level of the request.
        "extra_body": extra or None,
    }
    return {name: value for name, value in named.items() if value is not None}


def to_tgi_ie_dict(self: Any) -> dict[str, Any]:
    extra = {name: getattr(self, name) for name in ("min_p", "presence_penalty")}
    extra = {name: value for name, value in extra.items() if value is not None}
    named = {
        "details": True,
        "decoder_input_details": True,
        "max_new_tokens": self.max_new_tokens,
        "stop": self.stop_tokens,
        "temperature": self.temperature,
        "top_k": self.top_k,
        "top_p": self.top_p,
        "seed": self.seed,
        "repetition_penalty": self.repetition_penalty,
        "frequency_penalty": self.frequency_penalty,
        "truncate": self.truncate_prompt,
        # For the top level of the request's `parameters`.
        "extra_body": extra or None,
    }
    return {name: value for name, value in named.items() if value is not None}


def _probe(method: str, names: tuple[str, ...]) -> Finding:
    from importlib import import_module

    parameters = import_module(_INPUT[0]).GenerationParameters(**dict.fromkeys(names, 0))
    log = logging.getLogger("lighteval_fix.sampling")
    level = log.level
    log.setLevel(logging.CRITICAL)  # `forced-sampling` speaks of fields that somebody set, not of ours
    try:
        sent = getattr(parameters, method)()
    finally:
        log.setLevel(level)
    carried = {**sent, **sent.get("extra_body", {})}
    dropped = [name for name in names if name not in carried]
    return Finding(
        Seen.FAULT if dropped else Seen.CLEAN,
        f"{', '.join(dropped)} set and not sent" if dropped else f"{', '.join(names)} are sent",
    )


LITELLM = Fix(
    name="litellm-sampling",
    number="0010",
    group=Group.MEASURING,
    body=Transplant(
        (
            Replace(
                modules=_INPUT,
                qualname="GenerationParameters.to_litellm_dict",
                shapes=("c79e9d31abc8",),
                function=to_litellm_dict,
            ),
        )
    ),
    probe=lambda: _probe("to_litellm_dict", ("top_k", "min_p", "presence_penalty")),
    seen_in=_ALL,
    title="`top_k`, `min_p` and `presence_penalty` never reach a litellm endpoint",
    why=(
        "`to_litellm_dict` leaves three sampling parameters out. The run goes through with the server's own defaults, "
        "and its results say that the parameters were used: another model than the one reported is measured. They are "
        "sent in `extra_body`, which litellm unpacks into the request; `min_p=0.0` counts as set."
    ),
)
PROVIDERS = Fix(
    name="providers-sampling",
    number="0011",
    group=Group.MEASURING,
    body=Transplant(
        (
            Replace(
                modules=_INPUT,
                qualname="GenerationParameters.to_inference_providers_dict",
                shapes=("6e1e8f9193c9",),
                function=to_inference_providers_dict,
            ),
        )
    ),
    probe=lambda: _probe("to_inference_providers_dict", ("top_k", "min_p", "repetition_penalty")),
    seen_in=_ALL,
    title="`top_k`, `min_p` and `repetition_penalty` never reach an inference provider",
    why=(
        "`to_inference_providers_dict` leaves three sampling parameters out, silently. They are sent in `extra_body`, "
        "which huggingface_hub's chat client puts at the top level of the request."
    ),
)
_KEEP = '{name: value for name, value in {}.items() if name != "extra_body"}'
TGI = Fix(
    name="tgi-sampling",
    number="0012",
    group=Group.MEASURING,
    body=Transplant(
        (
            Replace(
                modules=_INPUT,
                qualname="GenerationParameters.to_tgi_ie_dict",
                shapes=("8cd29aa64196",),
                function=to_tgi_ie_dict,
            ),
            Call(
                modules=("lighteval.models.endpoints.endpoint_model",),
                qualname="InferenceEndpointModel.__init__",
                shapes=("8fac84e04b56", "9607ac8e3526"),
                callee="self.generation_parameters.to_tgi_ie_dict",
                template=_KEEP,
            ),
            Call(
                modules=("lighteval.models.endpoints.tgi_model",),
                qualname="ModelClient.__init__",
                shapes=("e3ae4983178c", "4fdf03801160"),
                callee="self.generation_parameters.to_tgi_ie_dict",
                template=_KEEP,
            ),
        )
    ),
    probe=lambda: _probe("to_tgi_ie_dict", ("min_p", "presence_penalty")),
    seen_in=_ALL,
    title="`min_p` and `presence_penalty` are left out of a text-generation request",
    why=(
        "`to_tgi_ie_dict` leaves two sampling parameters out, silently. They are given in `extra_body`. The two "
        "text-generation clients that LightEval uses have fixed signatures and no place for further fields, so those "
        "keep what they can send, and the fix `forced-sampling` warns; whoever sends the request by hand puts the "
        "content of `extra_body` at the top level of `parameters`."
    ),
)
FIXES = (LITELLM, PROVIDERS, TGI)
