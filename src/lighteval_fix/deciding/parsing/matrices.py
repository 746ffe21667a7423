"""Arithmetic that matrices and tuples are written with: sums, multiples, products, determinants, all cell by cell."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from lighteval_fix.deciding.parsing.nodes import MINUS_ONE, negate, product, written_out
from lighteval_fix.deciding.trees import symbols
from lighteval_fix.deciding.value import Add, Matrix, Mul, Node, Scalar, Tuple, Value

MAX_DETERMINANT: Final = 4
"""Rows of the largest matrix whose determinant is written out; it has as many terms as its rows have orders."""
MAX_PRODUCT: Final = 8
"""Rows and columns of the largest matrices that are multiplied."""


def determinant(matrix: Matrix) -> Node | None:
    """The determinant as a sum over the orders of the rows; None where the matrix is not square or too large."""
    rows = matrix.rows
    if len(rows) != len(rows[0]) or len(rows) > MAX_DETERMINANT:
        return None
    terms: list[Node] = []
    for order in permutations(range(len(rows))):
        crossings = sum(a > b for at, a in enumerate(order) for b in order[at + 1 :])
        factors = [rows[at][place] for at, place in enumerate(order)]
        terms.append(product([MINUS_ONE, *factors] if crossings % 2 else factors))
    return Add(tuple(terms)) if len(terms) > 1 and written_out(terms) else terms[0] if len(terms) == 1 else None


def multiplied(left: Matrix, right: Matrix) -> Matrix | None:
    """Rows by columns; None where the shapes do not fit or are too large."""
    if len(left.rows[0]) != len(right.rows) or max(len(left.rows), len(right.rows), len(right.rows[0])) > MAX_PRODUCT:
        return None
    columns = tuple(zip(*right.rows, strict=True))
    rows = tuple(
        tuple(Add(tuple(Mul((a, b)) for a, b in zip(row, column, strict=True))) for column in columns)
        for row in left.rows
    )
    return Matrix(rows) if written_out(cell for row in rows for cell in row) else None


def added(left: Value, right: Value, *, minus: bool) -> Value | None:
    """The sum or difference of two matrices or two tuples of one shape; None for anything else."""
    if isinstance(left, Matrix) and isinstance(right, Matrix) and _shape(left) == _shape(right):
        pairs = zip(left.rows, right.rows, strict=True)
        rows = tuple(tuple(_sum(a, b, minus) for a, b in zip(r, s, strict=True)) for r, s in pairs)
        return Matrix(rows) if written_out(cell for row in rows for cell in row) else None
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        ours, theirs = _coordinates(left), _coordinates(right)
        if ours is not None and theirs is not None and len(ours) == len(theirs):
            cells = tuple(_sum(a, b, minus) for a, b in zip(ours, theirs, strict=True))
            if written_out(cells):
                return Tuple(tuple(Scalar(cell) for cell in cells), left.angle and right.angle)
    return None


def scaled(factors: list[Node], part: Value) -> Value | None:
    """A multiple of a matrix or a tuple; None for anything else. A capital before a tuple is a point's name."""
    if isinstance(part, Matrix):
        rows = tuple(tuple(Mul((*factors, cell)) for cell in row) for row in part.rows)
        return Matrix(rows) if written_out(cell for row in rows for cell in row) else None
    cells = _coordinates(part) if isinstance(part, Tuple) else None
    if cells is None or any(name[0].isupper() for factor in factors for name in symbols(factor)):
        return None
    assert isinstance(part, Tuple)
    multiples = [Mul((*factors, cell)) for cell in cells]
    return Tuple(tuple(Scalar(node) for node in multiples), part.angle) if written_out(multiples) else None


def _shape(matrix: Matrix) -> tuple[int, int]:
    return len(matrix.rows), len(matrix.rows[0])


def _coordinates(value: Tuple) -> tuple[Node, ...] | None:
    """The members of a tuple of plain expressions."""
    nodes = tuple(i.node for i in value.items if isinstance(i, Scalar) and not (i.percent or i.degree or i.currency))
    return nodes if len(nodes) == len(value.items) else None


def _sum(left: Node, right: Node, minus: bool) -> Node:
    return Add((left, negate(right) if minus else right))
