"""What a referee asks of an engine, whatever dialect it speaks.

A controller speaks over a ``Link``, a connection of lines, and knows no process.
Every method that waits takes a deadline, a time of ``time.monotonic``, and raises

- ``EngineStalledError``: there was no answer by then,
- ``EngineExitedError``: the engine has ended or closed its output,
- ``BadReplyError``: the answer is none that the dialect allows, or a complaint
  where there is nothing to complain about.

After one of these the connection is good for nothing but to be closed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from taflengine.clock import Clock, TimeControl
from taflengine.game import Game
from taflengine.notation import Board, Move
from taflengine.pieces import Side

REASON = 300
"""So many letters of an engine's reason to refuse are shown: what it allows is in them."""


class Line(NamedTuple):
    """A line that an engine wrote."""

    text: str
    """Without its end of line."""
    time: float
    """When its first byte was there."""


class Link(ABC):
    """A connection of lines to an engine."""

    @abstractmethod
    def send(self, line: str, deadline: float) -> float:
        """Write *line* and its newline; the time when all of it was written.

        Raises:
            EngineExitedError: nobody reads any more.
            EngineStalledError: the engine does not read, and the pipe is full.
        """

    @abstractmethod
    def receive(self, deadline: float) -> Line:
        """The next line of the engine.

        Raises:
            EngineExitedError: its output has ended.
            EngineStalledError: there was no whole line by *deadline*.
            BadReplyError: the line is too long to be one.
        """

    @abstractmethod
    def unasked(self) -> str | None:
        """The next line if one has come that nobody has waited for; it is not taken."""


class Identity(NamedTuple):
    """Who an engine says it is; either may be empty."""

    name: str
    version: str


class Budget(NamedTuple):
    """What one side may spend on its moves."""

    control: TimeControl
    nodes: int | None = None
    """Positions a move, for engines that count them."""
    depth: int | None = None
    """Plies a move, for engines that can be told."""

    @property
    def movetime(self) -> float | None:
        """Seconds for each move by itself, None if the time is not counted so."""
        control = self.control
        each = control.main == 0 and control.moves == 1 and control.increment == 0
        return control.period if each and control.period > 0 else None


class Task(NamedTuple):
    """A game that an engine is to play."""

    game: Game
    """The referee's, of which no move has been played. It is looked at, never changed."""
    rules: str
    """The rule set as ``newgame`` takes it: a name, ``@FILE`` with its whole path, ``otn:...``."""
    side: Side
    """What the engine plays."""
    budget: Budget
    """What it may spend on its moves."""
    seed: int
    """For engines that can be told: it makes their chances repeatable. From 0 to 2^31-1."""


class Choice(NamedTuple):
    """The answer of an engine that was asked for a move."""

    move: Move | None
    """None if it resigns. It need not be legal."""
    seconds: float
    """From the question, fully sent, to the first byte of the answer."""
    score: int | None = None
    """What it thinks of the position, for itself, an attacker being about 100."""
    depth: int | None = None
    """Plies it says it looked ahead."""
    nodes: int | None = None
    """Positions it says it visited."""


class Standing(NamedTuple):
    """How an engine thinks that the game stands; None for what it does not tell."""

    board: Board | None
    side: Side | None
    """The side to move."""
    result: str | None
    """As the command ``result`` answers: ``ongoing``, ``attacker king-captured``, ``draw ...``."""


class Controller(ABC):
    """An engine at the other end of *link*, which plays one side of one game after another.

    The order of calls is: ``start``, then for each game ``new_game``, any number of
    ``played`` and ``choose``, ``finish``; at the end ``quit``. Before ``played`` and
    after ``choose`` the referee makes the move in the game of the task.
    """

    def __init__(self, link: Link) -> None:
        self.link = link

    @abstractmethod
    def start(
        self, options: Mapping[str, str], commands: Sequence[str], deadline: float
    ) -> Identity:
        """Get the engine ready: the dialect's greeting, then its options.

        Args:
            options: What to set, in order; the names are the engine's own.
            commands: Lines to send as they are, behind the options.
            deadline: When all must be done.
        """

    @abstractmethod
    def new_game(self, task: Task, deadline: float) -> None:
        """Begin the game of *task*; all must be done by *deadline*."""

    @abstractmethod
    def played(self, side: Side, move: Move, deadline: float) -> frozenset[int] | None:
        """Tell of a move that *side* has made: the opponent's, or one of the opening.

        Returns:
            The squares that the engine says were captured, None if it does not say.
        """

    @abstractmethod
    def choose(self, side: Side, clocks: Mapping[Side, Clock], deadline: float) -> Choice:
        """Let the engine choose a move for *side*, which it takes as made.

        Args:
            side: The side to move, which is the engine's.
            clocks: What both sides have left, as the referee counts it.
            deadline: When to wait no longer.
        """

    def finish(self, result: str, deadline: float) -> None:  # noqa: B027 -- most dialects say nothing
        """Tell that the game has ended, with *result* as the command ``result`` answers."""

    def standing(self, deadline: float) -> Standing | None:  # noqa: ARG002 -- a default
        """How the engine thinks the game stands, None if its dialect cannot say."""
        return None

    @abstractmethod
    def quit(self, deadline: float) -> None:
        """Say goodbye; the engine need not answer, and may have gone already."""
