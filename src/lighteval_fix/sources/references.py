"""References and options as data sets write them."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..model import Gold
from .values import Record, listed, text

_LABEL = re.compile(r"\s*[(\[]?([A-Za-z])[)\].:]?\s*")


@dataclass(frozen=True, slots=True)
class Options:
    """What there is to choose from, and which are right (never empty)."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    index: tuple[int, ...]

    @property
    def golds(self) -> tuple[Gold, ...]:
        """The right labels."""
        return tuple(Gold(self.labels[position]) for position in self.index)


def golds_from(value: object) -> tuple[Gold, ...] | None:
    """References: a scalar or a list of accepted ones; None where there is none."""
    found = [text(each) for each in listed(value)]
    golds = tuple(Gold(each) for each in found if each is not None and each.strip())
    return golds or None


def options_of(texts: Sequence[object], answer: object, labels: Sequence[str] = ()) -> Options | None:
    """Options with the right one named by its label, or by its own text; None where neither fits.

    An answer that is a bare number is a position only where the caller says so: it may as well be an option's text.
    """
    options = tuple((text(option) or "").strip() for option in texts)
    if len(options) < 2:
        return None
    names = tuple(labels) or tuple(string.ascii_uppercase[: len(options)])
    if len(names) != len(options) or len(set(names)) < len(names) or not all(name.strip() for name in names):
        return None
    index = []
    for each in listed(answer):
        position = position_of(each, options, names)
        if position is None:
            return None
        index.append(position)
    return Options(options, names, tuple(dict.fromkeys(index))) if index else None


def position_of(answer: object, options: Sequence[str], labels: Sequence[str]) -> int | None:
    """Which option an answer names, by label first, then by its whole text."""
    word = text(answer)
    if word is None:
        return None
    word = word.strip()
    match = _LABEL.fullmatch(word)
    if word in labels:
        return labels.index(word)
    if match and match[1].upper() in labels:
        return labels.index(match[1].upper())
    return options.index(word) if options.count(word) == 1 else None


def options_in(doc: Record) -> tuple[Sequence[object], Sequence[str]]:
    """Option texts and labels as the usual data sets hold them; empty where there are none."""
    for name in ("options", "choices"):
        value = doc.get(name)
        if isinstance(value, Mapping) and isinstance(value.get("text"), list):
            labels = [str(label) for label in listed(value.get("label"))]
            return value["text"], labels if len(labels) == len(value["text"]) else ()
        if isinstance(value, Mapping) and len(value) > 1 and all(_LABEL.fullmatch(str(key)) for key in value):
            return list(value.values()), [str(key) for key in value]
        if isinstance(value, list) and all(isinstance(option, str | int | float) for option in value):
            return value, ()
    numbered = [doc[name] for name in (f"choice{number}" for number in range(1, 11)) if name in doc]
    return numbered, ()


_OPTION_LINE = re.compile(r"^[ \t]*[(\[]?([A-Z1-9])[)\].:][ \t]*(\S.*)$", re.MULTILINE)


def option_lines(question: str) -> int:
    """How many options stand in a question as lines of their own (0: none)."""
    return len(_option_lines(question))


def _option_lines(question: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for match in _OPTION_LINE.finditer(question):
        label = match[1]
        if found and ord(label) == ord(found[-1][0]) + 1:
            found.append((label, match[2]))
        else:
            found = [(label, match[2])] if label in "A1" else []
    return found


def options_in_text(question: str, answer: object) -> Options | None:
    """Options that stand in a question as lines of their own, labelled consecutively from A or 1, and end it."""
    found = _option_lines(question)
    if len(found) < 2:
        return None
    return options_of([option for _, option in found], answer, [label for label, _ in found])


def prompt_with_options(question: str, options: Options) -> str:
    """A question with its options, one a line, for runs that keep the two apart and not what was sent."""
    lines = [f"{label}. {option}" for label, option in zip(options.labels, options.texts, strict=True)]
    return "\n".join([question, *lines])
