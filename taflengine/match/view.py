"""What people and programs see of a match while it runs."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TextIO

from taflengine.match.games import FinishedGame
from taflengine.match.plan import GamePlan
from taflengine.match.runner import Observer
from taflengine.pieces import Side

SCHEMA = 1
"""Raised when a line of JSON can no longer be read as before. Keys may be added without."""
_SCORES = {Side.ATTACKER: "1-0", Side.DEFENDER: "0-1", None: "1/2-1/2"}
_CLEAR = "\r\x1b[K"
"""Goes back to the start of a terminal's line and empties it."""
_REDRAW_SECONDS = 0.2


class Tally:
    """Wins, losses and draws of the first engine, and the rate at which games end."""

    def __init__(self, first: str, games: Sequence[FinishedGame], total: int) -> None:
        self._first = first
        self._total = total
        self._begun = time.monotonic()
        self.new = 0
        self.counts = {"win": 0, "loss": 0, "draw": 0}
        self.failures = 0
        for game in games:
            self._count(game)

    def add(self, game: FinishedGame) -> None:
        """Count a game that has just ended."""
        self.new += 1
        self._count(game)

    def _count(self, game: FinishedGame) -> None:
        self.failures += game.ending.is_failure
        if game.winner is None:
            self.counts["draw"] += 1
        elif self._first in (game.attacker.name, game.defender.name):
            won = game.player(game.winner).name == self._first
            self.counts["win" if won else "loss"] += 1

    @property
    def line(self) -> str:
        """All of it in one line."""
        seconds = time.monotonic() - self._begun
        counts = self.counts
        played = sum(counts.values())
        text = f"{played} of {self._total} games  {self._first}: +{counts['win']} "
        text += f"-{counts['loss']} ={counts['draw']}"
        if self.new:
            rate = self.new / seconds
            text += f"  {rate * 60:.1f} games/min  {_span((self._total - played) / rate)} left"
        return text


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"


class Console(Observer):
    """Lines for people, near those of cutechess-cli; at a terminal a line that moves on.

    Args:
        names: The engines.
        total: How many games there are.
        tally: The figures of the line that moves on.
        out: Where lines go.
        log: A file that gets the same lines.
        live: A terminal for the line that moves on.
    """

    def __init__(
        self,
        names: Sequence[str],
        total: int,
        tally: Tally,
        out: TextIO,
        log: TextIO,
        live: TextIO | None,
    ) -> None:
        self._names = names
        self._total = total
        self._tally = tally
        self._out = out
        self._log = log
        self._live = live
        self._drawn = 0.0

    def started(self, plan: GamePlan) -> None:
        """As ``Observer.started``."""
        players = f"{self._names[plan.attacker]} vs {self._names[plan.defender]}"
        self._say(f"Started game {plan.number} of {self._total} ({players})")

    def finished(self, game: FinishedGame) -> None:
        """As ``Observer.finished``."""
        self._tally.add(game)
        self._say(finished_line(game))
        for event in game.events:
            self._say(f"Note on game {game.number}: {event}")
        for line in game.last_words.splitlines():
            self._say(f"    {line}")

    def void(self, number: int, trouble: str) -> None:
        """As ``Observer.void``."""
        last = (trouble.strip().splitlines() or [""])[-1]
        self._say(f"Game {number} is void and will be played again: {last}")
        self._log.write(trouble)

    def notice(self, text: str) -> None:
        """As ``Observer.notice``."""
        self._say(text)

    def waited(self) -> None:
        """As ``Observer.waited``."""
        self._draw()

    def close(self) -> None:
        """Take the line that moves on away."""
        if self._live:
            self._live.write(_CLEAR)
            self._live.flush()

    def _say(self, text: str) -> None:
        if self._live:
            self._live.write(_CLEAR)
            self._live.flush()
        self._out.write(f"{text}\n")
        self._out.flush()
        with suppress(OSError):
            self._log.write(f"{text}\n")
            self._log.flush()
        self._drawn = 0.0
        self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if self._live and now - self._drawn >= _REDRAW_SECONDS:
            self._drawn = now
            self._live.write(_CLEAR + self._tally.line)
            self._live.flush()


class JsonLines(Observer):
    """Lines of JSON for programs: the events of a match, each an object with its kind."""

    def __init__(self, names: Sequence[str], total: int, out: TextIO) -> None:
        self._names = names
        self._total = total
        self._out = out

    def started(self, plan: GamePlan) -> None:
        """As ``Observer.started``."""
        self.write(
            "started",
            number=plan.number,
            total=self._total,
            attacker=self._names[plan.attacker],
            defender=self._names[plan.defender],
        )

    def finished(self, game: FinishedGame) -> None:
        """As ``Observer.finished``."""
        self.write("finished", game=json.loads(game.to_json()))

    def void(self, number: int, trouble: str) -> None:
        """As ``Observer.void``."""
        self.write("void", number=number, trouble=trouble)

    def notice(self, text: str) -> None:
        """As ``Observer.notice``."""
        self.write("notice", text=text)

    def waited(self) -> None:
        """As ``Observer.waited``."""

    def write(self, event: str, **values: object) -> None:
        """One line; *values* are plain."""
        plain: Mapping[str, object] = {"schema": SCHEMA, "event": event, **values}
        self._out.write(json.dumps(plain, ensure_ascii=False) + "\n")
        self._out.flush()


def finished_line(game: FinishedGame) -> str:
    """The line that people see of a game that has ended."""
    players = f"{game.attacker.name} vs {game.defender.name}"
    return f"Finished game {game.number} ({players}): {_SCORES[game.winner]} {{{game.detail}}}"
