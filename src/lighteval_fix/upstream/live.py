"""A harness as it is installed and as it is loaded: its source texts, and functions that already exist.

A function is changed by giving it another code object, so every copy of it changes at once: `from x import f` copies,
methods of instances already built, closures already made.
"""

from __future__ import annotations

import functools
import gc
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from ..model import UpstreamShapeError
from . import edits as editing
from .edits import Edit, Insert


def package_root(package: str) -> Path | None:
    """The folder of an installed top-level package, found without importing it; None where it is not installed."""
    loaded = sys.modules.get(package)
    if loaded is not None and getattr(loaded, "__path__", None):
        return Path(next(iter(loaded.__path__)))
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def module_file(module: str, root: Path) -> Path | None:
    """The source file of `module` below `root`, the folder of its top-level package; None where there is none."""
    below = root.joinpath(*module.split(".")[1:])
    for candidate in (below.with_suffix(".py"), below / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def source_of(module: str) -> str | None:
    """The installed source text of `module`, or None where it is not installed."""
    root = package_root(module.partition(".")[0])
    file = module_file(module, root) if root else None
    return file.read_text(encoding="utf-8") if file else None


def edited(source: str, edits: Iterable[Edit]) -> str:
    """`source` with all edits made."""
    for edit in edits:
        source = editing.apply(source, edit)
    return source


def swap(module: ModuleType, source: str, targets: Iterable[Edit], *, removed: bool = False) -> None:
    """Make the functions that `targets` name behave as `source` says.

    Args:
        module: the loaded module.
        source: its text as it should be.
        targets: which edits to carry over; others in `source` are left alone.
        removed: the targets are being taken back, so their helpers go.

    Raises:
        UpstreamShapeError: a function closes over other variables than the one in `source`.
    """
    codes = _codes(compile(source, module.__file__ or module.__name__, "exec", dont_inherit=True))
    wanted: set[str] = set()
    for edit in targets:
        if isinstance(edit, Insert):
            _set_helper(module, edit, codes, removed=removed)
        else:
            parts = edit.qualname.split(".<locals>.")
            # A nested function lives in the constants of the one round it, too.
            wanted.update(".<locals>.".join(parts[: depth + 1]) for depth in range(len(parts)))
    if not wanted:
        return
    for function in _functions(module, wanted):
        code = codes[function.__code__.co_qualname]
        if code.co_freevars != function.__code__.co_freevars:
            raise UpstreamShapeError(f"{module.__name__}.{code.co_qualname} closes over other variables")
        function.__code__ = code
    for name in wanted:
        _clear_caches(module, name)


def _codes(code: CodeType) -> dict[str, CodeType]:
    """Qualified name -> code object, of everything nested in `code`."""
    found: dict[str, CodeType] = {}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found[constant.co_qualname] = constant
            found.update(_codes(constant))
    return found


def _functions(module: ModuleType, names: set[str]) -> Iterator[FunctionType]:
    for candidate in gc.get_objects():
        if (
            type(candidate) is FunctionType
            and candidate.__globals__ is vars(module)
            and candidate.__code__.co_qualname in names
        ):
            yield candidate


def _set_helper(module: ModuleType, edit: Insert, codes: dict[str, CodeType], *, removed: bool) -> None:
    name = editing.helper_name(edit)
    if removed:
        vars(module).pop(name, None)
    else:
        vars(module)[name] = FunctionType(codes[name], vars(module), name, getattr(edit.function, "__defaults__", None))


def _clear_caches(module: ModuleType, qualname: str) -> None:
    """What a cached function answered before is no longer true."""
    value: object = module
    for part in qualname.split("."):
        value = getattr(value, part, None)
    while value is not None:
        if isinstance(value, functools._lru_cache_wrapper):
            value.cache_clear()
        value = getattr(value, "__wrapped__", None)
