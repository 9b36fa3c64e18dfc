"""The game as an OTEP host tells it.

The host makes up its lists of moves from "the engine's last move" on, which it notes
too late: a list may begin with moves told before, hold the engine's own, or hold the
whole game. So the position record beside the list is the board, and the list only
helps to keep the history, which repetition is counted in.

There is one case in which the record is wrong: when a person plays on from an
earlier position the process is told ``finish``, and then moves of the new game with
the last position of the old one. Then the list is all there is.
"""

from taflengine.errors import IllegalMoveError
from taflengine.notation import Board, Move
from taflengine.pieces import Side
from taflengine.protocol.session import Session
from taflengine.variants.opentafl_strings import parse_position


class HostBoard:
    """Keeps the game of *session* in step with the host's board.

    Args:
        session: Its game stands at the start of the rules.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._start = session.game.board
        self._first = session.game.first
        self.sent: Move | None = None
        """The move that the engine has sent and the host has not confirmed."""
        self._refused: set[Move] = set()
        """Moves that the host does not take in the position that stands."""
        self._refused_in = session.game.key
        self._record = ""
        """The last position record."""
        self._stale: str | None = None
        """The record that says nothing: it was known when the last game ended."""
        self._ended = False
        """Whether nothing has been heard of the next game."""

    def set_up(self, board: Board) -> None:
        """Begin at *board*; the next list of moves may begin there too.

        Raises:
            NotationError: it is no board of these rules.
        """
        self._session.begin(self._session.game.variant, board)
        self._start, self._first = board, self._session.game.first
        self.sent, self._ended, self._stale = None, False, None

    def hear(self, moves: list[Move], record: str) -> None:
        """The moves since the engine's last one, more or less, and the position after them.

        Raises:
            NotationError: *record* is no position of these rules; nothing has changed.
        """
        if not record or (record == self._stale and moves):
            self._trust(moves)
            return
        side = self._session.game.side_to_move
        self._catch_up(moves, parse_position(record), side if self.sent else side.other)
        self._record, self._stale, self._ended, self.sent = record, None, False, None

    def confirm(self, record: str) -> None:
        """The position after the engine's own move.

        Raises:
            NotationError: *record* is no position of these rules; nothing has changed.
        """
        if record == self._stale:
            self._play_own()
            return
        self._catch_up([], parse_position(record), self._session.game.side_to_move.other)
        self._record, self.sent = record, None

    def refuse(self) -> None:
        """The host does not take the move that was sent."""
        if self.sent is not None:
            self._forget_refusals_of_others()
            self._refused.add(self.sent)
            self.sent = None

    def end(self) -> None:
        """The game has ended; perhaps another follows under the same rules."""
        self._stale, self._ended, self.sent = self._record, True, None

    def moves_of(self, side: Side) -> list[Move]:
        """The moves that *side*, whose turn it is as the host says, can try."""
        session = self._session
        if self._ended:
            self._restart()
        self._play_own()
        variant, board = session.game.variant, session.game.board
        if session.game.side_to_move is not side:
            session.begin(variant, board, side)
        if session.game.outcome:
            # The host plays on. So it counts repetitions otherwise, or has not seen a win:
            # what stands on the board may still have moves.
            session.begin(variant, board, side)
        self._forget_refusals_of_others()
        return [move for move in session.game.legal_moves() if move not in self._refused]

    def _catch_up(self, moves: list[Move], board: Board, side: Side) -> None:
        """Make the board *board*, by moves if any of the ways to read the list leads there.

        *side* is then to move, as far as that is known before the next ``play``.
        """
        session = self._session
        if session.game.board == board:
            return
        own = [self.sent] if self.sent else []
        for begin in range(len(moves) + 1):
            if self._leads(own + moves[begin:], board) or self._leads(moves[begin:], board):
                return
        before = session.game
        session.begin(before.variant, self._start, self._first)
        if self._leads(moves, board):
            return
        session.game = before
        session.begin(before.variant, board, side)

    def _leads(self, moves: list[Move], board: Board) -> bool:
        """Whether *moves* make the board *board*; if not, they are taken back."""
        game = self._session.game
        played = 0
        try:
            for move in moves:
                game.play(move)
                played += 1
        except IllegalMoveError:
            pass
        else:
            if game.board == board:
                return True
        if played:
            game.undo(played)
        return False

    def _trust(self, moves: list[Move]) -> None:
        """Make the moves that can be made; no position tells where they lead."""
        if self._ended:
            self._restart()
        self._play_own()
        for move in moves:
            try:
                self._session.game.play(move)
            except IllegalMoveError:
                continue

    def _play_own(self) -> None:
        """Make the move that was sent: nobody has refused it."""
        if self.sent is not None:
            move, self.sent = self.sent, None
            try:
                self._session.game.play(move)
            except IllegalMoveError:
                return

    def _restart(self) -> None:
        self._session.begin(self._session.game.variant, self._start, self._first)
        self._ended, self.sent = False, None

    def _forget_refusals_of_others(self) -> None:
        """Refusals count in one position only."""
        key = self._session.game.key
        if key != self._refused_in:
            self._refused.clear()
            self._refused_in = key
