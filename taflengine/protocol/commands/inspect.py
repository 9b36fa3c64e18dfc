"""Commands that ask; none of them changes the game.

What only one command needs is imported there, so that the first answer of a
process does not wait for it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from taflengine.errors import CommandError, GameOverError, IllegalMoveError
from taflengine.game import Ply, describe
from taflengine.notation import (
    WrittenMove,
    format_move,
    format_moves,
    format_rows,
    format_squares,
)
from taflengine.pieces import Side
from taflengine.protocol.grammar import Square, command_set
from taflengine.protocol.session import Session
from taflengine.rules import Reason

COMMANDS = command_set()
MAX_PERFT = 20
"""Deepest count that ``perft`` takes on, in plies; far beyond what ends in a lifetime."""


@COMMANDS.command
def legal(session: Session, side_or_square: Side | Square | None) -> str:
    """Answer the legal moves of the side to move, of a side, or of the piece on a square.

    They stand on one line, sorted by the square they leave, then the one they
    reach, files before ranks. After the end there are none.
    """
    game = session.game
    if side_or_square is None or isinstance(side_or_square, Side):
        moves = game.legal_moves(side_or_square)
    else:
        moves = game.moves_from(side_or_square)
    return format_moves(moves, game.variant.size)


@COMMANDS.command
def is_legal(session: Session, move: WrittenMove) -> bool:
    """Answer whether ``play`` would make MOVE now: true or false. Captures are not compared."""
    try:
        session.game.check(move.move)
    except IllegalMoveError:
        return False
    return True


@COMMANDS.command
def showboard(session: Session) -> Iterable[str]:
    """Answer a drawing of the board for people.

    ``a`` attacker, ``d`` defender, ``k`` king, ``+`` an empty throne, marked
    corner or camp square, ``.`` any other empty square.
    """
    from taflengine.display.text import draw

    return ["", *draw(session.game)]


@COMMANDS.command
def side(session: Session) -> str:
    """Answer the side to move; after the end, the side whose turn it would be."""
    return session.game.side_to_move.value


@COMMANDS.command
def position(session: Session) -> str:
    """Answer rows and side to move, as ``setposition`` reads them."""
    game = session.game
    return f"{format_rows(game.board)} {game.side_to_move.value[0]}"


@COMMANDS.command
def history(session: Session) -> str:
    """Answer the moves played since the start on one line, captures appended."""
    game = session.game
    return " ".join([_written(ply, game.variant.size) for ply in game.plies])


def _written(ply: Ply, size: int) -> str:
    """A move that was played, with its captures appended."""
    captured = format_squares(ply.captured, size).split()
    return "x".join([format_move(ply.move, size), *captured])


@COMMANDS.command
def result(session: Session) -> str:
    """Answer ``ongoing``, or the winner or ``draw`` and the reason."""
    return str(session.game.outcome or "ongoing")


@COMMANDS.command
def final_score(session: Session) -> str:
    """Answer the result as SGF writes it: B+ attackers won, W+ defenders won, 0 a draw."""
    outcome = session.game.outcome
    if outcome is None:
        raise CommandError("cannot score: the game goes on")
    if outcome.winner is None:
        return "0"
    return "B+" if outcome.winner is Side.ATTACKER else "W+"


@COMMANDS.command
def captured(session: Session) -> Iterable[str]:
    """Answer how many pieces each side has lost since the start, the king included."""
    game = session.game
    lost = dict.fromkeys(Side, 0)
    mover = game.first
    for ply in game.plies:
        mover = mover.other
        lost[mover] += len(ply.captured)
    return [f"{each.value} {count}" for each, count in lost.items()]


@COMMANDS.command
def threats(session: Session) -> Iterable[str]:
    """Answer the call that is due, then each move that would win at once, one a line.

    Both sides are looked at, each as if it were to move: ``call raichi``,
    ``defender e5-e9 edge``. Nothing is answered where nothing threatens.
    """
    from taflengine.analysis import call_of, threats_of

    game = session.game
    call = call_of(game)
    found = [threat for side in Side for threat in threats_of(game, side)]
    lines = [
        f"{threat.side.value} {format_move(threat.move, game.variant.size)} {threat.reason.value}"
        for threat in found
    ]
    return [*([f"call {call}"] if call else []), *lines]


@COMMANDS.command
def eval_(session: Session) -> Iterable[str]:
    """Answer the house opponent's evaluation, term by term, then the total.

    A line holds the term, how often it counts, and its points for the defenders.
    """
    from taflengine.engines.oneply import terms

    outcome = session.game.outcome
    if outcome and outcome.reason is Reason.KING_CAPTURED:
        raise GameOverError(describe(outcome))
    counted = terms(session.game.position)
    lines = [f"{term.name} {term.number} {term.points}" for term in counted]
    return [*lines, f"total {sum(term.points for term in counted)}"]


@COMMANDS.command
def perft(session: Session, plies: int) -> int:
    """Answer the number of sequences of exactly PLIES legal moves from here."""
    with _stoppable(session) as pause:
        return session.game.perft(_depth(plies, 0), pause)


@COMMANDS.command
def divide(session: Session, plies: int) -> Iterable[str]:
    """Answer each legal move with the sequences of PLIES moves that it begins, then the total."""
    game = session.game
    with _stoppable(session) as pause:
        counts = game.divide(_depth(plies, 1), pause)
    lines = [f"{format_move(move, game.variant.size)} {count}" for move, count in counts.items()]
    return [*lines, f"total {sum(counts.values())}"]


@contextmanager
def _stoppable(session: Session) -> Iterator[Callable[[], None]]:
    """Hear the input in a ``with`` block; yields what raises once it says stop."""
    heard = session.interrupts

    def pause() -> None:
        if heard.stop:
            raise CommandError("stopped: not all has been counted")

    with heard.watched(lambda: None):
        yield pause


def _depth(plies: int, least: int) -> int:
    if not least <= plies <= MAX_PERFT:
        raise CommandError(f"{plies} plies: allowed are {least} to {MAX_PERFT}")
    return plies


@COMMANDS.command
def hash_(session: Session) -> str:
    """Answer the key of the position, placement and side to move, as 16 hexadecimal digits."""
    return f"{session.game.key:016x}"
