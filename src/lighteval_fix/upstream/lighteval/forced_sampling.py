"""0013: values that the configuration refuses, chat template arguments, and fields that are set and not sent."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from itertools import count
from typing import Any

from ...model import UpstreamShapeError
from ..fix import Finding, Fix, Group, Hook, Seen, Undo
from ..warn import warn
from . import sampling_settings

_INPUT = "lighteval.models.model_input"
# Where further fields go: into `extra_body` of a request, or beside the others for an engine in this process.
_TEXT_GENERATION = "to_tgi_ie_dict"
_REQUESTS = ("to_litellm_dict", "to_inference_providers_dict", _TEXT_GENERATION)
_ENGINES = ("to_vllm_dict", "to_vllm_openai_dict", "to_sglang_dict", "to_transformers_dict")
# Not sampling: how an engine works, not what it says.
_NOT_SAMPLING = frozenset({"num_blocks", "block_size", "cache_implementation", "truncate_prompt"})

# Every warning is given once for each value; a probe must not use one up.
_PROBED = count(10**9)
_log = logging.getLogger("lighteval_fix.sampling")


def _install() -> Undo:
    parameters: Any = import_module(_INPUT).GenerationParameters
    check()
    originals = {
        name: vars(parameters)[name] for name in (*_REQUESTS, *_ENGINES) if callable(vars(parameters).get(name))
    }
    for name, original in originals.items():
        setattr(parameters, name, _wrapped(name, original))

    def undo() -> None:
        for name, original in originals.items():
            setattr(parameters, name, original)

    return undo


def check() -> None:
    """A field that upstream forwards itself must not be sent twice.

    Raises:
        UpstreamShapeError: LightEval sends one of the `extra_keys` in force at the top level.
        ValueError: `GenerationParameters` has no such field.
    """
    parameters: Any = import_module(_INPUT).GenerationParameters
    for name in sampling_settings.effective().extra_keys:
        if name not in parameters.model_fields:
            raise ValueError(f"GenerationParameters has no field {name!r}")
        sent = parameters(**{name: 0}).to_litellm_dict()
        if name in sent:
            raise UpstreamShapeError(f"LightEval forwards {name} to litellm itself; leave it out of extra_keys")


def _wrapped(name: str, original: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    warned: set[tuple[str, str]] = set()

    def parameters_to_send(self: Any) -> dict[str, Any]:
        settings = sampling_settings.effective()
        sent = dict(original(self))
        extra = dict(sent.get("extra_body") or {})
        further = {key: getattr(self, key) for key in settings.extra_keys if getattr(self, key) is not None}
        if name in _REQUESTS:
            extra.update({key: value for key, value in further.items() if key not in sent})
            for key, value in settings.forced.items():
                (sent if key in sent else extra)[key] = value
            if settings.chat_template_kwargs is not None and name != _TEXT_GENERATION:
                extra["chat_template_kwargs"] = dict(settings.chat_template_kwargs)
            if extra:
                sent["extra_body"] = extra
        else:
            sent.update(settings.forced)
        unsent = _unsent(self, original, {**sent, **extra})
        if name == _TEXT_GENERATION:
            # Its two clients have fixed signatures; `tgi-sampling` keeps from them what they cannot take.
            unsent += extra.items()
        for field, value in unsent:
            # Who is not to be told (a probe mutes it) does not use a warning up.
            if (field, repr(value)) not in warned and _log.getEffectiveLevel() <= logging.WARNING:
                warned.add((field, repr(value)))
                by = "LightEval's text-generation clients do" if name == _TEXT_GENERATION else f"{name} does"
                warn(_log, "%s=%r is set and %s not send it", field, value, by)
        return sent

    parameters_to_send.__name__ = name
    parameters_to_send.__doc__ = original.__doc__
    return parameters_to_send


def _unsent(values: Any, original: Callable[[Any], dict[str, Any]], sent: dict[str, Any]) -> list[tuple[str, object]]:
    """Sampling fields that make no difference to what is sent."""
    found: list[tuple[str, object]] = []
    for field in type(values).model_fields:
        value = getattr(values, field)
        if value is None or field in _NOT_SAMPLING or field in sent or field == "temperature":
            continue
        if original(values) == original(values.model_copy(update={field: None})):
            found.append((field, value))
    return found


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(record)


def _probe() -> Finding:
    parameters = import_module(_INPUT).GenerationParameters(min_new_tokens=next(_PROBED))
    handler = _Collector()
    _log.addHandler(handler)
    propagate, _log.propagate = _log.propagate, False
    try:
        sent = parameters.to_litellm_dict()
    finally:
        _log.removeHandler(handler)
        _log.propagate = propagate
    if "min_new_tokens" in {**sent, **sent.get("extra_body", {})} or handler.seen:
        return Finding(Seen.CLEAN, "a field that cannot be sent is spoken of")
    return Finding(Seen.FAULT, "min_new_tokens is set, not sent to litellm, and nothing says so")


FIX = Fix(
    name="forced-sampling",
    number="0013",
    group=Group.MEASURING,
    body=Hook(install=_install, modules=(_INPUT,)),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="some sampling values cannot be given at all, and fields that are not sent are not spoken of",
    why=(
        "The configuration refuses values that servers understand (`top_k=-1`), there is no way to pass arguments to "
        "a server's chat template, and a field that a backend does not forward is dropped in silence. Forced values "
        "and `chat_template_kwargs` are added to what is sent, and a warning names every field that is set and not "
        "sent. A hook, since the values come from whoever runs the evaluation."
    ),
    depends=("tgi-sampling",),
)
