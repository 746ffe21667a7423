"""The answer to a mathematical question: which string, and where. Never more than the text says."""

from __future__ import annotations

import re
from itertools import islice

from ..model import NoAnswer, NoAnswerReason, Reading, Rule, Split
from ..text.scan import find_backward
from .asked import NOTHING, Asked, asked_of, is_slot, slot_follows
from .boxes import last_box
from .candidate import Candidate, PassedOver, View, view_of
from .conclusion import breaks_off, conclude, ends_well
from .cuewords import Cue, english_cues, other_cues
from .formats import (
    hash_marks,
    json_values,
    key_names,
    rule_for,
    tag_names,
    tag_spans,
    template_matches,
    template_value,
)
from .quick import BEFORE, quick_answer
from .trim import trim_value
from .turns import cut_next_question
from .value import is_blank, is_prose, value_in_sentence, value_on_line

_CORRECTION = re.compile(
    r"(?i)\b(?:wait|actually|correction|corrected|sorry|hold on|oops|scratch that|my mistake|a mistake|an error"
    r"|on (?:reflection|second thought)|let me (?:re-?check|correct|redo|fix|re-?examine|reconsider)"
    r"|not right|incorrect|wrong"
    r"|i (?:misread|miscounted|forgot|overlooked|slipped)|reconsider(?:ing)?|instead|however|no[,:.])(?![a-z])"
    r"|不对|更正|等等|错了|moment|espera|attends|warte|нет,|исправ"
)
_SHOULD = re.compile(
    r"(?i)\b(?:it|this|that|the (?:\w+ ){0,2}(?:value|result|total|sum|number"
    r"|answer))\s+(?:should (?:instead )?be|must be|is actually"
    r"|is really|is in fact|has to be)\s+|\b(?:correction|I mean|make that)\s*[:,–—-]?\s*(?=[-−+$\\(]{0,3}\d)"
)
_DOUBT = re.compile(
    r"(?i)\b(?:wait|but|however|hmm|alternatively|let me|let's|not (?:entirely |completely )?sure|maybe"
    r"|perhaps|double[- ]check|verify)\b"
)
_NULLS = frozenset({"nil", "undefined"})
"""Nothing, as the value of a JSON key; in a sentence, `undefined` is an answer."""
_FEW_CUES = 16
_FEW_CHARACTERS = 200
_JUST_BEFORE = 120
"""The same as `BEFORE` for the cues of other languages: one search a language is dear."""
_SHORTEST = 8
"""No correction that states a value is shorter."""


def read_answer(
    text: str,
    *,
    prompt: str | None = None,
    unfinished: str = "no-answer",
    split: Split | None = None,
    prefer: str | None = None,
) -> Reading | NoAnswer:
    """The answer that `text` gives, by the first of these that is there: the form that the prompt asked for; the last
    answer line, box, tag or JSON value; a concluding phrase; the maths, bold text or number of the last sentence. An
    explicit correction behind it wins.

    Args:
        text: the generation, reasoning included.
        prompt: what the model was sent; without it the customary forms are looked for.
        unfinished: "read" reads a trace that was never closed and marks the reading; "no-answer" does not.
        split: the text already cut into reasoning and answer, where the caller has it.
        prefer: "requested" or "boxed" puts answer lines before boxes, or boxes before answer lines, whatever the
            prompt asked for.

    Raises:
        ValueError: unknown `unfinished` or `prefer`.
    """
    if prefer not in (None, "requested", "boxed"):
        raise ValueError(f"prefer must be 'requested' or 'boxed', not {prefer!r}")
    view = view_of(text, unfinished, split)
    if isinstance(view, NoAnswer):
        return view
    asked = asked_of(prompt)
    if prefer is None:
        plain_case = quick_answer(view, asked)
        if plain_case is not None:
            return plain_case
    hi = cut_next_question(view, prompt, lambda lo, end: _has_answer(text, lo, end, asked))
    return _read(view, view.lo, hi, asked, prefer, prompt)


