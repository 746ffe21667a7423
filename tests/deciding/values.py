"""Random exact values and several ways to write each: what the laws are tried on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

SURDS = (2, 3, 5, 6, 7)


@dataclass(frozen=True)
class Surd:
    """a + b√n with rational a and b, n without square factors; a rational where b is 0."""

    a: Fraction
    b: Fraction
    n: int

    def same(self, other: Surd) -> bool:
        """Equal as a number: 1 and √n are independent over the rationals, and so are different √n."""
        return self.a == other.a and self.b == other.b and (self.b == 0 or self.n == other.n)


def fractions() -> st.SearchStrategy[Fraction]:
    """Small rationals, with enough coincidences."""
    return st.builds(Fraction, st.integers(-60, 60), st.integers(1, 24))


def surds() -> st.SearchStrategy[Surd]:
    """Small quadratic numbers."""
    return st.builds(Surd, fractions(), st.one_of(st.just(Fraction(0)), fractions()), st.sampled_from(SURDS))


def written(draw: st.DrawFn, value: Fraction) -> str:
    """One of the ways to write a rational."""
    top, bottom = value.numerator, value.denominator
    sign, size = ("-" if top < 0 else ""), abs(top)
    ways = [f"{sign}\\frac{{{size}}}{{{bottom}}}", f"{sign}\\dfrac{{{size}}}{{{bottom}}}", f"{top}/{bottom}"]
    scale = draw(st.integers(2, 5))
    ways.append(f"\\frac{{{top * scale}}}{{{bottom * scale}}}")
    if size < 10 and bottom < 10:
        ways.append(f"{sign}\\frac{size}{bottom}")
    if bottom == 1:
        ways += [str(top), f"{top}.0", f"{top + scale} - {scale}"]
    places = next((count for count in range(7) if (value * 10**count).denominator == 1), None)
    if places:
        digits = str(abs(value.numerator) * 10**places // bottom).rjust(places + 1, "0")
        ways.append(f"{sign}{digits[:-places]}.{digits[-places:]}")
    return draw(st.sampled_from(ways))


def written_surd(draw: st.DrawFn, value: Surd) -> str:
    """One of the ways to write a quadratic number."""
    if value.b == 0:
        return written(draw, value.a)
    scale = draw(st.integers(1, 3))
    part = value.b / scale
    root = f"\\sqrt{{{value.n * scale * scale}}}"
    sign, size = ("-" if part < 0 else "+"), abs(part)
    plain = root if size == 1 else f"\\frac{{{size.numerator}{root}}}{{{size.denominator}}}"
    other = f"\\frac{{{size.numerator}}}{{{size.denominator}}}{root}"
    tail = sign + draw(st.sampled_from([plain, other]))
    if value.a == 0:
        return tail.lstrip("+")
    head = written(draw, value.a)
    return draw(st.sampled_from([f"{head}{tail}", f"{tail.lstrip('+')} + {_bracketed(head)}"]))


def _bracketed(text: str) -> str:
    return f"({text})" if "-" in text else text


@st.composite
def two_renderings(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts of one random value: a number, tuple, set, list, interval, matrix, polynomial or relation."""
    kind = draw(st.sampled_from(["number", "tuple", "set", "interval", "matrix", "polynomial", "inequality", "point"]))
    if kind == "number":
        value = draw(surds())
        return written_surd(draw, value), written_surd(draw, value)
    if kind == "polynomial":
        first, second, lead = draw(st.integers(-6, 6)), draw(st.integers(-6, 6)), draw(st.integers(1, 4))
        total, product = -lead * (first + second), lead * first * second
        expanded = f"{'' if lead == 1 else lead}x^2{total:+d}x{product:+d}"
        factored = f"{'' if lead == 1 else lead}(x{-first:+d})(x{-second:+d})"
        return expanded, factored
    members = draw(st.lists(fractions(), min_size=2, max_size=4, unique=True))
    one = [written(draw, member) for member in members]
    two = [written(draw, member) for member in members]
    match kind:
        case "tuple":
            return f"({', '.join(one)})", f"\\left({','.join(two)}\\right)"
        case "set":
            shuffled = draw(st.permutations(two))
            return f"\\{{{', '.join(one)}\\}}", f"\\left\\{{ {' , '.join(shuffled)} \\right\\}}"
        case "matrix":
            return (
                f"\\begin{{pmatrix}} {' & '.join(one)} \\end{{pmatrix}}",
                f"\\begin{{pmatrix}}{'&'.join(two)}\\end{{pmatrix}}",
            )
        case _:
            low, high = sorted(range(2), key=lambda index: members[index])
            if kind == "interval":
                return f"[{one[low]}, {one[high]})", f"\\left[{two[low]},{two[high]}\\right)"
            if kind == "inequality":
                return f"{one[low]} \\le x < {one[high]}", f"x \\in [{two[low]},{two[high]})"
            return f"x = {one[0]}", f"x={two[0]}"


