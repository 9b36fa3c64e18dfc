"""Work in a thread of its own, of which whoever began it can be rid whatever interrupts him.

Ctrl-C may come between any two steps of the main thread. It can leave a lock inside
``threading.Event`` or ``Thread.start`` taken for ever, and work that is still under way without
anybody who waits for it.
"""

from _thread import allocate_lock, start_new_thread  # threading takes longer to load
from collections.abc import Callable
from contextlib import suppress

from taflengine.errors import ResourceError

LOOK = 0.1
"""Seconds after which whoever waits looks round. A signal ends only a wait that has begun: one
that comes a moment before would be heeded when the wait is over, perhaps never."""


class Errand:
    """One piece of work. ``start``, and ``end`` in a ``finally``, whose ``try`` holds ``start``.

    Args:
        work: What is done; it must not raise.
        stop: Makes *work* end soon. It is called by whoever ends the errand, if the work
            is not over by then; twice at most if he is interrupted in it.
    """

    def __init__(self, work: Callable[[], None], stop: Callable[[], None]) -> None:
        self._work, self._stop = work, stop
        self._turn = allocate_lock()
        """Taken by the thread as it begins, or by whoever no longer wants it to."""
        self._news = allocate_lock()
        self._news.acquire()
        self._over = False

    def start(self) -> None:
        """Begin.

        Raises:
            ResourceError: the system has no room for another thread.
        """
        try:
            start_new_thread(self._run, ())
        except RuntimeError:
            raise ResourceError("the system has no room for another thread") from None

    def _run(self) -> None:
        if not self._turn.acquire(blocking=False):
            return
        try:
            self._work()
        finally:
            self._over = True
            self._news.release()

    def wait(self) -> None:
        """Return when the work is done; the main thread is interrupted in it by a signal."""
        while not self._over:
            self._news.acquire(timeout=LOOK)

    def end(self) -> None:
        """Return when the work is over or never will begin; an interrupt in it is not heeded."""
        told = ended = False
        while not ended:
            with suppress(KeyboardInterrupt):
                while not self._over:
                    if self._turn.acquire(blocking=False):
                        self._over = True
                    elif told:
                        self._news.acquire(timeout=LOOK)
                    else:
                        self._stop()
                        told = True
                ended = True
