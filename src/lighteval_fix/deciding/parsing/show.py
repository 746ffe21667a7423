"""A value as text that a person can read and that parses back to the same value."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, assert_never

from lighteval_fix.deciding.parsing.nodes import MINUS_ONE, NODES, negate
from lighteval_fix.deciding.parsing.tables import FUNCTIONS, GREEK
from lighteval_fix.deciding.parsing.words import read_words
from lighteval_fix.deciding.value import (
    Add,
    Assignment,
    Based,
    BigOp,
    Call,
    Cases,
    Choice,
    Compound,
    Const,
    Difference,
    Function,
    Intersection,
    Interval,
    Listing,
    Matrix,
    Mul,
    NamedSet,
    Node,
    Num,
    PlusMinus,
    Pow,
    Quantity,
    Ratio,
    Relation,
    Scalar,
    SetBuilder,
    SetOf,
    Sym,
    Tuple,
    Union,
    Value,
    Words,
)

_OPS: Final = {
    "=": "=", "<": "<", ">": ">", "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "~": r"\approx", "≡": r"\equiv",
    "⊥": r"\perp", "∥": r"\parallel", "≅": r"\cong", "∼": r"\sim", "∝": r"\propto", "⊂": r"\subset", "⊆": r"\subseteq",
    "⊃": r"\supset", "⊇": r"\supseteq", "⊊": r"\subsetneq", "≪": r"\ll", "≫": r"\gg", "in": r"\in", "notin": r"\notin",
}  # fmt: skip
_CONSTANTS: Final = {"pi": r"\pi", "oo": r"\infty", "e": "e", "i": "i"}
_BIG: Final = {"sum": r"\sum", "prod": r"\prod", "lim": r"\lim"}
_BRACKETS: Final = {
    "abs": (r"\lvert ", r" \rvert"),
    "norm": (r"\lVert ", r" \rVert"),
    "floor": (r"\lfloor ", r" \rfloor"),
    "ceil": (r"\lceil ", r" \rceil"),
}
_CURRENCIES: Final = {"$": r"\$", "€": r"\euro ", "£": r"\pounds ", "¥": r"\yen "}
_SPELLED: Final = {"re": "Re", "im": "Im"}
_HALF: Final = Fraction(1, 2)

# How tightly a node binds: an operand that binds less than its place asks for is put in brackets.
_SUM, _PRODUCT, _POWER, _ATOM = range(4)


def show(value: Value) -> str:
    """The canonical text of `value`."""
    match value:
        case Scalar():
            return _scalar(value)
        case Quantity(node=node, unit=unit):
            return f"{show_node(node, _PRODUCT)} {_unit(unit)}"
        case Ratio(terms=terms):
            return " : ".join(show_node(t) for t in terms)
        case Based(digits=digits, base=base):
            return f"{digits}_{{{base}}}"
        case Tuple(items=items, angle=angle):
            inner = ", ".join(show(i) for i in items)
            return rf"\langle {inner} \rangle" if angle else f"({inner})"
        case Listing(items=items, ellipsis=ellipsis):
            return ", ".join([show(i) for i in items] + [r"\ldots"] * ellipsis)
        case SetOf(items=items, ellipsis=ellipsis):
            return r"\{" + ", ".join([show(i) for i in items] + [r"\ldots"] * ellipsis) + r"\}"
        case Interval(low=low, high=high, low_closed=low_closed, high_closed=high_closed):
            if not low_closed and not high_closed and not _infinite(low) and not _infinite(high):
                return f"]{show_node(low)}, {show_node(high)}["
            return f"{'[' if low_closed else '('}{show_node(low)}, {show_node(high)}{']' if high_closed else ')'}"
        case NamedSet(name=name, modifier=modifier):
            return rf"\mathbb{{{name}}}" + (f"^{{{modifier}}}" if modifier else "")
        case Union(parts=parts):
            return r" \cup ".join(_part(p) for p in parts)
        case Intersection(parts=parts):
            return r" \cap ".join(_part(p) for p in parts)
        case Difference(left=left, right=right):
            return rf"{show(left) if isinstance(left, Difference) else _part(left)} \setminus {_part(right)}"
        case Relation(terms=terms, ops=ops):
            shown = [show_node(t) for t in terms]
            return shown[0] + "".join(f" {_OPS[op]} {t}" for op, t in zip(ops, shown[1:], strict=True))
        case Assignment(name=name, op=op, value=assigned):
            return f"{show_node(name)} {_OPS[op]} {show(assigned)}"
        case Function(name=name, params=params, body=body):
            return f"{_name(name)}({', '.join(_name(p) for p in params)}) = {show_node(body)}"
        case Compound(joiner=joiner, parts=parts):
            return _compound(joiner, parts)
        case SetBuilder(element=element, condition=condition):
            shown_condition = show(condition).replace(r" \text{ and } ", ", ")
            return rf"\{{{show(element)} \mid {shown_condition}\}}"
        case Matrix(rows=rows):
            body_text = r" \\ ".join(" & ".join(show_node(c) for c in row) for row in rows)
            return rf"\begin{{pmatrix}} {body_text} \end{{pmatrix}}"
        case Cases(rows=rows):
            lines = [show(v) + ("" if c is None else f" & {_condition(c)}") for v, c in rows]
            return r"\begin{cases} " + r" \\ ".join(lines) + r" \end{cases}"
        case Choice(label=label):
            return rf"\text{{({label})}}"
        case Words(text=text):
            return rf"\text{{{text}}}" if read_words(text) == value else rf'\text{{"{text}"}}'
        case _:
            assert_never(value)


def _scalar(scalar: Scalar) -> str:
    node = scalar.node
    if scalar.percent:
        if isinstance(node, Num):
            return show_node(Num(node.value * 100), _POWER) + r"\%"
        return show_node(node)
    if scalar.mixed and isinstance(node, Num) and node.value.denominator > 1:
        whole, part = divmod(abs(node.value.numerator), node.value.denominator)
        sign = "-" if node.value < 0 else ""
        text = rf"{sign}{whole}\frac{{{part}}}{{{node.value.denominator}}}" if whole else show_node(node)
    elif scalar.degree:
        text = show_node(node) if isinstance(node, Num) else show_node(node, _ATOM)
    else:
        text = show_node(node)
    if scalar.degree:
        text = (text if isinstance(node, Num) and node.value.denominator == 1 else _bracketed(text)) + r"^\circ"
    if scalar.currency is None:
        return text
    return _CURRENCIES[scalar.currency] + (_bracketed(text) if text.startswith("-") else text)


def _infinite(node: Node) -> bool:
    return node in (Const("oo"), Mul((MINUS_ONE, Const("oo"))))


def _bracketed(text: str) -> str:
    return text if text[:1] == "(" and text[-1:] == ")" and text.count("(") == 1 else f"({text})"


def _unit(unit: tuple[tuple[str, int], ...]) -> str:
    return " ".join(rf"\text{{{name}}}" + (f"^{{{size}}}" if size != 1 else "") for name, size in unit)


def _part(value: Value) -> str:
    text = show(value)
    return f"({text})" if isinstance(value, Union | Intersection | Difference) else text


def _compound(joiner: str, parts: tuple[Value, ...]) -> str:
    if joiner in ("and", "or"):
        return rf" \text{{ {joiner} }} ".join(show(p) for p in parts)
    if joiner == "sum":
        return " ".join(show(p) for p in parts)
    if joiner == "where":
        condition = parts[1]
        if isinstance(condition, Words):
            if any(c in condition.text for c in "\\{}$"):
                return f"{show(parts[0])} {condition.text}"
            return rf"{show(parts[0])} \text{{ {condition.text} }}"
        return f"{show(parts[0])}, {show(condition)}"
    return rf"\{joiner} {show(parts[0])}, {show(parts[1])}"


def _condition(condition: Value) -> str:
    return show(condition) if isinstance(condition, Words) else rf"\text{{if }} {show(condition)}"


# --------------------------------------------------------------------------- expressions


def show_node(node: Node, place: int = _SUM) -> str:
    """The text of an expression where operators of strength `place` stand around it."""
    text, strength = _written(node)
    return f"({text})" if strength < place else text


def _written(node: Node) -> tuple[str, int]:
    match node:
        case Num():
            return _number(node)
        case Sym(name=name):
            return _name(name.rstrip("_")), _ATOM
        case Const(name=name):
            return _CONSTANTS[name], _ATOM
        case Add(args=args):
            return _sum(args), _SUM
        case Mul(args=args):
            if args[0] == MINUS_ONE and not isinstance(args[1], Num):
                return "-" + show_node(Mul(args[1:]) if len(args) > 2 else args[1], _PRODUCT), _SUM
            first = args[0]
            if isinstance(first, Num) and first.value < 0 and not _fractional(first):
                return "-" + " * ".join(show_node(a, _POWER) for a in (negate(first), *args[1:])), _SUM
            return " * ".join(show_node(a, _POWER) for a in args), _PRODUCT
        case Pow(base=base, exp=exp):
            if isinstance(exp, Num) and exp.value == _HALF and exp.places is None:
                return rf"\sqrt{{{show_node(base)}}}", _ATOM
            return f"{show_node(base, _ATOM)}^{{{show_node(exp)}}}", _POWER
        case Call():
            return _call(node)
        case BigOp(kind=kind, var=var, lower=lower, upper=upper, body=body):
            if kind == "int":
                return _integral(lower, upper, body, var), _SUM
            low = show_node(lower) if lower is not None else ""
            mark = r" \to " if kind == "lim" else " = "
            high = f"^{{{show_node(upper)}}}" if upper is not None else ""
            return rf"{_BIG[kind]}_{{{_name(var.rstrip('_'))}{mark}{low}}}{high} {show_node(body, _PRODUCT)}", _SUM
        case PlusMinus(left=left, right=right, flipped=flipped):
            sign = r"\mp" if flipped else r"\pm"
            if left == Num(Fraction(0)):
                return f"{sign} {show_node(right, _PRODUCT)}", _SUM
            return f"{show_node(left)} {sign} {show_node(right, _PRODUCT)}", _SUM
        case _:
            assert_never(node)


def _fractional(number: Num) -> bool:
    """Whether a number is shown with a slash."""
    return number.places is None and number.value.denominator > 1


def _number(number: Num) -> tuple[str, int]:
    value = number.value
    if number.places:
        digits = str(abs(value.numerator) * 10**number.places // value.denominator).rjust(number.places + 1, "0")
        text = ("-" if value < 0 else "") + digits[: -number.places] + "." + digits[-number.places :]
        return text, _SUM if value < 0 else _ATOM
    if value.denominator == 1:
        return str(value.numerator), _SUM if value < 0 else _ATOM
    return f"{value.numerator}/{value.denominator}", _SUM


def _sum(args: tuple[Node, ...]) -> str:
    pieces = [show_node(args[0], _PRODUCT if isinstance(args[0], Add | PlusMinus) else _SUM)]
    for arg in args[1:]:
        text, strength = _written(arg)
        if text.startswith("-") and not isinstance(arg, Add | PlusMinus):
            pieces.append(f" - {text[1:]}")
        else:
            pieces.append(f" + {text}" if strength or isinstance(arg, Num) else f" + ({text})")
    return "".join(pieces)


def _call(call: Call) -> tuple[str, int]:
    name, args = call.name, call.args
    if name in _BRACKETS:
        left, right = _BRACKETS[name]
        return f"{left}{show_node(args[0])}{right}", _ATOM
    match name, args:
        case "factorial" | "factorial2", (inner,):
            return show_node(inner, _ATOM) + ("!" if name == "factorial" else "!!"), _POWER
        case "binom", (over, under):
            return rf"\binom{{{show_node(over)}}}{{{show_node(under)}}}", _ATOM
        case _, (place,) if name[-1:] == "_":
            return f"{name}{{{show_node(place)}}}", _ATOM
        case "pmod", (number, size):
            return rf"{show_node(number, _ATOM)} \pmod{{{show_node(size)}}}", _SUM
        case "mod", (number, size):
            return rf"{show_node(number, _ATOM)} \bmod {show_node(size, _ATOM)}", _SUM
        case "log", (inner, base):
            return rf"\log_{{{show_node(base)}}}({show_node(inner)})", _POWER
        case _:
            pass
    inside = ", ".join(show_node(a) for a in args)
    if name == "tuple":
        return f"({inside})", _ATOM
    if name in FUNCTIONS.values():
        return rf"\operatorname{{{_SPELLED.get(name, name)}}}({inside})", _POWER
    return f"{_name(name)}({inside})", _POWER


def _integral(lower: Node | None, upper: Node | None, body: Node, var: str) -> str:
    bounds = "" if lower is None else f"_{{{show_node(lower)}}}"
    bounds += "" if upper is None else f"^{{{show_node(upper)}}}"
    return rf"\int{bounds} {show_node(body, _PRODUCT)} \, \mathrm{{d}} {_name(var)}"


def _name(name: str) -> str:
    head, mark, subscript = name.partition("_")
    primes = len(head) - len(head.rstrip("'"))
    head = head.rstrip("'")
    if head in GREEK or head in ("ell", "hbar", "partial", "pi"):
        text = "\\" + head
    elif head.endswith(")") and "(" in head:
        decoration, _, inner = head[:-1].partition("(")
        text = rf"\{decoration}{{{inner}}}"
    elif len(head) == 1:
        text = head
    elif head.startswith(("triangle ", "angle ", "square ")):
        text = "\\" + head
    elif head.endswith("^-1"):
        return head[:-3] + "^{-1}"
    elif head[:1] == "d" and "/d" in head:
        over, _, under = head.partition("/")
        text = rf"\frac{{d {_name(over[1:])}}}{{d {_name(under[1:])}}}"
    else:
        text = rf"\text{{{head}}}"
    return text + "'" * primes + (f"_{{{subscript}}}" if mark else "")


__all__ = ["NODES", "show", "show_node"]
