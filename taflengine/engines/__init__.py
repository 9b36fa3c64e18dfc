"""What can choose a move, behind one small interface, and the one list of them."""

from collections.abc import Callable

from taflengine.engines.engine import Engine
from taflengine.engines.oneply import OnePly
from taflengine.engines.uniform import Uniform

ENGINES: dict[str, Callable[[], Engine]] = {"oneply": OnePly, "random": Uniform}
"""Every engine by the name that ``set_param engine`` takes; the first is the default."""
