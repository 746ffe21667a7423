"""What `forced-sampling` sends besides the model's configuration, from arguments or from the environment."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

FORCED = "LIGHTEVAL_FIX_FORCED_SAMPLING"
TEMPLATE = "LIGHTEVAL_FIX_CHAT_TEMPLATE_KWARGS"


@dataclass(frozen=True, slots=True)
class Settings:
    """Chosen for this process.

    Args:
        forced: field -> value, sent whatever the configuration says.
        chat_template_kwargs: for the server's chat template; None sends none.
        extra_keys: further fields of `GenerationParameters` to send.
    """

    forced: Mapping[str, object] = field(default_factory=dict)
    chat_template_kwargs: Mapping[str, object] | None = None
    extra_keys: tuple[str, ...] = ()


_chosen: Settings | None = None


def current() -> Settings | None:
    """What was chosen in this process, None where nothing was."""
    return _chosen


def restore(settings: Settings | None) -> None:
    """Back to what `current` gave."""
    global _chosen
    _chosen = settings


def choose(
    forced: Mapping[str, object] | None,
    chat_template_kwargs: Mapping[str, object] | None,
    extra_keys: Sequence[str] = (),
) -> None:
    """Choose for this process; what is None comes from the environment.

    Raises:
        ValueError: an environment variable that is no JSON object.
    """
    restore(
        Settings(
            dict(forced if forced is not None else _environment(FORCED) or {}),
            chat_template_kwargs if chat_template_kwargs is not None else _environment(TEMPLATE),
            tuple(extra_keys),
        )
    )


def effective() -> Settings:
    """What holds now: what was chosen, else the environment."""
    if _chosen is None:
        choose(None, None)
    assert _chosen is not None
    return _chosen


def _environment(name: str) -> dict[str, object] | None:
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{name} has to be a JSON object, not {type(value).__name__}")
    return value
