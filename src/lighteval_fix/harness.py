"""For Python users: the fixes in this process, before or after LightEval is imported.

    import lighteval_fix.harness
    lighteval_fix.harness.apply_all()

`LIGHTEVAL_FIX_FORCED_SAMPLING` and `LIGHTEVAL_FIX_CHAT_TEMPLATE_KWARGS` (JSON objects) stand in for arguments that are
not given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from .model import UpstreamShapeError
from .upstream import catalog
from .upstream.fix import Result, State
from .upstream.install import installer

__all__ = [
    "applied",
    "apply_all",
    "patch_generation_parameters",
    "patch_sglang_transformers_import",
    "patch_xxhash_accepts_str",
]


def apply_all(
    forced: Mapping[str, object] | None = None,
    chat_template_kwargs: Mapping[str, object] | None = None,
    *,
    fixes: Sequence[str] = ("default", "omlx"),
) -> tuple[Result, ...]:
    """Install fixes and prove that each has taken.

    Args:
        forced: sampling fields to send whatever the model's configuration says, also values that it would refuse,
            such as `{"top_k": -1}`.
        chat_template_kwargs: arguments for the server's chat template, such as `{"enable_thinking": False}`.
        fixes: groups, names or numbers. `default` never changes which text LightEval reads; `omlx` mends oMLX's
            reading of letters and reasoning, where oMLX is installed.

    Returns:
        What came of each fix.

    Raises:
        UpstreamShapeError: the installed harness is not one that a fix knows; nothing is changed then.
        ValueError: an unknown fix, or an environment variable that is no JSON object.
    """
    from .upstream.lighteval import sampling_settings

    sampling_settings.choose(forced, chat_template_kwargs)
    return installer().install(catalog.select(fixes))


@contextmanager
def applied(
    forced: Mapping[str, object] | None = None,
    chat_template_kwargs: Mapping[str, object] | None = None,
    *,
    fixes: Sequence[str] = ("default", "omlx"),
) -> Iterator[tuple[Result, ...]]:
    """`apply_all` for the length of a `with` block; what was in place before stays in place."""
    from .upstream.lighteval import sampling_settings

    place = installer()
    before = {fix.name for fix in place.installed()}
    settings = sampling_settings.current()
    results = apply_all(forced, chat_template_kwargs, fixes=fixes)
    try:
        yield results
    finally:
        place.uninstall(fix.name for fix in place.installed() if fix.name not in before)
        sampling_settings.restore(settings)


def patch_xxhash_accepts_str() -> State:
    """LightEval's details logger works with xxhash 4."""
    return _one("xxhash-text")


def patch_generation_parameters(
    extra_keys: Sequence[str] = ("top_k", "min_p", "presence_penalty"),
    forced: Mapping[str, object] | None = None,
    chat_template_kwargs: Mapping[str, object] | None = None,
) -> tuple[State, ...]:
    """Sampling parameters that LightEval drops are sent.

    Args:
        extra_keys: fields of `GenerationParameters` to send to litellm besides the ones that LightEval sends.
        forced, chat_template_kwargs: see `apply_all`.

    Raises:
        UpstreamShapeError: LightEval forwards one of `extra_keys` itself.
        ValueError: there is no such field.
    """
    from .upstream.lighteval import forced_sampling, sampling_settings

    before = sampling_settings.current()
    sampling_settings.choose(forced, chat_template_kwargs, extra_keys)
    try:
        forced_sampling.check()
    except (UpstreamShapeError, ValueError):
        sampling_settings.restore(before)
        raise
    return tuple(result.state for result in installer().install(catalog.select(["measuring"])))


def patch_sglang_transformers_import() -> State:
    """LightEval can be imported beside a current SGLang; nothing happens where SGLang is absent."""
    return _one("sglang-import")


def _one(name: str) -> State:
    return installer().install(catalog.select([name]))[0].state