def _read(
    view: View, lo: int, hi: int, asked: Asked, prefer: str | None = None, prompt: str | None = None
) -> Reading | NoAnswer:
    over = PassedOver()
    text = view.text
    requested = _requested(text, lo, hi, asked)
    boxed = last_box(text, lo, hi, asked, over)
    first = max((c.start for c in (requested, boxed.candidate) if c is not None), default=lo)
    line, phrase, bare_cue = _cued(text, max(lo, first - BEFORE), hi, asked, max(lo, first - _JUST_BEFORE))
    others = _other_forms(view, text, lo, hi, asked)
    winner = _choose(asked, prefer, requested, boxed.candidate, line, others)
    if winner is None and boxed.cut_off >= 0 and boxed.cut_off > (phrase.start if phrase else -1):
        return NoAnswer(NoAnswerReason.UNFINISHED, tuple(over.seen))
    if winner is None and phrase is not None and _left_open(text, phrase, hi):
        over.add(phrase)
        return NoAnswer(NoAnswerReason.UNFINISHED, tuple(over.seen))
    winner = winner or phrase
    for seen in (requested, boxed.candidate, line, phrase, others):
        if seen is not winner:
            over.add(seen)
    if winner is not None:
        corrected = _corrected(text, winner, hi, phrase, boxed.candidate, line, asked)
        if corrected is not None:
            over.add(winner)
            return corrected.reading(view, over, Rule.CORRECTION)
        return winner.reading(view, over)
    if bare_cue:
        return NoAnswer(NoAnswerReason.NOT_STATED, tuple(over.seen))
    weak = conclude(text, lo, hi, asked, prompt)
    if weak is not None:
        return weak.reading(view, over)
    reason = NoAnswerReason.UNFINISHED if breaks_off(text, lo, hi) else NoAnswerReason.NOT_STATED
    return NoAnswer(reason, tuple(over.seen))


def _choose(
    asked: Asked,
    prefer: str | None,
    requested: Candidate | None,
    box: Candidate | None,
    line: Candidate | None,
    other: Candidate | None,
) -> Candidate | None:
    if prefer == "requested" and (requested or line):
        return requested or line
    if prefer == "boxed" and box:
        return box
    if requested is not None:
        return requested
    if asked.box and box is not None:
        return box
    explicit = [c for c in (line, box, other) if c is not None]
    return max(explicit, key=lambda c: (c.end, c.start), default=None)


def _requested(text: str, lo: int, hi: int, asked: Asked) -> Candidate | None:
    """The last line, tag, JSON value or mark that the prompt asked for."""
    found: list[Candidate] = []
    for template in asked.templates:
        for count, (start, at) in enumerate(template_matches(text, lo, hi, template)):
            if count > _FEW_CUES:
                break
            if slot_follows(text, at, hi, asked):
                continue
            span = _phrase_within(text, at, hi, asked) or template_value(text, at, hi, template)
            if span is None:
                continue
            value = _accept(text, start, span, asked, rule_for(template))
            if value is not None:
                found.append(value)
                break
    for start, end, span in tag_spans(text, lo, hi, asked.tags):
        value = _from_tag(text, start, end, span, asked)
        if value is not None:
            found.append(value)
            break
    if asked.keys:
        found.extend(_json(text, lo, hi, asked, asked.keys))
    if asked.marks:
        found.extend(_marked(text, lo, hi, asked))
    return max(found, key=lambda c: c.end, default=None)


def _other_forms(view: View, text: str, lo: int, hi: int, asked: Asked) -> Candidate | None:
    """Tags, JSON and marks that are customary without a request."""
    found = _json(text, lo, hi, asked, key_names(asked)) + _marked(text, lo, hi, asked)
    for start, end, span in tag_spans(text, lo, hi, tag_names(asked)):
        value = _from_tag(text, start, end, span, asked)
        if value is not None:
            found.append(value)
            break
    return max(found, key=lambda c: c.end, default=None)


def _phrase_within(text: str, at: int, hi: int, asked: Asked) -> tuple[int, int] | None:
    """The value of a concluding phrase that stands in the rest of the line: `ANSWER: so the answer is 12`."""
    end = text.find("\n", at, hi)
    end = hi if end < 0 else end
    if text.find("nswer", at, end) < 0:
        return None
    for cue in english_cues(text, at, end):
        if not cue.negated:
            return value_in_sentence(text, cue.value, end)
    return None


