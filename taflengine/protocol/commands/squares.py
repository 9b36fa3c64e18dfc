"""How answers write squares and moves."""

from collections.abc import Iterable

from taflengine.game import Game, Ply
from taflengine.notation import format_move, square_name


def names_of(game: Game, squares: Iterable[int]) -> str:
    """The names of *squares*, sorted by file, then rank, with blanks between."""
    geometry = game.variant.geometry
    ordered = sorted(squares, key=geometry.order.__getitem__)
    return " ".join([square_name(square, geometry.size) for square in ordered])


def written(game: Game, ply: Ply) -> str:
    """A move that was played, with its captures appended, for instance ``e4-e7xe8xf7``."""
    captured = names_of(game, ply.captured)
    move = format_move(ply.move, game.variant.size)
    return "x".join([move, *captured.split()])
