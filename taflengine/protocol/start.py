"""Starting the engine: a session, its dispatcher and the loop around them."""

import os

from taflengine import __version__, core
from taflengine.protocol.commands import all_commands
from taflengine.protocol.dispatcher import Dispatcher
from taflengine.protocol.grammar import parse_variant
from taflengine.protocol.gtp import serve_gtp
from taflengine.protocol.loop import complain
from taflengine.protocol.session import Session
from taflengine.variants import DEFAULT


def start(rules: str | None = None) -> int:
    """Speak the protocol on standard input and output until the input ends.

    Args:
        rules: The rule set of the first game, as ``newgame`` takes it.

    Returns:
        The exit status.

    Raises:
        TaflError: there are no such rules; nothing has been read or written.
    """
    commands = all_commands()
    session = Session(commands, DEFAULT if rules is None else parse_variant(rules))
    if core.form() == "uncompiled":
        complain(f"taflengine: the core runs uncompiled, far slower; {core.cure()}")
    banner = f"taflengine {__version__}, {session.game.variant.name}; help lists the commands"
    return serve_gtp(Dispatcher(commands, session, report_bug), session.interrupts, banner)


def report_bug(trace: str) -> None:
    """Say in one line what went wrong; the whole *trace* only if TAFLENGINE_DEBUG is set."""
    if os.environ.get("TAFLENGINE_DEBUG"):
        complain(trace)
        return
    error = trace.strip().splitlines()[-1]
    place = next(line for line in reversed(trace.splitlines()) if line.startswith("  File "))
    complain(
        f"taflengine: internal error: {error} ({place.strip()}); "
        "TAFLENGINE_DEBUG=1 shows the traceback"
    )
