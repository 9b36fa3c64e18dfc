"""What can choose a move, behind one small interface, and the one list of them."""

from collections.abc import Callable

from taflengine.engines.engine import Engine, Limits
from taflengine.engines.oneply import OnePly
from taflengine.engines.uniform import Uniform


def _search(limits: Limits, megabytes: int) -> Engine:
    # Imported here because the other engines do not need it.
    from taflengine.engines.search import SearchEngine

    return SearchEngine(limits, megabytes)


ENGINES: dict[str, Callable[[Limits, int], Engine]] = {
    "oneply": lambda _limits, _megabytes: OnePly(),
    "search": _search,
    "random": lambda _limits, _megabytes: Uniform(),
}
"""Every engine by the name that ``set_param engine`` takes; the first is the default.

Each is made from its limits and the megabytes of its table, which only ``search`` has.
"""
