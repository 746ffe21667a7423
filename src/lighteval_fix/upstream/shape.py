"""Where a function stands in a source text, and a fingerprint of how it is written.

Everything works on text and positions, so that no upstream text is needed in this repository: the same functions
serve the installed package, a checkout and an unpacked wheel.
"""

from __future__ import annotations

import ast
import hashlib
import textwrap
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Place:
    """A function in a source text. Lines are 0-based, `stop` is exclusive.

    Args:
        node: its syntax tree.
        start: the first line, decorators included.
        header: the line of `def`.
        body: the first line of the body, after the docstring if there is one.
        stop: the line after the last one.
        indent: columns before `def`.
    """

    node: Function
    start: int
    header: int
    body: int
    stop: int
    indent: int


def find(source: str, qualname: str) -> Place | None:
    """The function called `qualname` (`Class.method`, `outer.<locals>.inner`), or None where there is none.

    The last definition wins, as it does at run time.
    """
    tree = ast.parse(source)
    node: ast.AST = tree
    for part in qualname.split("."):
        if part == "<locals>":
            continue
        found = [
            child
            for child in getattr(node, "body", [])
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and child.name == part
        ]
        if not found:
            return None
        node = found[-1]
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    return place(node, source)


def place(node: Function, source: str) -> Place:
    """Where `node` stands in `source`."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    if ast.get_docstring(node, clean=False) is not None:
        body = node.body[0].end_lineno or node.body[0].lineno
    else:
        body = _header_end(node, source)
    return Place(
        node=node,
        start=first - 1,
        header=node.lineno - 1,
        body=body,
        stop=node.end_lineno or node.lineno,
        indent=node.col_offset,
    )


def _header_end(node: Function, source: str) -> int:
    """The line after the one that ends the header, so that comments before the first statement are body."""
    lines = source.splitlines()
    line = node.body[0].lineno - 1
    while line > node.lineno and (not lines[line - 1].strip() or lines[line - 1].lstrip().startswith("#")):
        line -= 1
    return line


def top_level_start(source: str, found: Place) -> int:
    """The first line of the module's own statement that `found` stands in, decorators included."""
    for node in ast.parse(source).body:
        if node.lineno - 1 <= found.header < (node.end_lineno or node.lineno):
            decorators = getattr(node, "decorator_list", [])
            return min([int(node.lineno), *(int(decorator.lineno) for decorator in decorators)]) - 1
    return found.start


def fingerprint(source: str, qualname: str) -> str | None:
    """Twelve hex digits for how the function is written, or None where it is absent.

    Docstring, comments of a line's own, blank lines and outer indentation do not count; everything else does.
    """
    found = find(source, qualname)
    if found is None:
        return None
    lines = source.splitlines()
    docstring = _docstring_lines(found.node)
    kept = [line for number, line in enumerate(lines[found.start : found.stop], found.start) if number not in docstring]
    text = textwrap.dedent("\n".join(kept))
    code = [line.rstrip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return hashlib.sha256("\n".join(code).encode()).hexdigest()[:12]


def _docstring_lines(node: Function) -> range:
    if ast.get_docstring(node, clean=False) is None:
        return range(0)
    first = node.body[0]
    return range(first.lineno - 1, first.end_lineno or first.lineno)


def names_read(function_source: str, *, header: bool = False) -> frozenset[str]:
    """Global names that a function's text reads, in its header too if asked: what its module has to hold."""
    import symtable

    table = symtable.symtable(textwrap.dedent(function_source), "<replacement>", "exec")
    names: set[str] = set()

    def walk(scope: symtable.SymbolTable) -> None:
        if header or scope.get_type() != "module":
            names.update(
                symbol.get_name()
                for symbol in scope.get_symbols()
                if symbol.is_referenced() and (symbol.is_global() or scope.get_type() == "module")
            )
        for child in scope.get_children():
            walk(child)

    walk(table)
    return frozenset(names)


def names_bound(source: str) -> frozenset[str]:
    """Names that a module's text binds at module level, builtins included."""
    import builtins
    import symtable

    table = symtable.symtable(source, "<module>", "exec")
    bound = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    bound |= {child.get_name() for child in table.get_children()}
    return frozenset(bound | set(dir(builtins)) | {"__file__", "__name__", "__doc__"})
