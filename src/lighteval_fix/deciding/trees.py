"""Walks over expression trees: symbols, substitution, the two values of ±, and a text form for the worker."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

from .trial import Limit
from .value import Add, BigOp, Call, Const, Mul, Node, Num, PlusMinus, Pow, Sym

ZERO = Num(Fraction(0))
ONE = Num(Fraction(1))
MINUS_ONE = Num(Fraction(-1))


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of a node."""
    match node:
        case Add() | Mul() | Call():
            return node.args
        case Pow():
            return (node.base, node.exp)
        case PlusMinus():
            return (node.left, node.right)
        case BigOp():
            return tuple(part for part in (node.lower, node.upper, node.body) if part is not None)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Every node below, and the node itself."""
    todo = [node]
    while todo:
        last = todo.pop()
        yield last
        todo.extend(children(last))


def symbols(node: Node) -> frozenset[str]:
    """Free symbols; the variable of a sum, product, integral or limit is bound."""
    match node:
        case Sym():
            return frozenset((node.name,))
        case Num() | Const():
            return frozenset()
        case BigOp():
            inner = symbols(node.body) - {node.var}
            for bound in (node.lower, node.upper):
                if bound is not None:
                    inner |= symbols(bound)
            if node.kind == "int" and node.lower is None and node.upper is None:
                inner |= {node.var}
            return inner
        case _:
            found: frozenset[str] = frozenset()
            for part in children(node):
                found |= symbols(part)
            return found


def rebuild(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with `change` applied to its direct parts."""
    match node:
        case Add():
            return Add(tuple(change(part) for part in node.args))
        case Mul():
            return Mul(tuple(change(part) for part in node.args))
        case Call():
            return Call(node.name, tuple(change(part) for part in node.args))
        case Pow():
            return Pow(change(node.base), change(node.exp))
        case PlusMinus():
            return PlusMinus(change(node.left), change(node.right), node.flipped)
        case BigOp():
            return BigOp(
                node.kind,
                node.var,
                None if node.lower is None else change(node.lower),
                None if node.upper is None else change(node.upper),
                change(node.body),
            )
        case _:
            return node


def substitute(node: Node, env: dict[str, Node]) -> Node:
    """Free symbols replaced; a bound variable hides a free one of the same name."""
    if isinstance(node, Sym):
        return env.get(node.name, node)
    if isinstance(node, (Num, Const)):
        return node
    if isinstance(node, BigOp) and node.var in env:
        inner = {name: value for name, value in env.items() if name != node.var}
        return BigOp(
            node.kind,
            node.var,
            None if node.lower is None else substitute(node.lower, env),
            None if node.upper is None else substitute(node.upper, env),
            substitute(node.body, inner),
        )
    return rebuild(node, lambda part: substitute(part, env))


def renamed(node: Node, names: dict[str, str]) -> Node:
    """Free symbols renamed, all at once."""
    return substitute(node, {old: Sym(new) for old, new in names.items()})


def renamings(ours: frozenset[str], theirs: frozenset[str]) -> Iterator[dict[str, str]]:
    """Every way to rename the symbols of one side that the other has not, each to one of the other's; four at most."""
    old, new = sorted(ours - theirs), sorted(theirs - ours)
    if old and len(old) == len(new) <= 4:
        for order in permutations(new):
            yield dict(zip(old, order, strict=True))


def has_plus_minus(node: Node) -> bool:
    """± or ∓ anywhere."""
    return any(isinstance(part, PlusMinus) for part in walk(node))


def signed(node: Node, sign: int) -> Node:
    """The upper (+1) or lower (-1) reading of every ± at once."""
    if isinstance(node, PlusMinus):
        flip = -sign if node.flipped else sign
        left, right = signed(node.left, sign), signed(node.right, sign)
        return Add((left, right if flip > 0 else Mul((MINUS_ONE, right))))
    if isinstance(node, (Num, Sym, Const)):
        return node
    return rebuild(node, lambda part: signed(part, sign))


def signs(node: Node) -> tuple[Node, ...]:
    """The values a ± expression names: two, all signs running together. One where there is no ±."""
    return (signed(node, 1), signed(node, -1)) if has_plus_minus(node) else (node,)


def negated(node: Node) -> Node:
    """Minus the node."""
    return Num(-node.value, node.places) if isinstance(node, Num) else Mul((MINUS_ONE, node))


def minus(left: Node, right: Node) -> Node:
    """The difference of two nodes."""
    return Add((left, Mul((MINUS_ONE, right))))


def size(node: Node, most: int) -> int:
    """Number of nodes; raises `Limit` beyond `most`."""
    count = 0
    for _ in walk(node):
        count += 1
        if count > most:
            raise Limit("nodes")
    return count


def dump(node: Node) -> str:
    """One line of JSON for the worker."""
    return json.dumps(_plain(node), separators=(",", ":"))


def _plain(node: Node) -> list[Any]:
    match node:
        case Num():
            return ["n", str(node.value.numerator), str(node.value.denominator)]
        case Sym():
            return ["s", node.name]
        case Const():
            return ["c", node.name]
        case Add():
            return ["+", *(_plain(part) for part in node.args)]
        case Mul():
            return ["*", *(_plain(part) for part in node.args)]
        case Pow():
            return ["^", _plain(node.base), _plain(node.exp)]
        case Call():
            return ["f", node.name, *(_plain(part) for part in node.args)]
        case BigOp():
            low = None if node.lower is None else _plain(node.lower)
            high = None if node.upper is None else _plain(node.upper)
            return ["b", node.kind, node.var, low, high, _plain(node.body)]
        case PlusMinus():
            return _plain(signed(node, 1))
