"""An import hook that loads upstream modules with the edits already made, and tells when one has been loaded."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

Rewrite = Callable[[str, str], str]
"""(module, source) -> the source to run."""
Loaded = Callable[[str], None]


class EditingFinder(MetaPathFinder):
    """Answers for the watched modules only, and before every other finder."""

    def __init__(self, watched: Callable[[str], bool], rewrite: Rewrite, loaded: Loaded) -> None:
        self._watched = watched
        self._rewrite = rewrite
        self._loaded = loaded

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The ordinary spec with a loader that edits."""
        if not self._watched(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader:
            return None
        spec.loader = _EditingLoader(spec.loader.name, spec.loader.path, self._rewrite, self._loaded)
        return spec

    def enable(self) -> None:
        """Put it first, once."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def disable(self) -> None:
        """Take it out."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)


class _EditingLoader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, rewrite: Rewrite, loaded: Loaded) -> None:
        super().__init__(fullname, path)
        self._rewrite = rewrite
        self._loaded_callback = loaded

    def get_code(self, fullname: str) -> CodeType:
        """Compiled from the edited text; neither read from nor written to the byte-code cache."""
        text = self._rewrite(fullname, self.get_data(self.path).decode("utf-8"))
        # So that a traceback shows the lines that ran.
        linecache.cache[self.path] = (len(text), None, text.splitlines(keepends=True), self.path)
        return compile(text, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        self._loaded_callback(module.__name__)
