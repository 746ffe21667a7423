"""Sets and lists: every member needs its own partner. Tuples: place by place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model import Different, Equal, Proof, Undecided, UndecidedReason, Verdict
from .trial import Limit
from .value import Value

MAX_MEMBERS = 80

Compare = Callable[[Value, Value], Verdict]


def in_order(left: Sequence[Value], right: Sequence[Value], compare: Compare) -> Verdict:
    """Place by place."""
    if len(left) != len(right):
        return Different(Proof.MEMBERS, f"{len(left)} entries against {len(right)}")
    open_question: Undecided | None = None
    proofs: list[Equal] = []
    for place, (one, two) in enumerate(zip(left, right, strict=True), 1):
        verdict = compare(one, two)
        match verdict:
            case Different():
                return Different(Proof.MEMBERS, f"entry {place}: {verdict.proof.value} {verdict.evidence}".strip())
            case Undecided():
                open_question = open_question or Undecided(verdict.reason, f"entry {place} {verdict.detail}".strip())
            case Equal():
                proofs.append(verdict)
    return open_question or gathered(proofs)


def gathered(proofs: Sequence[Equal]) -> Equal:
    """The proof of a whole whose parts are equal; a rounding or a licence in a part is named."""
    for special in (Proof.LICENSED, Proof.ROUNDED):
        for proof in proofs:
            if proof.proof is special:
                return proof
    return Equal(Proof.MEMBERS, f"{len(proofs)} parts")


def in_any_order(left: Sequence[Value], right: Sequence[Value], compare: Compare) -> Verdict:
    """A one-to-one pairing of all members, or a member that provably has no partner."""
    if len(left) > MAX_MEMBERS or len(right) > MAX_MEMBERS:
        if len(left) != len(right):
            return Different(Proof.MEMBERS, f"{len(left)} members against {len(right)}")
        raise Limit("members")
    table = _Table(left, right, compare)
    if len(left) == len(right):
        pairs = table.pairing(maybe=False)
        if pairs is not None:
            return gathered([proof for proof in (table.verdict(i, j) for i, j in pairs) if isinstance(proof, Equal)])
    lonely = table.lonely()
    if lonely is not None:
        return Different(Proof.MEMBERS, lonely)
    if len(left) != len(right):
        return Different(Proof.MEMBERS, f"{len(left)} members against {len(right)}")
    if table.pairing(maybe=True) is None:
        return Different(Proof.MEMBERS, "the members cannot be paired")
    return table.open_question()


class _Table:
    """Verdicts of pairs, computed when asked for."""

    def __init__(self, left: Sequence[Value], right: Sequence[Value], compare: Compare) -> None:
        self.left, self.right, self.compare = left, right, compare
        self.known: dict[tuple[int, int], Verdict] = {}

    def verdict(self, i: int, j: int) -> Verdict:
        found = self.known.get((i, j))
        if found is None:
            found = self.known[i, j] = self.compare(self.left[i], self.right[j])
        return found

    def pairing(self, *, maybe: bool) -> list[tuple[int, int]] | None:
        """Augmenting paths; with `maybe`, undecided pairs count as possible."""
        partner: dict[int, int] = {}

        def fits(i: int, j: int) -> bool:
            verdict = self.verdict(i, j)
            return isinstance(verdict, Equal) or (maybe and isinstance(verdict, Undecided))

        def place(i: int, seen: set[int]) -> bool:
            order = sorted(range(len(self.right)), key=lambda j: (j in partner, self.left[i] != self.right[j], j != i))
            for j in order:
                if j in seen or not fits(i, j):
                    continue
                seen.add(j)
                if j not in partner or place(partner[j], seen):
                    partner[j] = i
                    return True
            return False

        for i in range(len(self.left)):
            if not place(i, set()):
                return None
        return sorted((i, j) for j, i in partner.items())

    def lonely(self) -> str | None:
        """A member that differs from every one on the other side."""
        for i in range(len(self.left)):
            if all(isinstance(self.verdict(i, j), Different) for j in range(len(self.right))):
                return f"member {i + 1} of the gold has no partner"
        for j in range(len(self.right)):
            if all(isinstance(self.verdict(i, j), Different) for i in range(len(self.left))):
                return f"member {j + 1} of the answer has no partner"
        return None

    def open_question(self) -> Verdict:
        for verdict in self.known.values():
            if isinstance(verdict, Undecided):
                return verdict
        return Undecided(UndecidedReason.NOT_PROVED)
