"""Games that end by what was played before: how they begin and are played."""

from itertools import cycle, islice

from pictures import drawn

from taflengine.game import Game
from taflengine.notation import parse_move
from taflengine.pieces import Side

OPEN = """
    . . . . . . .
    . a . . . d .
    . . . . . . .
    . . . k . . .
    . . . . . . .
    . a d . . a .
    . . . . . . ."""
"""Attackers on b6, b2 and f2, defenders on f6 and c2; f2-d2 takes c2."""

ROUND = ("b6-b5", "f6-f5", "b5-b6", "f5-f6")
"""Four plies that lead from ``OPEN`` to ``OPEN`` when attackers begin."""

GATE = """
    . . . . d . .
    . . a a . a .
    . a . . . a .
    . a . k . a .
    . a . . . a .
    . . a a a . .
    . . . . . . ."""


def begin(name: str, picture: str = OPEN, changes: str = "", side: Side | None = None) -> Game:
    """A game of the kind called *name*, with *changes*, that starts as *picture* shows."""
    return Game(drawn(name, picture, changes), side=side)


def play(game: Game, moves: str) -> str:
    """Play *moves*, before the last of which the game must go on; say how it then stands."""
    for text in moves.split():
        assert game.outcome is None, f"{game.outcome} before {text}"
        game.play(parse_move(text, game.variant.size).move)
    return str(game.outcome or "ongoing")


def ply_and_result(game: Game, moves: tuple[str, ...], most: int = 40) -> tuple[int, str]:
    """Play *moves* round and round until the game ends, at most *most* plies."""
    for text in islice(cycle(moves), most):
        if play(game, text) != "ongoing":
            break
    return len(game.plies), str(game.outcome or "ongoing")


def woven(attackers: tuple[str, ...], defenders: tuple[str, ...], plies: int) -> str:
    """The first *plies* moves when each side goes through its own round and round."""
    pairs = zip(cycle(attackers), cycle(defenders), strict=False)
    return " ".join(islice((move for pair in pairs for move in pair), plies))
