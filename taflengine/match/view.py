"""What people and programs see of a match while it runs."""

import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import TextIO

from taflengine.match.counting import Count
from taflengine.match.findings import ReportSettings
from taflengine.match.games import FinishedGame
from taflengine.match.plan import GamePlan
from taflengine.match.report import Report, report_of
from taflengine.match.runner import End, Observer
from taflengine.match.settings import MANY_GAMES
from taflengine.match.statistics import elo_difference
from taflengine.pieces import Side
from taflengine.progress import ProgressLine
from taflengine.protocol.loop import complain

SCHEMA = 1
"""Raised when a line of JSON can no longer be read as before. Keys may be added without."""
_SCORES = {Side.ATTACKER: "1-0", Side.DEFENDER: "0-1", None: "1/2-1/2"}


class Progress:
    """How far a match has come, in one line.

    Args:
        settings: What a report of the match goes by.
        games: What was played before.
    """

    def __init__(self, settings: ReportSettings, games: Sequence[FinishedGame]) -> None:
        self._settings = settings
        self._count = Count(games, settings.scoring)
        self._begun = time.monotonic()
        self._old = self._played = len(games)

    def add(self, game: FinishedGame) -> None:
        """Count a game that has just ended."""
        self._played += 1
        self._count.add(game)

    @property
    def line(self) -> str:
        """Games, score, Elo and test of the first engine, rate and time left."""
        settings = self._settings
        planned = settings.planned or 0
        many = planned >= MANY_GAMES
        first = settings.names[0]
        tally = self._count.tally(first)
        parts = [f"{self._played} games" if many else f"{self._played} of {planned} games"]
        parts.append(f"{first}: {tally.wins} - {tally.losses} - {tally.draws}")
        pairs = self._count.pairs(first).scores
        elo = elo_difference(pairs)
        if elo.value is not None and elo.error is not None:
            parts.append(f"Elo {elo.value:+.1f} +/- {elo.error:.1f}")
        if settings.sprt:
            ratio = settings.sprt.log_likelihood_ratio(pairs)
            low, high = settings.sprt.bounds
            parts.append(f"LLR {ratio or 0:.2f} ({low:.2f}, {high:.2f})")
        new = self._played - self._old
        if new:
            rate = new / (time.monotonic() - self._begun)
            parts.append(f"{60 * rate:.1f} games/min")
            if not many:
                parts.append(f"{_span((planned - self._played) / rate)} left")
        return "  ".join(parts)


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"


class Console(Observer):
    """Lines for people, near those of cutechess-cli; at a terminal a line that moves on.

    Args:
        settings: What a report of the match goes by.
        games: What was played before; it grows while the match runs.
        interval: The results so far are shown each time so many games have ended.
        out: Where lines go.
        log: A file that gets the same lines.
        err: Gets the line that moves on, if it is there and a terminal.
    """

    def __init__(
        self,
        settings: ReportSettings,
        games: Sequence[FinishedGame],
        interval: int,
        out: TextIO,
        log: TextIO,
        err: TextIO | None,
    ) -> None:
        self._settings = settings
        self._games = games
        self._progress = Progress(settings, games)
        self._interval = interval
        self._due = len(games) + interval
        self._out = out
        self._log = log
        self._line = ProgressLine(err)

    def started(self, plan: GamePlan) -> None:
        """As ``Observer.started``."""
        names, planned = self._settings.names, self._settings.planned
        players = f"{names[plan.attacker]} vs {names[plan.defender]}"
        self._say(f"Started game {plan.number} of {planned} ({players})")

    def finished(self, game: FinishedGame) -> None:
        """As ``Observer.finished``."""
        self._progress.add(game)
        self._say(finished_line(game))
        for event in game.events:
            self._say(f"Note on game {game.number}: {event}")
        for line in game.last_words.splitlines():
            self._say(f"    {line}")
        played = len(self._games)
        if self._interval and self._due <= played != self._settings.planned:
            # Further and further apart, or reports would take more time than games in the end.
            self._due = played + max(self._interval, played // 20)
            self._show(report_of(self._games, self._settings).results())

    def void(self, number: int, trouble: str) -> None:
        """As ``Observer.void``."""
        last = (trouble.strip().splitlines() or [""])[-1]
        self._say(f"Game {number} is void and will be played again: {last}")
        _write(self._log, trouble)

    def notice(self, text: str) -> None:
        """As ``Observer.notice``."""
        self._say(text)

    def waited(self) -> None:
        """As ``Observer.waited``."""
        self._line.show(self._progress.line)

    def close(self) -> None:
        """As ``Observer.close``: the line that moves on is taken away."""
        self._line.clear()

    def _say(self, text: str) -> None:
        self._write(text)
        self._line.show(self._progress.line)

    def _write(self, text: str) -> None:
        self._line.clear()
        _write(self._out, f"{text}\n")
        _write(self._log, f"{text}\n")

    def ended(self, end: End, report: Report) -> None:
        """As ``Observer.ended``."""
        self._show(report.text())
        self._write(f"Match {end.value}")
        self._line = ProgressLine(None)  # what is still said is the end

    def _show(self, block: str) -> None:
        """Lines that are not for the log, since they can be made again."""
        self._line.clear()
        _write(self._out, block)


class JsonLines(Observer):
    """Lines of JSON for programs: the events of a match, each an object with its kind."""

    def __init__(self, settings: ReportSettings, out: TextIO) -> None:
        self._settings = settings
        self._out = out

    def started(self, plan: GamePlan) -> None:
        """As ``Observer.started``."""
        names = self._settings.names
        self._write(
            "started",
            number=plan.number,
            planned=self._settings.planned,
            attacker=names[plan.attacker],
            defender=names[plan.defender],
        )

    def finished(self, game: FinishedGame) -> None:
        """As ``Observer.finished``."""
        self._write("finished", game=json.loads(game.to_json()))

    def void(self, number: int, trouble: str) -> None:
        """As ``Observer.void``."""
        self._write("void", number=number, trouble=trouble)

    def notice(self, text: str) -> None:
        """As ``Observer.notice``."""
        self._write("notice", text=text)

    def waited(self) -> None:
        """As ``Observer.waited``."""

    def ended(self, end: End, report: Report) -> None:
        """As ``Observer.ended``."""
        self._write("ended", end=end.value, report=report.plain())

    def close(self) -> None:
        """As ``Observer.close``."""

    def _write(self, event: str, **values: object) -> None:
        """One line; *values* are plain."""
        plain: Mapping[str, object] = {"schema": SCHEMA, "event": event, **values}
        _write(self._out, json.dumps(plain, ensure_ascii=False) + "\n")


def _write(to: TextIO, text: str) -> None:
    """Write *text* at once. What cannot be written is given up with all that would follow it.

    A match is for its journal, and goes on when nobody hears of it any more.
    """
    try:
        to.write(text)
        to.flush()
    except OSError as error:
        # What is buffered goes nowhere, or it would be tried again when *to* is closed.
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), to.fileno())
        if not isinstance(error, BrokenPipeError):
            what = error.strerror or error
            complain(f"taflengine match: {to.name}: {what}; nothing more is written there")


def finished_line(game: FinishedGame) -> str:
    """The line that people see of a game that has ended."""
    players = f"{game.attacker.name} vs {game.defender.name}"
    return f"Finished game {game.number} ({players}): {_SCORES[game.winner]} {{{game.detail}}}"
