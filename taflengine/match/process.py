"""An engine in a process of its own: pipes, limits, and nothing left of it afterwards."""

import errno
import os
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from taflengine.errors import BadReplyError, EngineExitedError, EngineStalledError
from taflengine.match import watchdog
from taflengine.protocol.controllers.controller import Line, Link

MAX_LINE = 1 << 16
"""Longest line of an engine, in bytes."""
_CHUNK = 1 << 16
_TAIL_LINES = 20
"""So many lines of standard error are an engine's last words."""
_TAIL_BYTES = 8192
_OUR_ERRORS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
"""This machine has not enough for another process: no fault of the engine."""
_REAP_SECONDS = 5.0
"""How long the system may take to end a process that was killed."""


class Guard(AbstractContextManager["Guard"]):
    """Sees to it that no engine outlives this process.

    Each engine is in a group of processes that a watchdog kills when this process has
    gone. Use it as a context manager; at its end the watchdog has gone too.
    """

    def __init__(self) -> None:
        self.mark = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._count = 0
        self._closed = False
        self._watchdog = subprocess.Popen(
            [sys.executable, "-I", "-S", watchdog.__file__, self.mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill what is left of the engines, and any that is started from now on."""
        with self._lock:
            self._closed = True
            with suppress(OSError):
                self._pipe.close()
        self._watchdog.wait()

    @property
    def _pipe(self) -> BinaryIO:
        assert self._watchdog.stdin
        return self._watchdog.stdin  # type: ignore[return-value]  # a buffered pipe of bytes

    def new_mark(self) -> str:
        """A mark for one engine, by which what it has started is found."""
        with self._lock:
            self._count += 1
            return f"{self.mark}.{self._count}."

    def tell(self, word: str, group: int) -> None:
        """``add`` a group of processes to those that are watched, or ``drop`` it."""
        with self._lock:
            if self._closed:  # another thread may have been starting an engine meanwhile
                if word == "add":
                    watchdog.kill_group(group)
                return
            with suppress(OSError):
                self._pipe.write(f"{word} {group}\n".encode())
                self._pipe.flush()


class EngineProcess(Link, AbstractContextManager["EngineProcess"]):
    """A started engine. Use it as a context manager: nothing of it is left afterwards.

    Args:
        command: The program and its arguments.
        guard: Who kills it if this process dies.
        directory: Where it is started.
        environment: Variables that it gets besides those of this process.
        stderr: A file to which its standard error is appended.

    Raises:
        EngineExitedError: it cannot be started.
        OSError: this machine has no room for another process.
    """

    def __init__(
        self,
        command: Sequence[str],
        guard: Guard,
        directory: Path | None = None,
        environment: Mapping[str, str] | None = None,
        stderr: Path | None = None,
    ) -> None:
        self._guard = guard
        self._mark = guard.new_mark()
        self._log = stderr.open("ab", buffering=0) if stderr else None
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=directory,
                env={**os.environ, **(environment or {}), watchdog.MARK: self._mark},
                start_new_session=True,
            )
        except OSError as error:
            if self._log:
                self._log.close()
            if error.errno in _OUR_ERRORS:
                raise
            what = error.filename or command[0]
            raise EngineExitedError(f"cannot be started: {what}: {error.strerror}") from None
        guard.tell("add", self._process.pid)
        assert isinstance(self._process.stdin, FileIO)
        assert isinstance(self._process.stdout, FileIO)
        assert isinstance(self._process.stderr, FileIO)
        self._input, self._output = self._process.stdin, self._process.stdout
        self._errors = self._process.stderr
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)
        self._readable = select.poll()
        self._readable.register(self._output, select.POLLIN)
        self._lines: deque[Line] = deque()
        self._begun = bytearray()
        self._begun_at = 0.0
        self._tail = bytearray()
        self._drain = threading.Thread(target=self._read_stderr, daemon=True)
        self._drain.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the process, which is its group's too."""
        return self._process.pid

    def send(self, line: str, deadline: float) -> float:
        """As ``Link.send``."""
        left = line.encode(errors="replace") + b"\n"
        while left:
            try:
                written = self._input.write(left)
            except OSError:
                raise EngineExitedError(self._how_it_ended()) from None
            if written is None:  # the pipe is full
                wait = deadline - time.monotonic()
                if wait <= 0 or not select.select((), (self._input,), (), wait)[1]:
                    raise EngineStalledError("does not read its input")
                continue
            left = left[written:]
        return time.monotonic()

    def receive(self, deadline: float) -> Line:
        """As ``Link.receive``."""
        while not self._lines:
            wait = deadline - time.monotonic()
            # Rounded up: a poll of 0 ms before the deadline would be a busy loop.
            if not self._readable.poll(max(0, int(wait * 1000) + 1 if wait > 0 else 0)):
                if wait <= 0:
                    raise EngineStalledError("does not answer")
                continue
            self._read_output()
        return self._lines.popleft()

    def unasked(self) -> str | None:
        """As ``Link.unasked``."""
        while not self._lines and self._readable.poll(0):
            try:
                self._read_output()
            except EngineExitedError:
                return None  # whoever sends or waits next will hear of it
        return self._lines[0].text if self._lines else None

    def _read_output(self) -> None:
        """Take what has come; there is something, or the end."""
        chunk = self._output.read(_CHUNK)
        now = time.monotonic()
        if not chunk:
            raise EngineExitedError(self._how_it_ended())
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._begin(now)
            self._begun += end
            text = self._begun.decode(errors="replace").removesuffix("\r")
            self._lines.append(Line(text, self._begun_at))
            self._begun.clear()
        if rest:
            self._begin(now)
            self._begun += rest
        if len(self._begun) > MAX_LINE:
            raise BadReplyError(f"writes a line of more than {MAX_LINE} bytes")

    def _begin(self, now: float) -> None:
        if not self._begun:
            self._begun_at = now

    def _how_it_ended(self) -> str:
        """Why nothing comes any more, for people."""
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(0.5)
            if status >= 0:
                return f"exited with status {status}"
            with suppress(ValueError):
                return f"was killed by {signal.Signals(-status).name}"
            return f"was killed by signal {-status}"
        return "closed its pipes and lives on"

    def _read_stderr(self) -> None:
        with suppress(OSError, ValueError):
            while chunk := self._errors.read(_CHUNK):
                self._tail += chunk
                del self._tail[:-_TAIL_BYTES]
                if self._log:
                    self._log.write(chunk)

    def last_words(self) -> str:
        """The last lines that the engine wrote on standard error."""
        if self._process.poll() is not None:
            self._drain.join(0.5)
        text = bytes(self._tail).decode(errors="replace")
        return "\n".join(text.splitlines()[-_TAIL_LINES:])

    def kill(self) -> None:
        """Kill the engine. Another thread may be waiting for it, and is to close it."""
        watchdog.kill_group(self._process.pid)

    def close(self, patience: float = 0.0) -> None:
        """End the engine and everything it has started.

        Args:
            patience: Seconds that it has to end by itself, once its input has ended.
        """
        with suppress(OSError):
            self._input.close()
        with suppress(subprocess.TimeoutExpired):
            if patience > 0:
                self._process.wait(patience)
        watchdog.kill_group(self._process.pid)
        watchdog.kill_marked(self._mark)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP_SECONDS)
        self._guard.tell("drop", self._process.pid)
        self._drain.join(_REAP_SECONDS)
        for pipe in (self._output, self._errors, self._log):
            if pipe:
                pipe.close()
