"""The vocabulary of answers: which command or word is which kind of token. Data only."""

from __future__ import annotations

from typing import Final


def listed(words: str) -> list[str]:
    """The words of a table that is written as running text."""
    return words.split()


def frozen(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Functions by every name under which they are written; the value is the name that `Call` carries.
FUNCTIONS: Final[dict[str, str]] = {
    name: name
    for name in listed(
    """
    sin cos tan cot sec csc sinh cosh tanh coth sech csch ln log exp gcd lcm max min det arg arcsin
    arccos arctan arccot arcsec arccsc arcsinh arccosh arctanh sup inf dim ker rank tr
    """
)
} | {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "acot": "arccot",
    "arctg": "arctan", "tg": "tan", "ctg": "cot", "cosec": "csc", "cotan": "cot",
    "arsinh": "arcsinh", "arcosh": "arccosh", "artanh": "arctanh",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "sh": "sinh", "ch": "cosh", "th": "tanh",
    "lg": "lg", "abs": "abs", "floor": "floor", "ceil": "ceil", "sgn": "sgn", "sign": "sgn", "signum": "sgn",
    "Re": "re", "Im": "im", "conj": "conj", "binomial": "binom", "binom": "binom", "factorial": "factorial",
    "Arg": "arg", "mod": "mod", "trace": "tr", "LCM": "lcm", "GCD": "gcd", "lcd": "lcd", "cis": "cis",
}  # fmt: skip

# Those that a bare word of plain text may name (`sh`, `th`, `tr`, `sup` … only as commands).
PLAIN_FUNCTIONS: Final[frozenset[str]] = frozen(
    """
    sin cos tan cot sec csc sinh cosh tanh coth sech csch ln log exp gcd lcm max min arcsin arccos
    arctan arccot arcsec arccsc arcsinh arccosh arctanh asin acos atan arsinh arcosh artanh asinh acosh
    atanh lg abs floor ceil sgn sign binomial binom factorial lcd GCD LCM cis
    """
)

TRIG: Final[frozenset[str]] = frozen(
    """
    sin cos tan cot sec csc cis
    """
)
INVERTIBLE: Final[dict[str, str]] = {name: "arc" + name for name in listed("sin cos tan cot sec csc sinh cosh tanh")}

GREEK: Final[frozenset[str]] = frozen(
    """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron rho sigma tau
    upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega Pi
    """
)

# command name -> (kind, text); kinds are what the grammar speaks of
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    **{name: ("let", name) for name in GREEK},
    **{
        "var" + name: ("let", name)
        for name in listed("epsilon theta rho sigma phi kappa Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega")
    },
    "ell": ("let", "ell"), "hbar": ("let", "hbar"), "aleph": ("let", "aleph"), "imath": ("let", "imath"),
    "jmath": ("let", "jmath"), "odot": ("let", "odot"), "mho": ("let", "mho"), "star": ("let", "star"),
    "pi": ("const", "pi"), "infty": ("const", "oo"), "infin": ("const", "oo"),
    "frac": ("frac", ""), "dfrac": ("frac", ""), "tfrac": ("frac", ""), "cfrac": ("frac", ""),
    "nicefrac": ("frac", ""),
    "sfrac": ("frac", ""), "xfrac": ("frac", ""), "over": ("over", ""), "flatfrac": ("frac", ""),
    "sqrt": ("sqrt", "2"), "surd": ("surd", "2"), "cbrt": ("surd", "3"), "fourthroot": ("surd", "4"),
    "binom": ("binom", ""), "dbinom": ("binom", ""), "tbinom": ("binom", ""), "choose": ("choose", ""),
    "cdot": ("*", ""), "times": ("*", ""), "ast": ("*", ""), "cdotp": ("*", ""), "bullet": ("*", ""),
    "div": ("/", ""), "slash": ("/", ""),
    "pm": ("pm", ""), "mp": ("mp", ""),
    "cup": ("cup", ""), "bigcup": ("cup", ""), "cap": ("cap", ""), "bigcap": ("cap", ""),
    "setminus": ("minus", ""), "smallsetminus": ("minus", ""), "backslash": ("minus", ""),
    "in": ("in", "in"), "notin": ("in", "notin"), "ni": ("ni", ""),
    "lt": ("rel", "<"), "gt": ("rel", ">"), "le": ("rel", "<="), "leq": ("rel", "<="), "leqslant": ("rel", "<="),
    "leqq": ("rel", "<="), "ge": ("rel", ">="), "geq": ("rel", ">="), "geqslant": ("rel", ">="),
    "geqq": ("rel", ">="),
    "ne": ("rel", "!="), "neq": ("rel", "!="), "approx": ("rel", "~"), "thickapprox": ("rel", "~"),
    "approxeq": ("rel", "~"), "simeq": ("rel", "~"), "doteq": ("rel", "~"), "equiv": ("rel", "≡"),
    "coloneqq": ("rel", "="), "triangleq": ("rel", "="),
    "perp": ("rel", "⊥"), "parallel": ("rel", "∥"), "cong": ("rel", "≅"), "sim": ("rel", "∼"), "propto": ("rel", "∝"),
    "subset": ("rel", "⊂"), "subseteq": ("rel", "⊆"), "supset": ("rel", "⊃"), "supseteq": ("rel", "⊇"),
    "subsetneq": ("rel", "⊊"), "subsetneqq": ("rel", "⊊"),
    "ll": ("rel", "≪"), "gg": ("rel", "≫"),
    "to": ("arrow", "to"), "rightarrow": ("arrow", "to"), "longrightarrow": ("arrow", "to"),
    "mapsto": ("arrow", "mapsto"),
    "Rightarrow": ("arrow", "implies"), "implies": ("arrow", "implies"), "iff": ("arrow", "iff"),
    "Leftrightarrow": ("arrow", "iff"), "therefore": ("skip", ""), "leftrightarrow": ("arrow", "iff"),
    "mid": ("mid", ""), "vert": ("|", ""), "lvert": ("labs", ""), "rvert": ("rabs", ""),
    "Vert": ("norm", ""), "lVert": ("lnorm", ""), "rVert": ("rnorm", ""), "|": ("norm", ""),
    "lfloor": ("lfloor", ""), "rfloor": ("rfloor", ""), "lceil": ("lceil", ""), "rceil": ("rceil", ""),
    "langle": ("langle", ""), "rangle": ("rangle", ""), "lbrace": ("lset", ""), "rbrace": ("rset", ""),
    "{": ("lset", ""), "}": ("rset", ""), "lbrack": ("[", ""), "rbrack": ("]", ""),
    "lparen": ("(", ""), "rparen": (")", ""),
    "emptyset": ("empty", ""), "varnothing": ("empty", ""), "O": ("empty", ""),
    "sum": ("bigop", "sum"), "prod": ("bigop", "prod"), "int": ("int", "int"), "lim": ("bigop", "lim"),
    "ldots": ("dots", ""), "dots": ("dots", ""), "cdots": ("dots", ""), "dotsc": ("dots", ""), "dotsb": ("dots", ""),
    "dotso": ("dots", ""), "dotsm": ("dots", ""), "vdots": ("dots", ""), "ddots": ("dots", ""),
    "ellipsis": ("dots", ""),
    "circ": ("circ", ""), "degree": ("degree", ""), "textdegree": ("degree", ""),
    "prime": ("prime", "'"), "%": ("%", ""),
    "$": ("cur", "$"), "euro": ("cur", "€"), "pounds": ("cur", "£"), "yen": ("cur", "¥"), "texteuro": ("cur", "€"),
    "textdollar": ("cur", "$"), "mathdollar": ("cur", "$"),
    "bmod": ("bmod", ""), "mod": ("bmod", ""), "pmod": ("pmod", ""), "pod": ("pmod", ""),
    "begin": ("begin", ""), "end": ("end-env", ""), "substack": ("bad", ""),
    "land": ("and", ""), "wedge": ("and", ""), "lor": ("or", ""), "vee": ("or", ""), "neg": ("bad", ""),
    "forall": ("forall", "forall"), "exists": ("forall", "exists"), "partial": ("let", "partial"),
    "nabla": ("bad", ""),
    "complement": ("complement", ""), "top": ("top", ""), "intercal": ("top", ""), "colon": (":", ""),
    "overline": ("deco", "overline"), "bar": ("deco", "overline"), "vec": ("deco", "vec"), "hat": ("deco", "hat"),
    "widehat": ("deco", "hat"), "tilde": ("deco", "tilde"), "widetilde": ("deco", "tilde"), "dot": ("deco", "dot"),
    "ddot": ("deco", "ddot"), "underline": ("deco", "underline"), "overrightarrow": ("deco", "vec"),
    "overleftrightarrow": ("deco", "line"), "overarc": ("deco", "arc"), "wideparen": ("deco", "arc"),
    "overset": ("bad", ""), "stackrel": ("bad", ""), "check": ("deco", "check"),
    "triangle": ("geo", "triangle"), "angle": ("geo", "angle"), "measuredangle": ("geo", "angle"),
    "square": ("geo", "square"), "Box": ("geo", "square"), "not": ("not", ""),
    "Re": ("func", "re"), "Im": ("func", "im"), "infty\\": ("bad", ""),
    "oplus": ("bad", ""), "otimes": ("bad", ""),
    "newline": ("newline", ""), "&": ("bad", ""), "#": ("skip", ""), "_": ("_", ""),
}  # fmt: skip
for _name, _call in FUNCTIONS.items():
    COMMANDS.setdefault(_name, ("func", _call))

