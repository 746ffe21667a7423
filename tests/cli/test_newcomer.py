"""What goes wrong in a newcomer's first hour: each time one clear line, and the right exit code."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.details import SUMS, call, details

pytestmark = pytest.mark.slow  # each starts the command anew, as a person would

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="/dev/full is no device here")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return details(tmp_path, SUMS)


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert said.startswith("lighteval-fix: ")
    return said


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": os.environ["PATH"], **environment}
    command = [sys.executable, "-m", "lighteval_fix", *arguments]
    return subprocess.run(command, capture_output=True, env=environment, check=False)


def test_a_wrong_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("regrade", str(tmp_path / "nowhere")) == 1
    assert "nowhere: no such file or folder" in one_line(capsys)


@pytest.mark.parametrize("command", [["regrade"], ["explain", "--id", "1"]])
def test_a_folder_without_runs(tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("nothing here", encoding="utf-8")
    assert call(*command, str(tmp_path)) == 1
    assert "no run found" in (said := one_line(capsys))
    assert "name the folder that the harness wrote" in said


def test_a_task_that_is_not_there(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("regrade", str(run), "--task", "prose*") == 1
    assert "no task matches 'prose*'; it holds sums|0" in one_line(capsys)


def test_a_format_that_is_not_known(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("regrade", str(run), "--source", "nonsense") == 2
    assert "no format 'nonsense'; known: auto, lighteval" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--python", "/nowhere/python", "cannot be started"),
        ("--memory", "1MiB", "16 MiB or more"),
        ("--tolerance", "inf", "finite"),
        ("--timeout", "inf", "time limit"),
    ],
)
def test_an_option_that_no_program_can_run_with(
    run: Path, option: str, value: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("regrade", str(run), option, value) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["regrade"], "missing argument 'PATH...'; see `lighteval-fix regrade --help`"),
        (
            ["regarde", "x"],
            "no such command 'regarde'. Did you mean 'regrade', 'regrade-lcb'? see `lighteval-fix --help`",
        ),
        (["regrade", "x", "--kind", "prose"], "invalid value for '--kind': 'prose' is not one of"),
        (["patch", "export", "--fixes", "xxhash"], "no fix or group called 'xxhash' (nearest: xxhash-text)"),
    ],
)
def test_a_mistyped_command(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*arguments) == 2
    assert said in one_line(capsys)


def test_a_file_of_another_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.md").write_text("nothing here", encoding="utf-8")
    assert call("regrade", str(tmp_path / "notes.md")) == 1
    assert "unknown content" in (said := one_line(capsys))
    assert "`--source`" in said


def test_no_network(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("regrade", "https://localhost:1/details.parquet") == 1
    assert "https://localhost:1/details.parquet: cannot be listed" in one_line(capsys)


@pytest.mark.parametrize("option", ["--json", "--html", "--out", "--inspect-scores"])
def test_an_output_in_a_place_that_takes_none(run: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("regrade", str(run), option, "/proc/nowhere/file.jsonl", "--quiet") == 1
    assert "/proc/nowhere" in one_line(capsys)


@pytest.mark.parametrize("option", ["--json", "--html", "--out", "--inspect-scores"])
def test_an_output_never_takes_the_place_of_an_input(
    run: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = run.read_bytes()
    assert call("regrade", str(run), option, str(run), "--quiet") == 1
    assert "the output would overwrite this input" in one_line(capsys)
    assert run.read_bytes() == before


@needs_full
@pytest.mark.parametrize("option", ["--json", "--html", "--inspect-scores"])
def test_a_full_disk(run: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("regrade", str(run), option, str(FULL), "--quiet") == 1
    assert "No space left on device" in one_line(capsys)
    assert stat.S_ISCHR(FULL.stat().st_mode), "the device has been replaced by a file"


@needs_full
@pytest.mark.parametrize("command", [["decide", "1", "1"], ["regrade"]])
def test_a_full_disk_behind_stdout(run: Path, command: list[str]) -> None:
    arguments = [*command, str(run)] if command == ["regrade"] else command
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "lighteval_fix", *arguments], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"lighteval-fix: an output could not be written: No space left on device\n"


def test_nothing_is_left_beside_an_output_that_failed(run: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert call("regrade", str(run), "--json", str(run), "--html", str(tmp_path / "out" / "page.html"), "--quiet") == 1
    assert list((tmp_path / "out").iterdir()) == []


def test_60_columns(run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert call("regrade", str(run)) == 0
    assert max(map(len, capsys.readouterr().out.split("\n"))) <= 60


def test_piped_output_has_no_colour(run: Path) -> None:
    assert b"\x1b" not in process("regrade", str(run)).stdout


def test_a_terminal_without_colour(run: Path) -> None:
    coloured = process("regrade", str(run), FORCE_COLOR="1").stdout
    assert b"\x1b[" in coloured
    assert b"\x1b[3" not in process("regrade", str(run), FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_locale_without_unicode(run: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = process("regrade", str(run), **ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    done = process("decide", "1", "1", "--json", "-", **ascii_only)
    assert json.loads(done.stdout.decode("utf-8"))["verdict"]["kind"] == "equal"


@pytest.mark.parametrize("name", ["two words", "[red]x[bold]", "line\nbreak", "\x1b[31m", "-v", "näme", "a%20b#c"])
def test_names_of_files(tmp_path: Path, name: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name / f"{name}.parquet"
    path.parent.mkdir()
    path.write_bytes(run.read_bytes())
    assert call("regrade", str(path)) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "re-graded" in said.out
    assert "\x1b" not in said.out


def test_a_name_that_is_no_utf8(tmp_path: Path, run: Path) -> None:
    name = os.fsdecode(b"caf\xe9.parquet")
    try:
        (tmp_path / name).write_bytes(run.read_bytes())
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    done = process("regrade", str(tmp_path / name), "--json", "-", "--quiet")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["runs"][0]["path"].endswith(name)


def test_a_folder_that_may_only_be_read(run: Path) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in run.parents[4].rglob("*"))
    run.parent.chmod(0o555)
    try:
        assert call("regrade", str(run.parents[4]), "--quiet") == 0
    finally:
        run.parent.chmod(0o755)
    assert sorted((path, path.stat().st_mtime_ns) for path in run.parents[4].rglob("*")) == before


def test_completion() -> None:
    done = process(
        _LIGHTEVAL_FIX_COMPLETE="complete_bash", COMP_WORDS="lighteval-fix reg", COMP_CWORD="1", PATH=os.environ["PATH"]
    )
    assert done.stdout.split() == [b"regrade", b"regrade-lcb"]


def test_samples_for_lm_evaluation_harness(run: Path, tmp_path: Path) -> None:
    assert call("regrade", str(run), "--lm-eval-samples", str(tmp_path / "out"), "--quiet") == 0
    (written,) = (tmp_path / "out").iterdir()
    filters = {json.loads(line)["filter"] for line in written.read_text(encoding="utf-8").splitlines()}
    assert filters == {"recorded", "lighteval-fix"}
