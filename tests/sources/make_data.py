"""Writes `tests/data`: small runs of every format, in the shapes that the harnesses write, in words of our own.

Run it from the repository's root; the result is committed, so that a change of a reader shows against files that stay.
"""

from __future__ import annotations

import gzip
import json
import zipfile
from typing import Any

import zstandard
from make_inspect import entry, inspect
from shapes import (
    CITY,
    DATA,
    DATE,
    INSTRUCTION,
    MODEL,
    SUMS,
    doc,
    flat_rows,
    response,
    results_json,
    struct_rows,
    write_json,
    write_lines,
    write_parquet,
)


def lighteval() -> None:
    root = DATA / "lighteval"
    details = root / "details" / MODEL / DATE
    write_parquet(details / f"details_sums|0_{DATE}.parquet", struct_rows("sums|0"), row_group_size=2)
    letters = list("ABCD")
    choice = [
        {
            "doc": doc(f"Pick one.\n\n{CITY}", letters, 1, id=str(row), task_name="rivers|0", instruction="Pick one."),
            "metric": {"gpqa_pass@k:k=1": score},
            "model_response": response([text], ""),
        }
        for row, (text, score) in enumerate([("Answer: B", 1.0), ("Answer: $B$", 0.0)])
    ]
    write_parquet(details / f"details_rivers|0_{DATE}.parquet", choice)
    code = [
        {
            "doc": doc(
                "Read a number, print its double.",
                [""],
                0,
                id="double",
                task_name="lcb:tiny|0",
                specific={"inputs": ["2\n", "5\n"], "outputs": ["4\n", "10\n"], "fn_name": None},
            ),
            "metric": {"codegen_pass@1:16": 1.0},
            "model_response": response(["```python\nprint(2 * int(input()))\n```"], ""),
        }
    ]
    write_parquet(details / f"details_lcb:tiny|0_{DATE}.parquet", code)
    logprobs = [
        {
            "doc": doc(CITY, letters, [1], id="0", task_name="mmlu:tiny|0", sampling_methods=["LOGPROBS"]),
            "metric": {"acc": 1.0},
            "model_response": response([], "") | {"logprobs": [-1.0, -0.5, -2.0, -3.0]},
        }
    ]
    write_parquet(details / f"details_mmlu:tiny|0_{DATE}.parquet", logprobs)
    tables = {
        "sums|0": {"avg@n:n=2": 0.5, "avg@n:n=2_stderr": 0.1},
        "rivers|0": {"gpqa_pass@k:k=1": 0.5},
        "lcb:tiny|0": {"codegen_pass@1:16": 1.0},
        "mmlu:tiny|0": {"acc": 1.0},
    }
    write_json(root / "results" / MODEL / f"results_{DATE}.json", results_json(tables), indent=1)
    (root / "notes.txt").write_text("not a run\n", encoding="utf-8")

    texts = [{name: json.dumps(value) for name, value in row.items()} for row in struct_rows("sums|0")]
    texts.append({"doc": "{cut", "metric": "{}", "model_response": "{}"})
    hub = DATA / "lighteval_json" / "details_acme__tiny-1_private"
    write_parquet(hub / DATE / f"details_sums|0_{DATE}.parquet", texts)
    write_json(hub / f"results_{DATE}.json", results_json({"sums|0": {"avg@n:n=2": 0.5}}))


def lighteval_flat() -> None:
    typed = DATA / "lighteval_010" / "details" / MODEL / DATE
    write_parquet(typed / f"details_lighteval|sums|1_{DATE}.parquet", flat_rows())
    results = DATA / "lighteval_010" / "results" / MODEL / f"results_{DATE}.json"
    write_json(results, results_json({"lighteval|sums|1": {"extractive_match": 2 / 3}}))
    as_text = [{name: str(value) for name, value in row.items()} for row in flat_rows()]
    old = DATA / "lighteval_06" / "details" / MODEL / DATE
    write_parquet(old / f"details_lighteval|sums|1_{DATE}.parquet", as_text)
    scored = [
        {name: str(value) for name, value in (flat_rows()[1] | {"predictions": [(-1.5, True), (-0.2, False)]}).items()}
    ]
    write_parquet(old / f"details_leaderboard|rivers|0_{DATE}.parquet", scored)


def lm_eval_row(number: int, question: str, target: str, resps: list[str], kept: str, name: str, score: Any) -> Any:
    return {
        "doc_id": number,
        "doc": {"question": question, "answer": f"We count.\n#### {target}"},
        "target": f"We count.\n#### {target}",
        "arguments": {
            "gen_args_0": {"arg_0": f"Q: One and one?\nA: 2\n\nQ: {question}\nA:", "arg_1": {"until": ["Q:"]}}
        },
        "resps": [resps],
        "filtered_resps": [kept],
        "filter": name,
        "metrics": ["exact_match"],
        "doc_hash": "0",
        "prompt_hash": "0",
        "target_hash": "0",
        "exact_match": score,
    }


