"""An engine at the board: its process, started when it is needed, and its controller."""

import os
import time
from contextlib import suppress
from typing import NamedTuple

from taflengine.errors import BadReplyError, EngineError
from taflengine.match.entrants import Entrant
from taflengine.match.process import EngineProcess, Guard
from taflengine.protocol.controllers.controller import Controller, Identity
from taflengine.protocol.controllers.dialects import CONTROLLERS, find_dialect

_FIND_SECONDS = 10.0
"""How long it is waited for the first line of an engine whose dialect is not known."""


class Patience(NamedTuple):
    """How many seconds an engine may take before it counts as hanging."""

    start: float = 30.0
    """For all of its start."""
    reply: float = 10.0
    """For what needs no thought."""
    move: float = 600.0
    """For a move without a clock."""
    grace: float = 1.0
    """For a move, behind the end of its time; an answer in it is late, none is a hang."""
    goodbye: float = 1.0
    """To end by itself."""


class Seat:
    """Where one engine sits from game to game; it is started again after a failure.

    Args:
        entrant: The engine.
        guard: Who kills it if this process dies.
        seed: The match's.
        patience: How long it is waited for.
    """

    def __init__(self, entrant: Entrant, guard: Guard, seed: int, patience: Patience) -> None:
        self.entrant = entrant
        self.identity = Identity("", "")
        self._guard = guard
        self._seed = seed
        self._patience = patience
        self._dialect = entrant.dialect
        self._process: EngineProcess | None = None
        self._controller: Controller | None = None
        self._last_words = ""

    @property
    def version(self) -> str:
        """What the engine calls itself."""
        return f"{self.identity.name} {self.identity.version}".strip()

    @property
    def runs(self) -> bool:
        """Whether the engine was started and has not been ended."""
        return self._controller is not None

    @property
    def controller(self) -> Controller:
        """Who speaks with the engine.

        Raises:
            EngineError: it does not run.
        """
        if self._controller is None:
            raise EngineError("has not been started")
        return self._controller

    def start(self) -> None:
        """Start the engine if it does not run, and get it ready.

        Raises:
            EngineError: it cannot be.
        """
        if self._controller is not None and not self.entrant.restart:
            return
        self.leave()
        self._last_words = ""
        if self._dialect is None:
            self._dialect = self._find_dialect()
        self._process = self._new_process()
        controller = CONTROLLERS[self._dialect](self._process)
        self.identity = controller.start(
            self.entrant.settings(self._seed),
            self.entrant.start_lines(self._seed),
            time.monotonic() + self._patience.start,
        )
        self._controller = controller

    def leave(self) -> None:
        """Let the engine say goodbye, if it runs, and end it."""
        if self._controller is not None:
            with suppress(EngineError):
                self._controller.quit(time.monotonic() + self._patience.goodbye)
        self._end(self._patience.goodbye if self._controller else 0.0)

    def end(self) -> None:
        """End the engine at once, if it runs."""
        self._end(0.0)

    def abort(self) -> None:
        """Kill the engine while another thread waits for it, which then learns of its end."""
        process = self._process
        if process is not None:
            process.kill()

    def last_words(self) -> str:
        """The last lines on standard error of the engine, also of one that was ended."""
        return self._process.last_words() if self._process else self._last_words

    def _end(self, patience: float) -> None:
        process, self._process, self._controller = self._process, None, None
        if process is not None:
            process.close(patience)
            self._last_words = process.last_words()

    def _new_process(self) -> EngineProcess:
        entrant = self.entrant
        process = EngineProcess(
            entrant.arguments(self._seed),
            self._guard,
            entrant.directory,
            entrant.environment,
            entrant.stderr,
        )
        if entrant.cpu is not None:
            try:
                os.sched_setaffinity(process.pid, {entrant.cpu})
            except (OSError, AttributeError):
                process.close()
                raise EngineError(f"cannot be bound to processor {entrant.cpu}") from None
        return process

    def _find_dialect(self) -> str:
        with self._new_process() as process:
            try:
                found = find_dialect(process, time.monotonic() + _FIND_SECONDS)
            finally:
                self._last_words = process.last_words()
        if found not in CONTROLLERS:
            raise BadReplyError(f"speaks {found}, which is none of {' '.join(CONTROLLERS)}")
        return found
