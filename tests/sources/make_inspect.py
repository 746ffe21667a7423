"""Inspect logs of our own, packed with deflate and with Zstandard."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import zstandard
from shapes import DATA, INSTRUCTION, MODEL, SUMS, write_json


def inspect_sample(number: int, epoch: int, answer: Any, value: Any, **more: Any) -> dict[str, Any]:
    _, question, gold, _, _ = SUMS[number - 1]
    return {
        "id": number,
        "epoch": epoch,
        "input": "attachment://q",
        "target": gold,
        "messages": [
            {"role": "system", "content": INSTRUCTION},
            {"role": "user", "content": "attachment://q"},
            {"role": "assistant", "content": answer},
        ],
        "output": {
            "model": "tiny-1",
            "choices": [{"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}],
            "usage": {"output_tokens": 12},
        },
        "scores": {"match": {"value": value, "answer": "x"}},
        "attachments": {"q": question},
    } | more


def inspect_header() -> dict[str, Any]:
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "sums",
            "created": "2026-01-05T10:20:30+00:00",
            "model": MODEL,
            "config": {"epochs": 2},
            "packages": {"inspect_ai": "0.3.159"},
            "scorers": [{"name": "match"}],
        },
        "plan": {"name": "plan", "config": {"max_tokens": 64}},
        "results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": 0.5}, "stderr": {"value": 0.1}}}]},
    }


def inspect() -> None:
    root = DATA / "inspect"
    root.mkdir(parents=True, exist_ok=True)
    thought = [{"type": "reasoning", "reasoning": "four and a half"}, {"type": "text", "text": "ANSWER: 4.5"}]
    samples = [
        inspect_sample(1, 1, "ANSWER: 24", "C"),
        inspect_sample(1, 2, "ANSWER: 25", "I"),
        inspect_sample(2, 1, "4", 1),
        inspect_sample(2, 2, "", 0, error={"message": "the service was away"}, output={"choices": []}),
        inspect_sample(3, 1, thought, {"match": False}),
        inspect_sample(3, 2, "ANSWER: 9/2", "P"),
    ]
    choice = {
        "id": "river",
        "epoch": 1,
        "input": "Which of these is a river?",
        "choices": ["Oslo", "Danube", "Etna"],
        "target": "B",
        "messages": [{"role": "user", "content": "Which of these is a river?\n\nA) Oslo\nB) Danube\nC) Etna"}],
        "output": {"choices": [{"message": {"role": "assistant", "content": "ANSWER: B"}, "stop_reason": "stop"}]},
        "scores": {"choice": {"value": "C"}},
    }
    with zipfile.ZipFile(root / "deflated.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        started = {"version": 2, "eval": inspect_header()["eval"], "plan": inspect_header()["plan"]}
        archive.writestr(entry("_journal/start.json"), json.dumps(started))
        for sample in samples:
            archive.writestr(entry(f"samples/{sample['id']}_epoch_{sample['epoch']}.json"), json.dumps(sample))
        archive.writestr(entry("samples/river_epoch_1.json"), json.dumps(choice))
        archive.writestr(entry("header.json"), json.dumps(inspect_header()))
    members = {f"samples/{s['id']}_epoch_{s['epoch']}.json": json.dumps(s) for s in samples}
    members["header.json"] = json.dumps(inspect_header())
    (root / "zstandard.eval").write_bytes(zstd_zip(members))
    write_json(root / "plain.json", inspect_header() | {"samples": [*samples, choice]})
    write_json(root / "started.json", inspect_header() | {"status": "error", "samples": []})


def entry(name: str) -> zipfile.ZipInfo:
    """A member with a date of its own, so that writing the data anew gives the same bytes."""
    info = zipfile.ZipInfo(name, (2026, 1, 5, 10, 20, 30))
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def zstd_zip(members: dict[str, str]) -> bytes:
    """A zip whose members are packed with Zstandard in two frames each (method 93, which `zipfile` cannot write)."""
    out, directory = io.BytesIO(), io.BytesIO()
    for name, text in members.items():
        raw = text.encode()
        half = len(raw) // 2
        packer = zstandard.ZstdCompressor()
        packed = packer.compress(raw[:half]) + packer.compress(raw[half:])
        crc = zipfile.crc32(raw)  # type: ignore[attr-defined]
        offset = out.tell()
        sizes = crc.to_bytes(4, "little") + len(packed).to_bytes(4, "little") + len(raw).to_bytes(4, "little")
        common = (63).to_bytes(2, "little") + b"\0\0" + (93).to_bytes(2, "little") + b"\0\0\x21\x5c" + sizes
        names = len(name).to_bytes(2, "little") + b"\0\0"
        out.write(b"PK\x03\x04" + common + names + name.encode() + packed)
        entry = b"PK\x01\x02" + (63).to_bytes(2, "little") + common + names + b"\0\0" * 3 + b"\0\0\0\0"
        directory.write(entry + offset.to_bytes(4, "little") + name.encode())
    start, listing = out.tell(), directory.getvalue()
    count = len(members).to_bytes(2, "little") * 2
    out.write(
        listing
        + b"PK\x05\x06\0\0\0\0"
        + count
        + len(listing).to_bytes(4, "little")
        + start.to_bytes(4, "little")
        + b"\0\0"
    )
    return out.getvalue()
