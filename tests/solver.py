"""A brute-force solver: forced wins by trying every move, nothing left out, nothing guessed."""

from taflengine.game import Game
from taflengine.notation import Move
from taflengine.pieces import Side


def plies_to_win(game: Game, limit: int) -> int | None:
    """In how many plies the side to move can force a win, *limit* at most; None if it cannot."""
    for plies in range(1, limit + 1, 2):
        if _can_win(game, plies, game.side_to_move):
            return plies
    return None


def winning_moves(game: Game, plies: int) -> list[Move]:
    """The moves with which the side to move forces a win within *plies*."""
    side = game.side_to_move
    return [move for move in game.legal_moves() if _holds_after(game, move, plies - 1, side)]


def _holds_after(game: Game, move: Move, plies: int, side: Side) -> bool:
    """Whether *side* wins within *plies* more after *move*, whatever is answered."""
    game.play(move)
    try:
        if game.outcome:
            return game.outcome.winner is side
        if plies <= 0:
            return False
        if game.side_to_move is side:
            return _can_win(game, plies, side)
        return all(_holds_after(game, reply, plies - 1, side) for reply in _replies(game, side))
    finally:
        game.undo()


def _can_win(game: Game, plies: int, side: Side) -> bool:
    # Wins at once first: most that can be won in more can be seen to be.
    if any(_wins_at_once(game, move, side) for move in game.legal_moves()):
        return True
    return plies > 1 and any(
        _holds_after(game, move, plies - 1, side) for move in game.legal_moves()
    )


def _wins_at_once(game: Game, move: Move, side: Side) -> bool:
    with game.trying(move) as outcome:
        return outcome is not None and outcome.winner is side


def _replies(game: Game, side: Side) -> list[Move]:
    """The moves of the other side, those that end the game at once first: they refute soonest."""
    moves = game.legal_moves()
    return sorted(moves, key=lambda move: not _wins_at_once(game, move, side.other))
