"""The interface of an engine."""

from typing import TYPE_CHECKING, Protocol

from taflengine.game import Game
from taflengine.notation import Move

if TYPE_CHECKING:
    from random import Random


class Engine(Protocol):
    """Chooses moves. It keeps nothing between two calls but what its settings say."""

    def choose(self, game: Game, generator: "Random | None") -> Move:
        """A legal move for the side to move of *game*, which has not ended.

        Args:
            game: Where the move is wanted; unchanged afterwards.
            generator: Decides between moves that the engine holds equal. None
                takes the first of them, so that the answer is always the same.
        """
        ...
