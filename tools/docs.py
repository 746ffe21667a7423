"""Write what the documentation shows of the code, so that neither can drift.

    python -m tools.docs            rewrite every generated part
    python -m tools.docs --check    exit with 1 and name the files that would change (run by the tests)

A generated part stands between `<!-- generated: NAME ARGS -->` and `<!-- end -->` in README.md or docs/**/*.md.
"""

from __future__ import annotations

import inspect
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from enum import EnumType, StrEnum
from pathlib import Path
from unittest import mock

from lighteval_fix.cli.app import app
from lighteval_fix.model import codes as enums
from lighteval_fix.reports.meanings import meanings

from . import docs_bench, docs_corpus, docs_fixes
from .docs_fixes import ensure_pages

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "lighteval_fix"
MARK = re.compile(r"(<!-- generated: (?P<call>[^>\n]+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def run_cli(*args: str) -> str:
    """What `lighteval-fix ARGS` prints on stdout, in a terminal 100 columns wide, without colour."""
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "HF_HUB_OFFLINE": "1"}
    env.pop("GITHUB_STEP_SUMMARY", None)
    done = subprocess.run(
        [sys.executable, "-m", "lighteval_fix", *args], capture_output=True, text=True, env=env, cwd=ROOT, check=False
    )
    if done.returncode not in (0, 1, 3) or "Traceback" in done.stderr:
        raise SystemExit(f"lighteval-fix {shlex.join(args)} exited with {done.returncode}: {done.stderr}")
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n"))


def block(text: str, language: str = "text") -> str:
    fence = "```" if "```" not in text else "````"
    return f"{fence}{language}\n{text}\n{fence}\n"


def shown(*args: str) -> str:
    """A command and its output."""
    return block(f"$ lighteval-fix {shlex.join(args)}\n{run_cli(*args)}")


def help_of(*command: str) -> str:
    """What `--help` prints, asked in this process: a page holds a dozen of them."""
    printed = io.StringIO()
    with redirect_stdout(printed), mock.patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}):
        app([*command, "--help"], prog_name="lighteval-fix", standalone_mode=False)
    return block("\n".join(line.rstrip() for line in printed.getvalue().strip("\n").split("\n")))


def codes(*names: str) -> str:
    """Tables of the code enums: every member with the sentence that stands under it in `model/codes.py`."""
    every = [name for name, kind in vars(enums).items() if isinstance(kind, EnumType) and kind is not StrEnum]
    out = []
    for name in (name for name in every if name in names or not names):
        out.append(f"### {name}\n\n{inspect.getdoc(getattr(enums, name))}\n\n| code | meaning |\n|---|---|")
        for code, said in meanings(name).items():
            out.append(f"| `{code}` | {said.replace('|', chr(92) + '|')} |")
        out.append("")
    return "\n".join(out) + "\n"


GENERATORS: dict[str, Callable[..., str]] = {
    "help": help_of,
    "shown": shown,
    "codes": codes,
    **docs_fixes.GENERATORS,
    **docs_corpus.GENERATORS,
    **docs_bench.GENERATORS,
}


def render(path: Path) -> str:
    def part(match: re.Match[str]) -> str:
        name, *args = shlex.split(match["call"], posix=True)
        return f"{match[1]}{GENERATORS[name](*args)}{match[3]}"

    return MARK.sub(part, path.read_text(encoding="utf-8"))


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main() -> int:
    check = "--check" in sys.argv[1:]
    if not check:
        ensure_pages()
    stale = []
    for path in pages():
        new = render(path)
        if new != path.read_text(encoding="utf-8"):
            stale.append(path)
            if not check:
                path.write_text(new, encoding="utf-8")
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
