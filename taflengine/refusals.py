"""Why a move is illegal: the reason that a person needs, with the square that matters.

The rules themselves are in the core; this explains a move that the core has refused.
"""

from taflengine.errors import Refusal
from taflengine.notation import Board, Move, square_name
from taflengine.pieces import Piece, Side
from taflengine.rules import UNLIMITED, Variant


def refusal_of(variant: Variant, board: Board, side: Side, move: Move) -> tuple[Refusal, str]:
    """The reason why *side* may not make *move*, and the sentence that says so.

    *move* must be illegal.
    """
    reason, square = _find(variant, board, side, move)
    place = f" at {square_name(square, board.size)}" if square != move.origin else ""
    return reason, reason.value + place


def _find(variant: Variant, board: Board, side: Side, move: Move) -> tuple[Refusal, int]:
    piece = board.pieces[move.origin]
    if piece is None:
        return Refusal.EMPTY, move.origin
    if piece.side is not side:
        return Refusal.OPPONENT, move.origin
    if move.origin == move.target:
        return Refusal.STILL, move.origin
    path = _path(board.size, move)
    if not path:
        return Refusal.DIAGONAL, move.origin
    reach = _reach(variant, piece)
    for steps, square in enumerate(path, start=1):
        if board.pieces[square] is not None:
            return Refusal.BLOCKED, square
        if steps > reach:
            return Refusal.REACH, move.origin
        reason = _closed(variant, piece, move, square)
        if reason:
            return reason, square
    raise ValueError(f"{move} is a legal move")


def _path(size: int, move: Move) -> range | None:
    """The squares from the one after the origin to the target; None off rank and file."""
    from_rank, from_file = divmod(move.origin, size)
    to_rank, to_file = divmod(move.target, size)
    if from_rank == to_rank:
        step = 1 if move.target > move.origin else -1
    elif from_file == to_file:
        step = size if move.target > move.origin else -size
    else:
        return None
    return range(move.origin + step, move.target + step, step)


def _reach(variant: Variant, piece: Piece) -> int:
    reaches = {
        Piece.ATTACKER: variant.attacker_reach,
        Piece.DEFENDER: variant.defender_reach,
        Piece.KING: variant.king_reach,
    }
    limit = reaches[piece]
    return variant.size if limit == UNLIMITED else limit


def _closed(variant: Variant, piece: Piece, move: Move, square: int) -> Refusal | None:
    """Why *piece* may not be on the empty *square* of its way, None if it may."""
    stops = square == move.target
    if variant.throne and square == variant.geometry.centre:
        if stops and piece not in variant.throne_stop:
            return Refusal.THRONE_STOP
        if not stops and piece not in variant.throne_cross:
            return Refusal.THRONE_CROSS
    if square in variant.corner_squares and piece is not Piece.KING:
        return Refusal.CORNER
    for group in variant.camp_groups:
        if square in group and not (piece is Piece.ATTACKER and move.origin in group):
            return Refusal.CAMP
    return None