def lm_eval() -> None:
    root = DATA / "lm_eval" / "acme__tiny-1"
    rows = []
    for name in ("strict-match", "flexible-extract"):
        for number, (_, question, gold, text, score) in enumerate(SUMS):
            mark: Any = score if name == "strict-match" else ("1" if number != 1 else "0")
            rows.append(lm_eval_row(number, question, gold, [text, text + " "], gold, name, mark))
    rows[2]["resps"] = [[]]
    write_lines(root / f"samples_sums_{DATE}.jsonl", rows)
    ranked = {
        "doc_id": 0,
        "doc": {"question": "A river?", "choices": ["Oslo", "Danube"]},
        "target": "1",
        "arguments": [["A river?", " Oslo"], ["A river?", " Danube"]],
        "resps": [[["-3.5", "False"]], [["-1.25", "True"]]],
        "filtered_resps": [["-3.5", "False"], ["-1.25", "True"]],
        "acc": 1.0,
    }
    write_lines(root / f"samples_rivers_{DATE}.jsonl", [ranked])
    chosen = lm_eval_row(0, "A river?", "B", ["I say (B)."], "(B)", "none", True)
    chosen["doc"] = {"question": "A river?", "options": ["Oslo", "Danube", "Etna"]}
    chosen |= {
        "target": "(B)",
        "arguments": {"gen_args_0": {"arg_0": ['[{"role": "user", "content": "A river?"}]'], "arg_1": {}}},
    }
    write_lines(root / f"samples_pick_{DATE}.jsonl", [chosen])
    results = {
        "results": {
            "sums": {
                "alias": "sums",
                "exact_match,strict-match": 2 / 3,
                "exact_match_stderr,strict-match": 0.3,
                "exact_match,flexible-extract": 2 / 3,
            },
            "pick": {"exact_match,none": 1.0},
        },
        "configs": {"sums": {"output_type": "generate_until", "generation_kwargs": {"max_gen_toks": 256}}},
        "n-shot": {"sums": 1},
        "lm_eval_version": "0.4.11",
        "model_name": MODEL,
    }
    write_json(root / f"results_{DATE}.json", results, indent=1)


def evalscope() -> None:
    root = DATA / "evalscope" / "20260105_102030"
    predictions, reviews = [], []
    for _, question, gold, text, score in SUMS:
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        row = {
            "id": "chat-1",
            "model": "tiny-1",
            "choices": [choice],
            "usage": {"completion_tokens": 9},
            "model_spec": {"model_id": "tiny-1"},
            "subset_name": "main",
            "raw_input": {"question": question, "answer": f"Well.\n#### {gold}"},
            "origin_prompt": {"data": [f"Q: One and one?\nA: 2\n\nQ: {question}\nA:"]},
        }
        predictions.append(row)
        review = {"gold": gold, "pred": gold if score else "?", "result": bool(score)}
        reviews.append(row | {"choices": [choice | {"review": review}], "reviewed": True})
    write_lines(root / "predictions" / "tiny-1" / "sums_main.jsonl", predictions)
    write_lines(root / "reviews" / "tiny-1" / "sums_main.jsonl", reviews)
    newer, plain = [], []
    for number, (_, question, gold, text, score) in enumerate(SUMS):
        messages = [
            {"role": "user", "content": f"{INSTRUCTION}\n{question}"},
            {"role": "assistant", "content": text, "model": "tiny-1"},
        ]
        value = {"value": {"acc": score}, "extracted_prediction": gold, "prediction": text}
        scored = {"score": value, "sample_id": number, "group_id": number, "sample_metadata": {}}
        newer.append({"index": number, "target": gold, "messages": messages, "sample_score": scored})
        plain.append({"index": number, "model": "tiny-1", "model_output": {"choices": []}, "messages": messages})
    write_lines(DATA / "evalscope_1" / "reviews" / "tiny-1" / "sums_main.jsonl", newer)
    write_lines(DATA / "evalscope_1" / "predictions" / "tiny-1" / "sums_main.jsonl", plain)
    write_lines(DATA / "evalscope_predictions" / "predictions" / "tiny-1" / "sums_main.jsonl", plain)


