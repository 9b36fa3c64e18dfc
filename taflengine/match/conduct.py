"""A whole match: checks, journal, runner, and what is said of it."""

import os
import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TextIO

from taflengine.errors import EngineError, JournalError
from taflengine.match.check import check_engine
from taflengine.match.crew import Crew, Threads
from taflengine.match.decision import Decision
from taflengine.match.games import FinishedGame
from taflengine.match.journal import LOG, REPORT, Journal
from taflengine.match.process import Guard
from taflengine.match.report import Report, report_of
from taflengine.match.runner import End, Observer, Runner
from taflengine.match.settings import MANY_GAMES, MatchSettings, differences
from taflengine.match.statistics import Verdict
from taflengine.match.view import Console, JsonLines


class Conduct(NamedTuple):
    """How a match is conducted, apart from what is played."""

    directory: Path
    force: bool = False
    """Whether a match of other settings is put out of the way."""
    as_json: bool = False
    cluster: str | None = None
    """The address of the scheduler whose workers play, None if this process does."""


class Conclusion(NamedTuple):
    """How a match has ended."""

    end: End
    games: list[FinishedGame]
    verdict: Verdict | None
    """Of the test, None if there was none."""


def check(settings: MatchSettings) -> list[str]:
    """See whether all engines play; a line about each, who it says that it is.

    Raises:
        EngineError: some do not; the message names them all.
    """
    found, troubles = [], []
    with Guard() as guard:
        for entrant in settings.entrants:
            try:
                version = check_engine(entrant, settings, guard)
            except EngineError as error:
                troubles.append(str(error))
            else:
                found.append(f"{entrant.name}: {version or 'plays'}")
    if troubles:
        raise EngineError("\n".join(troubles))
    return found


def conduct(settings: MatchSettings, how: Conduct, out: TextIO, err: TextIO | None) -> Conclusion:
    """Play what is missing of a match.

    Args:
        settings: What is played.
        how: Where, and how it is told.
        out: Gets the lines of the match.
        err: Gets the line that moves on, if it is there and a terminal.

    Raises:
        JournalError: the directory has another match, or a runner at work.
        EngineError: an engine does not play; nothing was begun.
    """
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(how.directory))
        _compare(journal, settings, how)
        engines = check(settings)
        games = journal.begin(settings.plain)
        log = stack.enter_context((how.directory / LOG).open("a", encoding="utf-8"))
        told = settings.report_settings()
        observer: Observer
        if how.as_json:
            observer = JsonLines(told, out)
        else:
            observer = Console(told, games, settings.interval, out, log, err)
        stack.callback(observer.close)
        for line in (*engines, _heading(settings, how.directory, len(games))):
            observer.notice(line)
        busy = settings.concurrency * max(entrant.threads for entrant in settings.entrants)
        if how.cluster is None and busy > processors():
            observer.notice(
                f"Warning: {busy} threads of engines on {processors()} processors; those that "
                "wait for one play weaker and lose on time"
            )
        decision = None
        if settings.sprt:
            decision = Decision(settings.sprt, told.names[0], settings.scoring)
        crew = _crew(settings, how)
        end = Runner(settings, journal, games, crew, observer, decision).run()
        report = report_of(games, told)
        _write_reports(how.directory, report)
        observer.ended(end, report)
        if end is End.INTERRUPTED:
            command = f"taflengine match --resume --out {shlex.quote(str(how.directory))}"
            observer.notice(f"Interrupted; go on with: {command}")
        return Conclusion(end, games, decision.verdict if decision else None)


def _crew(settings: MatchSettings, how: Conduct) -> Crew:
    """Who plays."""
    if how.cluster is None:
        return Threads(settings.brief(), settings.concurrency)
    from taflengine.match.cluster import Cluster  # needs a library that is an extra

    return Cluster(settings.brief(), how.cluster)


def _heading(settings: MatchSettings, directory: Path, played: int) -> str:
    """What is played, so that no limit is a surprise."""
    told = settings.report_settings()
    terms = settings.terms
    parts = [
        " vs ".join(told.names) if len(told.names) < 3 else f"{len(told.names)} engines",
        " ".join(settings.variants),
        told.limits or "the engines' own limits",
        f"openings: {settings.openings_in_words}",
        f"seed {settings.seed}",
        f"a draw after {terms.max_plies} plies" if terms.max_plies else "games of any length",
        f"journal in {directory}",
    ]
    total = told.planned or 0
    if played:
        parts.append(f"going on behind {played} of {total} games")
    elif total < MANY_GAMES:
        parts.append(f"{total} games")
    return "Match: " + ", ".join(parts)


def _write_reports(directory: Path, report: Report) -> None:
    """The report in all its forms beside the journal, from which it can be made again."""
    for name, text in (
        (f"{REPORT}.txt", report.text()),
        (f"{REPORT}.json", f"{report.json()}\n"),
        (f"{REPORT}.html", report.page()),
    ):
        (directory / name).write_text(text, encoding="utf-8")


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
