"""A board as plain text with coordinates."""

from taflengine.game import Game
from taflengine.notation import FILES, LETTERS

EMPTY, MARKED = ".", "+"
"""How an empty square is drawn, and an empty throne, marked corner or camp square."""


def draw(game: Game) -> list[str]:
    """The lines of a drawing, top rank first, then the files, then whose turn it is or who won."""
    variant, board = game.variant, game.board
    size = board.size
    marked = variant.corner_squares.union(*variant.camp_groups)
    if variant.throne:
        marked |= {variant.geometry.centre}
    cells = [
        LETTERS[piece] if piece else MARKED if square in marked else EMPTY
        for square, piece in enumerate(board.pieces)
    ]
    lines = [
        f"{rank + 1:>2} {' '.join(cells[rank * size : (rank + 1) * size])}"
        for rank in reversed(range(size))
    ]
    lines.append(f"   {' '.join(FILES[:size])}")
    turn = f"{game.outcome}" if game.outcome else f"{game.side_to_move.value} to move"
    lines.append(f"{variant.name}, {turn}")
    return lines
