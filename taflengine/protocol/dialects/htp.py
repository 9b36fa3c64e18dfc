"""HTP, the text protocol of hnefatafl.org, on standard input and output.

It looks like GTP without numbers: ``= text`` and one newline for success, ``? text``
and an empty line for failure. A board has 7, 11 or 13 squares on a side.
"""

from collections.abc import Iterable

from taflengine import __version__
from taflengine.clock import UNLIMITED, TimeControl
from taflengine.errors import CommandError, NotationError, TaflError
from taflengine.game import Game
from taflengine.geometry import geometry_of
from taflengine.notation import Move, format_rows, quote
from taflengine.pieces import Piece, Side
from taflengine.protocol.command import CommandSet, Stream
from taflengine.protocol.dialects.htp_game import TURN, HtpGame
from taflengine.protocol.dialects.htp_text import read_role, read_vertex, write_vertex
from taflengine.protocol.dispatcher import text_of
from taflengine.protocol.loop import fault_line
from taflengine.protocol.session import Session
from taflengine.protocol.streams import Output

COMMANDS = CommandSet(parsers={Side: lambda _game, word: read_role(word)})
_DIRECTIONS = ((0, 1), (0, -1), (-1, 0), (1, 0))
"""Up, down, left, right, as files and ranks: the order of ``play_to``."""
_MAX_DIGITS = 6
_SHOWN = {Piece.ATTACKER: "A", Piece.DEFENDER: "D", Piece.KING: "K"}


class Htp:
    """The engine's side of HTP.

    Args:
        session: Whose engine chooses moves.
        output: Takes the answers.
    """

    def __init__(self, session: Session, output: Output) -> None:
        self.game = HtpGame(session)
        self._output = output

    def overhear(self, _line: bytes) -> bool:
        """Count the line; nothing is urgent in this protocol."""
        self.game.session.interrupts.heard(stops=False)
        return False

    def hang_up(self, *, lost: bool) -> None:
        """A move that is being chosen is still answered, at once if nobody may wait for it."""
        self.game.session.interrupts.heard_end(lost=lost)

    def handle(self, line: bytes) -> bool:
        """Answer *line*; True for ``quit``, which has no answer."""
        self.game.session.interrupts.next_line()
        words = line.partition(b"#")[0].decode(errors="replace").split()
        if words[:1] == ["quit"]:
            return True
        if words:
            self._output.write(self._answer(*words))
        return False

    def _answer(self, name: str, *words: str) -> str:
        command = COMMANDS.get(name)
        if command is None:
            return f"? unrecognized command: {quote(name).strip(chr(39))}\n\n"
        needed = sum(parameter.required for parameter in command.parameters)
        if len(words) < needed:
            return f"? message: expected: {command.usage}\n\n"
        try:
            answer = command.run(self.game, list(words[: len(command.parameters)]))
        except NotationError as error:
            return f"? message: {error}\n\n"
        except TaflError as error:
            return f"? {error}\n\n"
        except Exception as error:
            return f"? {fault_line(error)}\n\n"
        assert not isinstance(answer, Stream), "every answer here comes at once"
        return f"= {text_of(answer)}\n"


def _vertices(squares: Iterable[int], size: int) -> str:
    return " ".join(write_vertex(square, size) for square in squares)


@COMMANDS.command
def board_size(game: HtpGame, size: str) -> None:
    """Begin a game on a board of SIZE 7, 11 or 13; clocks go if a move has been played."""
    control = game.control
    if game.session.game.plies:
        game.control = None
    try:
        game.begin(_number(size, f"message: an invalid board size was passed: {size[:20]}"))
    except CommandError:
        game.control = control
        raise


@COMMANDS.command
def final_status(game: HtpGame) -> str:
    """Answer ``ongoing``, ``attacker_wins``, ``defender_wins`` or ``draw``."""
    outcome = game.outcome
    if outcome is None:
        return "ongoing"
    return f"{outcome.winner.value}_wins" if outcome.winner else "draw"


@COMMANDS.command
def first_move(game: HtpGame, role: Side) -> None:
    """Begin a game of the same size in which ROLE moves first."""
    game.begin(game.size, role)


@COMMANDS.command
def generate_move(game: HtpGame) -> str:
    """Choose a move for the side to move, make it, and answer it with what it cost.

    A line ``play ROLE FROM TO, score: N, delay milliseconds: N, loops: N``, then an
    empty one. The score is the attackers', a man being 100; loops are positions visited.
    """
    chosen = game.generate()
    squares = _vertices(chosen.move, game.size)
    return (
        f"play {chosen.side.value} {squares}, score: {chosen.score}, "
        f"delay milliseconds: {chosen.milliseconds}, loops: {chosen.nodes}\n"
    )


@COMMANDS.command
def known_command(_game: HtpGame, command: str) -> bool:
    """Answer whether COMMAND is one: ``true`` or ``false``."""
    return command in COMMANDS


