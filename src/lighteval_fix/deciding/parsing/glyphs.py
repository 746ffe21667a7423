"""Unicode mathematics, and the little HTML that golds contain, written as the LaTeX the lexer knows."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

from lighteval_fix.deciding.parsing.tables import listed

_SUPER: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣʸᵃᵇᵏᵐᵗ", "0123456789+-=()nixyabkmt", strict=True))
_SUB: Final = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼ", "0123456789+-=()aeoxhklmnpstij", strict=True))
_GLYPHS: Final[dict[str, str]] = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "‒": "-", "﹣": "-", "⁃": "-", "➖": "-",
    "·": r"\cdot ", "⋅": r"\cdot ", "∙": r"\cdot ", "•": r"\cdot ", "×": r"\times ", "✕": r"\times ", "⨯": r"\times ",
    "∗": "*", "÷": r"\div ", "⁄": "/", "∕": "/", "√": r"\surd ", "∛": r"\cbrt ", "∜": r"\fourthroot ",
    "π": r"\pi ", "𝜋": r"\pi ", "ϖ": r"\pi ", "∞": r"\infty ", "∪": r"\cup ", "∩": r"\cap ", "∖": r"\setminus ",
    "∈": r"\in ", "∊": r"\in ", "∉": r"\notin ", "≤": r"\le ", "≥": r"\ge ", "⩽": r"\le ", "⩾": r"\ge ", "≦": r"\le ",
    "≧": r"\ge ", "≠": r"\ne ", "≈": r"\approx ", "≡": r"\equiv ", "±": r"\pm ", "∓": r"\mp ", "∼": r"\sim ",
    "≅": r"\cong ", "€": r"\euro ", "¢": r"\text{¢}", "£": r"\pounds ", "¥": r"\yen ", "￥": r"\yen ",
    "∝": r"\propto ", "⊂": r"\subset ", "⊆": r"\subseteq ", "⊃": r"\supset ", "⊇": r"\supseteq ",
    "⊥": r"\perp ", "∥": r"\parallel ", "∅": r"\emptyset ", "⌀": r"\emptyset ",
    "ø": r"\emptyset ", "Ø": r"\emptyset ",
    "ℝ": r"\mathbb{R}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}", "ℕ": r"\mathbb{N}",
    "ℂ": r"\mathbb{C}", "ℙ": r"\mathbb{P}",
    "°": r"^\circ ", "º": r"^\circ ", "˚": r"^\circ ", "′": "'", "’": "'", "‘": "'", "ʹ": "'",
    "″": "''", "“": '"', "”": '"',
    "…": r"\ldots ", "⋯": r"\cdots ", "∑": r"\sum ", "∏": r"\prod ", "∫": r"\int ",
    "∂": r"\partial ", "∀": r"\forall ",
    "∃": r"\exists ", "∧": r"\land ", "∨": r"\lor ", "→": r"\to ", "⇒": r"\implies ", "↦": r"\mapsto ", "⇔": r"\iff ",
    "⌊": r"\lfloor ", "⌋": r"\rfloor ", "⌈": r"\lceil ", "⌉": r"\rceil ", "⟨": r"\langle ", "⟩": r"\rangle ",
    "〈": r"\langle ", "〉": r"\rangle ", "∣": "|", "ǀ": "|", "‖": r"\| ", "∠": r"\angle ",
    "△": r"\triangle ", "∘": r"\circ ",
    "½": r"\frac{1}{2}", "⅓": r"\frac{1}{3}", "⅔": r"\frac{2}{3}", "¼": r"\frac{1}{4}", "¾": r"\frac{3}{4}",
    "⅕": r"\frac{1}{5}", "⅖": r"\frac{2}{5}", "⅗": r"\frac{3}{5}", "⅘": r"\frac{4}{5}", "⅙": r"\frac{1}{6}",
    "⅚": r"\frac{5}{6}", "⅐": r"\frac{1}{7}", "⅛": r"\frac{1}{8}", "⅜": r"\frac{3}{8}", "⅝": r"\frac{5}{8}",
    "⅞": r"\frac{7}{8}", "⅑": r"\frac{1}{9}", "⅒": r"\frac{1}{10}",
    "\u00a0": " ", "\u2009": r"\,", "\u202f": r"\,", "\u2007": " ", "\u2002": " ", "\u2003": " ", "\u3000": " ",
    "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "\u2060": "", "\u2061": "", "\u2062": "", "\u2063": "",
    "，": ",", "、": ",", "；": ";", "：": ":", "。": ".", "（": "(", "）": ")", "【": "[", "】": "]",
    "［": "[", "］": "]",
    "ℓ": r"\ell ", "ℎ": "h", "ℯ": "e", "ⅈ": "i", "∆": r"\Delta ", "µ": r"\mu ", "Å": "Å",
    "℃": r"^\circ C", "℉": r"^\circ F",
}  # fmt: skip
_GREEK: Final = listed(
    """
    α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ϑ theta ι iota κ kappa λ
    lambda μ mu ν nu ξ xi ο omicron ρ rho σ sigma ς sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω
    omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
    """
)
_GLYPHS.update((glyph, f"\\{name} ") for glyph, name in zip(_GREEK[::2], _GREEK[1::2], strict=True))

_PIECE: Final = re.compile(
    "(?P<super>[" + "".join(_SUPER) + "]+)|(?P<sub>[" + "".join(_SUB) + "]+)"
    r"|&(?P<entity>lt|gt|le|ge|ne|amp|nbsp|pi|infin|radic|plusmn|times|minus|deg|sup2|frac12|cup|isin|middot);"
    r"|(?P<bar>\d\u0305)|<(?P<tag>sup|sub)>(?P<body>[^<>]{0,200})</(?P=tag)>|(?P<other>[^\x00-\x7f])"
)


def _ascii(piece: re.Match[str]) -> str:
    kind = piece.lastgroup
    text = piece.group()
    if kind == "super":
        return "^{" + "".join(_SUPER[c] for c in text) + "}"
    if kind == "sub":
        return "_{" + "".join(_SUB[c] for c in text) + "}"
    if kind == "entity":
        glyph = html.unescape(text)
        return _GLYPHS.get(glyph) or ("^{2}" if glyph == "²" else glyph)
    if kind == "bar":
        return r"\overline{" + text[0] + "}"
    if kind == "body":
        return ("^{" if piece.group("tag") == "sup" else "_{") + piece.group("body") + "}"
    known = _GLYPHS.get(text)
    if known is not None:
        return known
    if text.isdecimal():
        return str(unicodedata.decimal(text))
    folded = unicodedata.normalize("NFKC", text)
    # full-width forms and the mathematical alphabets; a letter that stays a letter is left alone
    if len(folded) == 1 and folded != text:
        return _GLYPHS.get(folded, folded)
    return text


def as_latex(text: str) -> str:
    """`text` with every glyph the lexer does not know rewritten. Call it only where one can occur."""
    return _PIECE.sub(_ascii, text)


def original_position(text: str, position: int) -> int:
    """Where in `text` the character at `position` of `as_latex(text)` came from."""
    reached = last = 0
    for piece in _PIECE.finditer(text):
        if reached + (piece.start() - last) > position:
            break
        reached += piece.start() - last + len(_ascii(piece))
        last = piece.end()
        if reached > position:
            return piece.start()
    return min(len(text), last + max(0, position - reached))
