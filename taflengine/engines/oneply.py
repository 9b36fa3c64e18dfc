"""The house opponent: it weighs the positions after its own next move, and nothing deeper.

Its arithmetic is that of our house table: a defender is worth two attackers,
each attacker beside the king costs the defenders 35, each step that the king
stands nearer to his nearest goal square is worth 12. What an attacker is worth
in the same coin is not handed down; ``ATTACKER`` was chosen by a match, which
``scripts/python scripts/oneply_unit.py --games 200 4 6 8 10 12 14 20 30`` repeats: worths from 4
to 14 play alike, 0.500 to 0.505 +- 0.018 points a game and 1.0 to 2.2 % as
attackers; 20 and 30 win 0.1 % as attackers.
"""

from typing import TYPE_CHECKING, NamedTuple

from taflengine.core import codes
from taflengine.core.evaluation import attackers_beside_king, steps_gained
from taflengine.core.position import Position
from taflengine.game import Game
from taflengine.notation import Move
from taflengine.pieces import Side

if TYPE_CHECKING:
    from random import Random

ATTACKER = 10
"""Worth of an attacker, in the points that 35 and 12 are counted in."""
BESIDE_KING = 35
STEP = 12
WIN = 1_000_000
"""More than any sum of terms."""


class Term(NamedTuple):
    """One term of the evaluation: what was counted, how often, and its points for the defenders."""

    name: str
    number: int
    points: int


def terms(position: Position, attacker: int = ATTACKER) -> list[Term]:
    """The evaluation of *position*, whose king is on the board, term by term.

    Args:
        position: What to evaluate.
        attacker: Worth of an attacker in points.
    """
    attackers, defenders = position.men_of(codes.ATTACKER), position.men_of(codes.DEFENDER)
    beside, steps = attackers_beside_king(position), steps_gained(position)
    return [
        Term("defenders", defenders, 2 * attacker * defenders),
        Term("attackers", attackers, -attacker * attackers),
        Term("attackers-beside-king", beside, -BESIDE_KING * beside),
        Term("king-steps", steps, STEP * steps),
    ]


class OnePly:
    """Takes a win; else the move after which the evaluation is best for its side."""

    def __init__(self, attacker: int = ATTACKER) -> None:
        self.attacker = attacker

    def choose(self, game: Game, generator: "Random | None") -> Move:
        """As ``Engine.choose``."""
        best: list[Move] = []
        best_score = -WIN - 1
        for move in game.legal_moves():
            score = self._score_after(game, move)
            if score > best_score:
                best, best_score = [], score
            if score == best_score:
                best.append(move)
        return generator.choice(best) if generator else best[0]

    def _score_after(self, game: Game, move: Move) -> int:
        """Points for the mover after *move*; a draw counts 0, like the start of the house game."""
        side = game.side_to_move
        with game.trying(move) as outcome:
            if outcome:
                return 0 if outcome.winner is None else WIN if outcome.winner is side else -WIN
            total = sum(term.points for term in terms(game.position, self.attacker))
            return total if side is Side.DEFENDER else -total
