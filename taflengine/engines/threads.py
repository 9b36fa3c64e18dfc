"""Running the core's search in threads: beside a caller who can be interrupted, or several."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from taflengine.core.codes import INFINITE
from taflengine.core.search import Search
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
def helping(searches: Sequence[Search]) -> Iterator[None]:
    """Let *searches*, each of a position of its own, deepen while the block runs.

    What they find reaches the search they help through the table that they share.
    Every other one is a ply ahead, so that they do not all do the same.
    """

    def deepen(search: Search, depth: int) -> None:
        while depth <= MAX_DEPTH and not search.stopped:
            search.run(depth, -INFINITE, INFINITE)
            depth += 1

    errands = [
        Errand(partial(deepen, search, 1 + number % 2), search.stop)
        for number, search in enumerate(searches, start=1)
    ]
    try:
        for errand in errands:
            errand.start()
        yield
    finally:
        for search in searches:
            search.stop()
        for errand in errands:
            errand.end()
