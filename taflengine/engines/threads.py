"""Running the core's search in threads: beside a caller who can be interrupted, or several."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from taflengine.core.search import Search
from taflengine.engines.aspiration import aspire
from taflengine.engines.engine import MAX_DEPTH
from taflengine.errand import Errand


def run_beside(search: Search, work: Callable[..., int], *arguments: int) -> int:
    """The result of *work* on *search*, done in a thread so that the caller can be interrupted.

    A signal reaches Python only in the main thread, and only between its steps:
    there it would wait for the end of the search.
    """
    results: list[int] = []
    failures: list[BaseException] = []

    def call() -> None:
        try:
            results.append(work(*arguments))
        except BaseException as error:  # it is raised again where it was asked for
            failures.append(error)

    errand = Errand(call, search.stop)
    try:
        errand.start()
        errand.wait()
    finally:
        errand.end()
    if failures:
        raise failures[0]
    return results[0]


@contextmanager
def helping(led: Search, helpers: Sequence[Search]) -> Iterator[None]:
    """Let *helpers*, each of a position of its own, search as *led* does while the block runs.

    All share a table: what one finds the others need not search, and moves that one is busy
    with the others put off. A helper that is done with a depth goes on to the next, or
    to that of *led* if it has been left behind.
    """

    def deepen(search: Search) -> None:
        depth, guess = 0, None
        while depth < MAX_DEPTH and not search.stopped:
            depth = max(depth + 1, int(led.horizon))
            guess = aspire(search, search.run, depth, guess)

    errands = [Errand(partial(deepen, helper), helper.stop) for helper in helpers]
    try:
        for errand in errands:
            errand.start()
        yield
    finally:
        for helper in helpers:
            helper.stop()
        for errand in errands:
            errand.end()
