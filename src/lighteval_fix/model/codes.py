"""The codes a result can carry. Every one is a `StrEnum`, so JSON and tables hold the plain string.

A code is public: scripts depend on it. Add one with a line in the changelog; never change a meaning.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """Which grader an item needs."""

    MATH = "math"
    """A final answer compared by meaning."""
    CHOICE = "choice"
    """A label among options."""
    CODE = "code"
    """A program run on tests."""


class Policy(StrEnum):
    """How much an equality may lean on, from strict to loose; equal under one is equal under every later one."""

    IDENTICAL = "identical"
    """The same text once presentation is removed."""
    VALUE = "value"
    """The same mathematical object, judged without the question."""
    IN_CONTEXT = "in-context"
    """`value`, and what the words of the question license."""


class Unfinished(StrEnum):
    """What to do with a reasoning trace that was never closed."""

    READ = "read"
    """Read it as it stands (LightEval's rule), and mark it."""
    NO_ANSWER = "no-answer"
    """It holds no answer."""


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
    LIGHTEVAL = "lighteval"
    """LightEval's own comparator answered (`--comparator lighteval`): its yes or no, nothing proved by us."""
    TESTS = "tests"
    """The program ran on every test (equal) or failed one (different)."""


class UndecidedReason(StrEnum):
    """Why nothing could be proved either way."""

    UNPARSED = "unparsed"
    """One of the two is not in the language of answers; a fragment is never compared."""
    UNSUPPORTED = "unsupported"
    """Parsed, but no step of the ladder can judge this kind of object."""
    LIMIT = "limit"
    """A limit on nodes, digits, terms or bits was reached before anything was proved."""
    TIMEOUT = "timeout"
    """The clock, the backstop behind the limits, ran out."""
    MEMORY = "memory"
    """The algebra worker ran out of memory."""
    EMPTY = "empty"
    """One of the two is empty."""
    WITHIN_ROUNDING = "within_rounding"
    """They differ by no more than rounding could explain, and too few digits are shown to say."""
    NAMES_DIFFER = "names_differ"
    """The same value under another name, or other symbols in the same form."""
    SIGNS_DIFFER = "signs_differ"
    """They would agree if a sign that one side may have dropped were put back."""
    UNIT_ON_ONE_SIDE = "unit_on_one_side"
    """One side has a unit, the other has none."""
    UNITS_DIFFER = "units_differ"
    """Both sides have units, and they are not the same."""
    LIST_OR_TUPLE = "list_or_tuple"
    """A bare list against a tuple: whether the order matters is not said."""
    WORDS_DIFFER = "words_differ"
    """Two texts that are not the same words; they may still mean the same."""
    NOT_PROVED = "not_proved"
    """Every step was tried and none settled it."""


class NoAnswerReason(StrEnum):
    """Why a text holds no answer."""

    EMPTY = "empty"
    """No text at all."""
    UNFINISHED = "unfinished"
    """The reasoning was never closed, and such traces are not read."""
    NOT_STATED = "not_stated"
    """Nothing in the text is given as the answer."""
    CONFLICT = "conflict"
    """Two different answers are given as the answer, with no correction between them."""


class Rule(StrEnum):
    """The rule by which an answer was read."""

    ANSWER_LINE = "answer_line"
    """The final line that the prompt asked for, or the customary `Answer: …` line."""
    REQUESTED = "requested"
    """Another format quoted in the prompt (JSON, tags, `####`, an unknown template)."""
    BOX = "box"
    """The last complete `\\boxed{…}`."""
    BOX_LIST = "box_list"
    """Several boxes that form one list."""
    CORRECTION = "correction"
    """An explicit correction after an earlier answer."""
    PHRASE = "phrase"
    """A concluding phrase such as "the final answer is …"."""
    DISPLAY_MATH = "display_math"
    """The last displayed formula."""
    INLINE_MATH = "inline_math"
    """The last inline formula."""
    BOLD = "bold"
    """The last bold text."""
    LAST_NUMBER = "last_number"
    """The one number in a text that holds no other, or in a last sentence that concludes (or that its writer is sure
    of, or calls the answer) and holds no other."""
    BARE = "bare"
    """The whole text is the answer."""
    CUE_LETTER = "cue_letter"
    """A label after an explicit cue such as "the answer is"."""
    LETTER_ALONE = "letter_alone"
    """A label that stands alone."""
    OPTION_TEXT = "option_text"
    """The text of exactly one option, without its label."""
    REMAINING = "remaining"
    """The only label left after explicit exclusions."""
    GOLD_BOX = "gold_box"
    """The box of a reference solution."""
    GOLD_WHOLE = "gold_whole"
    """The whole reference."""
    FENCED = "fenced"
    """The last complete fenced block."""
    UNCLOSED = "unclosed"
    """A fence that was never closed."""


class SplitState(StrEnum):
    """What `split_reasoning` found."""

    NONE = "none"
    """No tags."""
    CLOSED = "closed"
    """Reasoning between an opening and a closing tag, then the answer."""
    CLOSED_ONLY = "closed_only"
    """A closing tag with no opening one: the chat template opened the reasoning in the prompt."""
    UNFINISHED = "unfinished"
    """An opening tag that is never closed."""


class Status(StrEnum):
    """How a program's run ended."""

    OK = "ok"
    """Ended by itself with exit status 0."""
    ERROR = "error"
    """Ended by itself with another exit status."""
    TIMEOUT = "timeout"
    """Over its time, also when run once more alone."""
    MEMORY = "memory"
    """Over its memory."""
    OUTPUT_LIMIT = "output_limit"
    """Wrote more than the limit."""
    KILLED = "killed"
    """Ended by a signal."""
    SANDBOX_ERROR = "sandbox_error"
    """The sandbox failed; says nothing about the program."""


class Standing(StrEnum):
    """What one generation came to; the five add up to the number of generations."""

    RIGHT = "right"
    """Equal to a gold, with proof; for programs: every test passed."""
    WRONG = "wrong"
    """Different from every gold, with proof; for programs: a test failed."""
    UNDECIDED = "undecided"
    """Neither could be proved; counts as 0 and stays in the denominator."""
    NO_ANSWER = "no_answer"
    """The model gave none; counts as 0 and stays in the denominator."""
    ERROR = "error"
    """The item could not be graded (no tests, an unreadable gold)."""


class Change(StrEnum):
    """How the re-graded score stands to the recorded one."""

    KEPT = "kept"
    """The same verdict as recorded."""
    RECOVERED = "recovered"
    """Recorded as wrong, now right."""
    WITHDRAWN = "withdrawn"
    """Recorded as right, now not right."""
    NOT_COMPARABLE = "not_comparable"
    """The harness recorded no score at this level."""


class Cause(StrEnum):
    """The smallest change to the recorded grader's behaviour that explains a changed verdict (closed list)."""

    ANSWER_LINE_OUTRANKED = "answer_line_outranked"
    """A box elsewhere outranked the line that the prompt asked for."""
    ANSWER_LINE_UNREAD = "answer_line_unread"
    """The requested line was not read because its answer stands outside maths delimiters."""
    WORD_ANSWER = "word_answer"
    """The answer is a word, which the harness does not read or compare."""
    REASONING_PHRASE = "reasoning_phrase"
    """A phrase such as "the final answer is" in the reasoning was taken for the answer."""
    RESTATED_TEMPLATE = "restated_template"
    """The prompt's template, restated by the model, was taken for the answer."""
    REASONING_NOT_REMOVED = "reasoning_not_removed"
    """The reasoning was graded with the answer."""
    LETTER_IN_DOLLARS = "letter_in_dollars"
    """The label stands in dollars (`$C$`)."""
    LAST_LETTER = "last_letter"
    """The last label anywhere in the text was taken."""
    FRAGMENT_COMPARED = "fragment_compared"
    """A fragment of the answer was compared."""
    KINDS_CONFUSED = "kinds_confused"
    """Objects of different kinds were called equal."""
    TOLERANCE = "tolerance"
    """A numeric tolerance or rounding called different numbers equal."""
    REWRITTEN_PROGRAM = "rewritten_program"
    """The harness ran a rewritten program."""
    MOCKED_STDIN = "mocked_stdin"
    """The harness's mock of standard input lacks what the program used."""
    EXACT_DECIMALS = "exact_decimals"
    """Decimals were compared digit by digit."""
    PREAMBLE = "preamble"
    """The program needs a name that the harness's preamble provides."""
    RECURSION_LIMIT = "recursion_limit"
    """The program needs the recursion limit that the harness's preamble raises."""
    DIGIT_LIMIT = "digit_limit"
    """The program needs the limit on an integer's digits that the harness raises."""
    THREADS_CUT_OFF = "threads_cut_off"
    """The output was taken when the program's main thread ended, while others of its threads still ran."""
    DISABLED_FUNCTIONS = "disabled_functions"
    """The program uses a function or module that the harness replaces by nothing (`quit`, `os.getcwd`, …)."""
    EXTRACTION = "extraction"
    """The harness took another part of the text for the program."""
    EXIT_STATUS = "exit_status"
    """The right output, and then a failing exit status."""
    TIME_LIMIT = "time_limit"
    """The time limit."""
    MEMORY_LIMIT = "memory_limit"
    """The memory limit."""
    CREDITED_FROM_REASONING = "credited_from_reasoning"
    """The credit came from the reasoning, not from the answer."""
    UNFINISHED = "unfinished"
    """An unfinished text was graded: reasoning that was never closed, or an answer that breaks off."""
    GOLD_MISREAD = "gold_misread"
    """The harness misread the reference."""
    NOTATION = "notation"
    """The harness read the same answer and its comparator did not understand the notation."""
    LICENSED = "licensed"
    """Equal only because the question licenses it (a unit it asks for, rounding it allows)."""
    ANSWER_UNREAD = "answer_unread"
    """The harness recorded no prediction, or read another part of the text."""
    RAW_TEXT_SCORED = "raw_text_scored"
    """The metric scored raw text, without reading any answer."""
    UNEXPLAINED = "unexplained"
    """None of the above explains it."""


class CauseBy(StrEnum):
    """How a cause is known."""

    INFERRED = "inferred"
    """From our own reading of the text."""
    REPLAYED = "replayed"
    """Proved by running the harness's own metric with single fixes switched on."""


class Mark(StrEnum):
    """What else a reader should know of a grade; marks overlap."""

    UNFINISHED = "unfinished"
    """A reasoning trace that was never closed."""
    UNFINISHED_INFERRED = "unfinished_inferred"
    """No tag in the text, but the run's other texts and the prompt say that the reasoning was open."""
    IN_REASONING = "in_reasoning"
    """The answer was read inside the reasoning."""
    PREAMBLE_USED = "preamble_used"
    """The program passed only with the harness's preamble."""
    RERUN_ALONE = "rerun_alone"
    """Over its time at first, so it was run once more alone."""
    ORDER_ONLY = "order_only"
    """A program's output differs from the expected one only by order, and the statement says "any"."""
    TEXT_DISAGREES = "text_disagrees"
    """The letter read and the option text beside it name different options."""
