"""Edits on text: what they change, what they leave alone, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from lighteval_fix.model import UpstreamShapeError
from lighteval_fix.upstream import edits, shape
from lighteval_fix.upstream.edits import Argument, Assigned, Call, Insert, Keywords, Prepend, Replace

SOURCE = '''
import os
import helper


@helper.decorated(  # a remark
    option=True
)
def target(self, value, *, size=3):
    """Upstream's own words."""
    # upstream's remark
    found = helper.read(value, "ü", old=size, other=1)
    return helper.send(found)


def after():
    return "untouched"
'''


def target(self: Any, value: Any, *, size: Any = 3) -> Any:
    # our remark
    return os.fspath(value)  # type: ignore[name-defined]  # noqa: F821


def prepared(value: Any) -> Any:
    value = helper.prepare(value)  # type: ignore[name-defined]  # noqa: F821


def _help(text: str | None) -> object:
    """A helper."""
    return text


def lost(self: Any, value: Any, *, size: Any = 3) -> Any:
    return no_such_name(value)  # type: ignore[name-defined]  # noqa: F821


def edit(kind: Any, **fields: Any) -> Any:
    return kind(modules=("upstream",), qualname="target", **fields)


def test_replace_keeps_decorators_signature_and_docstring() -> None:
    text = edits.apply(SOURCE, edit(Replace, function=target))
    assert "option=True" in text
    assert 'def target(self, value, *, size=3):\n    """Upstream\'s own words."""\n    # our remark\n' in text
    assert "    return os.fspath(value)\n\n\ndef after():" in text
    assert "helper.read" not in text
    assert "type: ignore" not in text


def test_replace_refuses_other_arguments() -> None:
    with pytest.raises(UpstreamShapeError, match="other arguments"):
        edits.apply(SOURCE, edit(Replace, function=prepared))


def test_replace_refuses_names_that_the_module_does_not_hold() -> None:
    with pytest.raises(UpstreamShapeError, match="no_such_name"):
        edits.apply(SOURCE, edit(Replace, function=lost))


def test_replace_with_other_names() -> None:
    text = edits.apply(SOURCE, edit(Replace, function=target, renamed=(("os.fspath", "helper.path"),)))
    assert "return helper.path(value)" in text


def test_prepend_keeps_the_body() -> None:
    text = edits.apply(SOURCE, edit(Prepend, function=prepared))
    assert "    value = helper.prepare(value)\n    # upstream's remark\n    found = helper.read(" in text


def test_insert_goes_before_the_decorators() -> None:
    text = edits.apply(SOURCE, edit(Insert, function=_help))
    assert "    return text\n\n\n@helper.decorated(" in text


def test_argument_call_keyword_and_assigned() -> None:
    text = edits.apply(SOURCE, edit(Argument, callee="helper.read", template="{}.strip()"))
    assert 'helper.read(value.strip(), "ü", old=size' in text
    text = edits.apply(SOURCE, edit(Call, callee="helper.send", template="list({})"))
    assert "return list(helper.send(found))" in text
    text = edits.apply(SOURCE, edit(Keywords, callee="helper.read", renamed=(("old", "new=str({})"),)))
    assert "new=str(size), other=1)" in text
    text = edits.apply(SOURCE, edit(Assigned, name="found", template="[{}]"))
    assert 'found = [helper.read(value, "ü", old=size, other=1)]' in text


def test_argument_is_parenthesised_where_it_has_to_be() -> None:
    source = "def target(a, b):\n    return f(a + b)\n"
    assert "f((a + b).strip())" in edits.apply(source, edit(Argument, callee="f", template="{}.strip()"))


def test_what_is_not_there_is_an_error() -> None:
    for wrong in (
        edit(Call, callee="helper.gone", template="{}"),
        edit(Assigned, name="gone", template="{}"),
        Replace(modules=("upstream",), qualname="gone", function=target),
    ):
        with pytest.raises(UpstreamShapeError):
            edits.apply(SOURCE, wrong)


def test_every_edit_leaves_a_module_that_compiles() -> None:
    for change in (
        edit(Replace, function=target),
        edit(Prepend, function=prepared),
        edit(Insert, function=_help),
        edit(Argument, callee="helper.read", template="{}.strip()"),
    ):
        compile(edits.apply(SOURCE, change), "upstream", "exec")


def test_fingerprint_sees_code_and_nothing_else() -> None:
    known = shape.fingerprint(SOURCE, "target")
    assert known == shape.fingerprint(SOURCE.replace("Upstream's own words.", "Other words."), "target")
    assert known == shape.fingerprint(SOURCE.replace("# upstream's remark", "# another"), "target")
    assert known == shape.fingerprint(SOURCE + "\n\nmore = 1\n", "target")
    assert known != shape.fingerprint(SOURCE.replace("other=1", "other=2"), "target")
    assert known != shape.fingerprint(SOURCE.replace("option=True", "option=False"), "target")
    assert shape.fingerprint(SOURCE, "gone") is None


def test_find_nested_and_methods() -> None:
    source = "class A:\n    def f(self):\n        def g():\n            return 1\n        return g\n"
    found = shape.find(source, "A.f.<locals>.g")
    assert found is not None
    assert (found.header, found.stop, found.indent) == (2, 4, 8)
    assert shape.find(source, "A") is None
