"""What is sent to a server or an engine, and SGLang's import: before the fixes, with them, and after they are out."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lighteval")
pytestmark = [pytest.mark.slow, pytest.mark.lighteval]

from lighteval_fix import harness  # noqa: E402
from lighteval_fix.model import UpstreamShapeError  # noqa: E402
from lighteval_fix.upstream import catalog  # noqa: E402
from lighteval_fix.upstream.fix import State  # noqa: E402
from lighteval_fix.upstream.install import installer  # noqa: E402


@pytest.fixture(autouse=True)
def _offline_and_clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    yield
    installer().uninstall()


def parameters(**values: Any) -> Any:
    return import_module("lighteval.models.model_input").GenerationParameters(**values)


def test_the_three_dropped_parameters() -> None:
    given = parameters(top_k=20, min_p=0.0, presence_penalty=0.5)
    assert "extra_body" not in given.to_litellm_dict()
    with harness.applied(fixes=["measuring"]):
        assert given.to_litellm_dict()["extra_body"] == {"top_k": 20, "min_p": 0.0, "presence_penalty": 0.5}
        assert given.to_inference_providers_dict()["extra_body"] == {"top_k": 20, "min_p": 0.0}
        assert given.to_tgi_ie_dict()["extra_body"] == {"min_p": 0.0, "presence_penalty": 0.5}
        assert "extra_body" not in parameters(temperature=1.0).to_litellm_dict()
    assert "extra_body" not in given.to_litellm_dict()


def test_forced_values_and_chat_template_arguments() -> None:
    settings: Any = {"forced": {"top_k": -1, "temperature": 0.3}, "chat_template_kwargs": {"enable_thinking": False}}
    with harness.applied(**settings, fixes=["measuring"]):
        sent = parameters(top_k=20).to_litellm_dict()
        assert sent["extra_body"] == {"top_k": -1, "chat_template_kwargs": {"enable_thinking": False}}
        assert sent["temperature"] == 0.3
        assert parameters().to_vllm_dict()["top_k"] == -1


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTEVAL_FIX_FORCED_SAMPLING", '{"top_k": -1}')
    monkeypatch.setenv("LIGHTEVAL_FIX_CHAT_TEMPLATE_KWARGS", '{"enable_thinking": true}')
    with harness.applied(fixes=["measuring"]):
        assert parameters().to_litellm_dict()["extra_body"] == {
            "top_k": -1,
            "chat_template_kwargs": {"enable_thinking": True},
        }
    monkeypatch.setenv("LIGHTEVAL_FIX_FORCED_SAMPLING", "[1]")
    with pytest.raises(ValueError, match="LIGHTEVAL_FIX_FORCED_SAMPLING has to be a JSON object"):
        harness.apply_all(fixes=["measuring"])


def test_a_field_that_is_set_and_not_sent_is_spoken_of(caplog: pytest.LogCaptureFixture) -> None:
    with harness.applied(fixes=["measuring"]), caplog.at_level(logging.WARNING):
        parameters(length_penalty=1.5, top_k=3).to_litellm_dict()
    assert "length_penalty=1.5 is set and to_litellm_dict does not send it" in caplog.text
    assert "top_k" not in caplog.text


def test_a_text_generation_client_cannot_send_it_and_that_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), harness.applied(fixes=["measuring"]):
        assert caplog.text == "", "proving the fixes speaks of nothing"
        parameters(min_p=0.0, top_k=3).to_tgi_ie_dict()
    assert "min_p=0.0 is set and LightEval's text-generation clients do not send it" in caplog.text
    assert "top_k" not in caplog.text
    assert "tgi-sampling" in {fix.name for fix in catalog.select(["forced-sampling"])}, "which keeps it from them"


def test_it_is_spoken_of_after_lighteval_has_set_up_its_logging(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("lighteval_fix.sampling")
    with harness.applied(fixes=["measuring"]), caplog.at_level(logging.WARNING):
        logger.disabled = True  # what `logging.config.dictConfig` does to every logger that exists
        parameters(length_penalty=1.25).to_litellm_dict()
    assert "length_penalty=1.25 is set" in caplog.text


def test_a_field_that_upstream_forwards_itself_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UpstreamShapeError, match="repetition_penalty"):
        harness.patch_generation_parameters(extra_keys=["repetition_penalty"])
    with pytest.raises(ValueError, match="no_such_field"):
        harness.patch_generation_parameters(extra_keys=["no_such_field"])
    assert "min_new_tokens" not in parameters(min_new_tokens=3).to_litellm_dict()
    harness.patch_generation_parameters(extra_keys=["min_new_tokens"])
    assert parameters(min_new_tokens=3).to_litellm_dict()["extra_body"]["min_new_tokens"] == 3


def test_single_doors() -> None:
    assert harness.patch_xxhash_accepts_str() is State.INSTALLED
    assert harness.patch_sglang_transformers_import() is State.NOT_THERE


@pytest.fixture
def sglang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A stand-in that keeps its tokenizers where a current SGLang does."""
    place = tmp_path / "sglang" / "srt" / "utils"
    place.mkdir(parents=True)
    for folder in (place, place.parent, place.parent.parent):
        (folder / "__init__.py").touch()
    (place / "hf_transformers_utils.py").write_text("def get_tokenizer(name):\n    return f'tokenizer of {name}'\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield place
    installer().uninstall()
    for name in [name for name in sys.modules if name.partition(".")[0] == "sglang"]:
        del sys.modules[name]


def test_sglangs_tokenizer_is_found_where_it_moved_to(sglang: Path) -> None:
    old = "sglang.srt.hf_transformers_utils"
    with pytest.raises(ModuleNotFoundError):
        import_module(old)
    files = sorted(sglang.parents[1].rglob("*.py"))
    assert harness.patch_sglang_transformers_import() is State.INSTALLED
    assert import_module(old).get_tokenizer("a model") == "tokenizer of a model"
    with pytest.raises(AttributeError):
        _ = import_module(old).no_such_name
    assert sorted(sglang.parents[1].rglob("*.py")) == files, "nothing is written into the package"
    installer().uninstall()
    with pytest.raises(ModuleNotFoundError):
        import_module(old)


def test_an_sglang_that_has_the_old_place_is_left_alone(sglang: Path) -> None:
    (sglang.parent / "hf_transformers_utils.py").write_text("get_tokenizer = 'its own'\n")
    assert harness.patch_sglang_transformers_import() is State.FIXED_UPSTREAM
    assert import_module("sglang.srt.hf_transformers_utils").get_tokenizer == "its own"
