"""The dialects that engines may speak, by name, and how to find out which one it is."""

from collections.abc import Callable

from taflengine.errors import BadReplyError, EngineStalledError
from taflengine.notation import quote
from taflengine.protocol.controllers.controller import Controller, Link
from taflengine.protocol.controllers.gtp import GtpController
from taflengine.protocol.controllers.htp import HtpController
from taflengine.protocol.controllers.otep import OtepController
from taflengine.protocol.controllers.uci import UciController

CONTROLLERS: dict[str, Callable[[Link], Controller]] = {
    "gtp": GtpController,
    "uci": UciController,
    "htp": HtpController,
    "otep": OtepController,
}
"""What speaks each dialect."""

_FIRST_LINES = {"=1": "gtp", "?1": "gtp", "=": "htp", "?": "htp", "id": "uci", "uciok": "uci"}
"""The dialect by the first word of the answer to a command that has the id 1 and to ``uci``.

Who does not know ids takes the 1 for a command.
"""


def find_dialect(link: Link, deadline: float) -> str:
    """The dialect of a newly started engine, which is of no use afterwards.

    Raises:
        EngineError: none can be made out, or the engine has ended.
    """
    link.send("1 protocol_version", deadline)
    link.send("uci", deadline)
    seen = ""
    try:
        while True:
            line = link.receive(deadline).text
            seen = seen or line
            word = (line.split() or [""])[0]
            if word in _FIRST_LINES:
                return _FIRST_LINES[word]
            if word == "hello":  # said unasked
                return "otep"
    except EngineStalledError:
        what = f"only {quote(seen)}" if seen else "nothing"
        raise BadReplyError(
            f"its dialect cannot be found out, it says {what}: name one of {' '.join(CONTROLLERS)}"
        ) from None
