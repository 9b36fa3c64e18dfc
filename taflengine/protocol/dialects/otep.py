"""OTEP, OpenTafl's engine protocol: unacknowledged lines both ways.

The host's lists of moves cannot be trusted, its positions nearly always: see
``otep_board``. Nothing but an internal fault goes to standard error, which the host does not read.
"""

import re
from collections import deque
from collections.abc import Callable
from threading import Lock

from taflengine.clock import Clock, TimeControl
from taflengine.engines.engine import Limits
from taflengine.errors import NotationError, TaflError
from taflengine.notation import format_move, parse_side, quote
from taflengine.pieces import Side
from taflengine.protocol.choosing import choose, limits_of
from taflengine.protocol.dialects.otep_board import HostBoard
from taflengine.protocol.dialects.otep_text import format_analysis, read_moves
from taflengine.protocol.loop import fault_line
from taflengine.protocol.session import Session
from taflengine.protocol.streams import Output
from taflengine.protocol.thinking import Thinking
from taflengine.variants.opentafl import parse_opentafl
from taflengine.variants.opentafl_strings import parse_position

LEAST_MARGIN = 0.25
"""Seconds kept back at least: the host looks at its clocks ten times a second."""
MAX_ANALYSIS = 86_400
MAX_LINES = 500


class Question(Thinking):
    """A ``play`` or ``analyze`` from its arrival to its answer."""

    def __init__(self) -> None:
        super().__init__()
        self._answering = Lock()
        self._unwanted = False

    def cancel(self) -> None:
        """Nobody wants the answer any more; once this returns none comes."""
        with self._answering:
            self._unwanted = True
        self.stop()

    def answer(self, output: Output, line: str) -> bool:
        """Write *line* and a newline, unless nobody wants it; whether it was written."""
        with self._answering:
            if not self._unwanted:
                output.write(f"{line}\n")
            return not self._unwanted


