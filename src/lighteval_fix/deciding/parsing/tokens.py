"""What the lexer hands to the grammar, and the one way out of both."""

from __future__ import annotations


class Reject(Exception):
    """The text is not in the language, or over a limit. Never leaves the package."""

    def __init__(self, position: int, why: str, over_limit: bool = False) -> None:
        super().__init__(why)
        self.position = position
        self.why = why
        self.over_limit = over_limit


class Tokens:
    """Parallel lists, closed by one `end` token. `gaps` is 0, 1 or 2 for no, some or much space before."""

    __slots__ = ("comma_groups", "gaps", "kinds", "starts", "texts")

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.gaps: list[int] = []
        self.comma_groups = False  # a bare comma was read as a thousands mark
