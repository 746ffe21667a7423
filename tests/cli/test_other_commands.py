from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.details import SUMS, call, details, row


def test_explain_shows_what_was_asked_read_and_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    details(tmp_path, SUMS)
    assert call("explain", str(tmp_path), "--id", "1") == 0
    said = capsys.readouterr().out
    for part in ("area of a disc", "288\\pi", "by answer line", "right", "recovered", "answer line unread", "equal"):
        assert part in said


def test_explain_marks_what_was_read_and_what_was_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "<think>so 6?</think>\nFirst \\boxed{6}, no.\nANSWER: 7"
    details(tmp_path, [row(0, "Two and five?", "7", [text], 0.0)])
    assert call("explain", str(tmp_path), "--id", "0") == 0
    said = capsys.readouterr().out
    assert "ANSWER: ⟦7⟧" in said
    assert "\\boxed{‹6›}" in said
    assert "not taken 6  by box" in said
    assert "the first 20 of them reasoning, which is not read" in said
    assert not any(line.endswith(" ") for line in said.splitlines())


def test_explain_of_an_unknown_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    details(tmp_path, SUMS)
    assert call("explain", str(tmp_path), "--id", "99") == 1
    assert "no item with id '99'" in capsys.readouterr().err


def test_explain_of_a_sample_that_is_not_there(tmp_path: Path) -> None:
    details(tmp_path, SUMS)
    assert call("explain", str(tmp_path), "--id", "1", "--sample", "5") == 2


def test_explain_does_not_let_model_text_speak_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    details(tmp_path, [row(0, "Two and five?", "7", ["\x1b[2J\u202e[red]x[/red]\nANSWER: 7"], 0.0)])
    assert call("explain", str(tmp_path), "--id", "0") == 0
    said = capsys.readouterr().out
    assert "\x1b[2J" not in said
    assert "\u202e" not in said
    assert "[red]x[/red]" in said


@pytest.mark.parametrize(
    ("gold", "answer", "kind"), [("\\frac12", "0.5", "equal"), ("(1,2)", "\\{1,2\\}", "different")]
)
def test_decide(gold: str, answer: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("decide", gold, answer) == 0
    assert kind in capsys.readouterr().out
    assert call("decide", gold, answer, "--json", "-") == 0
    made = json.loads(capsys.readouterr().out)
    assert made["verdict"]["kind"] == kind
    assert made["gold_form"]


def test_diff_pairs_by_id_and_says_whether_the_order_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a = [row(n, "Two and five?", "7", ["ANSWER: 7"], float(n < 4)) for n in range(12)]
    b = [row(n, "Two and five?", "7", ["ANSWER: 7" if n < 6 else "ANSWER: 8"], float(n < 6)) for n in range(12)]
    first = details(tmp_path / "a", a, model="acme/a")
    second = details(tmp_path / "b", b, model="acme/b")
    assert call("diff", str(first), str(second), "--json", "-") == 0
    (made,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert made["pairs"] == 12
    assert made["graded"]["p_value"] == {"test": "mcnemar_exact", "b": 0, "c": 2, "p": 0.5}
    assert made["regraded"]["p_value"]["b"] == 6
    assert made["regraded"]["p_value"]["p"] == pytest.approx(2 * 0.5**6)
    assert made["order_changes"] is True
    assert call("diff", str(first), str(second)) == 0
    assert "the order changes" in " ".join(capsys.readouterr().out.split())


def test_diff_leaves_out_items_of_other_golds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = details(tmp_path / "a", [row(0, "?", "7", ["ANSWER: 7"]), row(1, "?", "8", ["ANSWER: 8"])])
    second = details(tmp_path / "b", [row(0, "?", "7", ["ANSWER: 7"]), row(1, "?", "9", ["ANSWER: 9"])])
    assert call("diff", str(first), str(second), "--json", "-") == 0
    (made,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert (made["pairs"], made["other_golds"]) == (1, 1)


def test_help_and_version_need_no_room(tmp_path: Path) -> None:
    """Nothing heavy is imported before a command needs it."""
    code = (
        "import sys; from lighteval_fix.cli.app import app\n"
        "try: app(['--help'], standalone_mode=False)\n"
        "except SystemExit: pass\n"
        "heavy = {'pyarrow', 'numpy', 'scipy', 'sympy', 'flint', 'fsspec', 'jinja2', 'lighteval', 'ray', 'pebble'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "regrade" in done.stdout


def test_the_module_is_the_command(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "lighteval_fix", "--version"], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.startswith("lighteval-fix ")


def test_the_tools_of_a_checkout_translate_their_arguments() -> None:
    from tools.regrade import arguments

    given = ["--details", "runs", "--task", "sums", "--show", "3"]
    assert arguments("regrade", given) == ["regrade", "runs", "--task", "sums*", "--show", "3"]
    assert arguments("regrade-lcb", ["--details=x", "--tolerance", "0"]) == ["regrade-lcb", "x", "--tolerance", "0"]
