"""The seven ways in which a transplant changes an upstream source text.

One description serves everything: the text of the exported diff, the code that is installed in a running process, and
the check that the upstream function has the shape it was written for.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, assert_never

from ..model import UpstreamShapeError
from . import shape

Code: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """What an edit is aimed at.

    Args:
        modules: the module's name, and its names in other versions.
        qualname: the function.
        shapes: fingerprints of the function in the versions in which the fault was seen.
        sound: fingerprints of it in versions known not to have the fault.
        any_shape: whatever its text, where the probe shows the fault and the arguments are the same: for a harness
            without releases, whose function is replaced as a whole.
    """

    modules: tuple[str, ...]
    qualname: str
    shapes: tuple[str, ...] = ()
    sound: tuple[str, ...] = ()
    any_shape: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(_Target):
    """The function's body becomes that of `function`; decorators, signature and docstring stay upstream's.

    `renamed` are (ours, theirs) for names that this version of the harness calls differently.
    """

    function: Code
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepend(_Target):
    """The body of `function` is put before the function's own body."""

    function: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert(_Target):
    """`function` is put before the target, or before the class or function round it, as a helper of its own."""

    function: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument(_Target):
    """In calls of `callee`, the first argument `x` becomes `template` with `{}` replaced by `x`."""

    callee: str
    template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Keywords(_Target):
    """In calls of `callee`, the keyword `old=x` becomes `template` with `{}` replaced by `x`.

    `renamed` pairs an old keyword with the template of the whole new one (`name={}`).
    """

    callee: str
    renamed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(_Target):
    """A call of `callee` becomes `template` with `{}` replaced by the call."""

    callee: str
    template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned(_Target):
    """In assignments to the local name `name`, the value `x` becomes `template` with `{}` replaced by `x`."""

    name: str
    template: str


Edit: TypeAlias = Replace | Prepend | Insert | Argument | Keywords | Call | Assigned


def apply(source: str, edit: Edit) -> str:
    """`source` with the edit made.

    Raises:
        UpstreamShapeError: the function, the call or a name that the new text needs is not there.
    """
    found = shape.find(source, edit.qualname)
    if found is None:
        raise UpstreamShapeError(f"{edit.modules[0]} has no function {edit.qualname}")
    match edit:
        case Replace() | Prepend():
            return _replace(source, edit, found)
        case Insert():
            return _insert(source, edit, found)
        case Argument():
            spans = [
                (
                    _span(call.args[0]),
                    edit.template if _is_primary(call.args[0]) else edit.template.replace("{}", "({})"),
                )
                for call in _calls(found.node, edit.callee)
                if call.args
            ]
            return _splice(source, spans, edit)
        case Call():
            return _splice(source, [(_span(call), edit.template) for call in _calls(found.node, edit.callee)], edit)
        case Assigned():
            values = [
                node.value
                for node in ast.walk(found.node)
                if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [edit.name]
            ]
            return _splice(source, [(_span(value), edit.template) for value in values], edit)
        case Keywords():
            templates = dict(edit.renamed)
            spans = [
                (_span(keyword), templates[keyword.arg])
                for call in _calls(found.node, edit.callee)
                for keyword in call.keywords
                if keyword.arg in templates
            ]
            return _splice(source, spans, edit)
        case _:
            assert_never(edit)


def helper_name(edit: Insert) -> str:
    """The name of the inserted function."""
    return str(edit.function.__name__)


def text_of(function: Code) -> str:
    """The function's own text, without outer indentation or type-checker remarks, which are nobody else's business."""
    text = textwrap.dedent(inspect.getsource(function))
    return "\n".join(line.split("  # type: ignore")[0].rstrip() for line in text.splitlines()) + "\n"


def _replace(source: str, edit: Replace | Prepend, found: shape.Place) -> str:
    text = text_of(edit.function)
    if isinstance(edit, Replace):
        for ours, theirs in edit.renamed:
            text = text.replace(ours, theirs)
    own = shape.find(text, edit.function.__name__)
    assert own is not None
    wanted, there = _arguments(own.node), _arguments(found.node)
    # The header stays upstream's, so only the names matter; what is put before a body may use fewer.
    if not (wanted <= there if isinstance(edit, Prepend) else wanted == there):
        raise UpstreamShapeError(f"{edit.modules[0]}.{edit.qualname} takes other arguments than it used to")
    _check_names(edit, shape.names_read(text), shape.names_bound(source) | _enclosing_names(source, edit.qualname))
    body = textwrap.dedent("\n".join(text.splitlines()[own.body : own.stop]))
    lines = source.splitlines(keepends=True)
    new = textwrap.indent(body, " " * (found.indent + 4)) + "\n"
    rest = lines[found.stop if isinstance(edit, Replace) else found.body :]
    return "".join(lines[: found.body]) + new + "".join(rest)


def _insert(source: str, edit: Insert, found: shape.Place) -> str:
    # Its annotations are evaluated over there, too.
    _check_names(edit, shape.names_read(text_of(edit.function), header=True), shape.names_bound(source))
    lines = source.splitlines(keepends=True)
    start = shape.top_level_start(source, found)
    return "".join(lines[:start]) + text_of(edit.function) + "\n\n" + "".join(lines[start:])


def _check_names(edit: Replace | Prepend | Insert, read: frozenset[str], bound: frozenset[str]) -> None:
    missing = read - bound
    if missing:
        raise UpstreamShapeError(f"{edit.modules[0]} does not hold {', '.join(sorted(missing))}")


def _arguments(node: shape.Function) -> frozenset[str]:
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    return frozenset(argument.arg for argument in every if argument is not None)


def _enclosing_names(source: str, qualname: str) -> frozenset[str]:
    """Names bound in the functions round a nested one."""
    names: set[str] = set()
    parts = qualname.split(".<locals>.")
    for depth in range(1, len(parts)):
        outer = shape.find(source, ".<locals>.".join(parts[:depth]))
        if outer is not None:
            names.update(argument.arg for argument in outer.node.args.args)
            names.update(
                node.id
                for node in ast.walk(outer.node)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            )
    return frozenset(names)


def _is_primary(node: ast.expr) -> bool:
    """Whether `.name` may follow without parentheses."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)


def _calls(node: ast.AST, callee: str) -> Iterator[ast.Call]:
    for child in ast.walk(node):
        if isinstance(child, ast.Call) and ast.unparse(child.func) == callee:
            yield child


_Span: TypeAlias = tuple[int, int, int, int]


def _span(node: ast.expr | ast.keyword) -> _Span:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _splice(source: str, spans: list[tuple[_Span, str]], edit: Argument | Keywords | Call | Assigned) -> str:
    if not spans:
        missing = f"assign to {edit.name}" if isinstance(edit, Assigned) else f"call {edit.callee}"
        raise UpstreamShapeError(f"{edit.modules[0]}.{edit.qualname} does not {missing} as it used to")
    starts = [0]
    encoded = source.encode()
    for row in encoded.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    for (line, column, end_line, end_column), template in sorted(spans, reverse=True):
        # Columns are counted in bytes by `ast`.
        start, stop = starts[line - 1] + column, starts[end_line - 1] + end_column
        old = encoded[start:stop].decode()
        if isinstance(edit, Keywords):
            old = old.split("=", 1)[1].lstrip()
        encoded = encoded[:start] + template.replace("{}", old).encode() + encoded[stop:]
    return encoded.decode()
