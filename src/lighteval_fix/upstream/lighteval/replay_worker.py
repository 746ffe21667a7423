"""LightEval's own metric in a process that can be killed: `python -m lighteval_fix.upstream.lighteval.replay_worker`.

One JSON object a line in, one out. A question names an item's documents and texts; the answer says what the unfixed
metric gives (so that the caller can check that it reproduces what was recorded), what it gives with single fixes, and
what it took from the text. The fix `hanging` is in place, which takes the same spans in linear time.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from itertools import groupby
from typing import Any


def main() -> None:
    """Answer until the input ends."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    answers = sys.stdout
    with redirect_stdout(sys.stderr):
        metric = LightevalMetric()
        for line in sys.stdin:
            print(json.dumps(metric.answer(json.loads(line))), file=answers, flush=True)


class LightevalMetric:
    """The metrics of LightEval 0.11 and later that judge maths and choices."""

    def __init__(self) -> None:
        import logging
        from importlib import import_module

        logging.disable(logging.ERROR)
        from .. import catalog
        from ..install import installer

        installer().install(catalog.select(["dying", "hanging"]), prove=False)
        self.match: Any = import_module("lighteval.metrics.utils.extractive_match_utils")
        self.metrics: Any = import_module("lighteval.metrics.metrics").Metrics
        self.doc: Any = import_module("lighteval.tasks.requests").Doc
        self.response: Any = import_module("lighteval.models.model_output").ModelResponse
        self.english: Any = import_module("lighteval.utils.language").Language.ENGLISH
        self._letters = _Switch(self.match)

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What there is to say about one sample of an item."""
        if "scores" in asked:
            each = (self._metric({**asked, "metric": name, "recorded": score}) for name, score in asked["scores"])
            return {"reproduced": all(metric is not None for metric in each)}
        metric = self._metric(asked)
        if metric is None:
            return {"reproduced": False, "why": "unknown metric"}
        extractive = _extractive(metric)
        text = asked["graded"]
        score = self._scorer(extractive, asked)
        found: dict[str, Any] = {"reproduced": True, "score": score(text)}
        found["fixes"] = {name: score(fixed) for name, fixed in self._fixed(asked).items()}
        if asked["kind"] == "choice":
            with self._letters:
                found["fixes"]["letter-in-dollars"] = score(text)
                found["fixes"]["letter-in-dollars+closing-tag-only"] = score(self._fixed(asked)["closing-tag-only"])
        found["told"] = {name: score(told) for name, told in asked["told"].items()}
        if asked["gold_read"] is not None:
            found["gold_told"] = self._scorer(extractive, {**asked, "choices": asked["gold_read"]})(text)
        found["taken"] = self._taken(extractive, text, asked)
        return found

    def _metric(self, asked: Mapping[str, Any]) -> Any:
        """The metric that reproduces the recorded score, or None."""
        for make in self._candidates(asked["metric"], asked["kind"]):
            metric = make()
            response = self.response(text=asked["texts"], text_post_processed=asked["post"])
            try:
                got = metric.compute_sample(doc=self._doc(asked), model_response=response)
            except (IndexError, ValueError, TypeError):
                continue
            if abs(float(got.get(metric.metric_name, -1.0)) - asked["recorded"]) < 1e-9:
                return metric
        return None

    def _candidates(self, name: str, kind: str) -> Sequence[Callable[[], Any]]:
        base, _, parameters = name.partition(":")
        given = dict(pair.split("=") for pair in parameters.split("&")) if "=" in parameters else {}
        numbers = {key: int(value) for key, value in given.items()}
        known = self.metrics
        found = {
            ("pass@k", "math"): ["pass_at_k_math"],
            ("avg@n", "math"): ["avg_at_n_math"],
            ("pass@k", "choice"): ["pass_at_k_letters"],
            ("gpqa_pass@k", "choice"): ["gpqa_instruct_pass_at_k"],
            ("extractive_match", "choice"): ["gpqa_instruct_metric"],
            ("extractive_match", "math"): ["expr_gold_metric"],
        }.get((base, kind), [])
        return [partial(_build, getattr(known, member), numbers) for member in found if hasattr(known, member)]

    def _doc(self, asked: Mapping[str, Any]) -> Any:
        return self.doc(query=asked["query"], choices=asked["choices"], gold_index=asked["gold_index"])

    def _scorer(self, extractive: Any, asked: Mapping[str, Any]) -> Callable[[str], float]:
        def score(text: str) -> float:
            return float(extractive.compute(doc=self._doc(asked), model_response=self.response(text=[text])))

        return score

    def _fixed(self, asked: Mapping[str, Any]) -> dict[str, str]:
        """The graded text as single fixes would have it; they are functions of the text alone."""
        from .closing_tag import remove_reasoning_tags
        from .restated_template import _without_template

        raw = asked["raw"]
        return {
            "closing-tag-only": remove_reasoning_tags(raw, [("<think>", "</think>")]),
            "restated-template": _without_template(asked["graded"], asked["query"]),
            "response-slice": asked["final"],
        }

    def _taken(self, extractive: Any, text: str, asked: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the metric's patterns take: the rightmost match of the first priority that can be made sense of."""
        groups = self.match.get_extraction_regexes(
            self._doc(asked), extractive.pred_extraction_target, extractive.language
        )
        patterns = [(pattern, target, rank) for members, target in groups for pattern, rank in members]
        patterns.sort(key=lambda entry: entry[2])
        first: dict[str, Any] | None = None
        for rank, same in groupby(patterns, key=lambda entry: entry[2]):
            matches = [(match, target) for pattern, target, _ in same for match in pattern.finditer(text)]
            for match, target in sorted(matches, key=lambda pair: (-pair[0].end(), pair[0].start())):
                value, said = self.match.extract_match(match, target, extractive.timeout_seconds)
                taken = {"text": said, "rank": rank, "start": match.start(), "end": match.end()}
                if value is not None:
                    return taken
                first = first or taken
        return first


class _Switch:
    """The fix `letter-in-dollars`, on inside a `with` block."""

    def __init__(self, match: Any) -> None:
        from .. import catalog
        from ..install import installer

        function = match.lazy_indices_regex.__wrapped__
        self._cached = match.lazy_indices_regex
        self._function = function
        self._without = function.__code__
        installer().install(catalog.select(["letter-in-dollars"]), prove=False)
        self._with = function.__code__
        installer().uninstall(["letter-in-dollars"])

    def __enter__(self) -> None:
        self._set(self._with)

    def __exit__(self, *_: object) -> None:
        self._set(self._without)

    def _set(self, code: Any) -> None:
        self._function.__code__ = code
        self._cached.cache_clear()


def _build(member: Any, parameters: dict[str, int]) -> Any:
    return member(sample_params=parameters) if parameters else member.value


def _extractive(metric: Any) -> Any:
    function = metric.sample_level_fn
    return getattr(getattr(function, "compute_score", None), "__self__", function)


if __name__ == "__main__":
    main()
