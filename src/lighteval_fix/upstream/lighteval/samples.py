"""Documents, responses and a log entry as the installed LightEval has them: what the probes are made of.

0.10 keeps what a model said in `GenerativeResponse.result` and hands metrics golds and predictions; since 0.11 it is
`ModelResponse.text`, and metrics get the document and the response.
"""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from typing import Any


def _output() -> Any:
    return import_module("lighteval.models.model_output")


def before_011() -> bool:
    """Whether metrics get golds and predictions."""
    return "text" not in {field.name for field in fields(_output().ModelResponse)}


def document(*choices: str, query: str = "", gold: int = 0, **more: Any) -> Any:
    """A document; fields that this version does not have are left out."""
    made = import_module("lighteval.tasks.requests").Doc
    known = {field.name for field in fields(made)}
    given = {name: value for name, value in more.items() if name in known}
    return made(query=query, choices=list(choices), gold_index=gold, **given)


def response(*texts: str, final: tuple[str, ...] | None = None) -> Any:
    """What a model said, one text a sample, and what post-processing made of it."""
    if before_011():
        return _output().GenerativeResponse(result=list(texts))
    said = _output().ModelResponse(text=list(texts))
    if final is not None:
        said.text_post_processed = list(final)
    return said


def score(metric: Any, doc: Any, *texts: str) -> Any:
    """What a metric of one item gives: an object with `compute`, or the function that 0.10 has in its place."""
    compute = getattr(metric, "compute", metric)
    if before_011():
        return compute(golds=doc.get_golds(), predictions=list(texts), formatted_doc=doc)
    return compute(doc=doc, model_response=response(*texts))


def log(logger: Any, doc: Any, said: Any) -> None:
    """Give one sample to the details logger."""
    if before_011():
        from collections import defaultdict
        from types import SimpleNamespace

        task = SimpleNamespace(has_metric_category=defaultdict(lambda: True))
        logger.log("probe", task, doc, [said], {})
    else:
        logger.log("probe", doc, said, {})
