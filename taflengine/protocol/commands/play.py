"""Commands that make and take back moves."""

from typing import TYPE_CHECKING

from taflengine.errors import CommandError
from taflengine.notation import Move, WrittenMove, format_move, format_squares
from taflengine.pieces import Side
from taflengine.protocol.grammar import command_set
from taflengine.protocol.session import Session

if TYPE_CHECKING:
    from taflengine.clock import Clock
    from taflengine.engines.report import Report

COMMANDS = command_set()


@COMMANDS.command
def play(session: Session, side: Side | None, move: WrittenMove) -> str:
    """Make MOVE, for SIDE if one is given, and answer the squares it captures.

    The squares are sorted by file, then rank; a captured king's is among them.
    Captures written behind MOVE are compared with the real ones, the king's
    square may be left out.
    """
    game = session.game
    return format_squares(game.play(move.move, move.captures, side), game.variant.size)


@COMMANDS.command
def genmove(session: Session, side: Side) -> str:
    """Let the engine choose a move for SIDE, make it and answer it.

    What it took is taken off the clock of SIDE, if time is kept.
    """
    session.check_turn(side)
    with session.clock_running(side):
        move, report = _choose(session, session.clocks.get(side))
        session.make(move, report)
    return format_move(move, session.game.variant.size)


@COMMANDS.command
def reg_genmove(session: Session, side: Side) -> str:
    """Answer the move that the engine would choose for SIDE; it is not made.

    Of equal moves the first is taken, and a search begins with an empty table, so the
    answer to the same position is always the same.
    """
    session.check_turn(side)
    with session.afresh():
        move, _ = _choose(session, None, repeatable=True)
    return format_move(move, session.game.variant.size)


def _choose(
    session: Session, clock: "Clock | None", *, repeatable: bool = False
) -> "tuple[Move, Report | None]":
    # Imported here because a session that only plays given moves needs no engine.
    from taflengine.protocol.choosing import choose, limits_of

    moves = session.game.legal_moves()
    limits = limits_of(session, moves, clock)
    return choose(session, limits, moves, repeatable=repeatable)


@COMMANDS.command
def hint(session: Session, side: Side | None) -> str:
    """Answer the best move for SIDE, by default the side to move, and why; it is not made.

    The search chooses it, whatever engine is set, within the limits that are set.
    Behind the move stand the reasons, separated by commas: what can be seen on the
    board, then, unless MOVE wins at once, the plies to a proven end, or the search's
    score for the side to move, an attacker being 100, and its depth in plies.
    """
    from taflengine.analysis import reasons_for

    game = session.game
    session.check_turn(side or game.side_to_move)
    *_, report = session.reports(session.limits)
    move = report.line[0]
    reasons = reasons_for(game, move)
    if report.plies_to_end != 1:
        reasons.append(_verdict(report))
    return f"{format_move(move, game.variant.size)} {', '.join(reasons)}"


def _verdict(report: "Report") -> str:
    plies = report.plies_to_end
    if plies is None:
        return f"score {report.score} at depth {report.depth}"
    return f"a win in {plies} plies" if plies > 0 else f"a loss in {-plies} plies"


@COMMANDS.command
def undo(session: Session, plies: int = 1) -> None:
    """Take back PLIES moves, one by default."""
    try:
        session.game.undo(plies)
    except ValueError as error:
        raise CommandError(f"cannot undo: {error}") from None


@COMMANDS.command
def stop(_session: Session) -> None:
    """End the search that is at work before this line, which answers what it has found so far.

    It is heard at once. Behind a command that does not search it does nothing.
    """
