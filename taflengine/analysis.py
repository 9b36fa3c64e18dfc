"""What a position threatens: moves that would win at once, and the calls of the rule sets."""

from typing import NamedTuple

from taflengine.game import Game
from taflengine.notation import Move
from taflengine.pieces import Piece, Side
from taflengine.rules import Calls, Reason


class Threat(NamedTuple):
    """A move with which *side* would win at once if it were its turn."""

    side: Side
    move: Move
    reason: Reason


def threats_of(game: Game, side: Side) -> list[Threat]:
    """The moves that win at once for *side*, sorted as ``legal_moves``; none after the end.

    It is asked as if *side* were to move in a position set up by hand, so what
    was played before does not count.
    """
    if game.outcome:
        return []
    trial = Game(game.variant, game.board, side, enforce_repetition=False)
    found = []
    for move in trial.legal_moves():
        with trial.trying(move) as outcome:
            if outcome and outcome.winner is side:
                found.append(Threat(side, move, outcome.reason))
    return found


def call_of(game: Game) -> str | None:
    """The warning that the side which has just moved must speak, None if there is none.

    ``raichi`` says that the king has one open way to his goal, ``tuichi`` that he
    has more, ways being counted by direction; ``watch your king`` that an
    attacker could take him next.
    """
    calls = game.variant.calls
    if calls is Calls.RAICHI and game.side_to_move is Side.ATTACKER:
        ways = _open_ways(game)
        return None if ways == 0 else "raichi" if ways == 1 else "tuichi"
    if calls is Calls.WATCH_YOUR_KING and game.side_to_move is Side.DEFENDER:
        reasons = {threat.reason for threat in threats_of(game, Side.ATTACKER)}
        return "watch your king" if Reason.KING_CAPTURED in reasons else None
    return None


def _open_ways(game: Game) -> int:
    """In how many of the four directions the king could go to a goal square now."""
    if game.outcome:
        return 0
    size, goals = game.variant.size, game.variant.goal_squares
    (king,) = game.board.squares_of(Piece.KING)
    directions = set()
    for move in game.moves_from(king):
        if move.target in goals:
            same_rank = move.target // size == king // size
            directions.add((same_rank, move.target > king))
    return len(directions)
