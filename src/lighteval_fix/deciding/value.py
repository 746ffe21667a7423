"""The typed answer: what the parser builds and the ladder compares. Plain frozen data, no arithmetic here.

An *expression* is a tree of `Node`s. An *answer* is a `Value`: one expression, or a structure of values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

# --------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Num:
    """An exact rational. `places` is the number of digits shown after the point of a decimal literal, else None:
    0.50 is `Num(1/2, places=2)`, ½ is `Num(1/2)`. `repeating` decimals and percents are exact and have no places."""

    value: Fraction
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Sym:
    """A free symbol, subscript included (`x_1`). Case matters."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """`pi`, `e`, `i`, `oo` (positive infinity; its negative is `Mul(-1, oo)`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Add:
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Pow:
    """`base ** exp`; a square root is `Pow(x, Num(1/2))`, a quotient `Mul((a, Pow(b, -1)))`."""

    base: Node
    exp: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A named function of its arguments: sin, cos, …, arcsin, arcsinh, ln, log (argument, base; a bare `log` has one
    argument and an unstated base), abs, norm, floor, ceil, factorial, factorial2 (`!!`), binom, gcd, lcm, max, min,
    mod (number, modulus), sgn, re, im, conj, arg, det …; an unknown one such as `f`, `f'`, `f^-1`; or `tuple`, which
    occurs only as the name of an `Assignment` (`(x, y) = …`). `exp(x)` is a power of `e`; degrees are already
    radians."""

    name: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class BigOp:
    """`kind` is `sum`, `prod`, `int` or `lim`; `lower`/`upper` may be None where the notation has none."""

    kind: str
    var: str
    lower: Node | None
    upper: Node | None
    body: Node


@dataclass(frozen=True, slots=True)
class PlusMinus:
    """`left ± right` (`left` is 0 for a leading sign). `flipped` marks ∓. Expanded by the ladder into both values."""

    left: Node
    right: Node
    flipped: bool = False


Node: TypeAlias = Num | Sym | Const | Add | Mul | Pow | Call | BigOp | PlusMinus

# --------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Scalar:
    """One expression. `percent` and `currency` say how it was written; a percent's value is already divided by 100.
    `degree` marks a trailing degree sign of an angle that stands alone."""

    node: Node
    percent: bool = False
    currency: str | None = None
    degree: bool = False
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class Quantity:
    """An expression with a unit, as (name, exponent) factors of the unit's own words; nothing is converted here."""

    node: Node
    unit: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """`3 : 4`, `1 : 2 : 5`."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Based:
    """`1011_2`: digits as written, and the base."""

    digits: str
    base: int


@dataclass(frozen=True, slots=True)
class Tuple:
    """`(a, b, …)`: ordered. `angle` marks ⟨…⟩."""

    items: tuple[Value, ...]
    angle: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A bare list `a, b and c`: unordered. `ellipsis` where it holds dots (then nothing but text is compared). `either`
    where "or" joins it, which is no part of its value: only names beside the other side's values ask for it."""

    items: tuple[Value, ...]
    ellipsis: bool = False
    either: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class SetOf:
    """`{a, b, …}`; the empty set has no items."""

    items: tuple[Value, ...]
    ellipsis: bool = False


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`; an infinite end is `Const("oo")` or its negative. `(1,2)` alone parses as a `Tuple`
    with two items: the ladder lets it stand for an interval only against an interval."""

    low: Node
    high: Node
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, slots=True)
class NamedSet:
    """ℝ, ℤ, ℚ, ℕ, ℂ, with `modifier` such as `+`, `-`, `*`, `>0`, or empty."""

    name: str
    modifier: str = ""


@dataclass(frozen=True, slots=True)
class Union:
    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Relation:
    """A chain `t0 op0 t1 op1 t2 …` with ops among `= != < <= > >= ~ ≡` (`~` is approximately; `x ≡ mod(a, m)`), and,
    for nothing but themselves, `⊥ ∥ ≅ ∼ ∝ ⊂ ⊆ ⊃ ⊇ ⊊ ≪ ≫`. A name of several letters (`Maximum = 2`, `Ann: 3`) is a
    `Sym` with that name."""

    terms: tuple[Node, ...]
    ops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name = value` where the value is not a plain expression (a tuple, a set, a quantity, words), or `x ∈ S` with op
    `in` or `notin`. The op of a quantity may be any of a `Relation`'s. `(x, y) = (1, 2)` has the name
    `Call("tuple", (x, y))`."""

    name: Node
    op: str
    value: Value


@dataclass(frozen=True, slots=True)
class Function:
    """`f(x, y) = body`."""

    name: str
    params: tuple[str, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Compound:
    """Relations or assignments joined by `and` or `or` (a comma between inequalities of one variable is `and`
    only where the text says so; otherwise it is a `Listing`); a system in braces is `and`.

    `sum` joins the parts of one quantity in several units (`2 h 30 min`), which are kept as written.

    Three joiners carry a condition that must not be dropped: `where` (the value, then its qualification, as words or as
    a value: `n = 4k for integers k`), `forall` and `exists` (the condition, then the statement)."""

    joiner: str
    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class SetBuilder:
    """`{ element | condition }`."""

    element: Value
    condition: Value


@dataclass(frozen=True, slots=True)
class Matrix:
    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """`\\begin{cases}`: (value, condition) pairs; the condition is None where absent."""

    rows: tuple[tuple[Value, Value | None], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A single capital letter as a choice label (`(C)`, `\\text{C}`)."""

    label: str


@dataclass(frozen=True, slots=True)
class Words:
    """Text that is no mathematics: case and white space folded, wrappers removed, nothing else."""

    text: str


Value: TypeAlias = (
    Scalar
    | Quantity
    | Ratio
    | Based
    | Tuple
    | Listing
    | SetOf
    | Interval
    | NamedSet
    | Union
    | Intersection
    | Difference
    | Relation
    | Assignment
    | Function
    | Compound
    | SetBuilder
    | Matrix
    | Cases
    | Choice
    | Words
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A whole answer, understood. `text` is what remains once the wrappers around it are removed.

    `other` is a second reading that the same text has in use, where the rules had to choose one: `70,110` is the number
    70110 and may be meant as a list, a plain `5 m` is a product and may be meant as metres. It never makes two answers
    equal; where it would, they are not proven different either."""

    value: Value
    text: str
    other: Value | None = None


@dataclass(frozen=True, slots=True)
class Unparsed:
    """The text is not in the language, or over a limit; `position` is where that was seen (code points)."""

    text: str
    position: int
    why: str
    over_limit: bool = False