# Commands that leave no trace on the page, or only size and space.
SKIPPED: Final[frozenset[str]] = frozen(
    """
    quad qquad displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits boxed fbox left
    right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm biggm Biggm
    mathstrut strut nobreak allowbreak thinspace negthinspace medspace thickspace enspace enskip space
    hfill hfil centering large Large small normalsize mathopen mathclose mathrel mathord mathbin
    mathinner bf rm it sf tt bm boldsymbol phantom relax ensuremath noindent , ; : ! > / hline
    displaylimits nonumber mathop mathpunct
    """
) | {" ", "\n", "\t", "-"}

# Commands whose argument is text (or upright letters).
TEXT_COMMANDS: Final = (
    "text|textrm|textbf|textit|textsf|texttt|textnormal|textup|textsc|mbox|hbox|mathrm|mathbf|mathit|mathsf|mathtt|"
    "mathnormal|operatorname\\*?|mathcal|mathscr|mathfrak|emph|unit|si|mathop|textcolor\\{[a-z]{1,20}\\}|bold|pmb|bm|boldsymbol"
)

AND_WORDS: Final[frozenset[str]] = frozenset(("and", "&"))
WHERE_WORDS: Final[frozenset[str]] = frozen(
    """
    for where when whenever if with given such as while over on unless provided assuming
    """
)

SETS: Final[frozenset[str]] = frozenset("RZQNCP")

NUMBER_WORDS: Final[dict[str, int]] = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "twenty": 20,
    "binary": 2, "octal": 8, "decimal": 10, "hex": 16,
}  # fmt: skip