def others() -> None:
    details: dict[str, Any] = {
        str(number): {
            "prompt": [
                {"role": "HUMAN", "prompt": "One and one?"},
                {"role": "BOT", "prompt": "2"},
                {"role": "HUMAN", "prompt": question},
            ],
            "origin_prediction": text,
            "predictions": gold,
            "references": gold,
            "correct": "True" if score else "False",
        }
        for number, (_, question, gold, text, score) in enumerate(SUMS)
    }
    details["3"] = details["0"] | {"origin_prediction": None, "predictions": None}
    details["type"] = "GEN"
    write_json(DATA / "opencompass" / "tiny-1" / "sums.json", {"accuracy": 50.0, "details": details})

    questions = [
        {
            "question_id": 70 + number,
            "question": "Which of these is a river?",
            "options": ["Oslo", "Danube", "Etna"],
            "answer": "B",
            "answer_index": 1,
            "cot_content": "",
            "category": "geography",
            "src": "own",
            "pred": predicted,
            "model_outputs": text,
        }
        for number, (predicted, text) in enumerate([("B", "The answer is (B)."), (None, "It is **B**"), ("A", None)])
    ]
    write_json(DATA / "mmlu_pro" / "tiny-1" / "geography_result.json", questions, indent=1)
    write_json(
        DATA / "mmlu_pro" / "tiny-1" / "geography_summary.json",
        {"geography": {"corr": 1, "wrong": 2, "acc": 1 / 3}, "total": {"corr": 1, "wrong": 2, "acc": 1 / 3}},
    )

    problem = {
        "question_title": "Double",
        "question_content": "Read a number, print its double.",
        "question_id": "double",
        "starter_code": "",
        "output_list": ["```python\nprint(2 * int(input()))\n```", "no idea"],
        "code_list": ["print(2 * int(input()))", ""],
        "graded_list": [True, False],
        "pass@1": 0.5,
        "metadata": ["{}", "{}"],
    }
    write_json(DATA / "lcb" / "tiny-1" / "Scenario.codegeneration_2_0.2_eval_all.json", [problem])
    tests = [{"input": "2\n", "output": "4\n", "testtype": "stdin"}]
    write_json(
        DATA / "lcb_tests" / "tiny-1" / "Scenario.codegeneration_2_0.2_eval_all.json",
        [problem | {"public_test_cases": json.dumps(tests)}],
    )

    rollouts = []
    for number, (_, question, gold, text, score) in enumerate(SUMS[:2]):
        for turn in range(2):
            rollouts.append(
                {
                    "example_id": number,
                    "prompt": [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": question}],
                    "completion": [
                        {"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]},
                        {"role": "tool", "content": "24"},
                        {"role": "assistant", "content": text},
                    ],
                    "answer": gold,
                    "task": "default",
                    "reward": score * turn,
                    "num_turns": 2.0,
                }
            )
    rollouts.append(rollouts[0] | {"example_id": 9, "completion": []})
    root = DATA / "verifiers" / "sums--acme--tiny-1" / "ab12cd34"
    write_lines(root / "results.jsonl", rollouts)
    write_json(
        root / "metadata.json",
        {"env_id": "sums", "model": MODEL, "num_examples": 3, "rollouts_per_example": 2, "avg_reward": 0.4},
    )

    asked = [
        {
            "id": key,
            "correct": bool(score),
            "expected": gold,
            "predicted": gold if score else "",
            "question": question,
            "raw_response": text,
            "category": "",
            "time_s": 0.5,
        }
        for key, question, gold, text, score in SUMS
    ]
    river = {"id": "r", "correct": False, "expected": "B", "predicted": "D", "question": CITY, "raw_response": "B."}
    results = [
        {
            "model_id": "tiny-1",
            "benchmark": "gsm8k",
            "accuracy": 0.6667,
            "total": 3,
            "correct": 2,
            "question_results": asked,
        },
        {
            "model_id": "tiny-1",
            "benchmark": "mmlu",
            "accuracy": 0.0,
            "total": 1,
            "correct": 0,
            "question_results": [river],
        },
    ]
    write_json(DATA / "omlx" / "accuracy.json", {"results": results})
    header = "question_id,correct,expected,predicted,question_text,raw_response,category\r\n"
    body = "".join(
        f'{key},{bool(score)},{gold},,"{question}","{text}",sums\r\n' for key, question, gold, text, score in SUMS
    )
    (DATA / "omlx" / "rows.csv").write_bytes(b"\xef\xbb\xbf" + (header + body).encode())


def tables() -> None:
    root = DATA / "table"
    root.mkdir(parents=True, exist_ok=True)
    rows = [
        {"q": question, "a": {"final": gold}, "out": text, "ok": bool(score)} for _, question, gold, text, score in SUMS
    ]
    rows[2]["out"] = "two\u2028lines: 4.5"
    text = "".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in rows)
    with gzip.GzipFile(root / "answers.jsonl.gz", "wb", mtime=0) as stream:
        stream.write(b"\xef\xbb\xbf" + text.encode())
    (root / "answers.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(text.encode()))
    with zipfile.ZipFile(root / "answers.zip", "w") as archive:
        archive.writestr(entry("inner/answers.jsonl"), text)
    write_parquet(root / "answers.parquet", rows, row_group_size=2)


if __name__ == "__main__":
    for write in (lighteval, lighteval_flat, lm_eval, inspect, evalscope, others, tables):
        write()
