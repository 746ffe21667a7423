"""The option that the model chose: one of the item's own labels, or why none was read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ..model import Mark, NoAnswer, NoAnswerReason, Reading, Rule, Split
from ..text.scan import edge_lines, find_backward, line_bounds, narrow
from .asked import Asked, asked_of, is_slot, slot_follows
from .boxes import boxes_backward
from .candidate import PASSED_OVER, View, view_of
from .claims import (
    CORRECTION,
    FORMAL,
    HEADS,
    JOINED,
    MENTIONED,
    PHRASE,
    REQUESTED,
    STATED,
    TALKS,
    TENTATIVE,
    WEAK,
    Claim,
    claim_of,
)
from .cuewords import Cue, english_cues, other_cues
from .formats import json_values, key_names, rule_for, tag_names, tag_spans, template_matches
from .labels import Hit, LabelSet, Options, fold_text, label_of, label_set, labels_listed, match_label, option_texts
from .quick import quick_label
from .statements import Statement, statements, tentative
from .trim import trim_value
from .turns import cut_next_question
from .value import value_in_sentence, value_on_line
from .verdicts import enumerates, named_lines, verdicts

_DELIMITED = re.compile(r"[ \t]*(?:[.):：、．–—-]|,?[ \t]*\(?(?:because|since|as|not|rather than)\b)")
_DOUBLE = re.compile(r"\[\[\s{0,2}([^\[\]\n]{1,8}?)\s{0,2}\]\]")
_LABEL_BEHIND = re.compile(r"[ \t]*[(\[](?:(?i:option|choice) )?(\w{1,4})[)\]][ \t.*_!]*$")
_MOST = 24
_LINES = 400


def read_letter(
    text: str,
    labels: str | Sequence[str] = "ABCD",
    *,
    prompt: str | None = None,
    options: Sequence[str] | None = None,
    unfinished: str = "no-answer",
    split: Split | None = None,
) -> Reading | NoAnswer:
    """The one label that `text` gives as its answer.

    The form that the prompt asked for counts first, then answer lines, boxes, tags and JSON, then phrases, then
    statements (`B is correct`), a label alone, an option's text, and the label that explicit exclusions leave. Two
    different labels of the same standing with no correction between them are a `conflict`; a label that is only
    mentioned is `not_stated`.

    Args:
        text: the generation, reasoning included.
        labels: the item's own labels, a string of characters or a list (`["10", "iv", "أ"]`).
        prompt: what the model was sent.
        options: the options' texts in the order of `labels`; taken from the prompt where it shows them.
        unfinished: "read" reads a trace that was never closed and marks the reading; "no-answer" does not.
        split: the text already cut into reasoning and answer, where the caller has it.

    Returns:
        `Reading.text` is one label, spelled as in `labels`.

    Raises:
        ValueError: no labels, a label twice, or an unknown `unfinished`.
    """
    names = label_set(labels)
    view = view_of(text, unfinished, split)
    if isinstance(view, NoAnswer):
        return view
    asked = asked_of(prompt)
    plain_case = quick_label(text, view.lo, view.hi, names, asked)
    if plain_case is not None:
        label, span, rule = plain_case
        return Reading(label, (span,), rule, view.in_reasoning)
    if not text.isascii():
        plain = text[: view.lo] + narrow(text[view.lo : view.hi]) + text[view.hi :]
        view = View(plain, view.lo, view.hi, view.in_reasoning)
    reader = _Reader(view, names, asked, Options(lambda: option_texts(names, options, prompt)), prompt)
    hi = cut_next_question(view, prompt, reader.has_answer)
    return reader.read(hi)


class _Reader:
    """One text, its labels and what was asked: gathers claims and settles them."""

    __slots__ = ("asked", "judged", "labels", "lo", "options", "prompt", "text", "view")

    def __init__(self, view: View, labels: LabelSet, asked: Asked, options: Options, prompt: str | None) -> None:
        self.view, self.labels, self.asked, self.options, self.prompt = view, labels, asked, options, prompt
        self.judged = False  # whether the text goes through its options one by one
        self.text, self.lo = view.text, view.lo

    def has_answer(self, lo: int, hi: int) -> bool:
        """Whether `lo:hi` states a label formally or in a phrase."""
        return any(c.label is not None for c in (*self._formal(lo, hi), *self._cued(lo, hi)))

    def read(self, hi: int) -> Reading | NoAnswer:
        """The label that `lo:hi` gives."""
        claims = [*self._formal(self.lo, hi), *self._cued(self.lo, hi)]
        strong = [c for c in claims if c.rank >= PHRASE]
        said: list[Statement] = []
        if not strong or any(c.isalnum() for c in self.text[max(c.end for c in strong) : hi]):
            said = statements(self.text, self.lo, hi, self.labels, self.options)
            if not strong:
                claims += [
                    claim_of(hit, start, STATED, Rule.CUE_LETTER)
                    for start, hit in named_lines(self.text, self.lo, hi, self.labels, self.options)
                ]
                each = verdicts(self.text, self.lo, hi, self.labels, self.options, self.prompt)
                self.judged = each is not None
                said = said if not each else [*(s for s in said if not s.weak), *each]
            claims += [self._claim(s) for s in said if not s.excluded]
        if claims:
            settled = self._settle(claims)
            if settled is not None:
                return settled
        return self._lesser(hi, claims, said)

    # --- gathering

    def _formal(self, lo: int, hi: int) -> Iterator[Claim]:
        text = self.text
        for template in self.asked.templates:
            for count, (start, at) in enumerate(template_matches(text, lo, hi, template)):
                if count > _MOST:
                    break
                hit = self._hit(at, hi, line=True)
                if hit is not None:
                    yield claim_of(hit, start, REQUESTED, rule_for(template))
        boxes = 0
        for box in boxes_backward(text, lo, hi):
            boxes += 1
            if boxes > _MOST:
                break
            if not box.closed or is_slot(text[box.inside : box.inside_end], self.asked):
                continue
            hit = self._hit(box.inside, box.inside_end, line=True)
            rank = REQUESTED if self.asked.box else FORMAL
            if hit is not None:
                yield Claim(
                    box.start,
                    box.end,
                    hit.label,
                    hit.many,
                    self._weighed(rank, box.start, box.end, hi),
                    Rule.BOX,
                    (hit.start, hit.end),
                )
            else:
                named = self._by_text(box.inside, box.inside_end)
                if named is not None:
                    yield Claim(box.start, box.end, named, False, rank, Rule.OPTION_TEXT, (box.inside, box.inside_end))
        for m in islice(find_backward(_DOUBLE, text, lo, hi), _MOST) if text.find("[[", lo, hi) >= 0 else ():
            yield from self._enclosed(m.start(), m.end(), m.span(1), FORMAL)
        for start, end, span in tag_spans(text, lo, hi, tag_names(self.asked)):
            yield from self._enclosed(start, end, span, REQUESTED if self.asked.tags else FORMAL)
        for start, end, span, _ in islice(json_values(text, lo, hi, key_names(self.asked)), _MOST):
            yield from self._enclosed(start, end, span, REQUESTED if self.asked.keys else FORMAL)

    def _enclosed(self, start: int, end: int, span: tuple[int, int], rank: int) -> Iterator[Claim]:
        a, b = span
        if a >= b or is_slot(self.text[a:b], self.asked):
            return
        hit = self._hit(a, b, line=True)
        if hit is not None:
            yield Claim(start, end, hit.label, hit.many, rank, Rule.REQUESTED, (hit.start, hit.end))
            return
        named = self._by_text(a, b)
        if named is not None:
            yield Claim(start, end, named, False, rank, Rule.OPTION_TEXT, (a, b))
            return
        for claim in self._cued(a, b):
            yield Claim(start, end, claim.label, claim.many, rank, Rule.REQUESTED, claim.span)
            return

    def _cued(self, lo: int, hi: int) -> Iterator[Claim]:
        found = False
        for cues in (english_cues(self.text, lo, hi), other_cues(self.text, lo, hi)):
            for count, cue in enumerate(cues):
                if count > _MOST:
                    break
                claim = self._of_cue(cue, lo, hi)
                if claim is not None:
                    found = True
                    yield claim
            if found:
                return

    def _of_cue(self, cue: Cue, lo: int, hi: int) -> Claim | None:
        if cue.negated or slot_follows(self.text, cue.value, hi, self.asked):
            return None
        hit = self._hit(cue.value, hi, line=cue.line)
        if hit is None:
            find = value_on_line if cue.line else value_in_sentence
            span = find(self.text, cue.value, hi) if self.options.texts else None
            named = None if span is None else self._by_text(*span)
            if named is None and self.options.texts:  # an option in many words: `none of the above`
                span = (cue.value, line_bounds(self.text, cue.value, lo, hi)[1])
                named = self._by_text(*span)
            if named is None and span is not None:
                named = self._text_and_label(*span)
            if span is None or named is None:
                return None
            return Claim(cue.start, span[1], named, False, FORMAL if cue.line else PHRASE, Rule.OPTION_TEXT, span)
        if cue.line or self._stands_alone(cue, hit, lo, hi):
            rank = FORMAL
        else:
            rank = self._weighed(TENTATIVE if cue.hedged else PHRASE, cue.start, hit.stop, hi)
        return claim_of(hit, cue.start, rank, Rule.ANSWER_LINE if cue.line else Rule.CUE_LETTER)

    def _text_and_label(self, lo: int, hi: int) -> str | None:
        """`diffusion (B)`: an option's text with its own label behind it."""
        m = _LABEL_BEHIND.search(self.text, lo, hi)
        label = None if m is None else label_of(self.labels, m.group(1))
        if m is None or label is None:
            return None
        return label if self._by_text(lo, m.start()) == label else None

    def _stands_alone(self, cue: Cue, hit: Hit, lo: int, hi: int) -> bool:
        """`The answer is (C).` as a line of its own."""
        if not hit.alone or cue.hedged:
            return False
        start, end = line_bounds(self.text, cue.start, lo, hi)
        head = self.text[start : cue.start].strip(" *_#>").lower()
        tail = self.text[hit.stop : end].strip(" *_.!)]}$\\\"'”。,")
        return not tail and head in HEADS and hit.stop <= end

    def _weighed(self, rank: int, start: int, end: int, hi: int) -> int:
        return TENTATIVE if tentative(self.text, self.lo, start, end, hi) else rank

    def _claim(self, s: Statement) -> Claim:
        rank = self._weighed(WEAK if s.weak else STATED, s.start, s.end, self.view.hi)
        return Claim(s.start, s.end, s.labels[0], len(s.labels) > 1, rank, Rule.CUE_LETTER, s.span)

    def _hit(self, at: int, hi: int, line: bool) -> Hit | None:
        hit = match_label(self.text, at, hi, self.labels, self.options, line=line)
        if hit is not None and hit.label is None and is_slot(self.text[hit.start : hit.end], self.asked):
            return None
        return hit

    def _by_text(self, lo: int, hi: int) -> str | None:
        """The label whose option's text `lo:hi` is, if exactly one is."""
        if hi - lo > 600 or not self.options.texts:
            return None
        said = fold_text(self.text[slice(*trim_value(self.text, lo, hi))])
        same = [
            n for n, o in zip(self.labels.labels, self.options.texts, strict=False) if said and fold_text(o) == said
        ]
        if len(same) == 1 and self.text[lo : lo + 2] == "A " and self.labels.lookup.get("A") not in (None, same[0]):
            return None  # the article, or another label than the text's own
        return same[0] if len(same) == 1 else None

    # --- settling

    def _settle(self, claims: list[Claim]) -> Reading | NoAnswer | None:
        top = max(c.rank for c in claims)
        rivals = sorted((c for c in claims if c.rank == top), key=lambda c: (c.end, c.start))
        winner = rivals[-1]
        after = [
            c for c in claims if c.rank >= STATED and c.start >= winner.end and c.label != winner.label and not c.many
        ]
        over = tuple((c.span, c.rule) for c in claims if c.span != winner.span)[:PASSED_OVER]
        if winner.many:
            return NoAnswer(NoAnswerReason.CONFLICT, over)
        rule = winner.rule
        if after:
            last = max(after, key=lambda c: c.end)
            if not self._corrected(winner, last):
                return NoAnswer(NoAnswerReason.CONFLICT, over)
            over = tuple((c.span, c.rule) for c in claims if c.span != last.span)[:PASSED_OVER]
            winner, rule = last, Rule.CORRECTION
        else:
            for rival in reversed(rivals[:-1]):
                if rival.many or rival.label == winner.label:
                    continue
                if not self._corrected(rival, winner):
                    return NoAnswer(NoAnswerReason.CONFLICT, over)
                break
        if winner.label is None:
            return NoAnswer(NoAnswerReason.NOT_STATED, over)
        return self._reading(winner.label, winner.span, rule, over)

    def _corrected(self, first: Claim, second: Claim) -> bool:
        return CORRECTION.search(self.text, first.end, max(first.end, second.span[0])) is not None

    def _reading(
        self, label: str, span: tuple[int, int], rule: Rule, over: tuple[tuple[tuple[int, int], Rule], ...] = ()
    ) -> Reading:
        marks = (Mark.TEXT_DISAGREES,) if self._text_disagrees(label, span) else ()
        return Reading(label, (span,), rule, self.view.in_reasoning, marks, over)

    def _text_disagrees(self, label: str, span: tuple[int, int]) -> bool:
        if span[1] - span[0] > 4:
            return False
        _, end = line_bounds(self.text, span[1], self.lo, self.view.hi)
        said = fold_text(self.text[span[1] : min(end, span[1] + 300)])
        if not said:
            return False
        same = [n for n, o in zip(self.labels.labels, self.options.texts, strict=False) if fold_text(o) == said]
        return len(same) == 1 and same[0] != label

    # --- lesser signs

    def _lesser(self, hi: int, claims: list[Claim], said: list[Statement]) -> Reading | NoAnswer:
        alone = None if self.judged else self._alone(hi)
        if alone is not None:
            return alone
        named = self._by_text(self.lo, hi)
        if named is not None:
            return self._reading(named, (self.lo, hi), Rule.OPTION_TEXT)
        left = self._remaining(said, hi)
        if left is not None:
            return left
        return NoAnswer(NoAnswerReason.NOT_STATED, tuple((c.span, c.rule) for c in claims)[:PASSED_OVER])

    def _alone(self, hi: int) -> Reading | NoAnswer | None:
        """A line that is a label, or a label and its text, where no other line is another one."""
        found: dict[str, tuple[int, int]] = {}
        whole: dict[str, tuple[int, int]] = {}
        firm: dict[str, tuple[int, int]] = {}
        for start, end, edge in edge_lines(self.text, self.lo, hi):
            hit = match_label(self.text, start, end, self.labels, self.options, line=True)
            if hit is None or hit.label is None or hit.start - start > 24:
                continue
            tail = self.text[hit.stop : end]
            plain = not tail.strip(" .,;:!)*_`\"'”}$\\。]")
            if hit.many:
                if plain:
                    return NoAnswer(NoAnswerReason.CONFLICT)
                continue
            joined = JOINED.match(self.text, hit.end, end)
            if joined is not None and label_of(self.labels, joined.group(1)) is not None:
                continue  # `A) and B) are about water`
            if TALKS.match(self.text, hit.end, end) or enumerates(self.text, hit, end, self.labels):
                continue  # `(A) says that`, `A: 5 cm. B: 6 cm.`
            delimited = _DELIMITED.match(self.text, hit.end, end) is not None
            if plain:
                firm.setdefault(hit.label, (hit.start, hit.end))
            elif delimited or (hit.wrapped and not self._discussed(start, hit, tail)) or self._begins(hit, tail):
                bare = match_label(self.text, hit.stop, end, self.labels, self.options)
                if bare is not None and bare.alone:
                    continue  # `A: B` says nothing plainly
                if self._begins(hit, tail) and (edge or self._led_to(start)):
                    whole.setdefault(hit.label, (hit.start, hit.end))
                sure = self._begins(hit, tail) or (edge and not self.labels.digits)
                found.setdefault(hit.label if sure else "", (hit.start, hit.end))
        if not firm and len(whole) == 1 and len(found) > 1 and self._restated(next(iter(whole))):
            whole.clear()
        stated = firm or (whole if len(whole) == 1 else found)
        if len(stated) == 1 and "" not in stated:
            label, span = next(iter(stated.items()))
            return self._reading(label, span, Rule.LETTER_ALONE)
        return NoAnswer(NoAnswerReason.CONFLICT) if len(firm) > 1 else None

    def _discussed(self, start: int, hit: Hit, tail: str) -> bool:
        """`Option A says …` and `(A) says this, (B) says that`: the label is what the line speaks of."""
        if self.text[start : hit.start].strip(' (*_["“').isalpha():
            return True
        others = (m.group(1) for m in MENTIONED.finditer(tail[:_LINES]))
        return any(label_of(self.labels, other) not in (None, hit.label) for other in others)

    def _led_to(self, at: int) -> bool:
        """Whether the line before `at` ends in a colon: `The most likely effect is:`."""
        return self.text[max(self.lo, at - 200) : at].rstrip().endswith((":", "："))

    def _restated(self, label: str) -> bool:
        """Whether the text shows other options, label and text, beside `label`: then it only repeats the question."""
        lines = self.text[self.lo : self.view.hi].split("\n")
        for line in lines[:_LINES]:
            hit = match_label(line, 0, len(line), self.labels, self.options, line=True)
            if hit is not None and hit.label not in (None, label) and self._begins(hit, line[hit.stop :]):
                return True
        return len(lines) > _LINES

    def _begins(self, hit: Hit, tail: str) -> bool:
        index = self.labels.labels.index(hit.label or "")
        texts = self.options.texts
        return index < len(texts) and fold_text(tail) == fold_text(texts[index])

    def _remaining(self, said: list[Statement], hi: int) -> Reading | None:
        excluded = {label for s in said if s.excluded for label in s.labels}
        excluded |= self._denied(hi)
        left = [n for n in self.labels.labels if n not in excluded]
        if len(left) != 1 or len(excluded) < 2:
            return None
        spans = [(s.start, s.end) for s in said if s.excluded] or [(self.lo, hi)]
        return self._reading(left[0], max(spans, key=lambda span: span[1]), Rule.REMAINING)

    def _denied(self, hi: int) -> set[str]:
        return {
            label
            for cue in islice(english_cues(self.text, self.lo, hi), _MOST)
            if cue.negated
            for label in labels_listed(self.text, cue.value, hi, self.labels)
        }
