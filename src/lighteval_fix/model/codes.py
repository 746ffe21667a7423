"""The codes a result can carry. Every one is a `StrEnum`, so JSON and tables hold the plain string.

A code is public: scripts depend on it. Add one with a line in the changelog; never change a meaning.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """Which grader an item needs."""

    MATH = "math"
    CHOICE = "choice"
    CODE = "code"


class Policy(StrEnum):
    """How much an equality may lean on, from strict to loose; equal under one is equal under every later one."""

    IDENTICAL = "identical"
    VALUE = "value"
    IN_CONTEXT = "in-context"


class Unfinished(StrEnum):
    """What to do with a reasoning trace that was never closed."""

    READ = "read"
    NO_ANSWER = "no-answer"


class Proof(StrEnum):
    """The step of the ladder that settled a verdict."""

    IDENTICAL = "identical"
    """The same text once presentation is removed."""
    WORDS = "words"
    """Compared as words: the same letters after case and white space are folded, or not."""
    KINDS = "kinds"
    """Objects of different kinds (a tuple is not a set)."""
    EXACT = "exact"
    """Exact rational or algebraic arithmetic."""
    NORMAL_FORM = "normal_form"
    """The same (or another) normal form of a polynomial or rational function."""
    ENCLOSURE = "enclosure"
    """Rigorous numeric enclosures that do not meet."""
    REFUTED = "refuted"
    """The two expressions take provably different values at a point."""
    SYMBOLIC = "symbolic"
    """Computer algebra reduced the difference to zero."""
    ROUNDED = "rounded"
    """A decimal that is the exact value rounded or cut to the digits shown."""
    MEMBERS = "members"
    """Decided member by member: all paired, or one without a partner, or another number of them."""
    LICENSED = "licensed"
    """Equal because the question says so; the words that do are quoted in the explanation."""
    SAME_LABEL = "same_label"
    """The same choice label, or another one."""
    TESTS = "tests"
    """The program ran on every test (equal) or failed one (different)."""


class UndecidedReason(StrEnum):
    """Why nothing could be proved either way."""

    UNPARSED = "unparsed"
    UNSUPPORTED = "unsupported"
    LIMIT = "limit"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    EMPTY = "empty"
    WITHIN_ROUNDING = "within_rounding"
    NAMES_DIFFER = "names_differ"
    SIGNS_DIFFER = "signs_differ"
    UNIT_ON_ONE_SIDE = "unit_on_one_side"
    UNITS_DIFFER = "units_differ"
    LIST_OR_TUPLE = "list_or_tuple"
    WORDS_DIFFER = "words_differ"
    NOT_PROVED = "not_proved"
    """Every step was tried and none settled it."""


class NoAnswerReason(StrEnum):
    """Why a text holds no answer."""

    EMPTY = "empty"
    UNFINISHED = "unfinished"
    NOT_STATED = "not_stated"
    CONFLICT = "conflict"


class Rule(StrEnum):
    """The rule by which an answer was read."""

    ANSWER_LINE = "answer_line"
    """The final line that the prompt asked for, or the customary `Answer: …` line."""
    REQUESTED = "requested"
    """Another format quoted in the prompt (JSON, tags, `####`, an unknown template)."""
    BOX = "box"
    BOX_LIST = "box_list"
    """Several boxes that form one list."""
    CORRECTION = "correction"
    """An explicit correction after an earlier answer."""
    PHRASE = "phrase"
    """A concluding phrase such as "the final answer is …"."""
    DISPLAY_MATH = "display_math"
    INLINE_MATH = "inline_math"
    BOLD = "bold"
    LAST_NUMBER = "last_number"
    """The one number in a text that holds no other."""
    BARE = "bare"
    """The whole text is the answer."""
    CUE_LETTER = "cue_letter"
    LETTER_ALONE = "letter_alone"
    OPTION_TEXT = "option_text"
    REMAINING = "remaining"
    """The only label left after explicit exclusions."""
    GOLD_BOX = "gold_box"
    GOLD_WHOLE = "gold_whole"
    FENCED = "fenced"
    UNCLOSED = "unclosed"


class SplitState(StrEnum):
    """What `split_reasoning` found."""

    NONE = "none"
    CLOSED = "closed"
    CLOSED_ONLY = "closed_only"
    """A closing tag with no opening one: the chat template opened the reasoning in the prompt."""
    UNFINISHED = "unfinished"


class Status(StrEnum):
    """How a program's run ended."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    KILLED = "killed"
    SANDBOX_ERROR = "sandbox_error"


class Standing(StrEnum):
    """What one generation came to; the five add up to the number of generations."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"
    NO_ANSWER = "no_answer"
    ERROR = "error"


class Change(StrEnum):
    """How the re-graded score stands to the recorded one."""

    KEPT = "kept"
    RECOVERED = "recovered"
    WITHDRAWN = "withdrawn"
    NOT_COMPARABLE = "not_comparable"


class Cause(StrEnum):
    """The smallest change to the recorded grader's behaviour that explains a changed verdict (closed list)."""

    ANSWER_LINE_OUTRANKED = "answer_line_outranked"
    ANSWER_LINE_UNREAD = "answer_line_unread"
    WORD_ANSWER = "word_answer"
    REASONING_PHRASE = "reasoning_phrase"
    RESTATED_TEMPLATE = "restated_template"
    REASONING_NOT_REMOVED = "reasoning_not_removed"
    LETTER_IN_DOLLARS = "letter_in_dollars"
    LAST_LETTER = "last_letter"
    FRAGMENT_COMPARED = "fragment_compared"
    KINDS_CONFUSED = "kinds_confused"
    TOLERANCE = "tolerance"
    REWRITTEN_PROGRAM = "rewritten_program"
    MOCKED_STDIN = "mocked_stdin"
    EXACT_DECIMALS = "exact_decimals"
    PREAMBLE = "preamble"
    EXTRACTION = "extraction"
    EXIT_STATUS = "exit_status"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    CREDITED_FROM_REASONING = "credited_from_reasoning"
    UNFINISHED = "unfinished"
    GOLD_MISREAD = "gold_misread"
    NOTATION = "notation"
    """The harness read the same answer and its comparator did not understand the notation."""
    LICENSED = "licensed"
    """Equal only because the question licenses it (a unit it asks for, rounding it allows)."""
    ANSWER_UNREAD = "answer_unread"
    """The harness recorded no prediction, or read another part of the text."""
    RAW_TEXT_SCORED = "raw_text_scored"
    UNEXPLAINED = "unexplained"


class CauseBy(StrEnum):
    """How a cause is known."""

    INFERRED = "inferred"
    REPLAYED = "replayed"


class Mark(StrEnum):
    """What else a reader should know of a grade; marks overlap."""

    UNFINISHED = "unfinished"
    UNFINISHED_INFERRED = "unfinished_inferred"
    IN_REASONING = "in_reasoning"
    PREAMBLE_USED = "preamble_used"
    RERUN_ALONE = "rerun_alone"
    ORDER_ONLY = "order_only"
    """A program's output differs from the expected one only by order, and the statement says "any"."""
    TEXT_DISAGREES = "text_disagrees"
    """The letter read and the option text beside it name different options."""
