"""What a shell is told of the program: completion, and a manual page.

Both are made of the command line itself and of the table of protocol commands.
"""

import inspect
import re
from collections.abc import Iterator

import click
from click.shell_completion import get_completion_class

from taflengine import COMPLETE_VARIABLE, __version__
from taflengine.exits import BUG, FAILED, INTERRUPTED, OK, WRONG_USAGE
from taflengine.protocol.commands import all_commands

SHELLS = ("bash", "zsh", "fish")

_ENVIRONMENT = (
    ("TAFLENGINE_COMPILED", "off runs the core as plain Python; required refuses to do so."),
    ("TAFLENGINE_DEBUG", "If it is set, a fault of the program is shown with its traceback."),
)
_STATUSES = (
    (str(OK), "Done; also if the reader of the output has gone."),
    (
        str(FAILED),
        "Failed, with a message; for replay and convert also: something in a game is wrong.",
    ),
    (str(WRONG_USAGE), "Wrong usage."),
    (str(BUG), "A fault of the program."),
    (str(INTERRUPTED), "Interrupted."),
)


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script by which SHELL completes subcommands, options and their values.

    \b
    Read it when a shell starts:
      bash, in ~/.bashrc:  eval "$(taflengine completion bash)"
      zsh, in ~/.zshrc:    eval "$(taflengine completion zsh)"
      fish:  taflengine completion fish > ~/.config/fish/completions/taflengine.fish
    """  # noqa: D301 -- click wants the character that \\b stands for
    kind = get_completion_class(shell)
    assert kind, "click knows all of SHELLS"
    script = kind(context.find_root().command, {}, "taflengine", COMPLETE_VARIABLE)
    click.echo(script.source())


@click.command()
@click.pass_context
def man(context: click.Context) -> None:
    """Print the manual page, in the language of man.

    \b
    To read it, or to install it:
      $ taflengine man | man -l -
      $ taflengine man > ~/.local/share/man/man1/taflengine.1
    """  # noqa: D301 -- click wants the character that \\b stands for
    root = context.find_root()
    assert isinstance(root.command, click.Group)
    click.echo("\n".join(_page(root.command, click.Context(root.command, info_name="taflengine"))))


def _page(group: click.Group, context: click.Context) -> Iterator[str]:
    """The lines of the manual page, in roff."""
    commands = [
        (name, command)
        for name in group.list_commands(context)
        if (command := group.get_command(context, name)) is not None
    ]
    yield f'.TH TAFLENGINE 1 "" "taflengine {__version__}" "User Commands"'
    yield ".SH NAME"
    yield "taflengine \\- engine for hnefatafl and its relatives"
    yield ".SH SYNOPSIS"
    yield _bold("taflengine [OPTION]...")
    for name, command in commands:
        usage = " ".join(command.collect_usage_pieces(_within(context, name, command)))
        yield ".br"
        yield _bold(f"taflengine {name} {usage}")
    yield ".SH DESCRIPTION"
    yield from _prose(group.help or "")
    yield ".SH OPTIONS"
    yield from _options(group, context)
    yield ".SH SUBCOMMANDS"
    for name, command in commands:
        inner = _within(context, name, command)
        yield f".SS {_escaped(' '.join([name, *command.collect_usage_pieces(inner)]))}"
        yield from _prose(command.help or "")
        yield from _options(command, inner)
    yield ".SH PROTOCOL COMMANDS"
    for each in all_commands().values():
        yield ".TP"
        yield _bold(each.usage)
        yield from _prose(each.help)
    for heading, entries in (("EXIT STATUS", _STATUSES), ("ENVIRONMENT", _ENVIRONMENT)):
        yield f".SH {heading}"
        for entry in entries:
            yield from _entry(*entry)


def _within(context: click.Context, name: str, command: click.Command) -> click.Context:
    return click.Context(command, info_name=name, parent=context)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record:
            yield from _entry(*record)


def _entry(term: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield _bold(term)
    yield _escaped(" ".join(text.split()))


def _prose(text: str) -> Iterator[str]:
    """Paragraphs; one that begins with click's mark keeps its lines."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", inspect.cleandoc(text))):
        if number:
            yield ".sp"
        lines = paragraph.splitlines()
        if lines and lines[0].strip() == "\b":
            yield ".nf"
            yield from map(_escaped, lines[1:])
            yield ".fi"
        else:
            yield from map(_escaped, lines)


def _bold(text: str) -> str:
    return f"\\fB{_escaped(text)}\\fR"


def _escaped(text: str) -> str:
    """*text* so that roff shows it as it stands, whatever it begins with."""
    return "\\&" + text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
