"""The interface of an engine."""

from typing import TYPE_CHECKING, NamedTuple, Protocol

from taflengine.game import Game
from taflengine.notation import Move

if TYPE_CHECKING:
    from random import Random


MAX_DEPTH = 100
"""Deepest search that is begun, in plies."""


class Limits(NamedTuple):
    """When a search ends; the first limit met counts. None is no limit."""

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Positions visited. The same number gives the same search again."""
    seconds: float | None = None
    """Time on the wall, from the call on."""
    soft_seconds: float | None = None
    """No further depth is begun after so much time."""


class Engine(Protocol):
    """Chooses moves. What it keeps between two calls makes it faster, not different in kind."""

    def choose(self, game: Game, generator: "Random | None") -> Move:
        """A legal move for the side to move of *game*, which has not ended.

        Args:
            game: Where the move is wanted; unchanged afterwards.
            generator: Decides between moves that the engine holds equal. None
                takes the first of them, so that the answer is always the same.
        """
        ...