def _from_tag(text: str, start: int, end: int, span: tuple[int, int], asked: Asked) -> Candidate | None:
    lo, hi = span
    if lo >= hi or is_blank(text[lo:hi]) or is_slot(text[lo:hi], asked):
        return None
    content = text[lo:hi]
    if is_prose(content) or "\n" in content or "oxed" in content or "nswer" in content:
        inner = _read(View(text, lo, hi, False), lo, hi, NOTHING)
        if isinstance(inner, Reading):
            return Candidate(start, end, inner.spans, inner.text, Rule.REQUESTED)
        return None if is_prose(content) else Candidate(start, end, ((lo, hi),), content, Rule.REQUESTED)
    return Candidate(start, end, ((lo, hi),), content, Rule.REQUESTED)


def _json(text: str, lo: int, hi: int, asked: Asked, keys: tuple[str, ...]) -> list[Candidate]:
    for start, end, span, value in islice(json_values(text, lo, hi, keys), _FEW_CUES):
        if (
            value.strip()
            and value.strip() not in _NULLS
            and not is_blank(value)
            and not is_slot(value, asked)
            and not is_prose(value)
        ):
            a, b = trim_value(text, *span, maths=True)
            clean = text[a:b] if value == text[span[0] : span[1]] else value.strip()
            return [Candidate(start, end, ((a, b),), clean, Rule.REQUESTED)] if clean else []
    return []


def _marked(text: str, lo: int, hi: int, asked: Asked) -> list[Candidate]:
    for start, (a, b) in islice(hash_marks(text, lo, hi, asked), _FEW_CUES):
        if not is_slot(text[a:b], asked):
            return [Candidate(start, b, ((a, b),), text[a:b], Rule.REQUESTED)]
    return []


def _cued(
    text: str, lo: int, hi: int, asked: Asked, other_lo: int | None = None
) -> tuple[Candidate | None, Candidate | None, bool]:
    """The last answer line, the last concluding phrase, and whether the text ends in a cue without a value."""
    line: Candidate | None = None
    phrase: Candidate | None = None
    hedged: Candidate | None = None
    ends_bare = False
    for cues in (english_cues(text, lo, hi), other_cues(text, lo if other_lo is None else other_lo, hi)):
        for count, cue in enumerate(cues):
            if count > _FEW_CUES or (line is not None and phrase is not None):
                break
            if count == 0 and cue.negated and _is_last_word(text, cue.value, hi):
                ends_bare = True
            if count == 0 and cue.line:
                rest = text[cue.value : hi].strip(" \n\t*:_$") if hi - cue.value < 80 else "…"
                ends_bare = ends_bare or not rest or (rest != "…" and (is_blank(rest) or is_slot(rest, asked)))
            value = _cue_value(text, hi, cue, asked)
            if value is None:
                continue
            if cue.hedged:
                hedged = hedged or value
            elif cue.line:
                line = line or _inner(value, phrase, text) or value
            else:
                phrase = phrase or value
        if line is not None or phrase is not None:
            break
    return line, phrase or (hedged if line is None else None), ends_bare


_ASKS = re.compile(r"[^.,!?;\n]{1,40},?\s*(?:right|correct|yes|no)?\s*\?(?=\s|$)")
"""A value that is asked, not stated: `the answer is 5, right?`"""
_GOES_ON = re.compile(r"[.!?。！？;\n]\s*[^\W_]")


def _is_last_word(text: str, at: int, hi: int) -> bool:
    """Whether no other sentence follows the one at `at`: what it denies is all that the text says in the end."""
    return hi - at < _FEW_CHARACTERS and _GOES_ON.search(text, at, hi) is None


