"""The policies, from strict to loose. Each one asks the stricter first, so none can lose what a stricter one holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model import Different, Equal, Policy, Proof, Undecided, UndecidedReason, Verdict
from . import values
from .parsing import parse_answer, presentation
from .trial import WORK, Trial
from .value import Parsed, Quantity, Unparsed

ORDER = (Policy.IDENTICAL, Policy.VALUE, Policy.IN_CONTEXT)
_ALGEBRA_FOR = 3
"""Licensed readings for which computer algebra may be asked."""


MAX_SHOWN = 200_000
"""Characters of a text that are looked at for being identical; a longer one is over the limit."""
_OVER = Unparsed("", 0, "longer than the limit", over_limit=True)


@dataclass(slots=True)
class Pair:
    """A gold and an answer as given; presentation is removed once, and each is parsed once, when first asked for."""

    gold_text: str
    answer_text: str
    gold_shown: str = field(init=False)
    answer_shown: str = field(init=False)
    _parsed: tuple[Parsed | Unparsed, Parsed | Unparsed] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.gold_shown, self.answer_shown = _shown(self.gold_text), _shown(self.answer_text)

    def parsed(self) -> tuple[Parsed | Unparsed, Parsed | Unparsed]:
        """Both as values."""
        if self._parsed is None:
            self._parsed = _parse(self.gold_text), _parse(self.answer_text)
        return self._parsed


def _shown(text: str) -> str:
    return text if len(text) > MAX_SHOWN else presentation(text)


def _parse(text: str) -> Parsed | Unparsed:
    return _OVER if len(text) > MAX_SHOWN else parse_answer(text)


def identical(pair: Pair) -> Verdict:
    """The same text once presentation is removed."""
    if not pair.gold_shown or not pair.answer_shown:
        return Undecided(UndecidedReason.EMPTY)
    return Equal(Proof.IDENTICAL) if pair.gold_shown == pair.answer_shown else Different(Proof.IDENTICAL)


def value(pair: Pair, trial: Trial) -> Verdict:
    """The same mathematical object, judged without the question."""
    gold, answer = pair.parsed()
    if isinstance(gold, Unparsed):
        return _unread(gold)
    if isinstance(answer, Unparsed):
        return _unread(answer)
    verdict = values.compare(gold.value, answer.value, trial)
    if isinstance(verdict, Undecided) and (measured := _as_measured(gold, answer, trial)) is not None:
        return measured
    if isinstance(verdict, Different) and _other_reading(gold, answer, trial):
        return Undecided(UndecidedReason.NOT_PROVED, "equal in another reading of the text")
    return verdict


def _as_measured(gold: Parsed, answer: Parsed, trial: Trial) -> Verdict | None:
    """`5 m` beside five metres: what was read as a product is a quantity where the other side has that unit."""
    for plain, measured in ((gold, answer), (answer, gold)):
        if isinstance(plain.other, Quantity) and isinstance(measured.value, Quantity):
            ours, theirs = (plain.other, measured.value) if plain is gold else (measured.value, plain.other)
            verdict = values.compare(ours, theirs, trial)
            return verdict if isinstance(verdict, Equal) else None
    return None


def _unread(text: Unparsed) -> Undecided:
    reason = UndecidedReason.LIMIT if text.over_limit else UndecidedReason.UNPARSED
    return Undecided(reason, f"{text.why} at {text.position}")


def _other_reading(gold: Parsed, answer: Parsed, trial: Trial) -> bool:
    """Whether a second reading that one of the texts has in use would make the two equal."""
    if gold.other is None and answer.other is None:
        return False
    ours = [reading for reading in (gold.value, gold.other) if reading is not None]
    theirs = [reading for reading in (answer.value, answer.other) if reading is not None]
    pairs = [(one, two) for one in ours for two in theirs][1:]
    inner = Trial(trial.precision, trial.seed, trial.deadline, algebra=False)
    verdicts = (values.compare(one, two, inner) for one, two in pairs)
    return any(isinstance(found, Equal) or found == _WHICH_IS_WHOSE for found in verdicts)


_WHICH_IS_WHOSE = Undecided(UndecidedReason.NAMES_DIFFER)


def in_context(pair: Pair, question: str, by_value: Verdict, trial: Trial) -> Verdict:
    """What the question licenses: readings of the pair that its words allow, each decided by the rules of `value`."""
    if isinstance(by_value, Equal):
        return by_value
    from .context import rewrites

    pool = WORK
    for number, rewrite in enumerate(rewrites(question, *pair.parsed(), pair.gold_text, pair.answer_text)):
        inner = Trial(trial.precision, trial.seed, trial.deadline, algebra=number < _ALGEBRA_FOR, work=pool // 2)
        verdict = values.compare(rewrite.gold, rewrite.answer, inner)
        pool -= pool // 2 - max(inner.work, 0)
        trial.note("licence", verdict.kind, rewrite.evidence)
        if isinstance(verdict, Equal):
            return Equal(Proof.LICENSED, rewrite.evidence)
        if trial.seconds_left() < 0 or pool < 1_000:
            break
    return by_value
