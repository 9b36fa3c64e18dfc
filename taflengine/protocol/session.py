"""What one connection remembers: the game, the settings, the sequence of chances."""

import os
import random
from typing import TYPE_CHECKING, Any, NamedTuple

from taflengine.errors import CommandError, GameOverError
from taflengine.game import Game, describe
from taflengine.notation import Board, Move
from taflengine.pieces import Side
from taflengine.protocol.command import CommandSet
from taflengine.rules import Variant
from taflengine.variants import DEFAULT

if TYPE_CHECKING:
    from taflengine.engines.engine import Engine, Limits
    from taflengine.engines.report import Report

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
        self._generator = random.Random(self.settings.seed)
        self._engine: Engine | None = None

    def begin(self, variant: Variant, board: Board | None = None, side: Side | None = None) -> None:
        """Replace the game; on an error of the position the old one stays."""
        repetition = self.settings.repetition
        self.game = Game(variant, board, side, enforce_repetition=repetition)

    def change(self, **values: Any) -> None:
        """Put *values* in force, each the name of a setting and what it becomes."""
        self.settings = self.settings._replace(**values)
        self._engine = None
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
        return self.engine.choose(self.game, None if repeatable else self._generator)

    def search(self, side: Side) -> "Report":
        """What the search finds for *side* within the limits in force, whatever the engine.

        Raises:
            GameOverError: the game has ended.
            CommandError: it is the other side's turn.
        """
        from taflengine.engines.search import SearchEngine

        self.check_turn(side)
        engine = self.engine
        if not isinstance(engine, SearchEngine):
            engine = self.new_engine("search")
        assert isinstance(engine, SearchEngine)
        return engine.think(self.game)

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
    def engine(self) -> "Engine":
        """The engine in force; it is kept until a setting changes."""
        if self._engine is None:
            self._engine = self.new_engine(self.settings.engine)
        return self._engine

    def new_engine(self, name: str) -> "Engine":
        """An engine of that name under the settings in force.

        Raises:
            CommandError: there is not so much memory.
        """
        # Imported here because a session that only plays given moves needs no engine.
        from taflengine.engines import ENGINES, Setup

        settings = self.settings
        try:
            return ENGINES[name](Setup(self.limits, settings.hash, settings.threads))
        except MemoryError:
            message = f"there is no memory for a table of {settings.hash} megabytes"
            raise CommandError(message) from None
