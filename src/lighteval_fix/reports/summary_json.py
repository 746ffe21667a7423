"""The JSON of the contract: written, and its JSON Schema made from the types."""

from __future__ import annotations

import json
import types
import typing
from pathlib import Path
from typing import Any, TextIO

from ..audit.document import Document
from .part_file import PartFile


def write_json(document: Document, to: Path | TextIO) -> None:
    """Write `document`; a file appears whole or not at all."""
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    # A lone surrogate in model text has no UTF-8; as a JSON escape it keeps its value.
    text = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text) if _surrogates(text) else text
    if isinstance(to, Path):
        PartFile(to).write(text)
    else:
        to.write(text)


def _surrogates(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of `Document`."""
    definitions: dict[str, Any] = {}
    root = _of(Document, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "lighteval-fix re-grade",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def _of(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if typing.is_typeddict(kind):
        name = kind.__name__
        if name not in definitions:
            definitions[name] = {}
            # Postponed annotations hide NotRequired from `__required_keys__`, so the hints are asked.
            hints = typing.get_type_hints(kind, include_extras=True)
            optional = {key for key, hint in hints.items() if typing.get_origin(hint) is typing.NotRequired}
            definitions[name] = {
                "type": "object",
                "properties": {
                    key: _of(typing.get_args(hint)[0] if key in optional else hint, definitions)
                    for key, hint in hints.items()
                },
                "required": sorted(hints.keys() - optional),
            }
        return {"$ref": f"#/$defs/{name}"}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _of(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_of(argument, definitions) for argument in arguments]}
    simple = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
    return {"type": simple[kind]}
