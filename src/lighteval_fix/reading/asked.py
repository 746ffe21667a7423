"""What the prompt asks for: the format of the answer, and the word that stands for the answer in it.

The formats are found in the instruction itself (quoted templates, `ANSWER: $ANSWER`, boxes, tags, JSON, `####`), so a
template that the model restates while thinking is recognised whatever its slot is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ..text.prompt import instruction_of
from ..text.scan import close_brace


@dataclass(frozen=True, slots=True)
class Template:
    """A requested form: what stands before the answer, what behind it, and the slot word between."""

    prefix: str
    suffix: str
    slot: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything the instruction asks for; all empty where it asks for nothing (or no prompt is known).

    Args:
        templates: requested lines, `prefix slot suffix`.
        box: an answer in `\\boxed{}` is asked for.
        tags: names of XML-like tags round the answer.
        keys: JSON keys that hold the answer.
        marks: line marks such as `####`.
        slots: words that stand for the answer, folded; a candidate that is one of them is a restated template.
        brief: the reply is to be the answer and nothing else.
        customary: every requested line begins with the word `answer`, if any is requested.
    """

    templates: tuple[Template, ...] = ()
    box: bool = False
    tags: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    slots: frozenset[str] = frozenset()
    brief: bool = False
    customary: bool = True


NOTHING = Asked()

COMMON_SLOTS = frozenset(
    fold
    for word in (
        "ANSWER", "LETTER", "YOUR ANSWER", "YOUR FINAL ANSWER", "FINAL ANSWER", "FINAL_ANSWER", "THE ANSWER",
        "YOUR_ANSWER", "ANSWER HERE", "YOUR ANSWER HERE", "INSERT ANSWER", "THE FINAL ANSWER", "OPTION", "LETTER HERE",
        "YOUR CHOICE", "CHOICE", "OPTION LETTER", "RESULT", "VALUE", "SOLUTION", "NUMBER", "EXPRESSION", "答案",
        "最终答案", "???",
        "YOUR RESULT", "FINAL RESULT", "...", "…", "..", "___", "__", "?", "??", "YOUR LETTER", "FINAL ANSWER HERE",
        "CORRECT LETTER", "CORRECT ANSWER", "CORRECT OPTION", "THE LETTER", "YOUR SOLUTION", "ANS", "\\ldots", "\\dots",
    )
    for fold in (word.casefold(),)
)  # fmt: skip
"""Slot words that are slots in any prompt."""