@COMMANDS.command
def list_commands(_game: HtpGame) -> Iterable[str]:
    """Answer the names of all commands, one a line, below a line of their own."""
    return ["", *COMMANDS]


@COMMANDS.command
def name(_game: HtpGame) -> str:
    """Answer the name of the program."""
    return "taflengine"


@COMMANDS.command
def play(game: HtpGame, role: Side, from_: str, to: str | None) -> str:
    """Make a move and answer the captured squares, a blank behind each.

    ``play ROLE resigns`` gives the game up. On a clock that has run out nothing is
    played, and the other side has won.
    """
    if from_ in ("resigns", "resign"):
        game.resign(role)
        return ""
    if to is None:
        raise CommandError("message: expected: 'play ROLE FROM TO' or 'play ROLE resigns'")
    move = Move(read_vertex(from_, game.size), read_vertex(to, game.size))
    return "".join(f"{write_vertex(square, game.size)} " for square in game.play(role, move))


@COMMANDS.command
def play_from(game: HtpGame) -> str:
    """Answer the side to move and the squares from which it has a move."""
    moves = [] if game.outcome else game.allowed()
    origins = dict.fromkeys(move.origin for move in moves)
    return f"{game.side_to_move.value} {_vertices(origins, game.size)}"


@COMMANDS.command
def play_to(game: HtpGame, role: Side, from_: str) -> str:
    """Answer the squares that a piece of ROLE can go to: up, down, left, right, near to far."""
    if role is not game.side_to_move:
        raise CommandError(f"play: {TURN}")
    origin = read_vertex(from_, game.size)
    moves = [] if game.outcome else game.allowed()
    targets = {move.target for move in moves if move.origin == origin}
    if not targets:
        raise CommandError("play: invalid vertex")
    return _vertices((each for each in _rays(origin, game.size) if each in targets), game.size)


@COMMANDS.command
def play_undo(game: HtpGame) -> None:
    """Take back the last move, or a resignation."""
    game.undo()


@COMMANDS.command
def protocol_version(_game: HtpGame) -> str:
    """Answer the version of this protocol."""
    return "1-beta"


@COMMANDS.command
def quit_(_game: HtpGame) -> None:
    """End the conversation; there is no answer."""


@COMMANDS.command
def show_board(game: HtpGame) -> Iterable[str]:
    """Answer a drawing below a line of its own: letters, frame, rows, frame, letters."""
    size = game.size
    letters = f"    {' '.join('ABCDEFGHIJKLM'[:size])} "
    bar = "─" * (2 * size + 1)
    yield ""
    yield letters
    yield f"  ┌{bar}┐"
    for rank in reversed(range(size)):
        row = " ".join(_mark(game.session.game, rank * size + file) for file in range(size))
        yield f"{rank + 1:2}│ {row} │{rank + 1:2}"
    yield f"  └{bar}┘"
    yield letters


@COMMANDS.command
def show_board_open_tafl(game: HtpGame) -> str:
    """Answer the rows from the top rank: A attackers, D defenders, K king."""
    return f"/{format_rows(game.session.game.board).upper()}/"


@COMMANDS.command
def time_settings(game: HtpGame, kind: str, minutes: str | None, add_seconds: str | None) -> None:
    """Begin a game ``un-timed``, or with ``fischer MINUTES ADD_SECONDS`` for each side."""
    usage = "message: time_settings: expected 'time_settings un-timed' or "
    usage += "'time_settings fischer MINUTES ADD_SECONDS'"
    if kind == "un-timed":
        control = UNLIMITED
    elif kind == "fischer" and minutes is not None and add_seconds is not None:
        what = "message: time_settings: arg {} is not an integer"
        main, increment = _number(minutes, what.format(2)), _number(add_seconds, what.format(3))
        control = TimeControl(main=60 * main, increment=increment)
    else:
        raise CommandError(usage)
    game.control = control if control.limited else None
    game.begin(game.size)


@COMMANDS.command
def version(_game: HtpGame) -> str:
    """Answer the version of the program."""
    return __version__


def _number(text: str, failure: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise CommandError(failure)
    return int(text)


def _rays(origin: int, size: int) -> Iterable[int]:
    """The squares in line with *origin* in the order of ``play_to``."""
    geometry = geometry_of(size)
    for file_step, rank_step in _DIRECTIONS:
        file, rank = geometry.file(origin) + file_step, geometry.rank(origin) + rank_step
        while 0 <= file < size and 0 <= rank < size:
            yield rank * size + file
            file, rank = file + file_step, rank + rank_step


def _mark(game: Game, square: int) -> str:
    piece = game.board.pieces[square]
    if piece is not None:
        return _SHOWN[piece]
    geometry = game.variant.geometry
    special = square == geometry.centre or square in geometry.corners
    # The peer marks them on its larger boards only.
    return "#" if special and game.variant.size > geometry_of(7).size else "."
