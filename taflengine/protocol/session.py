"""What one connection remembers: the game, the settings, the sequence of chances."""

import os
import random
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from taflengine.errors import CommandError, GameOverError
from taflengine.game import Game, describe
from taflengine.notation import Board, Move
from taflengine.pieces import Side
from taflengine.protocol.command import CommandSet
from taflengine.protocol.interrupts import Interrupts
from taflengine.rules import Variant
from taflengine.variants import DEFAULT

if TYPE_CHECKING:
    from taflengine.engines.engine import Limits
    from taflengine.engines.report import Report
    from taflengine.engines.search import Searcher
    from taflengine.records.record import Record

MAX_SEED = 2**31 - 1


class Settings(NamedTuple):
    """The values in force of the parameters, each under its parameter's name."""

    seed: int
    engine: str = "oneply"
    movetime: float = 1.0
    depth: int = 0
    nodes: int = 0
    hash: int = 16
    threads: int = 1
    multipv: int = 1
    margin: float = 0.05
    repetition: bool = True


class Session:
    """The state that commands read and change. Two sessions share nothing.

    Args:
        commands: The table that the commands about commands answer from.
        variant: The rule set of the first game.
    """

    def __init__(self, commands: CommandSet, variant: Variant = DEFAULT) -> None:
        self.commands = commands
        self.settings = Settings(seed=int.from_bytes(os.urandom(4)) & MAX_SEED)
        self.game = Game(variant)
        self.interrupts = Interrupts()
        """What is said while a command of this session is at work."""
        self.loaded: tuple[Game, Record] | None = None
        """The last game that was loaded, and its record; it may have been replaced since."""
        self._generator = random.Random(self.settings.seed)
        self._searcher: Searcher | None = None

    def begin(self, variant: Variant, board: Board | None = None, side: Side | None = None) -> None:
        """Replace the game; on an error of the position the old one stays."""
        repetition = self.settings.repetition
        self.game = Game(variant, board, side, enforce_repetition=repetition)
        self._searcher = None

    def change(self, **values: Any) -> None:
        """Put *values* in force, each the name of a setting and what it becomes."""
        self.settings = self.settings._replace(**values)
        self._searcher = None
        if "seed" in values:
            self._generator = random.Random(self.settings.seed)
        self.game.enforce_repetition = self.settings.repetition

    def choose(self, side: Side, *, repeatable: bool = False) -> Move:
        """A move of the engine for *side*; it is not played.

        Args:
            side: Must be the side to move.
            repeatable: Take the first of equal moves, so that the answer to the
                same question is always the same.

        Raises:
            GameOverError: the game has ended.
            CommandError: it is the other side's turn.
        """
        self.check_turn(side)
        # Imported here because a session that only plays given moves needs no engine.
        from taflengine.engines import ENGINES, SEARCH, Setup

        name = self.settings.engine
        if name != SEARCH:
            engine = ENGINES[name](Setup(self.limits))
            return engine.choose(self.game, None if repeatable else self._generator)
        moves = self.game.legal_moves()
        return moves[0] if len(moves) == 1 else self.search(side).line[0]

    def search(self, side: Side) -> "Report":
        """What the search finds for *side* within the limits in force, whatever the engine.

        Whoever says stop gets what has been found so far.

        Raises:
            GameOverError: the game has ended.
            CommandError: it is the other side's turn.
        """
        self.check_turn(side)
        *_, last = self.deepen(self.limits, lambda: self.interrupts.stop)
        return last

    def deepen(
        self,
        limits: "Limits",
        over: Callable[[], bool],
        multipv: int = 1,
        moves: Collection[Move] | None = None,
    ) -> Iterator["Report"]:
        """What the search of the game in progress finds, depth after depth.

        The input is heard meanwhile.

        Args:
            limits: When it ends by itself.
            over: Whether it has been told to end; asked whenever something is heard.
            multipv: As ``Searcher.deepen`` takes it.
            moves: As ``Searcher.deepen`` takes them.
        """
        searcher = self.searcher

        def stop_if_over() -> None:
            if over():
                searcher.stop()

        with self.interrupts.watched(stop_if_over):
            for report in searcher.deepen(self.game, limits, multipv, moves):
                yield report
                # What was heard before the search began could not stop it.
                if over():
                    return

    def check_turn(self, side: Side) -> None:
        """Raise what ``choose`` raises unless *side* has a move to choose."""
        game = self.game
        if game.outcome:
            raise GameOverError(describe(game.outcome))
        if side is not game.side_to_move:
            raise CommandError(f"out of turn: {game.side_to_move.value} is to move")

    @property
    def limits(self) -> "Limits":
        """How long a search may go on."""
        from taflengine.engines.engine import Limits

        settings = self.settings
        return Limits(settings.depth or None, settings.nodes or None, settings.movetime)

    @property
    def searches(self) -> bool:
        """Whether the engine in force is the search, which reports and can be stopped."""
        from taflengine.engines import SEARCH

        return self.settings.engine == SEARCH

    def get_ready(self) -> None:
        """Load what choosing a move needs, so that no clock pays for it."""
        if self.searches:
            _ = self.searcher

    @property
    def searcher(self) -> "Searcher":
        """What searches; what it has learnt is kept until a game begins or a setting changes.

        Raises:
            CommandError: there is not so much memory.
        """
        if self._searcher is None:
            from taflengine.engines.search import Searcher

            settings = self.settings
            try:
                self._searcher = Searcher(settings.hash, settings.threads)
            except MemoryError:
                message = f"there is no memory for a table of {settings.hash} megabytes"
                raise CommandError(message) from None
        return self._searcher
