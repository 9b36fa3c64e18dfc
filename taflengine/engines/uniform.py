"""The engine called random: any legal move, all with the same chance. For tests and baselines."""

from typing import TYPE_CHECKING

from taflengine.game import Game
from taflengine.notation import Move

if TYPE_CHECKING:
    from random import Random


class Uniform:
    """Chooses uniformly over the legal moves."""

    def choose(self, game: Game, generator: "Random | None") -> Move:
        """As ``Engine.choose``."""
        moves = game.legal_moves()
        return generator.choice(moves) if generator else moves[0]