_QUOTED = re.compile(
    r"\"([^\"\n]{2,200})\"|“([^”\n]{2,200})”|`([^`\n]{2,200})`|「([^」\n]{2,200})」|«([^»\n]{2,200})»"
    r"|(?<![A-Za-z0-9])'([^'\n]{3,200})'(?![A-Za-z0-9])"
)
_SLOT = re.compile(
    r"\$\{?(?P<dollar>[A-Za-z_]+)\}?\$?|\[(?P<square>[^\]\n]{1,40})\]|<(?P<angle>[^<>/\n]{1,40})>"
    r"|\{+(?P<curly>[^{}\n]{1,40})\}+|\((?P<round>[A-Za-z]|[A-Za-z_ ]{2,30})\)|(?P<dots>\.{3}|…|_{2,}|\?{1,3})"
    r"|(?P<caps>\b[A-Z][A-Z_]{2,}\b)|(?P<single>\b[XYZN]\b)"
)
_LINE_TEMPLATE = re.compile(
    r"(?im)^[ \t>*-]*(?P<prefix>(?:[A-Za-z]+[ \t]){0,4}"
    r"(?:answer|solution|result|verdict|conclusion|prediction|antwort|respuesta|réponse|答案)"
    r"[ \t]*(?:is)?[ \t]*[:：][ \t]*)(?P<slot>\$\{?\w+\}?\$?|\[[^\]\n]{1,40}\]|<[^<>\n]{1,40}>"
    r"|\{[^{}\n]{1,40}\})[ \t.]*$"
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*(\{)?|\bboxed\b")
_WHERE = re.compile(
    r"(?i)\bwhere\s+[\"'`]?\$?\{?\[?<?(\w{1,30})>?\]?\}?[\"'`]?\s+(?:is|stands|denotes|should|must|will)\b"
)
_BEING = re.compile(r"[\"'`,\s(]\$?([A-Z][A-Z_]+)\$?\s+(?:being|stands|is|denotes)\b")
_TAG = re.compile(r"<([A-Za-z][\w-]{0,30})>")
_TAG_WORDS = re.compile(r"(?i)(?:in|within|inside|between|with|using)\s+(?:the\s+|an?\s+)?[`'\"]?<(\w[\w-]{0,30})>")
_KEY = re.compile(r"[\"'“`]([A-Za-z_][\w ]{0,30})[\"'”`]\s*:")
_NAMED_KEY = re.compile(
    r"(?i)\b(?:key|field|property|attribute)\s+(?:named\s+|called\s+)?[\"'`“]([A-Za-z_]\w{0,30})[\"'`”]"
)
_MARK = re.compile(r"#{3,6}(?=\s|$)")
_BRIEF = re.compile(
    r"(?i)\b(?:reply|respond|answer)\s+(?:only\s+)?with\s+(?:only\s+|just\s+)?(?:the|a|an|one)\b[^.\n]{0,60}\bonly\b"
    r"|\bonly\s+(?:the|a|one|with)\s+(?:\w+\s+){0,2}(?:letter|number|name|answer|word|option|result|value)\b"
    r"|\bonly\s+(?:reply|respond|answer|output|give|return|write|state)\b|\bnothing else\b|\bno explanation"
    r"|\bwith(?:out)? (?:any )?(?:explanation|reasoning)\b|\b(?:answer|name|number|letter|word|result) only\b"
)  # fmt: skip
_REASONING_TAGS = frozenset({"think", "thinking", "reasoning", "thought", "scratchpad", "analysis"})
_REPLY_WORD = re.compile(
    r"(?i)answer|solution|result|response|conclu|final|letter|choice|option|答案|antwort|respuesta|réponse"
)


def asked_of(prompt: str | None) -> Asked:
    """What `prompt` asks for; `NOTHING` without one."""
    global _held
    if not prompt:
        return NOTHING
    held = _held
    if held[0] == prompt:
        return held[1]
    found = _asked(_instruction_of(prompt))
    if len(prompt) <= _SHORT:
        _held = (prompt, found)
    return found


_SHORT = 8000
"""Characters up to which the last prompt is remembered: samples of one question follow one another."""
_held: tuple[str, Asked] = ("", NOTHING)
"""One tuple, so that threads see a prompt with its own form."""


def _instruction_of(prompt: str) -> str:
    """The instruction, without the question and its options. Bounded: the first and the last 4,000 characters."""
    text = instruction_of(prompt)
    return text if len(text) <= 8000 else text[:4000] + "\n" + text[-4000:]


@lru_cache(maxsize=512)
def _asked(instruction: str) -> Asked:
    templates: list[Template] = []
    slots: set[str] = set()
    box = False
    for m in _BOX.finditer(instruction):
        box = True
        if m.group(1):
            closing = close_brace(instruction, m.end() - 1, len(instruction))
            if closing > 0:
                slots.add(fold_slot(instruction[m.end() : closing]))
    declared = {m.group(1) for m in _WHERE.finditer(instruction)}
    declared |= {m.group(1) for m in _BEING.finditer(instruction)}
    tags, keys = _tags(instruction, slots), _keys(instruction)
    for m in _QUOTED.finditer(instruction):
        _add_template(templates, slots, next(g for g in m.groups() if g), declared)
    for m in _LINE_TEMPLATE.finditer(instruction):
        _add_template(templates, slots, m.group("prefix") + m.group("slot"), declared)
    marks = tuple(dict.fromkeys(m.group() for m in _MARK.finditer(instruction) if _is_mark(instruction, m)))
    slots |= {fold_slot(word) for word in declared if len(word) > 1 and word.isupper()}
    return Asked(
        tuple(dict.fromkeys(templates)),
        box,
        tags,
        keys,
        marks,
        frozenset(s for s in slots if s),
        _BRIEF.search(instruction) is not None,
        all(t.prefix.lower().startswith(("answer", "the answer")) for t in templates),
    )


def _is_mark(instruction: str, m: re.Match[str]) -> bool:
    """`####` as a mark of the answer stands within a sentence or before a slot, not as a heading of the prompt."""
    start = instruction.rfind("\n", 0, m.start()) + 1
    before = instruction[start : m.start()].strip()
    after = instruction[m.end() : m.end() + 24].strip()
    return bool(before) or after[:1] in "<[{$" or fold_slot(after) in COMMON_SLOTS


def _tags(instruction: str, slots: set[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for m in _TAG.finditer(instruction):
        name = m.group(1)
        if name.lower() in _REASONING_TAGS:
            continue
        closing = instruction.find(f"</{name}>", m.end(), m.end() + 200)
        if closing >= 0:
            found[name] = None
            inside = instruction[m.end() : closing].strip()
            if inside and len(inside) < 60:
                slots.add(fold_slot(inside))
    for m in _TAG_WORDS.finditer(instruction):
        if m.group(1).lower() not in _REASONING_TAGS:
            found[m.group(1)] = None
    return tuple(found)


def _keys(instruction: str) -> tuple[str, ...]:
    if "json" not in instruction.lower() and not re.search(r"\{\s*[\"'“]", instruction):
        return ()
    keys = [m.group(1) for m in _KEY.finditer(instruction)] + [m.group(1) for m in _NAMED_KEY.finditer(instruction)]
    reply = [k for k in keys if _REPLY_WORD.search(k)]
    return tuple(dict.fromkeys(reply or keys[-1:]))


def _add_template(templates: list[Template], slots: set[str], quoted: str, declared: set[str]) -> None:
    if "\\boxed" in quoted or "</" in quoted or quoted.lstrip().startswith("{"):
        return
    slot = _find_slot(quoted, declared)
    if slot is None:
        ends = quoted.rstrip()
        if ends.endswith((":", "：")) and _REPLY_WORD.search(ends) and len(ends) < 60:
            templates.append(Template(ends, "", ""))
        return
    start, end, word = slot
    prefix, suffix = quoted[:start].strip(), quoted[end:].strip()
    if not re.search(r"[^\W\d_]|#", prefix):
        return
    templates.append(Template(prefix, suffix, word))
    slots.add(fold_slot(quoted[start:end]))
    slots.add(fold_slot(word))


def _find_slot(quoted: str, declared: set[str]) -> tuple[int, int, str] | None:
    """The last slot of a quoted template: a bracketed or dollared word, dots, a declared word, a word in capitals."""
    best: tuple[int, int, str] | None = None
    for m in _SLOT.finditer(quoted):
        kind = m.lastgroup or ""
        word = m.group(kind)
        if kind == "caps" and quoted[m.end() :].lstrip().startswith((":", "：")):
            continue  # `ANSWER:` is the cue, not the slot
        if kind == "single" and m.end() < len(quoted.rstrip(". ")) and word not in declared:
            continue
        best = (m.start(), m.end(), word)
    if best is None:
        for word in declared:
            at = quoted.rfind(word)
            if at > 0:
                return at, at + len(word), word
    return best


_COMMAND = re.compile(r"^\\(?:text|mathrm|textbf|mathbf|mbox)\s*(?=\{)")
_SHELL = re.compile(r"^[\s$\\(\[{<\"'`*_“‘]+|[\s$)\]}>\"'`*_”’.,;:!]+$|\\\)$|\\\]$")


@lru_cache(maxsize=4096)
def fold_slot(text: str) -> str:
    """A slot word without its brackets, dollars and quotation marks, case folded."""
    text = text.strip()
    if text in ("...", "…", "..", "?", "??"):
        return text
    for _ in range(4):
        short = _SHELL.sub("", _COMMAND.sub("", text))
        if short == text:
            break
        text = short
    return text.casefold()


_BEFORE_SLOT = re.compile(r"[\s*_:：`]+")


def slot_follows(text: str, at: int, hi: int, asked: Asked) -> bool:
    """Whether what follows a cue, on its line or the next one that holds something, is a slot word."""
    m = _BEFORE_SLOT.match(text, at, hi)
    at = at if m is None else m.end()
    line = text[at : min(hi, at + 60)].split("\n", 1)[0]
    return bool(line) and is_slot(line, asked)


_NO_LETTER = frozenset("0123456789+-")
"""What most answers begin with, and no slot word does."""
_SLOT_HEAD = re.compile(r"[\s$\\(\[{<\"'`*_“‘]*([^\W\d]+(?:[ _][^\W\d]+){0,3}?)(?=[\W\d_]|$)")
_BEHIND_SLOT = re.compile(r"[\s$\\)\]}>\"'`*_”’.,;:!]*(?:[\"'`”’]|\n|$)")


def is_slot(text: str, asked: Asked) -> bool:
    """Whether `text` is a slot word, or begins with one and a closing quotation mark: a template, not an answer."""
    start = text[:80]
    folded = fold_slot(start)
    if not folded or folded in asked.slots or folded in COMMON_SLOTS:
        return True
    if start[0] in _NO_LETTER:
        return False
    head = _SLOT_HEAD.match(start)
    if head is None:
        return False
    word = head.group(1).casefold()
    if word in asked.slots or (word in COMMON_SLOTS and head.group(1).isupper()):
        return _BEHIND_SLOT.match(text, head.end()) is not None
    return False