class Otep:
    """The engine's side of OTEP.

    Args:
        session: Whose engine chooses moves.
        output: Takes what there is to say; ``hello`` at once.
    """

    def __init__(self, session: Session, output: Output) -> None:
        output.write("hello\n")
        self.session = session
        self._output = output
        self._questions: deque[Question] = deque()
        """Those that have not been answered; the first may be at work."""
        self._board: HostBoard | None = None
        """None while there are no rules that can be played."""
        self._side: Side | None = None
        """The side to move in an analysis, as the host says."""
        self._clock: list[str] = []
        """The fields of the last ``clock``."""

    def overhear(self, line: bytes) -> bool:
        """Note questions when they come, and drop them when they are not wanted any more."""
        words = _words(line)
        match words[0] if words else "":
            case "play" | "analyze":
                self._questions.append(Question())
            case "finish" | "goodbye":
                self._cancel_all()
        return False

    def hang_up(self, *, lost: bool) -> None:  # noqa: ARG002
        """The host has gone."""
        self._cancel_all()

    def handle(self, line: bytes) -> bool:
        """Run *line*; True for ``goodbye``. What is not known is skipped."""
        words = _words(line)
        command = COMMANDS.get(words[0]) if words else None
        if command is not None:
            try:
                command(self, words[1:])
            except OSError:
                raise  # nobody reads the answers
            except TaflError as error:
                self._say(f"status {error}")
            except Exception as error:
                self._say(f"status {fault_line(error)}")
        return words[:1] == ["goodbye"]

    def rules(self, words: list[str]) -> None:
        """Begin a game under a rules string; ``error -1`` answers rules that cannot be played."""
        self._board = None
        self._clock = []
        try:
            variant = parse_opentafl(" ".join(words))
        except TaflError as error:
            self._say(f"error -1 {error}")
            return
        self.session.begin(variant)
        self._board = HostBoard(self.session)

    def position(self, words: list[str]) -> None:
        """Set up a position record, for an analysis."""
        board = self._require_board()
        board.set_up(parse_position(" ".join(words)))

    def side(self, words: list[str]) -> None:
        """Say who is to move in the position to be analysed."""
        self._side = parse_side(" ".join(words))

    def clock(self, words: list[str]) -> None:
        """Tell both clocks: milliseconds, with a star those of a period; then the periods."""
        self._clock = words

    def opponent_move(self, words: list[str]) -> None:
        """Tell the moves since the engine's last one and the position after them."""
        board = self._require_board()
        moves = read_moves(words[0] if words else "", self.session.game.variant.size)
        board.hear(moves, " ".join(words[1:]))

    def move(self, words: list[str]) -> None:
        """Tell the position after the engine's own move, which has been accepted."""
        self._require_board().confirm(" ".join(words))

    def error(self, _words: list[str]) -> None:
        """Refuse the engine's last move; at the next ``play`` it tries another."""
        if self._board is not None:
            self._board.refuse()

    def play(self, words: list[str]) -> None:
        """Ask for a move of a side, answered by ``move FROM-TO``."""
        question = self._questions[0]
        try:
            board = self._require_board()
            side = parse_side(" ".join(words))
            moves = board.moves_of(side)
            if not moves:
                question.answer(self._output, "error -1 there is no legal move left")
                return
            clock = _clock_of(self._clock, side)
            limits = limits_of(self.session, moves, clock, LEAST_MARGIN)
            move, _ = choose(self.session, limits, moves, question.reports)
            size = self.session.game.variant.size
            if question.answer(self._output, f"move {format_move(move, size)}"):
                board.sent = move
        finally:
            self._questions.popleft()

    def analyze(self, words: list[str]) -> None:
        """Ask for the N best moves within S seconds, answered by ``analysis``."""
        question = self._questions[0]
        try:
            count, seconds = _analysis_request(words)
            board = self._require_board()
            game = self.session.game
            if not board.moves_of(self._side or game.side_to_move):
                question.answer(self._output, "status there is no move to analyse")
                return
            *_, report = question.reports(self.session, Limits(seconds=seconds), count)
            game = self.session.game
            question.answer(
                self._output, format_analysis(report, game.side_to_move, game.variant.size)
            )
        finally:
            self._questions.popleft()

    def finish(self, _words: list[str]) -> None:
        """Tell that the game has ended; it may be told twice."""
        if self._board is not None:
            self._board.end()

    def _require_board(self) -> HostBoard:
        if self._board is None:
            raise NotationError("there are no rules that can be played")
        return self._board

    def _cancel_all(self) -> None:
        for question in tuple(self._questions):
            question.cancel()

    def _say(self, line: str) -> None:
        # Plain letters only: the host reads bytes.
        self._output.write(f"{line.encode('ascii', 'replace').decode()}\n")


COMMANDS: dict[str, Callable[[Otep, list[str]], None]] = {
    "rules": Otep.rules,
    "position": Otep.position,
    "side": Otep.side,
    "clock": Otep.clock,
    "opponent-move": Otep.opponent_move,
    "move": Otep.move,
    "error": Otep.error,
    "play": Otep.play,
    "analyze": Otep.analyze,
    "finish": Otep.finish,
    "goodbye": lambda _otep, _words: None,
}
"""Every line that a host may send, by its first word."""


def _words(line: bytes) -> list[str]:
    return line.decode(errors="replace").split()


def _analysis_request(words: list[str]) -> tuple[int, float]:
    if len(words) != 2 or not all(re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", word) for word in words):
        raise NotationError(f"{quote(' '.join(words))}: say how many moves and how many seconds")
    count, seconds = (float(word) for word in words)
    return max(1, min(int(count), MAX_LINES)), min(seconds, MAX_ANALYSIS)


def _clock_of(fields: list[str], side: Side) -> Clock | None:
    """The clock of *side* from the five fields of ``clock``; None if it has no limit."""
    shape = r"[0-9]{1,12}\*? [0-9]{1,12}\*? [0-9]{1,9} [0-9]{1,9} [0-9]{1,9}"
    if re.fullmatch(shape, " ".join(fields)) is None:
        return None
    own = 0 if side is Side.ATTACKER else 1
    left = int(fields[own].rstrip("*")) / 1000
    period, periods = int(fields[2]), int(fields[3 + own])
    if fields[own].endswith("*"):
        clock = Clock(TimeControl(period=max(1, period), moves=1))
        clock.set(left, 1)
        return clock
    if period and periods:
        return Clock(TimeControl(main=left, period=period, moves=1))
    return Clock(TimeControl(main=left))
