"""What can choose a move, behind one small interface, and the one list of them."""

from collections.abc import Callable
from typing import NamedTuple

from taflengine.engines.engine import Engine, Limits
from taflengine.engines.oneply import OnePly
from taflengine.engines.uniform import Uniform


class Setup(NamedTuple):
    """What an engine is made with; each takes what it has a use for."""

    limits: Limits
    megabytes: int = 16
    """Memory of the transposition table."""
    threads: int = 1
    """So many processors are used at once."""


def _search(setup: Setup) -> Engine:
    # Imported here because the other engines do not need it.
    from taflengine.engines.search import SearchEngine

    return SearchEngine(setup.limits, setup.megabytes, setup.threads)


ONEPLY = "oneply"
"""The engine that the lowest level of the search plays as."""
SEARCH = "search"
"""The engine that can be stopped and reports what it finds; see ``Searcher``."""

ENGINES: dict[str, Callable[[Setup], Engine]] = {
    ONEPLY: lambda _setup: OnePly(),
    SEARCH: _search,
    "random": lambda _setup: Uniform(),
}
"""Every engine by the name that ``set_param engine`` takes; the first is the default."""
