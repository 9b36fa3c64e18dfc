"""Commands about the program, its commands and its parameters."""

from collections.abc import Iterable

from taflengine import __version__, core
from taflengine.errors import CommandError
from taflengine.notation import quote
from taflengine.protocol.grammar import command_set
from taflengine.protocol.session import Session

COMMANDS = command_set()


@COMMANDS.command
def protocol_version(_session: Session) -> int:
    """Answer the version of GTP whose framing is spoken: 2."""
    return 2


@COMMANDS.command
def name(_session: Session) -> str:
    """Answer the name of the program."""
    return "taflengine"


@COMMANDS.command
def version(_session: Session) -> str:
    """Answer the version of the program and the form its core runs in.

    The form is ``compiled``, or ``uncompiled``, which is far slower.
    """
    return f"{__version__} {core.form()}"


@COMMANDS.command
def known_command(session: Session, command: str) -> bool:
    """Answer whether COMMAND is a command: true or false."""
    return session.offers(command)


@COMMANDS.command
def list_commands(session: Session) -> Iterable[str]:
    """Answer the names of all commands, one a line."""
    return filter(session.offers, session.commands)


@COMMANDS.named("help")
def help_(session: Session, command: str | None) -> Iterable[str]:
    """Answer what COMMAND does, or the usage and purpose of every command."""
    commands = session.commands
    if command is None:
        return [f"{each.usage}: {each.summary}" for each in commands.values()]
    found = commands.get(command)
    if found is None:
        raise CommandError(f"unknown command: {quote(command)}")
    return [found.usage, *found.help.splitlines()]


@COMMANDS.named("quit", closes=True)
def quit_(_session: Session) -> None:
    """End the session, after the answer."""


@COMMANDS.command
def list_params(_session: Session) -> Iterable[str]:
    """Answer every parameter with its type, what is allowed, its default and its meaning."""
    from taflengine.protocol.parameters import PARAMETERS

    return [parameter.line for parameter in PARAMETERS.values()]


@COMMANDS.command
def get_param(session: Session, key: str) -> str:
    """Answer the value of the parameter KEY."""
    from taflengine.protocol.parameters import find_parameter

    parameter = find_parameter(key)
    return parameter.kind.write(getattr(session.settings, parameter.name))


@COMMANDS.command
def set_param(session: Session, key: str, value: str) -> None:
    """Set the parameter KEY to VALUE; it takes effect at once."""
    from taflengine.protocol.parameters import find_parameter

    parameter = find_parameter(key)
    session.change(**{parameter.name: parameter.kind.parse(value)})
