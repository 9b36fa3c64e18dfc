"""Engines that speak HTP, the text protocol of hnefatafl.org.

An answer has no end mark, so the first line that begins with ``=`` or ``?`` is the
answer, and whatever else an engine writes is skipped. Only the games that the
protocol has a board size for can be played, from their starts.
"""

from collections.abc import Mapping, Sequence

from taflengine.clock import Clock, TimeControl
from taflengine.errors import BadReplyError, NotationError
from taflengine.notation import Move, parse_rows, quote
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import (
    REASON,
    Budget,
    Choice,
    Controller,
    Identity,
    Line,
    Link,
    Standing,
    Task,
)
from taflengine.protocol.dialects.htp_text import read_vertex, write_vertex
from taflengine.variants.hnefatafl_org import BY_SIZE
from taflengine.variants.opentafl import in_play

_MINUTE = 60
_LONGEST = 10_000
"""So many lines may come before an answer; a drawing has some twenty."""


class HtpController(Controller):
    """An engine that speaks HTP."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._size = 0
        self._sent = 0.0

    def start(
        self, options: Mapping[str, str], commands: Sequence[str], deadline: float
    ) -> Identity:
        """As ``Controller.start``; there are no options in this protocol."""
        if options:
            raise BadReplyError(f"HTP has no options, so {quote(next(iter(options)))} is none")
        self._ask("protocol_version", deadline)
        identity = Identity(self._ask("name", deadline), self._ask("version", deadline))
        for command in commands:
            self._ask(command, deadline)
        return identity

    def new_game(self, task: Task, deadline: float) -> None:
        """As ``Controller.new_game``."""
        game = task.game
        size = game.variant.size
        if size not in BY_SIZE or in_play(game.variant) != in_play(BY_SIZE[size]):
            played = ", ".join(f"{each.name} on {size}" for size, each in BY_SIZE.items())
            raise BadReplyError(f"HTP has only these games: {played}")
        if game.start != game.variant.start:
            raise BadReplyError("HTP cannot set up a position")
        self._size = size
        # Every one of these begins a game; the clocks go first, since the others keep them.
        self._ask(f"time_settings {_time_words(task.budget)}", deadline)
        self._ask(f"board_size {size}", deadline)
        if game.first is not game.variant.first:
            self._ask(f"first_move {game.first.value}", deadline)

    def played(self, side: Side, move: Move, deadline: float) -> frozenset[int]:
        """As ``Controller.played``."""
        text = self._ask(f"play {side.value} {self._vertices(move)}", deadline)
        try:
            return frozenset(read_vertex(word, self._size) for word in text.split())
        except NotationError as error:
            raise BadReplyError(f"play is answered {quote(text)}: {error}") from None

    def choose(self, side: Side, clocks: Mapping[Side, Clock], deadline: float) -> Choice:  # noqa: ARG002 -- it has clocks of its own
        """As ``Controller.choose``."""
        line = self._answer(f"generate_move {side.value}", deadline)
        seconds = line.time - self._sent
        words = line.text.removeprefix("=").partition(",")[0].split()
        match words:
            case ["play", _, "resigns", *_]:
                return Choice(None, seconds)
            case ["play", _, origin, target]:
                try:
                    squares = (read_vertex(word, self._size) for word in (origin, target))
                    return Choice(Move(*squares), seconds)
                except NotationError as error:
                    raise BadReplyError(f"generate_move: {error}") from None
        raise BadReplyError(f"generate_move is answered {quote(line.text)}")

    def standing(self, deadline: float) -> Standing | None:
        """As ``Controller.standing``; the board, and whether the game goes on."""
        status = self._ask("final_status", deadline)
        try:
            board = parse_rows(self._ask("show_board_open_tafl", deadline))
        except NotationError as error:
            raise BadReplyError(f"show_board_open_tafl: {error}") from None
        return Standing(board, None, status if status == "ongoing" else None)

    def quit(self, deadline: float) -> None:
        """As ``Controller.quit``."""
        self.link.send("quit", deadline)

    def _vertices(self, move: Move) -> str:
        return " ".join(write_vertex(square, self._size) for square in move)

    def _ask(self, line: str, deadline: float) -> str:
        """Send *line* and return the answer, which must be a success."""
        return self._answer(line, deadline).text.removeprefix("=").strip()

    def _answer(self, line: str, deadline: float) -> Line:
        self._sent = self.link.send(line, deadline)
        for _ in range(_LONGEST):
            answer = self.link.receive(deadline)
            if answer.text.startswith("?"):
                raise BadReplyError(
                    f"{quote(line)} is refused: {quote(answer.text[1:].strip(), REASON)}"
                )
            if answer.text.startswith("="):
                return answer
        raise BadReplyError(f"{quote(line)} has no answer within {_LONGEST} lines")


def _time_words(budget: Budget) -> str:
    """What HTP can say of *budget*.

    Raises:
        BadReplyError: it cannot say it.
    """
    if budget.nodes or budget.depth:
        raise BadReplyError("HTP cannot limit nodes or depth")
    control = budget.control
    whole = control.main % _MINUTE == 0 and control.increment % 1 == 0
    if control.limited and whole and control == TimeControl(control.main, control.increment):
        return f"fischer {int(control.main) // _MINUTE} {int(control.increment)}"
    # The referee's clock runs all the same; the engine does not know of it.
    return "un-timed"
