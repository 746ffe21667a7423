"""The shapes of rows that the harnesses write, in words of our own, and writers for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

DATA = Path(__file__).parents[1] / "data"
DATE = "2026-01-05T10-20-30.000001"
MODEL = "acme/tiny-1"

SUMS = [
    ("s1", "How many legs do three spiders have together?", "24", "Eight each.\nANSWER: 24", 1.0),
    ("s2", "What is the square root of 2 times 8?", "4", "It is 4.\n\\boxed{4}", 1.0),
    ("s3", "Half of nine?", "\\frac{9}{2}", "So 4.5.\nANSWER: 4.5", 0.0),
]
INSTRUCTION = 'End with a line "ANSWER: $ANSWER", where $ANSWER is the result.'
CITY = "Which of these is a river?\nA) Oslo\nB) Danube\nC) Etna\nD) Sahara"


def write_json(path: Path, value: Any, **options: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, **options), encoding="utf-8")


def write_lines(path: Path, rows: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def write_parquet(path: Path, rows: list[dict[str, Any]], **options: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path, **options)


def doc(query: str, choices: list[str] | None, gold: Any, **more: Any) -> dict[str, Any]:
    """A `doc` struct with the fields that LightEval 0.13 writes."""
    return {
        "query": query,
        "choices": choices,
        "gold_index": gold,
        "instruction": None,
        "images": None,
        "specific": None,
        "unconditioned_query": None,
        "original_query": None,
        "id": "0",
        "task_name": "",
        "fewshot_samples": [],
        "sampling_methods": ["GENERATIVE"],
        "fewshot_sorting_class": None,
        "generation_size": 512,
        "stop_sequences": [],
        "use_logits": False,
        "num_samples": 1,
        "generation_grammar": None,
    } | more


def response(texts: list[str] | None, prompt: str, tokens: list[list[int]] | None = None) -> dict[str, Any]:
    """A `model_response` struct."""
    return {
        "input": prompt,
        "input_tokens": [],
        "text": texts,
        "output_tokens": tokens or [],
        "text_post_processed": texts,
        "reasonings": [],
        "logprobs": [],
        "argmax_logits_eq_gold": [],
        "logits": None,
        "unconditioned_logprobs": None,
        "truncated_tokens_count": 0,
        "padded_tokens_count": 0,
    }


def struct_rows(task: str) -> list[dict[str, Any]]:
    """Two samples an item; one row without a generation, one without a gold."""
    metric = "avg@n:n=2"
    rows = []
    for key, question, gold, text, score in SUMS:
        query = f"{INSTRUCTION}\n\n{question}"
        rows.append(
            {
                "doc": doc(query, [gold], 0, id=key, task_name=task, instruction=INSTRUCTION, num_samples=2),
                "metric": {metric: (score + 1.0) / 2},
                "model_response": response([text, f"<think>hm</think>\nANSWER: {gold}"], query, [[1] * 7, [1] * 9]),
            }
        )
    lost = doc("Nothing came back?", ["1"], 0, id="lost", task_name=task, num_samples=2)
    rows.append({"doc": lost, "metric": {metric: 0.0}, "model_response": response(None, "")})
    bare = doc("No reference?", None, None, id="bare", task_name=task, num_samples=2)
    rows.append({"doc": bare, "metric": {metric: 0.0}, "model_response": response(["1", "2"], "")})
    return rows


def results_json(tables: dict[str, dict[str, float]]) -> dict[str, Any]:
    return {
        "config_general": {"lighteval_sha": "?", "model_config": {"model_name": MODEL}, "model_name": MODEL},
        "results": {task: dict(table) for task, table in tables.items()} | {"all": {}},
        "versions": {},
        "config_tasks": {},
        "summary_tasks": {},
        "summary_general": {},
    }


def flat_rows() -> list[dict[str, Any]]:
    rows = []
    for _, question, gold, text, score in SUMS:
        rows.append(
            {
                "example": question,
                "instruction": "",
                "full_prompt": f"Q: One and one?\nA: 2\n\nQ: {question}\nA:",
                "num_effective_few_shots": 1,
                "num_asked_few_shots": 1,
                "predictions": [text, text + "\n"],
                "input_tokens": [[1, 2]],
                "cont_tokens": [[3]],
                "truncated": [0],
                "padded": [0],
                "gold": [gold],
                "pred_logits": [],
                "choices": [],
                "gold_index": [],
                "metrics": {"extractive_match": score},
                "specifics": {"note": 'it\'s "quoted"'},
            }
        )
    rows[1] |= {"example": CITY, "gold": ["B"], "predictions": ["The river is B."], "num_effective_few_shots": 0}
    rows.append(rows[0] | {"predictions": []})
    return rows
