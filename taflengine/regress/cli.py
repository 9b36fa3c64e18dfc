"""``taflengine regress``: options to a plan, results to lines and an exit status."""

import shlex
import sys
from pathlib import Path

import click

from taflengine.clock import MIN_SECONDS
from taflengine.errors import NotationError, TaflError
from taflengine.match.entrants import PROGRAM
from taflengine.match.process import Guard
from taflengine.progress import ProgressLine
from taflengine.regress import report
from taflengine.regress.run import FileResult, Plan, Result, Status, run_file
from taflengine.regress.script import files_of, read_commands, read_script
from taflengine.textfile import explain
from taflengine.usage import SecondsRange

PASSED, FAILED, BROKEN = 0, 1, 2
"""Exit statuses. ``BROKEN``: an engine was in trouble, or a file of tests is wrong."""


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--engine", metavar="COMMAND", help="The engine; this program by default.")
@click.option(
    "--gtpfile", metavar="FILE", help="Commands that come before each file's; each must succeed."
)
@click.option(
    "--time-limit",
    type=SecondsRange(MIN_SECONDS),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For each answer.",
)
@click.option("--long", "complete", is_flag=True, help="Show every test, not only the unexpected.")
@click.option("--strict", is_flag=True, help="Whatever is unexpected fails: see below.")
@click.option("--json", "as_json", is_flag=True, help="Lines of JSON on standard output.")
@click.option("--junit", metavar="FILE", help="Write the results there as JUnit XML.")
def regress(
    files: tuple[str, ...],
    engine: str | None,
    gtpfile: str | None,
    time_limit: float,
    complete: bool,
    strict: bool,
    as_json: bool,
    junit: str | None,
) -> int:
    """Run regression tests of an engine that speaks GTP: .tst files in GoGui's format.

    A command with a number is a test; a line "#? [PATTERN]" below it says what the answer
    must match as a whole, "#? [!PATTERN]" what it must not, and a * behind the brackets that
    the test is known to fail. "#! [PATTERN]", which GoGui's tool takes for a comment, asks
    for a refusal with such a text. @LIST is a file with names of files.

    Exit status 0: nothing unexpected; 1: an unexpected FAIL of a test with a pattern; 2: an
    engine was in trouble, or a file is wrong. With --strict 1 is also for an unexpected PASS,
    a test without a pattern that fails, and a refused command without a number.

    \b
      $ taflengine regress tests/regression/*.tst
      $ taflengine regress --engine './other-engine --gtp' --junit results.xml game.tst
    """  # noqa: D301 -- click wants the character that \\b stands for
    try:
        plan = Plan(
            command=_command(engine),
            first=read_commands(Path(gtpfile)) if gtpfile else (),
            limit=time_limit,
        )
        # All files are read before the first is run: a wrong one is not found an hour later.
        scripts = [(path, read_script(path)) for path in files_of(files)]
        if junit:
            Path(junit).open("ab").close()  # likewise a place that cannot be written
        found = []
        with Guard() as guard, ProgressLine(None if as_json else sys.stderr) as line:
            show = _Lines(line, complete=complete, as_json=as_json)
            for path, cases in scripts:
                show.begin(path)
                found.append(run_file(path, cases, plan, guard, show.result))
                show.end(found[-1])
        status = _status(found, strict=strict)
        show.all(found, status)
        if junit:
            Path(junit).write_bytes(report.junit(found))
    except BrokenPipeError:
        raise  # who reads the output has gone, which is no trouble of an engine
    except (TaflError, OSError) as error:
        what = explain(error) if isinstance(error, OSError) else error
        click.echo(f"taflengine regress: {what}", err=True)
        return BROKEN
    return status


def _command(engine: str | None) -> tuple[str, ...]:
    """The words of *engine*; a path that is relative is so to the directory of this process."""
    if engine is None:
        return PROGRAM
    try:
        words = shlex.split(engine)
    except ValueError as error:
        raise NotationError(f"--engine: {error}") from None
    if not words:
        raise NotationError("--engine: there is no command")
    program, *arguments = words
    return (str(Path(program).absolute()) if "/" in program else program, *arguments)


def _status(files: list[FileResult], *, strict: bool) -> int:
    if any(found.trouble for found in files):
        return BROKEN
    results = [result for found in files for result in found.results]
    if any(result.breaks for result in results):
        return FAILED
    unexpected = {Status.FAILED, Status.PASSED_UNEXPECTEDLY, Status.REFUSED}
    return FAILED if strict and any(each.status in unexpected for each in results) else PASSED


class _Lines:
    """What is said on standard output, and while it runs at a terminal."""

    def __init__(self, line: ProgressLine, *, complete: bool, as_json: bool) -> None:
        self._complete = complete
        self._as_json = as_json
        self._file = FileResult(Path())
        self._done = 0
        self._line = line

    def begin(self, path: Path) -> None:
        self._file, self._done = FileResult(path), 0
        if not self._as_json:
            click.echo(f"{path}")

    def result(self, result: Result) -> None:
        self._done += 1
        if self._as_json:
            click.echo(report.json_of_result(self._file, result))
            return
        line = report.line_of(result, complete=self._complete)
        if line is not None:
            self._line.clear()
            click.echo(line)
        self._line.show(f"{self._done} commands")

    def end(self, found: FileResult) -> None:
        self._line.clear()
        if self._as_json:
            click.echo(report.json_of_file(found))
            return
        for line in report.trouble_lines(found):
            click.echo(line)

    def all(self, files: list[FileResult], status: int) -> None:
        if self._as_json:
            click.echo(report.json_of_all(files, status))
            return
        click.echo()
        for line in report.summary(files):
            click.echo(line)