_PIECES = (
    [
        "\\frac",
        "\\sqrt",
        "\\left",
        "\\right",
        "\\text",
        "\\pi",
        "\\infty",
        "\\cup",
        "\\le",
        "\\pm",
        "\\{",
        "\\}",
        "\\\\",
        "\\%",
    ]
    + [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "^",
        "_",
        "=",
        "<",
        ",",
        ";",
        ":",
        "|",
        "!",
        "$",
        "&",
        "%",
        "-",
        "+",
        "*",
        "/",
        ".",
        " ",
    ]
    + [
        "0",
        "1",
        "2",
        "7",
        "10",
        "0.5",
        "x",
        "y",
        "n",
        "e",
        "i",
        "sin",
        "ln",
        "cm",
        "and",
        "A",
        "≤",
        "√",
        "π",
        "½",
        "−",
        "∞",
    ]
    + [
        "\\begin{pmatrix}",
        "\\end{pmatrix}",
        "\\sum_{k=1}^{9}",
        "\\binom",
        "^\\circ",
        "th",
        "text",
        "None",
        "\\overline",
    ]
)


def scraps() -> st.SearchStrategy[str]:
    """Pieces of LaTeX, plain text and Unicode in any order, and any text at all."""
    return st.one_of(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join), st.text(max_size=30))


_PHRASES = (
    *(
        "Find the value of $x$.",
        "How many apples are left?",
        "in cm",
        "in degrees",
        "in m/s",
        "What percent is it?",
        "per hour",
    ),
    *(
        "to the nearest tenth",
        "to 2 decimal places",
        "approximately",
        "exact value",
        "in base 7",
        "to base 2",
        "mixed number",
    ),
    *(
        "Find all functions $f$.",
        "general solution",
        "Which term?",
        "ordered pair $(x, y)$",
        "the vector",
        "interval",
        "ratio",
    ),
    *(
        "(A) 1 (B) $x$ (C) 7",
        "from smallest to largest",
        "[odd/even]",
        "Who wins, Ann or Bob?",
        "\\(\\frac{m}{n}\\)",
        "angle",
    ),
    *(
        "Use $\\pi=3.14$.",
        "equation of the line",
        "minimum and maximum",
        "increasing interval",
        "What time is it?",
        "$K$",
        "{",
        "\\",
    ),
)


def questions() -> st.SearchStrategy[str]:
    """Phrases that license something, in any order."""
    return st.lists(st.sampled_from(_PHRASES), max_size=6).map(" ".join)


CONFUSABLE = (
    *(
        "5",
        "x=5",
        "y=5",
        r"5^\circ",
        r"\$5",
        r"5\text{ cm}",
        r"5\text{ dollars}",
        r"5\%",
        "0.05",
        r"\frac{1}{20}",
        "5.0",
    ),
    *("(1,2)", "[1,2]", r"\{1,2\}", "1,2", "2,1", "1<x<2", r"x\in(1,2)", "x=1,2", "x=1, x=2", "x=1, y=2", "x=2,y=1"),
    *("x", "t", "f(x)=x", "f(t)=t", "g(x)=x", "f(t)=x", "y=x", "x-y=0", r"k\pi", r"n\pi", r"x=k\pi"),
    *(r"\pm1", "1,-1", r"x=\pm1", "1", "-1", "1:2", r"\frac12", r"50\%", "0.5", "2", "2:4"),
    *(r"\pi", "3.141593", "3.1415927", r"180^\circ", "180", r"\frac13", "0.333333", "0.3333333"),
    *("x>1", r"(1,\infty)", "y>1", r"\{y\mid y>1\}", "3,4", "(3,4)", "p=3, q=4", "q=4, p=3", "p=4, q=3"),
    *("2x=4", "x=2", "x+y=2", "y=2-x", "2-x", "1011_2", "11", "1011", "B", r"\text{(B)}", "b", r"\emptyset", "0"),
)
"""Texts that are equal, different or neither by what one drops: names, signs, units, brackets, digits."""
