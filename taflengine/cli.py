"""The command line. Each subcommand is a few lines; the work is done elsewhere."""

import os
import sys

import click

from taflengine.errors import TaflError

FAILED, BUG, INTERRUPTED = 1, 4, 130
"""Exit statuses besides 0; click's own for wrong usage is 2."""


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from taflengine import __version__, core

        click.echo(f"taflengine {__version__} ({core.form()} core)")
        context.exit()


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and whether the core is compiled.",
)
@click.option("--variant", metavar="NAME", help="Begin with this rule set, as newgame NAME would.")
@click.option("--rules", metavar="FILE", help="Begin with the rule set in this TOML file.")
@click.pass_context
def cli(context: click.Context, variant: str | None, rules: str | None) -> int:
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
        if variant or rules:
            raise click.UsageError(f"{context.invoked_subcommand} takes neither rules nor variant.")
        return 0
    if variant and rules:
        raise click.UsageError("Give --variant or --rules, not both.")
    return _serve(f"@{rules}" if rules else variant)


def _serve(rules: str | None) -> int:
    """Speak the protocol until the input ends; the exit status."""
    from taflengine import __version__, core
    from taflengine.protocol.commands import all_commands
    from taflengine.protocol.dispatcher import Dispatcher
    from taflengine.protocol.grammar import parse_variant
    from taflengine.protocol.loop import complain, serve
    from taflengine.protocol.session import Session
    from taflengine.variants import DEFAULT

    commands = all_commands()
    session = Session(commands, parse_variant(rules) if rules else DEFAULT)
    if core.form() == "uncompiled":
        complain(f"taflengine: the core runs uncompiled, about 100 times slower; {core.CURE}")
    banner = f"taflengine {__version__}, {session.game.variant.name}; help lists the commands"
    return serve(Dispatcher(commands, session, _report_bug), banner)


@cli.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each rule set.")
@click.option("--toml", "as_toml", is_flag=True, help="The rule set as a file to begin from.")
def variants(name: str | None, as_json: bool, as_toml: bool) -> None:
    """List the rule sets, or explain the one called NAME."""
    from taflengine.variants import VARIANTS, find_variant

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


def main() -> None:
    """Run the command line and exit: 0 good, 1 failed, 2 usage, 130 interrupted, 4 a bug."""
    try:
        status = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        status = INTERRUPTED
    except TaflError as error:
        click.echo(f"taflengine: {error}", err=True)
        status = FAILED
    except Exception:
        import traceback

        _report_bug(traceback.format_exc())
        status = BUG
    sys.exit(status)


def _report_bug(trace: str) -> None:
    """Say in one line what went wrong; the whole traceback only if TAFLENGINE_DEBUG is set."""
    if os.environ.get("TAFLENGINE_DEBUG"):
        click.echo(trace, err=True)
        return
    *_, place, _line, error = ["", "", *trace.strip().splitlines()]
    click.echo(
        f"taflengine: internal error: {error} ({place.strip()}); "
        "TAFLENGINE_DEBUG=1 shows the traceback",
        err=True,
    )
