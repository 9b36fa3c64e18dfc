"""The game of one conversation of hnefatafl.org's text protocol.

What differs there from the rule set: the defenders may not bring back a placement
that has been on the board, whoever was to move. And there are clocks and resignation.
"""

import time
from typing import NamedTuple

from taflengine.clock import Clock, TimeControl
from taflengine.errors import CommandError, IllegalMoveError, Refusal
from taflengine.notation import Move
from taflengine.pieces import Side
from taflengine.protocol.choosing import choose, limits_of
from taflengine.protocol.session import Session
from taflengine.protocol.thinking import Thinking
from taflengine.rules import Outcome, Reason
from taflengine.variants.hnefatafl_org import BY_SIZE

REPEATED = "you already reached that position"
TURN = "it isn't your turn"
_RESTRICTED = "only the king may move to a restricted square"
_OVER = "the game is already over"
_REFUSALS = {
    Refusal.EMPTY: TURN,
    Refusal.OPPONENT: TURN,
    Refusal.TURN: TURN,
    Refusal.STILL: "you have to change location",
    Refusal.DIAGONAL: "you can only play in a straight line",
    Refusal.BLOCKED: "you have to play through empty locations",
    Refusal.THRONE_STOP: _RESTRICTED,
    Refusal.CORNER: _RESTRICTED,
    Refusal.GAME_OVER: _OVER,
}
"""How this protocol says why a move is refused."""


class Chosen(NamedTuple):
    """A move of the engine's and what it cost."""

    side: Side
    move: Move
    score: int
    """From the attackers' side, an attacker being 100."""
    milliseconds: int
    nodes: int


class HtpGame:
    """A game on a board of 7, 11 or 13, with its clocks.

    Args:
        session: Whose engine chooses moves; its game is this one's.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.control: TimeControl | None = None
        self.thinking = Thinking()
        """Its searches; to stop it ends this one and all that follow."""
        self.begin(BY_SIZE[11].size)

    @property
    def size(self) -> int:
        """Squares on a side of the board."""
        return self.session.game.variant.size

    @property
    def side_to_move(self) -> Side:
        """Whose turn it is."""
        return self.session.game.side_to_move

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, None while it goes on."""
        if self._given is not None:
            return self._given
        outcome = self.session.game.outcome
        if outcome is None and not self.allowed():
            return Outcome(self.side_to_move.other, Reason.NO_MOVES)
        return outcome

    def begin(self, size: int, first: Side | None = None) -> None:
        """Begin a game on a board of *size*, with full clocks.

        Raises:
            CommandError: there is no such board.
        """
        if size not in BY_SIZE:
            raise CommandError(f"message: an invalid board size was passed: {size}")
        self.session.begin(BY_SIZE[size], None, first)
        self._placements = [self._placement()]
        self._given: Outcome | None = None
        control = self.control
        self._clocks = {side: Clock(control) for side in Side} if control else {}
        self._since = time.monotonic()

    def allowed(self) -> list[Move]:
        """The moves that the side to move may make here."""
        game = self.session.game
        return [move for move in game.legal_moves() if not self._repeats(move)]

    def play(self, side: Side, move: Move) -> tuple[int, ...]:
        """Make *move* and return what it captures; nothing happens if the time is up.

        Raises:
            CommandError: it may not be made.
        """
        game = self.session.game
        self._require_turn(side)
        try:
            game.check(move)
        except IllegalMoveError as error:
            raise CommandError(f"play: {_REFUSALS.get(error.reason, error)}") from None
        if self._repeats(move):
            raise CommandError(f"play: {REPEATED}")
        if not self._in_time():
            return ()
        captured = game.play(move)
        self._placements.append(self._placement())
        return captured

    def resign(self, side: Side) -> None:
        """Let *side* give up.

        Raises:
            CommandError: it is not to move, or the game is over.
        """
        if not self.outcome and side is not self.side_to_move:
            raise CommandError("play: you can't resign for the other player")
        self._require_turn(side)
        self._given = Outcome(side.other, Reason.RESIGNATION)

    def undo(self) -> None:
        """Take back the resignation, or the last move.

        Raises:
            CommandError: nothing has been played.
        """
        if self._given is not None:
            self._given = None
        elif self.session.game.plies:
            self.session.game.undo()
            self._placements.pop()
        else:
            raise CommandError("play undo: it is the first move")
        self._since = time.monotonic()

    def generate(self) -> Chosen:
        """Choose a move for the side to move and make it.

        Raises:
            CommandError: the game is over.
        """
        if self.outcome:
            raise CommandError(f"message: play: {_OVER}")
        begun, side, allowed = time.monotonic(), self.side_to_move, self.allowed()
        limits = limits_of(self.session, allowed, self._clocks.get(side))
        move, report = choose(self.session, limits, allowed, self.thinking.reports)
        took = time.monotonic() - begun
        self.play(side, move)
        score, nodes = (report.score, report.nodes) if report else (0, 0)
        points = score if side is Side.ATTACKER else -score
        return Chosen(side, move, points, int(took * 1000), nodes)

    def _require_turn(self, side: Side) -> None:
        if self.outcome:
            raise CommandError(f"play: {_OVER}")
        if side is not self.side_to_move:
            raise CommandError(f"play: {TURN}")

    def _in_time(self) -> bool:
        """Account for the move that is being made."""
        now, side = time.monotonic(), self.side_to_move
        clock = self._clocks.get(side)
        if clock is not None and not clock.spend(now - self._since):
            self._given = Outcome(side.other, Reason.TIME)
            return False
        self._since = now
        return True

    def _placement(self) -> tuple[int, ...]:
        return tuple(self.session.game.position.pieces())

    def _repeats(self, move: Move) -> bool:
        """Whether *move*, a legal one, is one that the defenders may not make here."""
        if self.side_to_move is Side.ATTACKER:
            return False
        with self.session.game.trying(move):
            return self._placement() in self._placements
