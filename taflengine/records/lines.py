"""The lines of a file of records, one at a time, each with its number."""

from collections.abc import Iterator
from io import BytesIO
from typing import IO

from taflengine.errors import RecordError
from taflengine.records.record import Place, located

MAX_LINE = 1 << 20
"""Longest line that is read, in bytes; a long commented game has lines of some thousands."""


class Lines:
    """Reads lines of UTF-8 text; memory is bounded by one of them.

    A byte order mark at the beginning is skipped, and CR before LF.

    Args:
        stream: Open for reading, in binary.
        source: Named in errors.
    """

    def __init__(self, stream: IO[bytes], source: str) -> None:
        self.source = source
        self.number = 0
        """The number of the line that ``take`` gave last, from 1."""
        self._stream = stream
        self._held: list[str] = []

    def __iter__(self) -> Iterator[str]:
        while (line := self.take()) is not None:
            yield line

    def take(self) -> str | None:
        """The next line without its end, None behind the last.

        Raises:
            RecordError: it is too long or no text; the one behind it can still be taken.
        """
        if self._held:
            self.number += 1
            return self._held.pop()
        try:
            raw = self._stream.readline(MAX_LINE + 1)
        except OSError as error:
            self._stream = BytesIO()  # what cannot be read now is not asked for again
            raise RecordError(f"{self.source}: cannot be read: {error.strerror}") from None
        if not raw:
            return None
        self.number += 1
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = self._stream.readline(MAX_LINE)
            raise self.error(MAX_LINE, f"line longer than {MAX_LINE} bytes")
        if self.number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode("utf-8")) + 1
            raise self.error(column, "not UTF-8 text") from None

    def give_back(self, line: str) -> None:
        """Let ``take`` give *line*, the last one taken, again."""
        self._held.append(line)
        self.number -= 1

    def error(self, column: int, text: str, line: int | None = None) -> RecordError:
        """The error that says *text* of a place, by default on the line last taken."""
        place = Place(line or self.number, column)
        return RecordError(f"{located(self.source, place)}: {text}")
