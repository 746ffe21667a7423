r"""Sums and products over a range: members of a sequence in their bodies, and ranges that are written with dots.

`a_1 + a_2 + \cdots + a_n` names its general term by its last one, and the terms before the dots prove the reading: the
general term must give every one of them. Where it does not, or where two ranges would, the text is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from lighteval_fix.deciding.exact import rational
from lighteval_fix.deciding.parsing.nodes import integer, written_out
from lighteval_fix.deciding.trees import children, rebuild, substitute, symbols, walk
from lighteval_fix.deciding.trial import Limit, Trial, Undefined
from lighteval_fix.deciding.value import Add, BigOp, Call, Mul, Node, Num, Pow, Sym

MAX_WRITTEN: Final = 60
"""Members of a sequence that are written out one by one."""
MAX_LEADING: Final = 12
"""Terms before the dots."""
INDEX: Final = "k_"
"""The variable of a range written with dots; no text can name it."""
_STARTS: Final = (1, 0, 2, -1)
_LINEAR: Final = re.compile(r"(\d{0,3})([a-zA-Z])([+-]\d{1,3})?")
_WORK: Final = 4_000


# --------------------------------------------------------------------------- members of a sequence


def indexed(node: Node, variable: str) -> Node | None:
    """The node with each symbol whose subscript holds the variable (`a_k`, `a_{2k+1}`) as a function of it; None where
    a subscript is not linear in it."""
    if isinstance(node, Sym):
        base, _, subscript = node.name.partition("_")
        if variable not in subscript:
            return node
        match = _LINEAR.fullmatch(subscript)
        if match is None or match[2] != variable:
            return None
        times, _, shift = match.groups()
        place: Node = Sym(variable) if not times else Mul((integer(times), Sym(variable)))
        if shift:
            place = Add((place, Num(Fraction(int(shift)))))
        return Call(base + "_", (place,))
    if not any(isinstance(part, Sym) and variable in part.name.partition("_")[2] for part in walk(node)):
        return node
    changed = [indexed(part, variable) for part in children(node)]
    if any(part is None for part in changed):
        return None
    parts = iter([part for part in changed if part is not None])
    return rebuild(node, lambda _: next(parts))


def member(node: Node) -> Node:
    """The node with every `a_(3)` as the symbol `a_3`."""
    if isinstance(node, Call) and node.name[-1:] == "_" and len(node.args) == 1:
        place = _number(node.args[0])
        if place is not None and place.denominator == 1:
            return Sym(f"{node.name}{place.numerator}")
    return rebuild(node, member)


def ranged(kind: str, variable: str, lower: Node, upper: Node | None, body: Node) -> Node | None:
    """A sum, product or limit whose body may hold members of a sequence: written out where the ends are numbers. None
    where a subscript is not understood."""
    inner = indexed(body, variable)
    if inner is None:
        return None
    if inner is not body and isinstance(lower, Num) and isinstance(upper, Num) and kind in ("sum", "prod"):
        if not 0 <= upper.value - lower.value < MAX_WRITTEN or lower.value.denominator != 1 != upper.value.denominator:
            return None
        first, last = int(lower.value), int(upper.value)
        terms = tuple(member(substitute(inner, {variable: Num(Fraction(at))})) for at in range(first, last + 1))
        if not written_out(terms):
            return None
        return terms[0] if len(terms) == 1 else Add(terms) if kind == "sum" else Mul(terms)
    return BigOp(kind, variable, lower, upper, inner)


# --------------------------------------------------------------------------- dots


def dotted(kind: str, leading: Sequence[Node], last: Node) -> Node | None:
    r"""The range that `leading + \cdots + last` writes, what stands before its first member included; None where the
    terms name none, or more than one."""
    if len(leading) > MAX_LEADING or not written_out((*leading, last)):
        return None
    for skipped in range(len(leading)):
        found = _by_index(kind, leading[skipped:], last) or _by_numbers(kind, leading[skipped:], last)
        if found is not None:
            before = leading[:skipped]
            return found if not before else Add((*before, found)) if kind == "sum" else Mul((*before, found))
    return None


def _by_index(kind: str, leading: Sequence[Node], last: Node) -> Node | None:
    """The last term as the general one, for the one letter of it that makes it give the terms before the dots."""
    found: list[Node] = []
    for letter in sorted(_letters(last)):
        general = indexed(last, letter)
        if general is None:
            continue
        general = substitute(general, {letter: Sym(INDEX)})
        for start in _STARTS:
            if all(_same(_term(general, start + at), term) for at, term in enumerate(leading)):
                if len(leading) > 1 and not _clear(general, leading):
                    return None
                if len(leading) > 1 or any(isinstance(part, Call) and part.name[-1:] == "_" for part in walk(general)):
                    found.append(BigOp(kind, INDEX, Num(Fraction(start)), Sym(letter), general))
                break
    return found[0] if len(found) == 1 else None


def _letters(node: Node) -> set[str]:
    """Letters that may count: symbols of one letter, and letters in subscripts."""
    names = symbols(node)
    inside = {char for name in names for char in name.partition("_")[2] if char.isalpha()}
    return {name for name in names if len(name) == 1} | inside


def _term(general: Node, place: int) -> Node:
    return member(substitute(general, {INDEX: Num(Fraction(place))}))


def _clear(general: Node, leading: Sequence[Node]) -> bool:
    r"""Two whole numbers before the dots begin every progression; a third shows which (`1 + 2 + \cdots + 2^n`)."""
    if len(leading) > 2 or any(not isinstance(term, Num) or term.value.denominator != 1 for term in leading):
        return True
    return _linear(general)


def _linear(node: Node) -> bool:
    match node:
        case Num() | Sym():
            return True
        case Add(args=args):
            return all(_linear(part) for part in args)
        case Mul(args=args):
            return sum(bool(symbols(part)) for part in args) <= 1 and all(_linear(part) for part in args)
        case _:
            return not symbols(node)


def _same(one: Node, two: Node) -> bool:
    """Equal as expressions, by their normal forms."""
    if one == two:
        return True
    from lighteval_fix.deciding.field import Field
    from lighteval_fix.deciding.normal import normal
    from lighteval_fix.deciding.trial import Unsupported

    try:
        field = Field(Trial(work=_WORK))
        return field.same(normal(one, field), normal(two, field))
    except (Unsupported, Limit, Undefined):
        return False


def _by_numbers(kind: str, leading: Sequence[Node], last: Node) -> Node | None:
    """Terms of one shape whose numbers each run in steps of one size, up to those of the last (`1^2 + 2^2 + \\cdots +
    9^2`); or plain numbers with one ratio."""
    if len(leading) < 2 or symbols(last):
        return None
    rows = [list(_leaves(term)) for term in (*leading, last)]
    if not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        return None
    counts: set[Fraction] = set()
    steps: list[Fraction] = []
    for column in zip(*rows, strict=True):
        step = column[1] - column[0]
        if any(b - a != step for a, b in pairwise(column[:-1])):
            return _by_ratio(kind, rows)
        if step:
            counts.add((column[-1] - column[0]) / step)
        elif column[-1] != column[0]:
            return _by_ratio(kind, rows)
        steps.append(step)
    ratio = _by_ratio(kind, rows)
    if len(counts) != 1 or any(_shape(term) != _shape(last) for term in leading):
        return ratio
    (count,) = counts
    if count.denominator != 1 or count < len(leading):
        return ratio
    if ratio is not None:
        return None
    values = zip(rows[0], steps, strict=True)
    general = _filled(leading[0], ((Add((Num(a), Mul((Num(d), Sym(INDEX))))) if d else Num(a)) for a, d in values))
    return BigOp(kind, INDEX, Num(Fraction(0)), Num(count), general)


def _by_ratio(kind: str, rows: Sequence[Sequence[Fraction]]) -> Node | None:
    """Plain numbers in geometric progression up to the last."""
    terms = [row[0] for row in rows]
    if any(len(row) != 1 for row in rows) or 0 in terms:
        return None
    ratio = terms[1] / terms[0]
    if abs(ratio) == 1 or any(b != a * ratio for a, b in pairwise(terms[:-1])):
        return None
    value, count = terms[-2], len(terms) - 2
    while value != terms[-1] and count < 2 * MAX_WRITTEN:
        value, count = value * ratio, count + 1
    if value != terms[-1]:
        return None
    general = Mul((Num(terms[0]), Pow(Num(ratio), Sym(INDEX))))
    return BigOp(kind, INDEX, Num(Fraction(0)), Num(Fraction(count)), general)


def _leaves(node: Node) -> Iterator[Fraction]:
    """The numbers of an expression, from left to right."""
    if isinstance(node, Num):
        yield node.value
    for part in children(node):
        yield from _leaves(part)


def _shape(node: Node) -> Node:
    """The expression with every number the same."""
    return Num(Fraction(0)) if isinstance(node, Num) else rebuild(node, _shape)


def _filled(node: Node, values: Iterator[Node]) -> Node:
    """The expression with these in the place of its numbers."""
    return next(values) if isinstance(node, Num) else rebuild(node, lambda part: _filled(part, values))


def _number(node: Node) -> Fraction | None:
    try:
        return None if symbols(node) else rational(node, Trial(work=200))
    except (Limit, Undefined):
        return None
