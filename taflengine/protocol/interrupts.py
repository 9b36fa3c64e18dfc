"""What is said while a command is at work, and whom it stops."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

TOGETHER = 0.1
"""Seconds. An end of input that follows a command so soon belongs to a script that has been
read to its end, and whose answers are still wanted."""


class Interrupts:
    """Counts the lines of a session as they come in and as they are run.

    ``heard`` and ``heard_end`` are called by whichever thread reads, the others by
    the thread that runs the lines.
    """

    def __init__(self) -> None:
        self.listening: Callable[[], AbstractContextManager[None]] = nullcontext
        """Reads the input on in a ``with`` block; set by whoever reads it."""
        self._heard = 0
        self._stopped = 0
        """Number of the last line that says stop."""
        self._run = 0
        """Number of the line that is run now, as ``_heard`` counts."""
        self._begun = 0.0
        self._left = False
        """Whether nobody waits for an answer any more."""
        self._ended = False
        self._alarm: Callable[[], None] | None = None

    def heard(self, *, stops: bool) -> None:
        """A line has come in; *stops* if it says so to whatever is at work before it."""
        self._heard += 1
        if stops:
            self._stopped = self._heard
        self._ring()

    def heard_end(self, *, lost: bool = False) -> None:
        """The input has ended; *lost* if nobody can read an answer any more."""
        self._ended = True
        at_work = self._alarm is not None and not self.line
        late = at_work and time.monotonic() - self._begun > TOGETHER
        self._left = self._left or lost or late
        self._ring()

    def next_line(self) -> None:
        """The next line is run."""
        self._run += 1

    @property
    def stop(self) -> bool:
        """Whether the line that is run has been told to stop, or nobody waits for its answer.

        The end of the input means that if it comes while the last line has been at
        work for more than ``TOGETHER`` seconds, or if answers cannot be read either.
        """
        return self._stopped > self._run or self._left

    @property
    def line(self) -> bool:
        """Whether any line has followed the one that is run."""
        return self._heard > self._run

    @property
    def anything(self) -> bool:
        """Whether a line or the end of the input has followed the line that is run."""
        return self.line or self._ended

    @contextmanager
    def watched(self, alarm: Callable[[], None]) -> Iterator[None]:
        """Call *alarm* on entering a ``with`` block, and whenever something is heard in it.

        It may be called by two threads at once.
        """
        self._begun = time.monotonic()
        self._alarm = alarm
        try:
            with self.listening():
                alarm()
                yield
        finally:
            self._alarm = None

    def _ring(self) -> None:
        alarm = self._alarm
        if alarm is not None:
            alarm()
