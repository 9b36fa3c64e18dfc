"""A line at a terminal that says how far something has come, and moves on while it is at work."""

import os
import time
from typing import Self, TextIO

_CLEAR = "\r\x1b[K"
"""Goes back to the start of a terminal's line and empties it."""
_COLUMNS = 80
"""Of a terminal that does not know how wide it is."""
_SECONDS = 0.1
"""Least time between two texts, unless the line was taken away meanwhile."""


class ProgressLine:
    """The last line of a terminal, written over and over; as a context, taken away at the end.

    Args:
        stream: Where; nothing is shown if that is None or no terminal.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._terminal = stream if stream is not None and stream.isatty() else None
        self._shown_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Show *text* in the place of what is shown, if that has stood long enough."""
        now = time.monotonic()
        if self._terminal and now - self._shown_at >= _SECONDS:
            self._shown_at = now
            self._write(text)

    def clear(self) -> None:
        """Take away what is shown, so that lines of other kinds can be written."""
        if self._shown_at:
            self._write("")
            self._shown_at = 0.0

    def _write(self, text: str) -> None:
        try:
            if self._terminal:
                # What does not fit would go on in the next line, and could not be taken back.
                columns = os.get_terminal_size(self._terminal.fileno()).columns or _COLUMNS
                self._terminal.write(_CLEAR + text[: columns - 1])
                self._terminal.flush()
        except OSError:  # it has gone; what is at work goes on
            self._terminal = None
