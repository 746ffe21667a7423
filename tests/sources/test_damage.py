"""Damaged files of every format: an `InputError` in one line, or rows and row errors; never another exception."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest
from make_inspect import inspect_header, inspect_sample
from summaries import DATA

from lighteval_fix.model import InputError, Item, RowError
from lighteval_fix.sources import open_runs

FILES = sorted(path for path in DATA.rglob("*") if path.is_file())
COLUMNS = {"response": "out", "gold": "a.final", "prompt": "q", "score": "ok"}


def damaged(content: bytes, chance: random.Random) -> bytes:
    match chance.randrange(5):
        case 0:
            return content[: chance.randrange(len(content))]
        case 1:
            at = chance.randrange(len(content))
            return content[:at] + content[at + chance.randrange(1, 50) :]
        case 2:
            at = chance.randrange(len(content))
            return content[:at] + chance.randbytes(chance.randrange(1, 20)) + content[at:]
        case 3:
            mutable = bytearray(content)
            for _ in range(chance.randrange(1, 6)):
                mutable[chance.randrange(len(mutable))] = chance.randrange(256)
            return bytes(mutable)
        case _:
            return content.replace(*chance.choice(SWAPS))


SWAPS = [
    (b'"', b"'"),
    (b"null", b"[]"),
    (b"{", b"["),
    (b": 0", b": {}"),
    (b'": "', b'": ["'),
    (b"true", b'"C"'),
    (b"[", b"null, ["),
    (b"content", b"kontent"),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(DATA).as_posix())
def test_damage_is_data_or_one_line(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    content = path.read_bytes()
    target = tmp_path / path.name
    options = {"columns": COLUMNS} if path.parent.name == "table" else {}
    for _ in range(25):
        target.write_bytes(damaged(content, chance))
        problem = read_all(target, options)
        if problem is not None:
            assert "\n" not in problem
            assert str(target) in problem


def read_all(target: Path, options: dict[str, object]) -> str | None:
    """Everything that is in the file; the message where it cannot be read."""
    try:
        for run in open_runs(str(target), **options):
            for item in run.items():
                assert isinstance(item, Item | RowError)
                if isinstance(item, Item):
                    assert item.generations
                    assert all(isinstance(each.text, str) for each in item.generations)
                    assert all(isinstance(gold.text, str) for gold in item.golds)
            for part in run.parts(1000):
                list(run.items(part))
    except InputError as error:
        return str(error)
    return None


def test_an_interrupted_log_has_its_samples(tmp_path: Path) -> None:
    import json

    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": inspect_header()["eval"]}))
        archive.writestr("samples/1_epoch_1.json", json.dumps(inspect_sample(1, 1, "ANSWER: 24", "C")))
    (run,) = open_runs(str(tmp_path / "log.eval"))
    assert (run.model, run.task, run.metrics, run.reported) == ("acme/tiny-1", "sums", ("match",), ())
    assert [item.id for item in run.items() if isinstance(item, Item)] == ["1"]


@pytest.mark.parametrize("name", ["deflated.eval", "zstandard.eval"])
def test_a_log_that_is_cut_off_keeps_the_samples_before_the_cut(tmp_path: Path, name: str) -> None:
    content = (DATA / "inspect" / name).read_bytes()
    whole = {item.id: item for run in open_runs(str(DATA / "inspect" / name)) for item in run.items()}  # type: ignore[union-attr]
    target = tmp_path / name
    target.write_bytes(content[: content.rindex(b"PK\x03\x04") - 10])  # the header is last, and the sample before it
    if name == "deflated.eval":
        (run,) = open_runs(str(target))
        assert (run.model, run.task) == ("acme/tiny-1", "sums")
        found = list(run.items())
        assert found[:-1] == [whole["1"], whole["2"], whole["3"]]
        assert isinstance(found[-1], RowError)
        assert (found[-1].row, found[-1].reason) == (3, "truncated_file")
        assert [each for part in run.parts(1) for each in run.items(part)] == found
    else:  # it has no journal, so nothing says what was run
        with pytest.raises(InputError, match="unknown zip layout"):
            list(open_runs(str(target)))
