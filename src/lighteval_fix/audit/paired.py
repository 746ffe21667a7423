"""Two runs on the same questions, pair by pair, as graded and re-graded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..model import Grade, RowError
from .grades import Same, before_after
from .stats import Interval, McNemar, bootstrap, mcnemar, sign_counts


@dataclass(frozen=True, slots=True)
class Marks:
    """One item's score under the run's first metric that can be re-graded; `recorded` None where none was kept."""

    recorded: float | None
    regraded: float
    golds: tuple[str, ...]


def item_marks(grades: Iterable[Grade | RowError], same: Same = str.__eq__) -> dict[str, Marks]:
    """Item id -> its marks. An id that comes twice is told apart by how often it came before."""
    found: dict[str, Marks] = {}
    seen: dict[str, int] = {}
    pending: list[Grade] = []
    for grade in grades:
        if isinstance(grade, RowError):
            continue
        pending.append(grade)
        if grade.sample < grade.samples - 1:
            continue
        key = grade.id if grade.id not in seen else f"{grade.id}\0{seen[grade.id]}"
        seen[grade.id] = seen.get(grade.id, 0) + 1
        found[key] = _marks(pending, same)
        pending = []
    return found


def _marks(grades: Sequence[Grade], same: Same) -> Marks:
    pairs = [before_after(grade, grades, same) for grade in grades]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs):
        return Marks(None, sum(grade.score for grade in grades) / len(grades), grades[0].golds)
    before = sum(pair[0] for pair in known) / len(known)
    return Marks(before, sum(pair[1] for pair in known) / len(known), grades[0].golds)


@dataclass(frozen=True, slots=True)
class Side:
    """One way of grading: both scores, their difference (first minus second) with its interval, and the test.

    Where an item has several samples, `b` and `c` of the test count the items on which one run scored higher.
    """

    first: float
    second: float
    difference: float
    ci95: Interval
    p_value: McNemar

    @property
    def order(self) -> int:
        """1 where the first run is ahead, -1 where it is behind, 0 where they are level."""
        return (self.difference > 1e-12) - (self.difference < -1e-12)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, paired.

    Args:
        pairs: items that both runs have, with the same golds.
        only_first, only_second: items without a partner.
        other_golds: items of one id whose golds differ: not the same question, and left out.
        graded: as the harness graded, None where it left no scores.
        regraded: as re-graded.
    """

    pairs: int
    only_first: int
    only_second: int
    other_golds: int
    graded: Side | None
    regraded: Side | None

    @property
    def order_changes(self) -> bool:
        """Whether re-grading turns the order of the two runs."""
        return self.graded is not None and self.regraded is not None and self.graded.order != self.regraded.order

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "pairs": self.pairs,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "other_golds": self.other_golds,
            "graded": None if self.graded is None else _side(self.graded),
            "regraded": None if self.regraded is None else _side(self.regraded),
            "order_changes": self.order_changes,
        }


def _side(side: Side) -> dict[str, Any]:
    test = side.p_value
    return {
        "first": round(side.first, 12),
        "second": round(side.second, 12),
        "difference": round(side.difference, 12),
        "ci95": [round(end, 12) for end in side.ci95],
        "p_value": {"test": test.test, "b": test.b, "c": test.c, "p": test.p},
    }


def compare(first: dict[str, Marks], second: dict[str, Marks]) -> Comparison:
    """Pair two runs' items by id."""
    shared = [key for key in first if key in second]
    same = [key for key in shared if first[key].golds == second[key].golds]
    before = [(first[key].recorded, second[key].recorded) for key in same]
    known = [(a, b) for a, b in before if a is not None and b is not None]
    return Comparison(
        pairs=len(same),
        only_first=len(first) - len(shared),
        only_second=len(second) - len(shared),
        other_golds=len(shared) - len(same),
        graded=side([a for a, _ in known], [b for _, b in known]) if len(known) == len(same) and same else None,
        regraded=side([first[key].regraded for key in same], [second[key].regraded for key in same]) if same else None,
    )


def side(first: Sequence[float], second: Sequence[float]) -> Side:
    """Compare two lists of marks of the same items, in the same order."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    count = len(differences)
    return Side(
        first=sum(first) / count,
        second=sum(second) / count,
        difference=sum(differences) / count,
        ci95=bootstrap(differences, lowest=-1.0),
        p_value=mcnemar(*sign_counts(first, second)),
    )
