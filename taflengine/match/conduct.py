"""A whole match: checks, journal, runner, and what is said of it."""

import os
import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TextIO

from taflengine.errors import EngineError, JournalError
from taflengine.match.check import check_engine
from taflengine.match.crew import Threads
from taflengine.match.decision import Decision
from taflengine.match.games import FinishedGame
from taflengine.match.journal import LOG, Journal
from taflengine.match.process import Guard
from taflengine.match.runner import End, Observer, Runner
from taflengine.match.settings import MatchSettings, differences
from taflengine.match.statistics import Verdict
from taflengine.match.view import Console, JsonLines, Tally


class Conduct(NamedTuple):
    """How a match is conducted, apart from what is played."""

    directory: Path
    force: bool = False
    """Whether a match of other settings is put out of the way."""
    as_json: bool = False


class Conclusion(NamedTuple):
    """How a match has ended."""

    end: End
    games: list[FinishedGame]
    verdict: Verdict | None
    """Of the test, None if there was none."""


def check(settings: MatchSettings, say: TextIO) -> None:
    """See whether all engines play, and say who they are.

    Raises:
        EngineError: some do not; the message names them all.
    """
    troubles = []
    with Guard() as guard:
        for entrant in settings.entrants:
            try:
                version = check_engine(entrant, settings, guard)
            except EngineError as error:
                troubles.append(str(error))
            else:
                say.write(f"{entrant.name}: {version or 'plays'}\n")
                say.flush()
    if troubles:
        raise EngineError("\n".join(troubles))


def conduct(settings: MatchSettings, how: Conduct, out: TextIO, err: TextIO) -> Conclusion:
    """Play what is missing of a match.

    Args:
        settings: What is played.
        how: Where, and how it is told.
        out: Gets the lines of the match.
        err: Gets what is for people only: checks, the line that moves on at a terminal.

    Raises:
        JournalError: the directory has another match, or a runner at work.
        EngineError: an engine does not play; nothing was begun.
    """
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(how.directory))
        _compare(journal, settings, how)
        check(settings, err)
        games = journal.begin(settings.plain)
        log = stack.enter_context((how.directory / LOG).open("a", encoding="utf-8"))
        total = settings.schedule().total(settings.games)
        names = [entrant.name for entrant in settings.entrants]
        observer: Observer
        if how.as_json:
            observer = JsonLines(names, total, out)
        else:
            live = err if err.isatty() else None
            console = Console(names, total, Tally(names[0], games, total), out, log, live)
            stack.callback(console.close)
            observer = console
            if games:
                observer.notice(f"Going on behind {len(games)} of {total} games")
        decision = None
        if settings.sprt:
            decision = Decision(settings.sprt, names[0], settings.scoring)
        crew = Threads(settings, settings.concurrency)
        end = Runner(settings, journal, games, crew, observer, decision).run()
        if end is End.INTERRUPTED:
            command = f"taflengine match --resume --out {shlex.quote(str(how.directory))}"
            observer.notice(f"Interrupted; go on with: {command}")
        return Conclusion(end, games, decision.verdict if decision else None)


def _compare(journal: Journal, settings: MatchSettings, how: Conduct) -> None:
    """See that the match in the directory of *journal* is this one, or make room for this one."""
    if not journal.has_begun:
        return
    changed = differences(journal.settings(), settings.plain)
    if not changed:
        return
    if not how.force:
        raise JournalError(
            f"{how.directory}: a match with other settings was begun here; --force starts over\n"
            + "\n".join(f"  {line}" for line in changed)
        )
    journal.start_over()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
