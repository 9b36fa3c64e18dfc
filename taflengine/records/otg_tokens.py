"""The words and bracketed blocks of a file of OpenTafl's game records."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from taflengine.records.lines import Lines
from taflengine.records.otg_text import TAG
from taflengine.records.record import Place

MAX_BLOCK = 1 << 20
"""Longest tag or comment that is read, in characters."""

_HEADER = re.compile(
    r"\[(date|event|site|round|result|attackers|defenders|compiler|rules|variant):"
)
"""A line that begins so behind an empty one is the head of a game, wherever it stands."""
_WORD = re.compile(r"[^\s\[]+")


class Token(NamedTuple):
    """A word, or the text between two brackets."""

    text: str
    bracketed: bool
    place: Place
    apart: bool
    """Whether it is the first of its line and an empty line, or nothing, comes before it."""

    @property
    def is_tag(self) -> bool:
        """Whether it has the form of a tag."""
        return self.bracketed and TAG.match(self.text) is not None


class Tokens:
    """The tokens of a file, with a way back by one and a way on behind a fault."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self._held: list[Token] = []
        self._line = ""
        self._at = 0
        self._apart = True
        self._stream = self._read()

    def take(self) -> Token | None:
        """The next token, None behind the last.

        Raises:
            RecordError: a line that cannot be read, or a bracket that is not closed.
        """
        return self._held.pop() if self._held else self._next()

    def give_back(self, token: Token) -> None:
        """Let ``take`` give *token*, the last one taken, again."""
        self._held.append(token)

    def skip_to_game(self) -> None:
        """Go on at the next tag that begins a line behind an empty one, or at the end.

        Raises:
            RecordError: as ``take``; to call it again goes on behind that.
        """
        while (token := self.take()) is not None:
            if token.apart and token.is_tag:
                self.give_back(token)
                return

    def _next(self) -> Token | None:
        try:
            return next(self._stream, None)
        except Exception:
            # A generator that has raised is at its end; what it knows is in this object.
            self._stream = self._read()
            raise

    def _read(self) -> Iterator[Token]:
        while True:
            while self._at < len(self._line):
                if self._line[self._at].isspace():
                    self._at += 1
                    continue
                apart, self._apart = self._apart, False
                place = Place(self.lines.number, self._at + 1)
                if self._line[self._at] == "[":
                    yield Token(self._block(place), True, place, apart)
                else:
                    word = _WORD.match(self._line, self._at)
                    assert word, "neither a blank nor a bracket"
                    self._at = word.end()
                    yield Token(word[0], False, place, apart)
            self._apart = not self._line.strip()
            self._line, self._at = "", 0
            line = self.lines.take()
            if line is None:
                return
            self._line = line

    def _block(self, place: Place) -> str:
        """The text up to the closing bracket, which may stand some lines on."""
        self._at += 1
        parts: list[str] = []
        length = 0
        while True:
            end = self._line.find("]", self._at)
            parts.append(self._line[self._at : None if end < 0 else end])
            length += len(parts[-1]) + 1
            if end >= 0:
                self._at = end + 1
                return "\n".join(parts)
            blank = not self._line.strip()
            self._line, self._at = "", 0
            line = self.lines.take()
            if line is not None and blank and _HEADER.match(line):
                # The bracket was forgotten; the game that begins here must not pay for it.
                self.lines.give_back(line)
                self._apart, line = True, None
            if line is None or length > MAX_BLOCK:
                raise self.lines.error(place.column, "'[' is never closed by ']'", place.line)
            self._line = line
