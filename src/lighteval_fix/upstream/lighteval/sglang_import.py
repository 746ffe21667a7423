"""0009: the SGLang backend imports its tokenizer from where SGLang no longer keeps it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module, util
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from ..fix import Finding, Fix, Group, Hook, Seen, Undo

_OLD = "sglang.srt.hf_transformers_utils"
_NEW = "sglang.srt.utils.hf_transformers_utils"


class _Forward(MetaPathFinder, Loader):
    """Asked last, and only for the old name: what SGLang itself provides always wins."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _OLD or not _there(_NEW):
            return None
        return ModuleSpec(_OLD, self, origin=f"forwarded to {_NEW} by lighteval-fix")

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        new = import_module(_NEW)
        # A module-level `__getattr__`, so that what the new module gains later is seen too.
        vars(module)["__getattr__"] = lambda name: getattr(new, name)


def _there(name: str) -> bool:
    try:
        return util.find_spec(name) is not None
    except ImportError:
        return False


def _install() -> Undo:
    finder = _Forward()
    sys.meta_path.append(finder)

    def undo() -> None:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        module = sys.modules.get(_OLD)
        if module is not None and getattr(module.__spec__, "loader", None) is finder:
            del sys.modules[_OLD]

    return undo


def _probe() -> Finding:
    if util.find_spec("sglang") is None:
        return Finding(Seen.NOT_THERE, "SGLang is not installed")
    if _there(_OLD):
        return Finding(Seen.CLEAN, f"{_OLD} can be imported")
    if _there(_NEW):
        return Finding(Seen.FAULT, f"{_OLD} is gone; SGLang keeps it as {_NEW}")
    return Finding(Seen.NOT_THERE, "this SGLang has the module under neither name")


FIX = Fix(
    name="sglang-import",
    number="0009",
    group=Group.DYING,
    body=Hook(install=_install),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="with a current SGLang, LightEval cannot be imported",
    why=(
        "`models/sglang/sglang_model.py` imports `get_tokenizer` from `sglang.srt.hf_transformers_utils`, unguarded "
        "where SGLang is installed, and every run imports that file. SGLang moved the module under `srt/utils`. "
        "The old name is forwarded to the new one in memory; nothing is written into either package, and nothing "
        "happens where SGLang is absent or still has the old name."
    ),
)
