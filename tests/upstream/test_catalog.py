"""The list of fixes: well formed, and chosen as the command line says."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lighteval_fix.upstream import catalog, shape
from lighteval_fix.upstream.edits import Insert, Prepend, Replace, text_of
from lighteval_fix.upstream.fix import DEFAULT_GROUPS, Fix, Group, Hook, Transplant

FIXES = catalog.all_fixes()
TRANSPLANTS = [fix for fix in FIXES if isinstance(fix.body, Transplant)]


def names(*wanted: str) -> list[str]:
    return [fix.name for fix in catalog.select(wanted)]


def test_names_and_numbers_are_unique() -> None:
    assert len({fix.name for fix in FIXES}) == len(FIXES)
    assert len({fix.number for fix in FIXES}) == len(FIXES)


def test_the_four_documented_numbers() -> None:
    by_number = {fix.number: fix.name for fix in FIXES}
    assert by_number["0001"] == "module-level-bindings"
    assert by_number["0002"] == "restated-template"
    assert by_number["0003"] == "closing-tag-only"
    assert by_number["0004"] == "letter-in-dollars"


def test_no_two_fixes_change_the_same_function() -> None:
    seen: dict[tuple[str, str, str], str] = {}
    for fix in TRANSPLANTS:
        assert isinstance(fix.body, Transplant)
        for edit in fix.body.edits:
            if isinstance(edit, Insert):
                continue
            for known in edit.shapes:
                key = (edit.modules[0], edit.qualname, known)
                assert seen.setdefault(key, fix.name) == fix.name, key


@pytest.mark.parametrize("fix", TRANSPLANTS, ids=lambda fix: fix.name)
def test_a_transplant_knows_its_shapes_and_stands_alone(fix: Fix) -> None:
    assert isinstance(fix.body, Transplant)
    for edit in fix.body.edits:
        assert edit.shapes or edit.any_shape, f"{fix.name} has no shape for {edit.qualname}"
        if isinstance(edit, Replace | Prepend | Insert):
            assert "lighteval_fix" not in text_of(edit.function)
            assert shape.find(text_of(edit.function), edit.function.__name__) is not None


@pytest.mark.parametrize("fix", FIXES, ids=lambda fix: fix.name)
def test_every_fix_says_why(fix: Fix) -> None:
    assert len(fix.why) > 80
    assert fix.title
    assert fix.seen_in
    assert not fix.title.endswith(".")


def test_the_default_never_changes_which_text_is_read() -> None:
    assert [group.value for group in DEFAULT_GROUPS] == ["dying", "measuring", "hanging", "sampling", "scoring"]
    assert {fix.group for fix in catalog.select(["default"])} == set(DEFAULT_GROUPS)


def test_all_groups_names_numbers() -> None:
    assert set(names("all")) == {fix.name for fix in FIXES if fix.harness == "lighteval"}
    assert names("none") == []
    assert names("0005") == names("xxhash-text") == ["xxhash-text"]
    assert {fix.group for fix in catalog.select(["hanging"])} == {Group.HANGING}


def test_0003_brings_what_it_needs_with_it() -> None:
    assert set(names("0003")) == {"letter-in-dollars", "own-grading", "closing-tag-only"}
    assert names("0003")[-1] == "closing-tag-only"


def test_what_something_depends_on_comes_first() -> None:
    order = names("all")
    for fix in catalog.select(["all"]):
        assert all(order.index(needed) < order.index(fix.name) for needed in fix.depends)


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"nonsense'; the groups are default.*patch list"):
        catalog.select(["nonsense"])
    with pytest.raises(ValueError, match=r"'xxhash' \(nearest: xxhash-text\)"):
        catalog.select(["xxhash"])


def test_hooks_are_not_exportable() -> None:
    assert all(fix.exportable is not isinstance(fix.body, Hook) for fix in FIXES)


def test_the_list_imports_no_harness() -> None:
    code = (
        "import sys\nfrom lighteval_fix.upstream import catalog\ncatalog.all_fixes()\n"
        "print(sorted({'lighteval', 'torch', 'inspect_ai', 'sympy', 'xxhash'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
