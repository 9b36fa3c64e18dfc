"""What a position threatens, the calls of the rule sets, and why a move is good."""

from typing import NamedTuple

from taflengine.core.tactics import king_captures, roads
from taflengine.game import Game
from taflengine.notation import FILES, Move, format_squares
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
        ways = 0 if game.outcome else roads(game.position)
        return None if ways == 0 else "raichi" if ways == 1 else "tuichi"
    if calls is Calls.WATCH_YOUR_KING and game.side_to_move is Side.DEFENDER:
        reasons = {threat.reason for threat in threats_of(game, Side.ATTACKER)}
        return "watch your king" if Reason.KING_CAPTURED in reasons else None
    return None


def reasons_for(game: Game, move: Move) -> list[str]:
    """What a legal *move* does that can be seen on the board, the weightiest first.

    Each is a clause with the mover as its subject, such as ``captures d6 and
    e7``; none may be true.
    """
    side = game.side_to_move
    attacked = king_captures(game.position)
    before = roads(game.position)
    after = Game(game.variant, game.board, side, enforce_repetition=False)
    captured = after.play(move)
    if after.outcome:
        won = after.outcome.winner is side
        return [f"wins ({after.outcome.reason.value})"] if won else []
    now = roads(after.position)
    found = []
    if side is Side.ATTACKER:
        if before and not now:
            found.append(f"closes the king's road along {_lines_of(game)}")
        if king_captures(after.position):
            found.append("threatens to take the king")
        ring, ring_before = _within(after), _within(game)
        if ring is not None and ring_before is None:
            found.append("closes the ring")
        elif ring is not None and ring_before is not None and ring < ring_before:
            found.append("makes the ring tighter")
    else:
        if attacked and not king_captures(after.position):
            found.append("saves the king")
        if now > before:
            goal = game.variant.goal.value
            found.append(
                f"opens a road to the {goal}"
                if now == 1
                else f"opens a second road to the {goal}"
                if before
                else f"opens {now} roads to the {goal}"
            )
    if captured:
        names = format_squares(captured, game.variant.size)
        found.append(f"captures {names.replace(' ', ' and ')}")
    return found


def _within(game: Game) -> int | None:
    """How many squares a ring of attackers leaves the king; None if it is open.

    Counted are those to which a way along ranks and files leads from him through
    anything but attackers; the ring is open if one of them is on the edge.
    """
    geometry, board = game.variant.geometry, game.board
    found = set(board.squares_of(Piece.KING))
    waiting = list(found)
    while waiting:
        square = waiting.pop()
        if geometry.is_edge(square):
            return None
        for other in geometry.neighbours(square):
            if other not in found and board.pieces[other] is not Piece.ATTACKER:
                found.add(other)
                waiting.append(other)
    return len(found)


def _lines_of(game: Game) -> str:
    """The ranks and files on which the king has a road, for instance ``rank 3 and file c``."""
    size, (king,) = game.variant.size, game.board.squares_of(Piece.KING)
    names = dict.fromkeys(
        f"rank {king // size + 1}"
        if move.target // size == king // size
        else f"file {FILES[king % size]}"
        for move in game.moves_from(king)
        if move.target in game.variant.goal_squares
    )
    return " and ".join(names)
