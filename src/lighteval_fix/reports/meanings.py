"""What a code means, in the sentence that stands under it in `model/codes.py`: the docs and the page show the same."""

from __future__ import annotations

import ast
from functools import cache
from importlib.resources import files

from .. import model


@cache
def meanings(enum: str) -> dict[str, str]:
    """Every code of an enum of `model.codes` with its sentence, in their order; nothing where there is no source."""
    try:
        source = (files(model) / "codes.py").read_text(encoding="utf-8")
    except OSError:
        return {}
    found = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == enum)
    said: dict[str, str] = {}
    latest = ""
    for node in found.body:
        match node:
            case ast.Assign(value=ast.Constant(value=str(code))):
                latest = code
                said[latest] = ""
            case ast.Expr(value=ast.Constant(value=str(text))) if latest:
                said[latest] = " ".join(text.split())
    return said
