"""File descriptors as lines that come in and texts that go out.

Bytes go straight to and from the descriptors: each text is one write that a
waiting controller sees at once, and nothing is left in a buffer for the end of
the process to trip over.
"""

import os
from _thread import allocate_lock  # threading takes longer to load
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from taflengine.errand import Errand
from taflengine.protocol.dispatcher import MAX_LINE

READ_AHEAD = 262_144
"""So many bytes of lines are kept at most while nobody has time for them."""

_CHUNK = 65536
"""Bytes asked for in one read: what a pipe holds."""


class Output:
    """Where answers go. Several threads may write; no text is torn by another."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._lock = allocate_lock()

    def fileno(self) -> int:
        """The descriptor that is written to."""
        return self._target

    def write(self, text: str) -> None:
        """Write all of *text*, in the order of the calls; it waits for a slow reader.

        Raises:
            OSError: it cannot be written, a ConnectionError if the reader has gone.
        """
        with self._lock:
            _write(self._target, text)


class Listener(Protocol):
    """Who is told at once what comes in."""

    def overhear(self, line: bytes) -> bool:
        """Take note of a line that has just come in; True if that is all it needs.

        It is called in the order of the lines by whichever thread reads, also while
        an earlier line is still at work: it must be quick and must not raise.
        """
        ...

    def hang_up(self, *, lost: bool) -> None:
        """Take note that the input has ended, under the same conditions.

        Args:
            lost: Nobody can read an answer any more. Such a call may also come first,
                or behind one that knew nothing of it.
        """
        ...


class Input:
    """The lines of a file descriptor, for one thread that asks for them one by one.

    While that thread is busy inside ``listening`` another reads on, as far as
    ``READ_AHEAD`` allows, and notices if whoever reads the answers goes. Of a line
    over ``MAX_LINE`` bytes ``MAX_LINE + 1`` are kept.
    """

    def __init__(self, source: int) -> None:
        self.listener: Listener | None = None
        """Who is told what comes in; to be set before anything is read."""
        self.answers: Output | None = None
        """Where the lines are answered."""
        self._source = source
        self._begun = bytearray()
        """The beginning of a line whose end has not come in yet."""
        self._lines: deque[bytes] = deque()
        self._size = 0
        """Bytes in ``_lines``, newlines included."""
        self._ended = False
        self._failure: OSError | None = None
        self._waker: tuple[int, int] | None = None
        self._ahead = source
        """Where another thread reads on: the source, or what ``_own_terminal`` has opened."""

    def next(self) -> bytes | None:
        """The next line without its newline, waiting for it; None at the end of the input.

        Raises:
            OSError: it cannot be read.
        """
        while not self._lines:
            if self._failure:
                raise self._failure
            if self._ended:
                return None
            self._fetch()
        line = self._lines.popleft()
        self._size -= len(line) + 1
        return line

    def _fetch(self) -> None:
        """Wait for more; on return something has come in, or the input has ended."""
        self._take(_read(self._source))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Read on in another thread for the length of a ``with`` block."""
        if self._ahead == self._source:
            self._ahead = _own_terminal(self._source)
        if self._waker is None:
            self._waker = os.pipe()
            os.set_blocking(self._waker[0], False)
        waiting, waking = self._waker
        errand = Errand(lambda: self._listen(waiting), lambda: self._wake(waking))
        try:
            errand.start()
            yield
        finally:
            errand.end()
            with suppress(BlockingIOError):  # a call to wake that found nobody asleep
                os.read(waiting, _CHUNK)

    def close(self) -> None:
        """Give back what listening needed; the source itself stays open."""
        for end in self._waker or ():
            os.close(end)
        self._waker = None
        if self._ahead != self._source:
            os.close(self._ahead)
        self._ahead = self._source

    @staticmethod
    def _wake(waking: int) -> None:
        with suppress(OSError):
            os.write(waking, b"\n")

    def _listen(self, waiting: int) -> None:
        import select  # whoever thinks has loaded more than this

        answers = -1 if self.answers is None else self.answers.fileno()
        gone = select.POLLERR | select.POLLHUP | select.POLLNVAL
        try:
            while True:
                poll = select.poll()
                poll.register(waiting, select.POLLIN)
                if answers >= 0:
                    poll.register(answers, 0)  # that is: tell only if nobody reads there
                if not self._ended and self._size < READ_AHEAD:
                    poll.register(self._ahead, select.POLLIN)
                found = dict(poll.poll())
                if waiting in found:
                    os.read(waiting, 1)
                    return
                if found.get(answers, 0) & gone:
                    self._end(lost=True)
                    return
                if self._ahead in found:
                    try:
                        chunk = os.read(self._ahead, _CHUNK)
                    except BlockingIOError:  # somebody else has it, or Ctrl-C took it back
                        continue
                    self._take(chunk)
        except OSError as error:
            self._failure = error
            self._end(lost=True)

    def _take(self, chunk: bytes) -> None:
        if not chunk:
            if self._begun:  # the last line counts without a newline too
                self._arrive(bytes(self._begun))
                self._begun.clear()
            self._end(lost=False)
            return
        *ends, start = chunk.split(b"\n")
        for end in ends:
            if self._begun:
                self._begun += end
                end = bytes(self._begun)
                self._begun.clear()
            self._arrive(end[: MAX_LINE + 1])
        self._begun += start
        del self._begun[MAX_LINE + 1 :]

    def _arrive(self, line: bytes) -> None:
        if self.listener is None or not self.listener.overhear(line):
            self._lines.append(line)
            self._size += len(line) + 1

    def _end(self, *, lost: bool) -> None:
        self._ended = True
        if self.listener is not None:
            self.listener.hang_up(lost=lost)


def _own_terminal(source: int) -> int:
    """A descriptor of the same terminal on which no read waits; *source* if it is no terminal.

    A terminal forgets with Ctrl-C what was typed before. Who has just been told that there
    is something, and then waits for it, waits until the next line; nobody can wake him.
    Of a terminal that may not be opened once more, *source* is the answer too.
    """
    how = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
    with suppress(OSError):
        return os.open(os.ttyname(source), how)
    with suppress(OSError):  # its name may be another user's, or hidden: su, containers
        os.tcgetpgrp(source)  # fails of all but the terminal that this process belongs to
        return os.open(os.ctermid(), how)
    return source


# Whoever started the process may have made the descriptors non-blocking. He shares
# that state, so it stays as it is, and select() does the waiting.


def _read(source: int) -> bytes:
    while True:
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            _wait(until_readable=[source])


def _write(target: int, text: str) -> None:
    left = text.encode(errors="replace")
    while left:
        try:
            left = left[os.write(target, left) :]
        except BlockingIOError:
            _wait(until_writable=[target])


def _wait(until_readable: Sequence[int] = (), until_writable: Sequence[int] = ()) -> None:
    import select  # an ordinary pipe never comes here

    select.select(until_readable, until_writable, [])
