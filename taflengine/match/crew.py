"""Who plays the games: threads of this process, each with engines of its own."""

import queue
import threading
import traceback
from abc import ABC, abstractmethod
from typing import NamedTuple

from taflengine.match.entrants import Entrant
from taflengine.match.games import FinishedGame
from taflengine.match.plan import GamePlan, Terms
from taflengine.match.process import Guard
from taflengine.match.referee import Referee
from taflengine.match.seat import Patience, Seat
from taflengine.pieces import Side

_JOIN_SECONDS = 10.0
"""How long it is waited for a thread whose engines were killed."""


class Result(NamedTuple):
    """What became of a game."""

    number: int
    game: FinishedGame | None
    """None for a game that is void because its referee failed, not an engine."""
    trouble: str = ""
    """How the referee failed."""


class Brief(NamedTuple):
    """What must be known of a match to play its games."""

    entrants: tuple[Entrant, ...]
    terms: Terms
    patience: Patience
    seed: int


class Crew(ABC):
    """Plays games, some at a time."""

    @property
    @abstractmethod
    def places(self) -> int:
        """How many games can be played at a time, at least 1."""

    @abstractmethod
    def start(self, plan: GamePlan) -> None:
        """Begin a game, or let it wait until there is somebody free."""

    @abstractmethod
    def result(self, seconds: float) -> Result | None:
        """The next game that has ended; None if none does within *seconds*."""

    @abstractmethod
    def abort(self) -> None:
        """End every game at once; no results come any more."""

    @abstractmethod
    def close(self) -> None:
        """Let the engines go. No game is running."""


class Threads(Crew):
    """Plays up to *count* games at a time in this process."""

    def __init__(self, brief: Brief, count: int) -> None:
        self._guard = Guard()
        self._tasks: queue.SimpleQueue[GamePlan | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        self._aborted = threading.Event()
        self._tables = [Table(brief, self._guard) for _ in range(count)]
        self._threads = [
            threading.Thread(target=self._work, args=(table,), daemon=True)
            for table in self._tables
        ]
        for thread in self._threads:
            thread.start()

    @property
    def places(self) -> int:
        """As ``Crew.places``."""
        return len(self._threads)

    def start(self, plan: GamePlan) -> None:
        """As ``Crew.start``."""
        self._tasks.put(plan)

    def result(self, seconds: float) -> Result | None:
        """As ``Crew.result``."""
        try:
            return self._results.get(timeout=seconds)
        except queue.Empty:
            return None

    def abort(self) -> None:
        """As ``Crew.abort``."""
        self._aborted.set()
        for table in self._tables:
            table.abort()
        self._leave()

    def close(self) -> None:
        """As ``Crew.close``."""
        self._leave()

    def _leave(self) -> None:
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join(_JOIN_SECONDS)
        self._guard.close()

    def _work(self, table: "Table") -> None:
        while (plan := self._tasks.get()) is not None:
            if self._aborted.is_set():
                continue
            result = table.play(plan)
            if not self._aborted.is_set():
                self._results.put(result)
        table.clear()


class Table:
    """Where one game at a time is played; the engines stay for the next one if they play it."""

    def __init__(self, brief: Brief, guard: Guard) -> None:
        self._brief = brief
        self._guard = guard
        self._seats: dict[tuple[int, bool], Seat] = {}

    def play(self, plan: GamePlan) -> Result:
        """Play the game of *plan*."""
        try:
            seats = self._take_seats(plan)
            game = Referee(plan, seats, self._brief.terms, self._brief.patience).play()
        except Exception:  # the referee's own fault, whatever it is: the game is void
            self._end()
            return Result(plan.number, None, traceback.format_exc())
        return Result(plan.number, game)

    def _take_seats(self, plan: GamePlan) -> dict[Side, Seat]:
        """The seats of both sides; engines that do not play leave."""
        keys = {
            Side.ATTACKER: (plan.attacker, False),
            Side.DEFENDER: (plan.defender, plan.attacker == plan.defender),
        }
        for key in [key for key in self._seats if key not in keys.values()]:
            self._seats.pop(key).leave()
        for key in keys.values():
            if key not in self._seats:
                self._seats[key] = self._new_seat(key[0])
        return {side: self._seats[key] for side, key in keys.items()}

    def _new_seat(self, index: int) -> Seat:
        brief = self._brief
        return Seat(brief.entrants[index], self._guard, brief.seed, brief.patience)

    def clear(self) -> None:
        """Let the engines go."""
        for seat in self._seats.values():
            seat.leave()
        self._seats.clear()

    def abort(self) -> None:
        """Kill the engines, from another thread than the one that plays."""
        for seat in [*self._seats.values()]:
            seat.abort()

    def _end(self) -> None:
        for seat in self._seats.values():
            seat.end()
        self._seats.clear()
