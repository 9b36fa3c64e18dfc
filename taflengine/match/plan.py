"""What is to be played: one game of a match, before it begins."""

from typing import NamedTuple

from taflengine.game import Game
from taflengine.match.adjudicate import DrawRule, ResignRule
from taflengine.notation import Board, Move
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import Budget


class Opening(NamedTuple):
    """How a game begins, before the engines choose."""

    name: str
    moves: tuple[Move, ...] = ()
    board: Board | None = None
    """Who stands where before the first move, None at the rule set's start."""
    side: Side | None = None
    """Who makes the first move, None whom the rule set says."""

    def begin(self, game: Game) -> Game:
        """A new game under the rules of *game* at the start of this opening."""
        return Game(game.variant, self.board, self.side)


class GamePlan(NamedTuple):
    """One game. Everything in it follows from the settings of the match and ``number``."""

    number: int
    pair: int
    round: int
    rules: str
    """The rule set as ``newgame`` takes it."""
    attacker: int
    """Which of the match's engines, counted from 0."""
    defender: int
    opening: Opening
    seed: int


class Terms(NamedTuple):
    """What holds for every game of a match."""

    budget: Budget
    """What an engine may spend that has no limits of its own."""
    margin: float = 0.1
    """Seconds by which a move may come after its time."""
    max_plies: int = 0
    """A game of so many plies is a draw; 0 is no limit."""
    draw: DrawRule | None = None
    resign: ResignRule | None = None
