"""``taflengine match``: options to settings, settings to a match, its end to an exit status."""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from taflengine.errors import JournalError, NotationError, TaflError
from taflengine.exits import FAILED, INTERRUPTED, OK, WRONG_USAGE
from taflengine.match.conduct import Conclusion, Conduct, check, conduct, processors
from taflengine.match.journal import JournalFullError, read_games, read_settings, runner_of
from taflengine.match.report import report_of
from taflengine.match.runner import End
from taflengine.match.settings import SETTINGS, MatchSettings, Plain, complete, parse_settings
from taflengine.match.statistics import Verdict
from taflengine.textfile import explain, read_text
from taflengine.usage import refuse_options

HALTED = 3
"""Exit status: the match was ended because of failures. ``FAILED`` is also that of a match in
which an engine has failed in some game, or in which the test accepted H0."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _setting(*names: str, help: str, **more: Any) -> Decorator:  # noqa: A002 -- as click has it
    """The option of a setting; its help ends with the default."""
    setting = SETTINGS.get(names[0].removeprefix("--"))
    default = setting.default if setting else None
    if default not in (None, [], "", False):
        help = f"{help.rstrip('.')}; {default} by default."  # noqa: A001
    return click.option(*names, help=help, **more)


OPTIONS = (
    _setting(
        "--engine",
        multiple=True,
        metavar="[NAME=]COMMAND",
        help="An engine: oneply, search:nodes=3000, a command line, or words such as "
        "cmd= name= proto= option.KEY=; give it once for each.",
    ),
    _setting("--each", metavar="WORDS", help="Words that hold for every engine, as tc=10+0.1."),
    _setting("--tournament", metavar="KIND", help="round-robin, gauntlet or self-play."),
    _setting("--variant", multiple=True, metavar="NAME", help="A rule set; several in turn."),
    _setting("--games", type=int, help="Games of any two engines."),
    _setting("--pairs", type=int, help="The same in pairs: one opening, sides swapped."),
    _setting("--tc", metavar="CONTROL", help="300, 10+0.1, 40/60, 300+30/5 or inf."),
    _setting("--movetime", "--st", metavar="SECONDS", help="Time for each move."),
    _setting("--nodes", type=int, help="Positions for each move."),
    _setting("--depth", type=int, help="Plies for each move."),
    _setting("--timemargin", type=int, metavar="MS", help="How late a move may be."),
    _setting("--openings", metavar="FILE", help="Openings, one a line."),
    _setting("--order", metavar="ORDER", help="sequential or random."),
    _setting("--start", type=int, metavar="N", help="The first opening that is taken."),
    _setting("--random-plies", type=int, metavar="N", help="Openings of N plies by chance."),
    _setting("--seed", "--srand", type=int, help="What chance is drawn from."),
    _setting("--maxmoves", type=int, metavar="PLIES", help="A draw then; 0 is never."),
    _setting("--draw", metavar="RULE", help="movenumber=40 movecount=8 score=20"),
    _setting("--resign", metavar="RULE", help="movecount=3 score=600 [twosided=false]"),
    _setting("--scoring", metavar="HOW", help="By result, or by captures."),
    _setting("--sprt", metavar="TEST", help="elo0=0,elo1=5,alpha=0.05,beta=0.05"),
    _setting("--concurrency", type=int, metavar="N", help="Games at a time."),
    _setting("--recover", is_flag=True, default=None, help="Go on whatever engines do."),
    _setting("--ratinginterval", type=int, metavar="N", help="Show results each N games."),
    _setting("--start-timeout", type=float, metavar="SECONDS", help="For the start of an engine."),
    _setting("--reply-timeout", type=float, metavar="SECONDS", help="For other answers."),
    _setting("--move-timeout", type=float, metavar="SECONDS", help="For moves without clock."),
)


def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* with an option for each setting of a match."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


@click.group(invoke_without_command=True)
@with_options
@click.option("--config", metavar="FILE", help="A TOML file with settings; options go before it.")
@click.option("--out", metavar="DIR", help="Where the journal is; a new directory by default.")
@click.option("--resume", is_flag=True, help="Go on with the match in DIR as it was begun.")
@click.option("--force", is_flag=True, help="Start over if DIR holds a match of other settings.")
@click.option("--force-concurrency", is_flag=True, help="Allow more games than processors.")
@click.option("--cluster", metavar="ADDRESS", help="Let a dask cluster play: tcp://HOST:8786.")
@click.option("--check", "only_check", is_flag=True, help="Only see whether the engines play.")
@click.option("--json", "as_json", is_flag=True, help="Lines of JSON on standard output.")
@click.pass_context
def match(
    context: click.Context,
    /,
    config: str | None,
    out: str | None,
    resume: bool,
    force: bool,
    force_concurrency: bool,
    only_check: bool,
    as_json: bool,
    cluster: str | None,
    **given: Any,
) -> int:
    """Let engines play each other, under this program's rules and clocks.

    Every finished game is a line of DIR/journal.jsonl, and the same command again goes
    on where the match was interrupted.

    \b
      $ taflengine match --engine new=search:nodes=3000 --engine old=search:nodes=1000 \\
            --variant brandubh --games 100 --out DIR
    """  # noqa: D301 -- click wants the character that \\b stands for
    if context.invoked_subcommand:
        refuse_options(context)
        return OK
    if resume and out is None:
        raise click.UsageError("--resume goes on with the match in a directory: give --out DIR.")
    directory = Path(out or f"match-{datetime.now().astimezone():%Y%m%d-%H%M%S}")
    try:
        plain = {**(_read_config(Path(config)) if config else {}), **_plain(given)}
        if resume:
            plain = {**read_settings(directory), **plain}
        settings = parse_settings(complete(plain))
        _check_concurrency(settings, force=force_concurrency)
        if only_check:
            click.echo("\n".join(check(settings)))
            return OK
        how = Conduct(directory, force, as_json, cluster)
        return _status(conduct(settings, how, sys.stdout, sys.stderr))
    except JournalFullError as error:
        click.echo(f"taflengine match: {error}", err=True)
        return HALTED
    except BrokenPipeError:
        raise  # who reads the output has gone, which is nobody's fault
    except (TaflError, OSError) as error:
        what = explain(error) if isinstance(error, OSError) else error
        click.echo(f"taflengine match: {what}", err=True)
        return WRONG_USAGE


@match.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def status(directory: Path, as_json: bool) -> None:
    """Say how far the match in DIRECTORY has come."""
    settings, games = parse_settings(complete(read_settings(directory))), read_games(directory)
    told = settings.report_settings()
    runner = runner_of(directory)
    report = report_of(games, told)
    if as_json:
        plain = {"schema": 1, "runner": runner, "played": len(games), "planned": told.planned}
        click.echo(json.dumps({**plain, "report": report.plain()}))
        return
    click.echo(f"Runs as process {runner}" if runner else "Does not run")
    click.echo(f"{len(games)} of {told.planned} games")
    click.echo(report.results(), nl=False)


@match.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--now", is_flag=True, help="Do not wait for the running games.")
def stop(directory: Path, now: bool) -> None:
    """End the match that runs in DIRECTORY, once its running games are finished."""
    read_settings(directory)
    runner = runner_of(directory)
    if runner is None:
        raise JournalError(f"{directory}: no match runs here")
    os.kill(runner, signal.SIGTERM if now else signal.SIGINT)


@match.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
@click.option("--html", "as_page", is_flag=True, help="A page of HTML that needs nothing else.")
def report(directory: Path, as_json: bool, as_page: bool) -> None:
    """Work out the report of the match in DIRECTORY from its journal."""
    if as_json and as_page:
        raise click.UsageError("Give --json or --html, not both.")
    settings = parse_settings(complete(read_settings(directory)))
    found = report_of(read_games(directory), settings.report_settings())
    text = found.json() + "\n" if as_json else found.page() if as_page else found.text()
    click.echo(text, nl=False)


def _plain(given: dict[str, Any]) -> Plain:
    """The options that were given, by the names of settings."""
    pairs = given.pop("pairs")
    if pairs is not None:
        if given["games"] is not None:
            raise click.UsageError("Give --games or --pairs, not both.")
        given["games"] = 2 * pairs
    return {
        name.replace("_", "-"): list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
        if value not in (None, ())
    }


def _read_config(path: Path) -> Plain:
    """The settings in the TOML file at *path*."""
    import tomllib

    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise NotationError(f"{path}: {error}") from None


def _check_concurrency(settings: MatchSettings, *, force: bool) -> None:
    if settings.concurrency > processors() and not force:
        raise NotationError(
            f"concurrency {settings.concurrency}: there are {processors()} processors, and engines "
            "that wait for one lose on time; --force-concurrency allows it"
        )


def _status(done: Conclusion) -> int:
    if done.end is End.INTERRUPTED:
        return INTERRUPTED
    if done.end is End.HALTED:
        return HALTED
    failed = any(game.ending.is_failure for game in done.games)
    return FAILED if failed or done.verdict is Verdict.H0 else OK
