"""The wheel and the sdist: all that belongs into them, nothing else, and they work where there is no checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "lighteval_fix"
pytestmark = pytest.mark.slow


def pip(*arguments: str, cwd: Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if "hatchling" in done.stderr and done.returncode:
        pytest.skip("hatchling cannot be had here (no network)")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A wheel built from an sdist that was built from a checkout."""
    folder = tmp_path_factory.mktemp("build")
    checkout = folder / "checkout"
    done = subprocess.run(["git", "clone", "-q", str(ROOT), str(checkout)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("no git checkout here")
    tools = folder / "tools"
    pip("install", "--no-compile", "--target", str(tools), "build", "hatchling", "hatch-vcs", cwd=folder)
    environment = {**os.environ, "PYTHONPATH": str(tools)}
    command = [sys.executable, "-m", "build", "--no-isolation", "-o", str(folder / "dist"), str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next((folder / "dist").glob("*.tar.gz")), next((folder / "dist").glob("*.whl"))


def test_the_wheel_holds_the_package_and_its_data(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        names = {name.removeprefix("lighteval_fix/") for name in wheel.namelist() if name.startswith("lighteval_fix/")}
        others = {name for name in wheel.namelist() if not name.startswith("lighteval_fix")}
    tracked = subprocess.run(["git", "ls-files"], cwd=SRC, capture_output=True, text=True, check=True).stdout.split()
    committed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD"], cwd=SRC, capture_output=True, text=True, check=True
    ).stdout.split()
    assert names == set(tracked) & set(committed)
    assert {"py.typed", "deciding/units.toml", "reading/cues/languages.toml", "reports/assets/page.js"} <= names
    assert others == set()


def test_the_sdist_holds_what_a_reader_needs_and_nothing_else(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    tops = {name.partition("/")[0] for name in names}
    wanted = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "pyproject.toml", "PKG-INFO"}
    folders = {"src", "tests", "docs", "examples", "bench", "tools", "patches", ".ci"}
    assert tops == wanted | folders | {".gitignore"}
    assert any(name.startswith("examples/run/details/") for name in names)


def test_the_sdist_knows_its_version_without_git(built: tuple[Path, Path]) -> None:
    assert built[0].name.removesuffix(".tar.gz") == built[1].name.partition("-py3")[0]


def test_the_wheel_works_without_the_checkout(built: tuple[Path, Path], tmp_path: Path) -> None:
    pip("install", "--no-deps", "--target", str(tmp_path / "site"), str(built[1]), cwd=tmp_path)
    shutil.copytree(ROOT / "examples" / "run", tmp_path / "run")
    site = sysconfig.get_path("purelib")
    program = (
        "import sys; sys.path[:0] = [sys.argv.pop(1)]; sys.path.append(sys.argv.pop(1));"
        "import lighteval_fix; assert 'site/' in lighteval_fix.__file__, lighteval_fix.__file__;"
        "from lighteval_fix.cli.app import main; main()"
    )

    def fix(*arguments: str) -> subprocess.CompletedProcess[str]:
        # -S: the editable install of the checkout is not seen; its libraries are.
        command = [sys.executable, "-S", "-I", "-c", program, str(tmp_path / "site"), site, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert fix("--version").stdout.startswith("lighteval-fix ")
    done = fix("regrade", "run", "--task", "maths*", "--html", "page.html", "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "re-graded" in done.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!")
    asked = fix("decide", "50", r"50\text{ cm}", "--question", "How long is it in cm?")
    assert "licensed" in asked.stdout
