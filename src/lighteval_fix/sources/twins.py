"""Columns of a parquet file that repeat another one are not decoded twice.

LightEval writes every text two times, as generated and with the reasoning removed; where there was none, both are the
same. A row group's column is written as bytes that depend on its values, type and settings only, so equal bytes under
equal types are equal values, and comparing bytes costs a tenth of decoding them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO, TypeAlias

Twins: TypeAlias = Mapping[str, str]
"""Dotted path of a leaf -> that of the leaf which it mostly repeats, in the same struct."""

_CHUNK_FACTS = (
    "physical_type",
    "compression",
    "encodings",
    "num_values",
    "total_compressed_size",
    "total_uncompressed_size",
)
_LEAF_FACTS = ("logical_type", "converted_type", "max_definition_level", "max_repetition_level")
_PIECE = 2**17


def repeated(raw: BinaryIO, metadata: Any, group: int, twins: Twins) -> list[str]:
    """Those leaves of row group `group` that are stored as the very bytes of the leaf which they repeat.

    Args:
        raw: the file at random access.
        metadata: its `pyarrow.parquet.FileMetaData`.
        group: index of the row group.
        twins: which leaf repeats which.
    """
    described = metadata.row_group(group)
    index = {metadata.schema.column(i).path: i for i in range(described.num_columns)}
    found = []
    for leaf, original in twins.items():
        if leaf in index and original in index:
            first, second = (metadata.schema.column(index[name]) for name in (leaf, original))
            if all(str(getattr(first, fact)) == str(getattr(second, fact)) for fact in _LEAF_FACTS) and _same_chunk(
                raw, described.column(index[leaf]), described.column(index[original])
            ):
                found.append(leaf)
    return found


def _same_chunk(raw: BinaryIO, first: Any, second: Any) -> bool:
    if not all(getattr(first, fact) == getattr(second, fact) for fact in _CHUNK_FACTS):
        return False
    size = first.total_compressed_size
    for done in range(0, size, _PIECE):
        pieces = []
        for chunk in (first, second):
            raw.seek(_start(chunk) + done)
            pieces.append(raw.read(min(_PIECE, size - done)))
        if pieces[0] != pieces[1]:
            return False
    return True


def _start(chunk: Any) -> int:
    offsets = [chunk.data_page_offset] + ([chunk.dictionary_page_offset] if chunk.has_dictionary_page else [])
    return int(min(offsets))


def restored(batch: Any, leaves: list[str], twins: Twins) -> Any:
    """The record batch with the values of the leaves that were left out, taken from those which they repeat."""
    import pyarrow

    for leaf in leaves:
        (struct, name), original = leaf.split(".")[:2], twins[leaf].split(".")[1]
        array = batch.column(struct)
        again = array.field(original)
        made = pyarrow.StructArray.from_arrays(
            [*(array.field(i) for i in range(array.type.num_fields)), again],
            fields=[*array.type, pyarrow.field(name, again.type)],
            mask=array.is_null() if array.null_count else None,
        )
        batch = batch.set_column(batch.schema.get_field_index(struct), struct, made)
    return batch
