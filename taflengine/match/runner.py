"""A match from its first missing game to its end, with its journal."""

import signal
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from types import FrameType

from taflengine.match.crew import Crew, Result
from taflengine.match.decision import Decision
from taflengine.match.games import FinishedGame
from taflengine.match.journal import Journal
from taflengine.match.plan import GamePlan
from taflengine.match.report import Report
from taflengine.match.settings import MatchSettings
from taflengine.match.statistics import Verdict

_WAIT = 0.2
"""Seconds after which it is looked at signals and at the view again."""
_MAX_FAILURES = 2
"""So many failures of one engine in a row halt the match."""
_MAX_VOID = 3
"""So often one game may be void before the match is halted."""


class End(Enum):
    """Why no more games are played."""

    FINISHED = "finished"
    """All games were played."""
    DECIDED = "decided"
    """The test that was asked for has come to a verdict."""
    HALTED = "halted"
    """An engine, or the referee, has failed again and again."""
    INTERRUPTED = "interrupted"
    """Somebody asked for it."""


class Observer(ABC):
    """Is told what happens in a match, in the thread that runs it."""

    @abstractmethod
    def started(self, plan: GamePlan) -> None:
        """A game was begun."""

    @abstractmethod
    def finished(self, game: FinishedGame) -> None:
        """A game has ended and is in the journal."""

    @abstractmethod
    def void(self, number: int, trouble: str) -> None:
        """A game does not count, by the referee's fault; it will be played again."""

    @abstractmethod
    def notice(self, text: str) -> None:
        """Something that people should know."""

    @abstractmethod
    def waited(self) -> None:
        """Some time has gone by."""

    @abstractmethod
    def ended(self, end: End, report: Report) -> None:
        """No more games are played."""

    @abstractmethod
    def close(self) -> None:
        """Nothing more will be said."""


class Runner:
    """Plays what is missing of a match.

    Args:
        settings: Those of the match.
        journal: Open, with *games* in it.
        games: What has been played.
        crew: Who plays.
        observer: Who is told of it.
        decision: The test that may end the match before its last game.
    """

    def __init__(
        self,
        settings: MatchSettings,
        journal: Journal,
        games: list[FinishedGame],
        crew: Crew,
        observer: Observer,
        decision: Decision | None,
    ) -> None:
        self._settings = settings
        self._journal = journal
        self._games = games
        self._crew = crew
        self._observer = observer
        self._decision = decision
        if decision:
            decision.add(games)
        self._schedule = settings.schedule()
        self.total = self._schedule.total(settings.games)
        self._played = {game.number for game in games}
        self._numbers = iter(range(1, self.total + 1))
        self._running: set[int] = set()
        self._again: list[int] = []
        self._voids: Counter[int] = Counter()
        self._failures: Counter[str] = Counter()
        self._end: End | None = None
        self._interrupts = 0
        self._abort = False

    def run(self) -> End:
        """Play until there is an end; every finished game is in the journal then."""
        try:
            with self._signals():
                while True:
                    self._fill()
                    if self._abort or not self._running:
                        break
                    result = self._crew.result(_WAIT)
                    if result is None:
                        self._observer.waited()
                    else:
                        self._take(result)
        except BaseException:
            self._crew.abort()
            raise
        if self._abort:
            self._crew.abort()
        else:
            self._crew.close()
        return self._end or End.FINISHED

    def _next(self) -> int | None:
        """The next game to be played, those that were void first; None if there is none."""
        if self._again:
            return self._again.pop(0)
        return next((number for number in self._numbers if number not in self._played), None)

    def _fill(self) -> None:
        decided = self._decision and self._decision.verdict is not Verdict.GOES_ON
        if self._end is None and decided:
            self._end = End.DECIDED
        while self._end is None and len(self._running) < self._crew.places:
            number = self._next()
            if number is None:
                break
            plan = self._schedule.plan(number)
            self._running.add(number)
            self._observer.started(plan)
            self._crew.start(plan)

    def _take(self, result: Result) -> None:
        self._running.discard(result.number)
        game = result.game
        if game is None:
            self._observer.void(result.number, result.trouble)
            self._again.append(result.number)
            self._voids[result.number] += 1
            if self._voids[result.number] >= _MAX_VOID:
                self._halt(f"game {result.number} was void {_MAX_VOID} times")
            return
        self._journal.add(game)
        self._games.append(game)
        if self._decision:
            self._decision.add([game])
        self._observer.finished(game)
        self._count_failures(game)

    def _count_failures(self, game: FinishedGame) -> None:
        culprit = game.culprit and game.ending.is_failure and game.player(game.culprit).name
        for name in {game.attacker.name, game.defender.name}:
            self._failures[name] = self._failures[name] + 1 if name == culprit else 0
            if self._failures[name] >= _MAX_FAILURES and not self._settings.recover:
                self._halt(f"{name} has failed {_MAX_FAILURES} times in a row")

    def _halt(self, reason: str) -> None:
        if self._end is None:
            self._end = End.HALTED
            self._observer.notice(f"{reason}: the match is halted")

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Heed signals: one SIGINT finishes the running games, a second or SIGTERM ends them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup wants it
            numbers.append(signal.SIGHUP)
        before = {number: signal.signal(number, self._on_signal) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self._interrupts += 1
        self._end = End.INTERRUPTED
        if number != signal.SIGINT or self._interrupts > 1:
            self._abort = True
        else:
            self._observer.notice("the running games are finished; once more ends them at once")
