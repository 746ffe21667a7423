"""A run seen as a whole: where the chat template opens the reasoning in the prompt, a generation that was cut off
before its closing tag holds no tag at all. Its prompt, its siblings and its recorded end give it away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from ..model import Split, SplitState
from ..text.reasoning import DEFAULT_TAGS, is_default, split_reasoning

SIBLINGS = 64
"""How many generations of a run are looked at: the first ones, so that a profile does not depend on the machine."""
_ENOUGH = 4
_CUT = frozenset({"length", "max_tokens", "max_length", "model_length", "max_new_tokens"})


@dataclass(frozen=True, slots=True)
class Seen:
    """How one generation was split, and whether its being unfinished was inferred from the run."""

    split: Split
    inferred: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """What the first generations of a run have in common.

    Args:
        seen: generations looked at.
        closed: of these, with an opening and a closing tag.
        closed_only: of these, with a closing tag only.
        tags: the (opening, closing) pairs that were looked for.
    """

    seen: int = 0
    closed: int = 0
    closed_only: int = 0
    tags: tuple[tuple[str, str], ...] = DEFAULT_TAGS

    @classmethod
    def of(cls, pairs: Iterable[tuple[str | None, str]], tags: Sequence[tuple[str, str]] = DEFAULT_TAGS) -> Profile:
        """The profile of a run's first `SIBLINGS` (prompt, generation) pairs; the rest is not touched."""
        texts = (text for _, text in islice(pairs, SIBLINGS))
        states = [split_reasoning(text, tags).state for text in texts]
        kept = DEFAULT_TAGS if is_default(tags) else tuple((a, b) for a, b in tags)
        return cls(len(states), states.count(SplitState.CLOSED), states.count(SplitState.CLOSED_ONLY), kept)

    @property
    def opened_in_prompt(self) -> bool:
        """Most siblings close a reasoning that they never opened: the template opened it."""
        return self.seen >= _ENOUGH and 2 * self.closed_only > self.seen

    @property
    def reasons(self) -> bool:
        """Most siblings reason between tags."""
        return self.seen >= _ENOUGH and 2 * (self.closed + self.closed_only) > self.seen

    def state(
        self,
        text: str,
        *,
        prompt: str | None = None,
        finish_reason: str | None = None,
        tokens: int | None = None,
        limit: int | None = None,
    ) -> Seen:
        """Split `text`, and mark it unfinished where it holds no tag although its reasoning was opened.

        Args:
            text: the generation.
            prompt: what the model was sent; one that ends in an opening tag has opened the reasoning.
            finish_reason: as recorded (`length`, `stop`, …).
            tokens: output tokens, where recorded.
            limit: the run's limit of output tokens, where recorded.

        Returns:
            `Seen(split, inferred)`; inferred only where the text itself shows no tag: the prompt ends in an opening
            tag, or most siblings are `closed_only`, or most siblings reason and this one was cut off at the limit.
        """
        split = split_reasoning(text, self.tags)
        if split.state is not SplitState.NONE or not text or text.isspace():
            return Seen(split, False)
        cut = (finish_reason or "").lower() in _CUT or (
            tokens is not None and limit is not None and tokens >= limit > 0
        )
        if self.opened_in_prompt or ends_open(prompt, self.tags) or (cut and self.reasons):
            return Seen(Split(text, "", SplitState.UNFINISHED, len(text), len(text)), True)
        return Seen(split, False)


def ends_open(prompt: str | None, tags: Sequence[tuple[str, str]] = DEFAULT_TAGS) -> bool:
    """Whether a prompt ends in an opening tag, white space aside."""
    if not prompt:
        return False
    return prompt[-200:].rstrip().endswith(_DEFAULT_OPENINGS if is_default(tags) else _openings(tags))


def _openings(tags: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(opening for opening, _ in tags)


_DEFAULT_OPENINGS = _openings(DEFAULT_TAGS)
