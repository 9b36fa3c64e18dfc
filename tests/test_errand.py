"""Work in a thread of its own that can always be ended."""

import signal
import threading
import time

import pytest

from taflengine.errand import LOOK, Errand
from taflengine.errors import ResourceError


class Work:
    """Work that goes on until it is stopped, and counts."""

    def __init__(self) -> None:
        self.begun, self.stops = threading.Event(), 0
        self._stopped = threading.Event()
        self.ended = False

    def run(self) -> None:
        self.begun.set()
        self._stopped.wait(60)
        self.ended = True

    def stop(self) -> None:
        self.stops += 1
        self._stopped.set()


def test_work_is_waited_for() -> None:
    done: list[int] = []
    errand = Errand(lambda: done.append(1), pytest.fail)
    errand.start()
    errand.wait()
    assert done == [1]
    errand.end()
    errand.end()


def test_a_system_without_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("taflengine.errand.start_new_thread", refuse)
    errand = Errand(pytest.fail, pytest.fail)
    with pytest.raises(ResourceError, match="the system has no room for another thread"):
        errand.start()
    errand.end()


def test_work_is_stopped_once() -> None:
    work = Work()
    errand = Errand(work.run, work.stop)
    errand.start()
    work.begun.wait()
    errand.end()
    assert (work.stops, work.ended) == (1, True)
    errand.end()
    assert work.stops == 1


def test_what_never_began_is_not_stopped_and_never_begins() -> None:
    work = Work()
    errand = Errand(work.run, work.stop)
    errand.end()
    errand.start()
    errand.end()
    time.sleep(2 * LOOK)
    assert (work.stops, work.ended, work.begun.is_set()) == (0, False, False)


def test_a_wait_is_interrupted_and_the_end_is_not() -> None:
    """An alarm stands for Ctrl-C; it comes again while the work is slow to end."""
    work = Work()
    slow = threading.Event()

    def run() -> None:
        work.run()
        slow.wait(0.5)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        errand = Errand(run, work.stop)
        errand.start()
        work.begun.wait()
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        with pytest.raises(KeyboardInterrupt):
            errand.wait()
        errand.end()
        signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert work.ended
    assert work.stops <= 2
