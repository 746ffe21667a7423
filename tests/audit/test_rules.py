from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from lighteval_fix.audit import rules
from lighteval_fix.audit.inputs import Fingerprint


def test_the_hash_of_the_rules_follows_their_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_PACKAGE", tmp_path)
    (tmp_path / "reading").mkdir()
    table = tmp_path / "reading" / "cues.toml"
    table.write_text("a = 1")
    first = rules.rules_hash.__wrapped__()
    assert rules.rules_hash.__wrapped__() == first
    table.write_text("a = 2")
    second = rules.rules_hash.__wrapped__()
    (tmp_path / "reading" / "notes.md").write_text("no table")
    assert rules.rules_hash.__wrapped__() == second
    table.rename(tmp_path / "reading" / "other.toml")
    assert len({first, second, rules.rules_hash.__wrapped__()}) == 3


def test_the_real_tables_are_in_it() -> None:
    held = {room: list((rules._PACKAGE / room).rglob("*.toml")) for room in rules._TABLES}
    assert all(held.values())


def test_a_file_is_fingerprinted_and_what_is_no_file_is_not(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"abc" * 1000)
    assert Fingerprint(str(path)).value() == hashlib.sha256(path.read_bytes()).hexdigest()
    assert Fingerprint(str(tmp_path)).value() is None
    assert Fingerprint("s3://bucket/key").value() is None
