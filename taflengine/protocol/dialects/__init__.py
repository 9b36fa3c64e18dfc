"""The protocols that the engine speaks: each a value in one table."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from taflengine.protocol.command import CommandSet
    from taflengine.protocol.loop import Conversation
    from taflengine.protocol.session import Session
    from taflengine.protocol.streams import Input, Output


# Each is loaded when it is spoken: the command line needs no more than their names.


def _no_commands() -> "CommandSet":
    from taflengine.protocol.command import CommandSet

    return CommandSet()


class Dialect(NamedTuple):
    """A protocol: how a conversation in it is made, and what its sessions begin with."""

    begin: "Callable[[Session, Output, Input], Conversation]"
    commands: "Callable[[], CommandSet]" = _no_commands
    """The table of its commands, where there is such a table."""
    engine: str | None = None
    """Which engine chooses moves unless somebody says otherwise; None is as ever."""
    listening: bool = True
    """As ``converse`` takes it."""
    complains: bool = True
    """Whether anybody reads standard error."""
    refusal: str = "? {}\n\n"
    """What is said to a caller who is not let in; a place for the reason is in it."""
    advice: str = "protocol.md describes what to say"
    """What a person at a terminal is told."""


def _gtp(session: "Session", output: "Output", source: "Input") -> "Conversation":
    from taflengine.protocol.dispatcher import Dispatcher
    from taflengine.protocol.gtp import GtpConversation
    from taflengine.protocol.loop import report_bug

    dispatcher = Dispatcher(session.commands, session, report_bug)
    return GtpConversation(dispatcher, session.interrupts, output, source)


def _gtp_commands() -> "CommandSet":
    from taflengine.protocol.commands import all_commands

    return all_commands()


def _uci(session: "Session", output: "Output", _source: "Input") -> "Conversation":
    from taflengine.protocol.dialects.uci import Uci

    return Uci(session, output)


def _htp(session: "Session", output: "Output", _source: "Input") -> "Conversation":
    from taflengine.protocol.dialects.htp import Htp

    return Htp(session, output)


def _otep(session: "Session", output: "Output", _source: "Input") -> "Conversation":
    from taflengine.protocol.dialects.otep import Otep

    return Otep(session, output)


_SEARCH = "search"
DIALECTS: dict[str, Dialect] = {
    "gtp": Dialect(_gtp, _gtp_commands, listening=False, advice="help lists the commands"),
    "uci": Dialect(_uci, engine=_SEARCH, refusal="info string {}\n"),
    "htp": Dialect(_htp, engine=_SEARCH),
    "otep": Dialect(_otep, engine=_SEARCH, complains=False, refusal="status {}\n"),
}
"""Every protocol by the name that ``--protocol`` takes; the first is the default."""
