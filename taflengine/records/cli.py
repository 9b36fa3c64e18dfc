"""``taflengine convert`` and ``taflengine replay``: options to arguments, results to lines."""

import sys
from typing import IO

import click

from taflengine.errors import RecordError
from taflengine.progress import ProgressLine
from taflengine.records.convert import convert as convert_games
from taflengine.records.formats import FORMATS
from taflengine.records.report import replay_files
from taflengine.variants import names_like
from taflengine.variants.spoken import parse_variant

_FORMATS = click.Choice(tuple(FORMATS))
_FILE = click.Path(readable=False)
"""Any name, for which a shell offers its files; whether it can be read is found out later."""
_RULES = click.option(
    "--variant",
    metavar="VARIANT",
    shell_complete=lambda _context, _parameter, word: names_like(word),
    help="Rules of games that name none: as newgame takes them, a name, @FILE or otn:STRING.",
)
_FROM = click.option("--from", "form", type=_FORMATS, help="Format; else it is seen.")


@click.command()
@click.argument("source", metavar="IN", type=_FILE)
@click.argument("target", metavar="OUT", type=_FILE)
@_FROM
@click.option("--to", type=_FORMATS, help="Format; else the end of OUT says it.")
@_RULES
@click.option("--lenient", is_flag=True, help="Leave out games that cannot be read, and say so.")
def convert(
    source: str, target: str, form: str | None, to: str | None, variant: str | None, lenient: bool
) -> int:
    """Write the games of the file IN into the file OUT; - is standard input or output.

    Games are read one at a time, and OUT is replaced when all are written. Without
    --to and a known ending of OUT, OpenTafl's game records (otg) are written.
    """
    with ProgressLine(sys.stderr) as line:

        def complain(what: object) -> None:
            line.clear()
            click.echo(f"taflengine: {what}", err=True)

        done = convert_games(
            _source(source),
            sys.stdout.buffer if target == "-" else target,
            variant=parse_variant(variant) if variant else None,
            form=form,
            to=to,
            on_error=complain if lenient else None,
            progress=lambda games: line.show(f"{games} games"),
        )
    for content, games in sorted(done.lost.items()):
        complain(f"{done.form} cannot say {content}: left out of {games} games")
    return 1 if done.skipped else 0


@click.command()
@click.argument("files", metavar="FILE...", type=_FILE, nargs=-1, required=True)
@_FROM
@_RULES
@click.option("--ignore-repetition", is_flag=True, help="Repetition ends no game.")
@click.option("--json", "as_json", is_flag=True, help="A line of JSON a game, then the totals.")
def replay(
    files: tuple[str, ...],
    form: str | None,
    variant: str | None,
    ignore_repetition: bool,
    as_json: bool,
) -> int:
    """Hold the games of files to the rules; - is standard input.

    Says what is illegal and where, and which captures and results differ from what
    the rules say. The exit status is 1 if anything was wrong.
    """
    wrong = False
    with ProgressLine(sys.stderr) as progress:
        for line in replay_files(
            map(_source, files),
            parse_variant(variant) if variant else None,
            form=form,
            enforce_repetition=not ignore_repetition,
            as_json=as_json,
            progress=lambda games: progress.show(f"{games} games"),
        ):
            progress.clear()
            click.echo(line.text)
            wrong = wrong or line.wrong
    return 1 if wrong else 0


def _source(file: str) -> str | IO[bytes]:
    """What to read *file* from."""
    if file != "-":
        return file
    if sys.stdin is None:
        raise RecordError("standard input is closed")
    return sys.stdin.buffer
