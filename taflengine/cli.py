"""The command line. Each subcommand is a few lines; the work is done elsewhere."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar

import click

from taflengine import COMPLETE_VARIABLE
from taflengine.errors import TaflError
from taflengine.exits import INTERRUPTED, OK
from taflengine.protocol.dialects import DIALECTS
from taflengine.usage import SecondsRange, refuse_options
from taflengine.variants import names_like

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from taflengine import __version__, core

        click.echo(f"taflengine {__version__} ({core.form()} core)")
        context.exit()


class _Commands(click.Group):
    """Loads the larger subcommands when they are asked for."""

    _elsewhere: ClassVar = {
        "completion": "taflengine.shell",
        "convert": "taflengine.records.cli",
        "man": "taflengine.shell",
        "match": "taflengine.match.cli",
        "regress": "taflengine.regress.cli",
        "replay": "taflengine.records.cli",
    }

    def list_commands(self, context: click.Context) -> list[str]:
        """All names, sorted."""
        return sorted([*super().list_commands(context), *self._elsewhere])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The subcommand called *name*."""
        if name in self._elsewhere:
            found = getattr(import_module(self._elsewhere[name]), name)
            assert isinstance(found, click.Command)
            return found
        return super().get_command(context, name)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Read the command line, which may already print; as ``invoke`` if nobody reads that."""
        try:
            return super().make_context(*arguments, **more)
        except BrokenPipeError:
            raise click.exceptions.Exit(OK) from None

    def invoke(self, context: click.Context) -> object:
        """Run the subcommand; a reader who has gone is no failure, as for the engine itself."""
        try:
            return super().invoke(context)
        except BrokenPipeError:
            return OK


def _variant(help: str) -> Decorator:  # noqa: A002 -- as click has it
    """The option ``--variant``, with completion of its names."""
    return click.option(
        "--variant",
        metavar="NAME",
        shell_complete=lambda _context, _parameter, word: names_like(word),
        help=help,
    )


def _protocol(help: str) -> Decorator:  # noqa: A002
    """The option ``--protocol``."""
    return click.option(
        "--protocol",
        type=click.Choice(tuple(DIALECTS)),
        default=next(iter(DIALECTS)),
        show_default=True,
        help=help,
    )


def _check_parameters(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """What is wrong with a parameter is wrong usage, found before anything begins."""
    if given:
        from taflengine.protocol.start import parse_parameter
    for text in given:
        try:
            parse_parameter(text)
        except TaflError as error:
            raise click.BadParameter(str(error), context, parameter) from None
    return given


_parameters = click.option(
    "--param",
    "parameters",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_check_parameters,
    help="Set a parameter first, as set_param KEY VALUE would; may be repeated.",
)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and whether the core is compiled.",
)
@_variant("Begin with this rule set, as newgame NAME would.")
@click.option(
    "--rules",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Begin with the rule set in this TOML file.",
)
@_protocol("What is spoken: the protocol below, UCI, hnefatafl.org's HTP, or OpenTafl's OTEP.")
@_parameters
@click.option(
    "--connect",
    metavar="HOST:PORT",
    help="With --protocol htp: play on a light server of hnefatafl.org's.",
)
@click.pass_context
def cli(
    context: click.Context,
    variant: str | None,
    rules: str | None,
    protocol: str,
    parameters: tuple[str, ...],
    connect: str | None,
) -> int:
    """Play hnefatafl and its relatives through a text protocol.

    Without a subcommand the engine reads commands from standard input, one a
    line, and answers each on standard output: "= text" for success, "? reason"
    for failure, then an empty line.

    \b
    Try it at a terminal:
      $ taflengine
      newgame brandubh
      showboard
      play d6-c6
      genmove defender
      quit

    \b
    Or from a script:
      $ printf 'newgame\\nlegal\\ngenmove attacker\\n' | taflengine

    The command "help" lists all commands; protocol.md describes them.
    """  # noqa: D301 -- click wants the character that \\b stands for
    if context.invoked_subcommand:
        refuse_options(context)
        return OK
    if variant is not None and rules is not None:
        raise click.UsageError("Give --variant or --rules, not both.")
    if connect is not None:
        if protocol != "htp" or variant or rules:
            raise click.UsageError("--connect goes with --protocol htp, and the game is its own.")
        from taflengine.protocol.network import play_at

        return play_at(connect, DIALECTS[protocol], parameters)
    from taflengine.protocol.start import start

    return start(variant if rules is None else f"@{rules}", protocol, parameters)


@cli.command("otep-ini")
def otep_ini() -> None:
    """Print the file by which OpenTafl finds this engine.

    \b
    Save it as taflengine.ini in the directory engines of OpenTafl:
      $ taflengine otep-ini > OpenTafl/engines/taflengine.ini
    Then choose that file as an engine in OpenTafl's options.
    """  # noqa: D301 -- click wants the character that \\b stands for
    from taflengine.protocol.dialects.otep_ini import engine_file

    click.echo(engine_file(), nl=False)


@cli.command()
@click.argument(
    "name",
    required=False,
    shell_complete=lambda _context, _parameter, word: names_like(word),
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each rule set.")
@click.option("--toml", "as_toml", is_flag=True, help="The rule set as a file to begin from.")
def variants(name: str | None, as_json: bool, as_toml: bool) -> None:
    """List the rule sets, or explain the one called NAME."""
    from taflengine.variants import find_variant
    from taflengine.variants.catalogue import VARIANTS

    if as_json and as_toml:
        raise click.UsageError("Give --json or --toml, not both.")
    if as_toml and name is None:
        raise click.UsageError("--toml needs the NAME of a rule set.")
    chosen = [find_variant(name)] if name else list(VARIANTS.values())
    if as_json:
        import json

        from taflengine.variants.plain import to_plain

        for variant in chosen:
            click.echo(json.dumps(to_plain(variant), ensure_ascii=False))
    elif as_toml:
        from taflengine.variants.files import format_rules

        click.echo(format_rules(chosen[0]), nl=False)
    elif name:
        from taflengine.variants.explain import explain

        click.echo("\n".join(explain(chosen[0])))
    else:
        width = max(map(len, VARIANTS))
        for variant in chosen:
            click.echo(f"{variant.name:<{width}}  {variant.summary}")


@cli.command("serve")
@click.option(
    "--listen",
    metavar="HOST:PORT",
    required=True,
    help="Where to listen; a PORT alone is on this machine.",
)
@_protocol("What is spoken.")
@_variant("The rule set of the first game.")
@_parameters
@click.option(
    "--connections",
    type=click.IntRange(1, 1000),
    default=8,
    show_default=True,
    help="So many at once; others are told so and sent away.",
)
@click.option(
    "--idle",
    metavar="SECONDS",
    type=SecondsRange(0),
    default=600,
    show_default=True,
    help="End a connection on which nothing is said for so long; 0 is never.",
)
@click.option(
    "--think",
    metavar="SECONDS",
    type=SecondsRange(0),
    default=120,
    show_default=True,
    help="End a connection whose line is at work for so long; 0 is never.",
)
@click.option(
    "--memory",
    metavar="MB",
    type=click.IntRange(256, 1 << 20),
    default=1024,
    show_default=True,
    help="Megabytes that the process of a connection may have.",
)
def serve_(
    listen: str,
    protocol: str,
    variant: str | None,
    parameters: tuple[str, ...],
    connections: int,
    idle: float,
    think: float,
    memory: int,
) -> int:
    """Speak a protocol on the network, in a process for each connection.

    \b
    For programs on this machine:
      $ taflengine serve --listen 7300

    A HOST other than 127.0.0.1 opens it to others: nobody is asked who he is, but
    no file can be read or written through it.
    """  # noqa: D301 -- click wants the character that \\b stands for
    from taflengine.protocol.door import Door, keep
    from taflengine.protocol.guest import Stay

    stay = Stay(protocol, variant, parameters, idle, think, memory)
    return keep(Door(listen, connections, stay))


def run() -> int:
    """Run the command line; the exit status. Wrong usage is 2, a cancelled prompt 130."""
    try:
        return int(cli.main(standalone_mode=False, complete_var=COMPLETE_VARIABLE) or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
