"""A choice of a move that runs in one thread and that another may end."""

from collections.abc import Collection, Iterator
from threading import Lock, Timer
from typing import TYPE_CHECKING

from taflengine.engines.engine import Limits
from taflengine.errand import LOOK
from taflengine.notation import Move
from taflengine.protocol.choosing import ONE_DEPTH
from taflengine.protocol.session import Session

if TYPE_CHECKING:
    from taflengine.engines.report import Report


class Thinking:
    """One search, from the moment it is asked for. Any thread may stop it at any time."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._stopped = False
        self._news = Lock()
        self._news.acquire()
        self._session: Session | None = None
        self._timer: Timer | None = None

    @property
    def stopped(self) -> bool:
        """Whether somebody wants the answer, or the end, at once."""
        return self._stopped

    def stop(self) -> None:
        """End the search, or let it only begin if it has not begun."""
        with self._lock:
            if not self._stopped:
                self._stopped = True
                self._news.release()
            if self._session is not None:
                self._session.searcher.stop()

    def stop_after(self, seconds: float) -> None:
        """Stop when *seconds* have passed, unless the search has ended by then."""
        with self._lock:
            if self._timer is None:
                self._timer = Timer(seconds, self.stop)
                self._timer.daemon = True
                self._timer.start()

    def wait(self) -> None:
        """Return when somebody has stopped it."""
        while not self._stopped:
            self._news.acquire(timeout=LOOK)

    def reports(
        self,
        session: Session,
        limits: Limits,
        multipv: int = 1,
        moves: Collection[Move] | None = None,
    ) -> Iterator["Report"]:
        """As ``Searcher.deepen`` of the game of *session*; at least one report comes.

        What the session's interrupts say ends it too.
        """
        heard = session.interrupts
        with self._lock:
            self._session = session
        try:
            limits = ONE_DEPTH if self.stopped else limits
            yield from session.deepen(limits, lambda: self.stopped or heard.stop, multipv, moves)
        finally:
            with self._lock:
                self._session = None
                if self._timer is not None:
                    self._timer.cancel()