_CONTRAST = re.compile(
    r"[^.,;，、\n]{1,40}(?:(?:,\s*|\s+)(?:but(?: rather)?|it is|it['’]s|rather|sondern|sino|mais|bensì|maar|men|mas|а)"
    r"\s+(?:it is\s+)?|[,，]?而是\s*|ではなく[,、]?\s*|\s?아니라\s*)(?=[-−+$\\(]*\d|[$\\])"
)
_SAID = re.compile(
    r"(?:The|It|This|That|There|So|Thus|Therefore|Hence|Our)\b[^\d$\\=:.\n]{2,90}?\b(?:is|are|equals?)\s+(?=[-−+$\\(]{0,3}[\d\\])"
)
"""`The area is 12`: an answer line that says its value in a sentence."""


def _cue_value(text: str, hi: int, cue: Cue, asked: Asked) -> Candidate | None:
    if cue.negated:
        turned = _CONTRAST.match(text, cue.value, hi)
        span = None if turned is None else value_in_sentence(text, turned.end(), hi)
        return None if span is None else _accept(text, cue.start, span, asked, Rule.PHRASE)
    if slot_follows(text, cue.value, hi, asked):
        return None
    if _ASKS.match(text, cue.value, hi):
        return None
    if cue.line:
        span = _phrase_within(text, cue.value, hi, asked) or value_on_line(text, cue.value, hi)
        said = None if span is None else _SAID.match(text, *span)
        span = span if said is None else value_in_sentence(text, said.end(), hi) or span
        return None if span is None else _accept(text, cue.start, span, asked, Rule.ANSWER_LINE)
    span = value_in_sentence(text, cue.value, hi)
    return None if span is None else _accept(text, cue.start, span, asked, Rule.PHRASE)


def _inner(line: Candidate, phrase: Candidate | None, text: str) -> Candidate | None:
    """`Answer: let us see. … so the answer is 7.`: the phrase that stands later in the same line is the value."""
    if phrase is None or phrase.start < line.start or text.find("\n", line.start, phrase.start) >= 0:
        return None
    return Candidate(line.start, phrase.end, phrase.spans, phrase.text, Rule.ANSWER_LINE)


def _accept(text: str, start: int, span: tuple[int, int], asked: Asked, rule: Rule) -> Candidate | None:
    value = text[span[0] : span[1]]
    if not value or is_blank(value) or is_slot(value, asked):
        return None
    if "oxed" in value or "fbox" in value:
        inner = last_box(text, span[0], span[1], asked, PassedOver())
        if inner.candidate is None:
            return None
        return Candidate(start, max(span[1], inner.candidate.end), inner.candidate.spans, inner.candidate.text, rule)
    return Candidate(start, span[1], (span,), value, rule)


def _corrected(
    text: str,
    winner: Candidate,
    hi: int,
    phrase: Candidate | None,
    box: Candidate | None,
    line: Candidate | None,
    asked: Asked,
) -> Candidate | None:
    """A later statement that an explicit correction leads to."""
    later = [c for c in (phrase, box, line) if c is not None and c is not winner and c.start >= winner.end]
    for c in sorted(later, key=lambda c: c.start, reverse=True):
        if c.text != winner.text and _CORRECTION.search(text, winner.end, c.start + 1):
            return c
    if later or not _SHORTEST < hi - winner.end < 4000 or not _CORRECTION.search(text, winner.end, hi):
        return None
    for m in find_backward(_SHOULD, text, winner.end, hi):
        span = value_in_sentence(text, m.end(), hi)
        if span is not None and any(c.isdigit() or c in "\\$" for c in text[span[0] : span[1]]):
            return _accept(text, m.start(), span, asked, Rule.CORRECTION)
        break
    return None


def _left_open(text: str, phrase: Candidate, hi: int) -> bool:
    """A phrase that the text goes on to doubt, and then breaks off: no answer was settled on."""
    return hi - phrase.end > 200 and not ends_well(text, hi) and _DOUBT.search(text, phrase.end, hi) is not None


def _has_answer(text: str, lo: int, hi: int, asked: Asked) -> bool:
    """Whether `lo:hi` holds an explicit answer, so that a question behind it is an invented one."""
    if last_box(text, lo, hi, asked, PassedOver()).candidate is not None:
        return True
    if _requested(text, lo, hi, asked) is not None or _marked(text, lo, hi, asked):
        return True
    line, phrase, _ = _cued(text, lo, hi, asked)
    return line is not None or phrase is not None
