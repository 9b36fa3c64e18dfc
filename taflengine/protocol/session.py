"""What one connection remembers: the game, the settings, the sequence of chances."""

import os
import random
import time
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from taflengine.engines.levels import HIGHEST, LOWEST, nodes_of
from taflengine.errors import CommandError, GameOverError
from taflengine.game import Game, describe
from taflengine.notation import Board, Move
from taflengine.pieces import Side
from taflengine.protocol.command import CommandSet
from taflengine.protocol.interrupts import Interrupts
from taflengine.rules import Variant
from taflengine.variants import DEFAULT

if TYPE_CHECKING:
    from taflengine.clock import Clock, TimeControl
    from taflengine.engines.engine import Limits
    from taflengine.engines.report import Report
    from taflengine.engines.search import Searcher
    from taflengine.records.record import Record

MAX_SEED = 2**31 - 1


class Settings(NamedTuple):
    """The values in force of the parameters, each under its parameter's name."""

    seed: int
    engine: str = "oneply"
    level: int = HIGHEST
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
        self.files = True
        """Whether commands may read and write files; those that only do that are not offered
        otherwise."""
        self.interrupts = Interrupts()
        """What is said while a command of this session is at work."""
        self.loaded: tuple[Game, Record] | None = None
        """The last game that was loaded, and its record; it may have been replaced since."""
        self.generator = random.Random(self.settings.seed)
        """Decides between moves that an engine holds equal."""
        self._searcher: Searcher | None = None
        self.explanation: Report | None = None
        """What the search has found before the last move that the engine has made, if it has."""
        self._control: TimeControl | None = None
        self.clocks: dict[Side, Clock] = {}
        """The clocks that run, none unless somebody has said how time is kept."""

    def begin(self, variant: Variant, board: Board | None = None, side: Side | None = None) -> None:
        """Replace the game; on an error of the position the old one stays. Clocks start anew."""
        repetition = self.settings.repetition
        self.go_on_with(Game(variant, board, side, enforce_repetition=repetition))

    def go_on_with(self, game: Game) -> None:
        """Replace the game by *game*, which may have been played on. Clocks start anew."""
        self.game = game
        self._searcher = self.explanation = None
        self.clocks = {}
        if self._control is not None:
            self.keep_time(self._control)
        self.get_ready()

    def keep_time(self, control: "TimeControl") -> None:
        """Put *control* in force for both sides, in this game from now on and in later ones."""
        from taflengine.clock import Clock

        self._control = control
        self.clocks = {side: Clock(control) for side in Side}
        self.get_ready()

    def set_clock(self, side: Side, seconds: float, moves: int) -> None:
        """Believe that *side* has *seconds* left, for *moves* moves if not 0."""
        from taflengine.clock import Clock, TimeControl

        if self._control is None:
            self.clocks[side] = Clock(TimeControl(main=max(0.0, seconds)))
        self.clocks[side].set(seconds, moves)
        self.get_ready()

    @contextmanager
    def clock_running(self, side: Side) -> Iterator[None]:
        """Take the time of a ``with`` block that succeeds off the clock of *side*."""
        begun = time.monotonic()
        yield
        if side in self.clocks:
            self.clocks[side].spend(time.monotonic() - begun)

    def change(self, **values: Any) -> None:
        """Put *values* in force, each the name of a setting and what it becomes."""
        self.settings = self.settings._replace(**values)
        self._searcher = None
        if "seed" in values:
            self.generator = random.Random(self.settings.seed)
        self.game.enforce_repetition = self.settings.repetition

    def make(self, move: Move, report: "Report | None") -> None:
        """Make a *move* of the engine, of which a search has found *report*."""
        self.game.play(move)
        self.explanation = report

    def reports(
        self, limits: "Limits", multipv: int = 1, moves: Collection[Move] | None = None
    ) -> Iterator["Report"]:
        """As ``deepen``; whoever says stop ends it."""
        return self.deepen(limits, lambda: self.interrupts.stop, multipv, moves)

    def deepen(
        self,
        limits: "Limits",
        over: Callable[[], bool],
        multipv: int = 1,
        moves: Collection[Move] | None = None,
    ) -> Generator["Report", None, None]:
        """What the search of the game in progress finds, depth after depth.

        The input is heard meanwhile.

        Args:
            limits: When it ends by itself.
            over: Whether it has been told to end; asked whenever something is heard.
            multipv: As ``Searcher.deepen`` takes it.
            moves: As ``Searcher.deepen`` takes them.
        """
        searcher = self.searcher
        begun = False

        def stop_if_over() -> None:
            if begun and over():
                searcher.stop()

        with self.interrupts.watched(stop_if_over):
            for report in searcher.deepen(self.game, limits, multipv, moves):
                # It is waited for, which takes no time: any answer must have looked a ply ahead.
                begun = True
                yield report
                if over():
                    return

    @contextmanager
    def afresh(self) -> Iterator[None]:
        """Search in a ``with`` block as in a new game; what was learnt before is kept for later."""
        kept, self._searcher = self._searcher, None
        try:
            yield
        finally:
            self._searcher = kept

    def check_turn(self, side: Side) -> None:
        """See that *side* has a move to choose.

        Raises:
            GameOverError: the game has ended.
            CommandError: it is the other side's turn.
        """
        game = self.game
        if game.outcome:
            raise GameOverError(describe(game.outcome))
        if side is not game.side_to_move:
            raise CommandError(f"out of turn: {game.side_to_move.value} is to move")

    @property
    def limits(self) -> "Limits":
        """How long a search may go on that no clock hurries."""
        from taflengine.engines.engine import Limits

        settings = self.settings
        return Limits(settings.depth or None, settings.nodes or None, settings.movetime)

    @property
    def searches(self) -> bool:
        """Whether moves are chosen by the search, which reports and can be stopped."""
        from taflengine.engines import SEARCH

        return self.settings.engine == SEARCH and self.settings.level > LOWEST

    def held_back(self, limits: "Limits") -> "Limits":
        """*limits* for choosing a move, at most what the level allows."""
        nodes = nodes_of(self.settings.level)
        if nodes is None:
            return limits
        return limits._replace(nodes=min(nodes, limits.nodes or nodes))

    def offers(self, spelling: str) -> bool:
        """Whether *spelling* is a command that may work here."""
        command = self.commands.get(spelling)
        return command is not None and (self.files or not command.files)

    def require_files(self) -> None:
        """Raise CommandError where commands may not read and write files."""
        if not self.files:
            raise CommandError("files are closed to this session")

    def get_ready(self) -> None:
        """Load what choosing a move needs, so that no clock pays for it.

        If there is no memory for it, the search that is asked for will tell.
        """
        if self.searches:
            with suppress(CommandError):
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
