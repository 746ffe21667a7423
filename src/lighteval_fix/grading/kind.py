"""Which grader an item needs: by declaration, then by the item's shape, then by the metric's name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, assert_never

from ..model import Item, Kind
from .grader import Grader, Options

if TYPE_CHECKING:
    from ..reading.profile import Profile

_CODE_METRIC = re.compile(r"(?:^|[^a-z])(?:codegen|code_?eval|humaneval|mbpp|lcb)", re.IGNORECASE)


def kind_of(item: Item, declared: Kind | None = None) -> Kind:
    """`declared` wins; tests mean a program, options with an index a choice; then the metric's name decides.

    A task's name says nothing: it is the user's own.
    """
    if declared is not None:
        return declared
    if item.tests is not None:
        return Kind.CODE
    if len(item.choices) > 1 and item.gold_index:
        return Kind.CHOICE
    for recorded in item.recorded:
        if _of_programs(recorded.metric):
            return Kind.CODE
    if len(item.labels) > 1 and all(gold.text in item.labels for gold in item.golds):
        return Kind.CHOICE
    return Kind.MATH


@lru_cache(maxsize=256)
def _of_programs(metric: str) -> bool:
    return _CODE_METRIC.search(metric) is not None


class Graders:
    """The graders of one run, each built when an item first needs it."""

    def __init__(self, options: Options, profile: Profile | None = None, run_kind: Kind | None = None) -> None:
        self._options = options
        self._profile = profile
        self._declared = options.kind or run_kind
        self._built: dict[Kind, Grader] = {}

    def kind_of(self, item: Item) -> Kind:
        """The kind of `item`, the declared one first."""
        return kind_of(item, self._declared)

    def of(self, item: Item) -> Grader:
        """The grader `item` needs."""
        kind = self.kind_of(item)
        if kind not in self._built:
            self._built[kind] = self._build(kind)
        return self._built[kind]

    def _build(self, kind: Kind) -> Grader:
        match kind:
            case Kind.MATH:
                from .math import MathGrader

                return MathGrader(self._options, self._profile)
            case Kind.CHOICE:
                from .choice import ChoiceGrader

                return ChoiceGrader(self._options, self._profile)
            case Kind.CODE:
                from .code import CodeGrader

                return CodeGrader(self._options)
            case _:
                assert_never(kind)
