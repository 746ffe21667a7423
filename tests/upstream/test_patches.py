"""Exported diffs apply to what people have installed, and mend it without this package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lighteval_fix.upstream import catalog, export, live, ondisk
from lighteval_fix.upstream.fix import Fix

pytestmark = pytest.mark.slow

VERSIONS = ("0.10.0", "0.11.0", "0.12.2", "0.13.0")
FIXES = [fix for fix in catalog.all_fixes() if fix.harness == "lighteval"]


@pytest.fixture(scope="module", params=VERSIONS)
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, export.Tree]:
    """An unpacked wheel; nothing of it is kept."""
    folder = tmp_path_factory.mktemp(f"lighteval-{request.param}")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
    done = subprocess.run([*command, f"lighteval=={request.param}"], capture_output=True, text=True, timeout=180)
    if done.returncode:
        pytest.skip(f"pip cannot download the wheel here: {done.stderr.strip()[-200:]}")
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder)
    return request.param, export.checkout(folder)


def applies(patch: Path, folder: Path, *, sequence: bool = False) -> None:
    """`git apply --check` and `patch -p1`, on the folder that holds the package."""
    if not sequence:
        checked = subprocess.run(
            ["git", "apply", "--check", "--verbose", str(patch)],
            cwd=folder,
            capture_output=True,
            text=True,
            env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        )
        assert checked.returncode == 0, checked.stderr
        assert "Checking patch" in checked.stderr
    done = subprocess.run(["patch", "-p1", "--fuzz=0", "-i", str(patch)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def exported(tree: export.Tree, folder: Path) -> dict[str, Path]:
    written, _ = export.write(FIXES, tree, folder)
    return {path.name[5:-6]: path for path in written}


def test_a_diff_wherever_the_fault_was_seen(tree: tuple[str, export.Tree], tmp_path: Path) -> None:
    version, source = tree
    found = set(exported(source, tmp_path))
    seen = {fix.name for fix in FIXES if fix.exportable and version in fix.seen_in}
    assert found == seen


def test_every_diff_applies_by_itself_and_all_of_them_in_turn(tree: tuple[str, export.Tree], tmp_path: Path) -> None:
    _, source = tree
    patches = exported(source, tmp_path / "patches")
    assert patches
    together = tmp_path / "together"
    shutil.copytree(source.root, together / "lighteval")
    for name, patch in patches.items():
        alone = tmp_path / "alone" / name
        shutil.copytree(source.root, alone / "lighteval")
        applies(patch, alone)
        applies(patch, together, sequence=True)
        for path in (alone / "lighteval").rglob("*.py"):
            if path.read_bytes() != (source.root / path.relative_to(alone / "lighteval")).read_bytes():
                compile(path.read_text(encoding="utf-8"), str(path), "exec")
        shutil.rmtree(alone)


def test_a_checkout_of_main_has_src_in_its_paths(tree: tuple[str, export.Tree], tmp_path: Path) -> None:
    _, source = tree
    shutil.copytree(source.root, tmp_path / "src" / "lighteval")
    checkout = export.checkout(tmp_path)
    patches = exported(checkout, tmp_path / "patches")
    text = patches["xxhash-text"].read_text()
    assert "--- a/src/lighteval/logging/info_loggers.py" in text
    applies(patches["xxhash-text"], tmp_path)


@pytest.mark.lighteval
def test_applied_files_are_clean_without_this_package(tmp_path: Path) -> None:
    root = live.package_root("lighteval")
    if root is None:
        pytest.skip("LightEval is not installed")
    copy = tmp_path / "site"
    shutil.copytree(root, copy / "lighteval", ignore=shutil.ignore_patterns("__pycache__"))
    copied = export.Tree(copy / "lighteval", "lighteval/")
    plan = ondisk.plan(FIXES, copied)
    exportable = {fix.name for fix in FIXES if "0.13.0" in fix.seen_in and fix.exportable}
    assert {fix.name for fix in plan.fixes} == exportable - {"closing-tag-only"}
    (alone,) = [reason for fix, reason in plan.left_out if fix.name == "closing-tag-only"]
    assert "own-grading (a hook: use `lighteval-fix run`)" in alone, "it is worse alone"
    before = probed(copy)
    ondisk.apply(plan, copied)
    after = probed(copy)
    for fix in plan.fixes:
        assert before[fix.name] == "present", fix.name
        assert after[fix.name] == "fixed", fix.name
    ondisk.revert(copied)
    changed = [
        path
        for path in root.rglob("*.py")
        if path.read_bytes() != (copy / "lighteval" / path.relative_to(root)).read_bytes()
    ]
    assert changed == [], "reverted to the byte, so its probes are what they were"


def probed(site: Path) -> dict[str, str]:
    """What `doctor` finds with `site` before everything else on the path; nothing is installed in that process."""
    report = site / "report.json"
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from lighteval_fix.cli.app import main; main()"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(
        [sys.executable, "-c", code, "doctor", "--json", str(report)],
        env=environment,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return {fault["name"]: fault["state"] for fault in json.loads(report.read_text())["faults"]}


def test_every_fix_is_a_diff_or_says_why_not(tree: tuple[str, export.Tree], tmp_path: Path) -> None:
    _, source = tree
    written, left_out = export.write(FIXES, source, tmp_path)
    names = {path.name[5:-6] for path in written} | {fix.name for fix, _ in left_out}
    assert names == {fix.name for fix in FIXES}
    assert all(reason for _, reason in left_out)
    hooks: list[Fix] = [fix for fix, reason in left_out if "a hook" in reason]
    assert {fix.name for fix in hooks} == {fix.name for fix in FIXES if not fix.exportable}
