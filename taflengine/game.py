"""A game: a position with its history. What a person, a session or a referee holds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import NamedTuple

from taflengine.core import codes
from taflengine.core.endings import judge
from taflengine.core.perft import perft
from taflengine.core.position import Position
from taflengine.core.tables import CODES, PIECES, SIDES, Tables
from taflengine.errors import GameOverError, IllegalMoveError, NotationError, Refusal
from taflengine.geometry import Geometry, geometry_of
from taflengine.notation import Board, Move, format_move, format_squares, parse_move
from taflengine.pieces import Piece, Side
from taflengine.rules import Outcome, Reason, Variant
from taflengine.variants import DEFAULT, find_variant

_SIDE_OF = {code: side for side, code in SIDES.items()}
_REASONS = {
    codes.KING_CAPTURED: Reason.KING_CAPTURED,
    codes.ENCIRCLEMENT: Reason.ENCIRCLEMENT,
    codes.AT_CORNER: Reason.CORNER,
    codes.AT_EDGE: Reason.EDGE,
    codes.EXIT_FORT: Reason.EXIT_FORT,
    codes.NO_MOVES: Reason.NO_MOVES,
    codes.REPETITION: Reason.REPETITION,
    codes.QUIET: Reason.QUIET_MOVES,
}


PERFT_STEP = 2
"""So many plies are counted without a look at signals."""


class Ply(NamedTuple):
    """A move that was played, and the squares it captured, ascending."""

    move: Move
    captured: tuple[int, ...]


class _Moves(dict[int, Move]):
    """The core's numbers of moves on one board size as moves, made when first asked for."""

    def __init__(self, geometry: Geometry) -> None:
        super().__init__()
        self._geometry = geometry

    def __missing__(self, number: int) -> Move:
        origin, target = divmod(number, self._geometry.area)
        move = Move(self._geometry.by_file[origin], self._geometry.by_file[target])
        self[number] = move
        return move


@cache
def _moves_of(size: int) -> _Moves:
    return _Moves(geometry_of(size))


@lru_cache(maxsize=64)
def _tables_of(variant: Variant) -> Tables:
    return Tables(variant)


class Game:
    """A game under one rule set, from its start or from a position set up by hand.

    For one thread at a time: while it is searched nobody else may ask it anything.
    """

    def __init__(
        self,
        variant: Variant | str = DEFAULT,
        board: Board | None = None,
        side: Side | None = None,
        *,
        enforce_repetition: bool = True,
    ) -> None:
        """Begin a game.

        Args:
            variant: A rule set, or the name of a built-in one.
            board: Who stands where, in place of the rule set's start.
            side: Who moves first, in place of the rule set's.
            enforce_repetition: Whether repeated positions or moves end the game
                as the rule set says. False is for records of games that went on.

        Raises:
            NotationError: no such rule set, or a board that the rule set cannot have.
        """
        self.variant = find_variant(variant) if isinstance(variant, str) else variant
        self.start = self.variant.start if board is None else check_board(self.variant, board)
        self.first = side or self.variant.first
        self._position = Position(_tables_of(self.variant))
        self._position.set_up([CODES[piece] for piece in self.start.pieces], SIDES[self.first])
        self._enforce_repetition = enforce_repetition
        self._position.enforce_repetition(enforce_repetition)
        self._moves = _moves_of(self.variant.size)
        self._plies: list[Ply] = []
        self._outcome = self._judge()

    @property
    def position(self) -> Position:
        """The core's position, for search. Who makes moves on it takes them all back."""
        return self._position

    @property
    def side_to_move(self) -> Side:
        """The side whose turn it is, after the end the one whose turn it would be."""
        return _SIDE_OF[self._position.side]

    @property
    def board(self) -> Board:
        """Who stands where now."""
        pieces = tuple([PIECES[code] for code in self._position.pieces()])
        return Board(self.variant.size, pieces)

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The moves played since the start, in order."""
        return tuple(self._plies)

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, None while it goes on."""
        return self._outcome

    @property
    def key(self) -> int:
        """A number of 64 bits for placement and side to move, the same in every process."""
        return self._position.key

    @property
    def enforce_repetition(self) -> bool:
        """Whether repetition ends the game; may be set at any time."""
        return self._enforce_repetition

    @enforce_repetition.setter
    def enforce_repetition(self, on: bool) -> None:
        self._enforce_repetition = on
        self._position.enforce_repetition(on)
        self._outcome = self._judge()

    def legal_moves(self, side: Side | None = None) -> list[Move]:
        """All legal moves, sorted by origin, then target, files before ranks.

        Args:
            side: Whose moves; by default those of the side to move. The other
                side's are given as if it were its turn.

        After the end there are none.
        """
        if self._outcome:
            return []
        code = SIDES[side] if side else self._position.side
        return [self._moves[number] for number in self._position.legal_moves(code)]

    def moves_from(self, square: int) -> list[Move]:
        """The legal moves of the piece on *square*, whoever is to move; none after the end.

        Raises:
            ValueError: *square* is not on the board.
        """
        self._require_square(square)
        if self._outcome:
            return []
        return [self._moves[number] for number in self._position.moves_from(square)]

    def play(
        self, move: Move, captures: frozenset[int] | None = None, by: Side | None = None
    ) -> tuple[int, ...]:
        """Make *move* and return the squares it captures, ascending, the king's included.

        Args:
            move: A move of the side to move.
            captures: The squares that somebody says it captures. The king's may
                be missing. None is not compared.
            by: The side that moves, if somebody says so.

        Raises:
            IllegalMoveError: the rules refuse the move, the game has ended, it is
                not the turn of *by*, or *captures* are not the ones made. The game
                is unchanged.
        """
        self.check(move, by)
        king = self._position.king_square()
        captured = tuple(self._position.play(move.origin, move.target))
        if captures is not None and captures not in (
            frozenset(captured),
            frozenset(captured) - {king},
        ):
            self._position.undo()
            raise IllegalMoveError(Refusal.CAPTURES, self._capture_dispute(move, captured))
        self._plies.append(Ply(move, captured))
        self._outcome = self._judge()
        return captured

    def play_text(self, text: str) -> tuple[int, ...]:
        """Make the move written as *text*, for instance ``e4-e7xe8``, and return what it captures.

        Raises:
            NotationError: *text* is no move on this board.
            IllegalMoveError: as ``play``, with the captures that *text* names.
        """
        written = parse_move(text, self.variant.size)
        return self.play(written.move, written.captures)

    def check(self, move: Move, by: Side | None = None) -> None:
        """Raise what ``play`` would raise for *move* by *by*, captures apart."""
        self._require_square(move.origin)
        self._require_square(move.target)
        position = self._position
        if self._outcome:
            text = f"{self._text(move)}: {describe(self._outcome)}"
            raise IllegalMoveError(Refusal.GAME_OVER, text)
        side = self.side_to_move
        if by not in (None, side):
            text = f"{self._text(move)}: {Refusal.TURN.value}, {side.value} is to move"
            raise IllegalMoveError(Refusal.TURN, text)
        owner = PIECES[position.piece_at(move.origin)]
        if owner and owner.side is side and position.allows(move.origin, move.target):
            return
        # Imported here because a game without an illegal move never needs it.
        from taflengine.refusals import refusal_of

        reason, sentence = refusal_of(self.variant, self.board, side, move)
        raise IllegalMoveError(reason, f"{self._text(move)}: {sentence}")

    @contextmanager
    def trying(self, move: Move) -> Iterator[Outcome | None]:
        """Make a legal *move* for the length of a ``with`` block; yields how the game then stands.

        Inside the block only ``position`` shows the move.

        Raises:
            ValueError: *move* leaves the board.
        """
        self._require_square(move.origin)
        self._require_square(move.target)
        self._position.play(move.origin, move.target)
        try:
            yield self._judge()
        finally:
            self._position.undo()

    def undo(self, plies: int = 1) -> None:
        """Take back *plies* moves, at least one.

        Raises:
            ValueError: fewer moves have been played; the game is unchanged.
        """
        if not 1 <= plies <= len(self._plies):
            played = len(self._plies)
            if not played:
                raise ValueError("no move has been played")
            raise ValueError(f"{plies} plies: allowed are 1 to {played}")
        for _ in range(plies):
            self._position.undo()
        del self._plies[-plies:]
        self._outcome = self._judge()

    def divide(self, depth: int, pause: Callable[[], None] = lambda: None) -> dict[Move, int]:
        """Of each legal move the number of sequences of *depth* moves that begin with it.

        A finished game has no moves. What has been played counts towards repetition.

        Args:
            depth: At least 1.
            pause: Called every few thousand sequences; what it raises ends the count and
                leaves the game unchanged.

        Raises:
            ValueError: *depth* is less than 1.
        """
        if depth < 1:
            raise ValueError(f"depth {depth}: a move takes one ply")
        counts = {}
        for move in self.legal_moves():
            with self.trying(move):
                counts[move] = self._count(depth - 1, pause)
        return counts

    def best_move(
        self, seconds: float | None = None, nodes: int | None = None, depth: int | None = None
    ) -> Move:
        """The best move that a search finds for the side to move; it is not played.

        For more than the move, or for many searches, see ``taflengine.Searcher``.

        Args:
            seconds: Time for the search, on the wall; a second if nothing else limits it.
            nodes: Positions for the search.
            depth: Plies that are looked ahead.

        Raises:
            GameOverError: the game has ended.
        """
        if self._outcome:
            raise GameOverError(describe(self._outcome))
        # Imported here because the search stands on games; the test of layers allows it once.
        from taflengine.engines.engine import Limits
        from taflengine.engines.search import SearchEngine

        if seconds is None and nodes is None and depth is None:
            seconds = 1.0
        return SearchEngine(Limits(depth, nodes, seconds)).choose(self, None)

    def copy(self) -> "Game":
        """A game of its own that stands where this one stands, with the same history."""
        enforce = self._enforce_repetition
        twin = Game(self.variant, self.start, self.first, enforce_repetition=enforce)
        for ply in self._plies:
            twin._position.play(ply.move.origin, ply.move.target)
        twin._plies = list(self._plies)
        twin._outcome = self._outcome
        return twin

    def _count(self, depth: int, pause: Callable[[], None]) -> int:
        """The number of sequences of *depth* moves from the core's position.

        The core counts a few plies at a time: between them a signal is heeded.
        """
        pause()
        if depth <= PERFT_STEP or self._judge():
            return int(perft(self._position, depth))
        total = 0
        for number in self._position.legal_moves(self._position.side):
            with self.trying(self._moves[number]):
                total += self._count(depth - 1, pause)
        return total

    def perft(self, depth: int, pause: Callable[[], None] = lambda: None) -> int:
        """The number of sequences of exactly *depth* legal moves, as ``divide`` counts them."""
        return 1 if depth == 0 else sum(self.divide(depth, pause).values())

    def _require_square(self, square: int) -> None:
        area = self.variant.geometry.area
        if not 0 <= square < area:
            raise ValueError(f"square {square}: the board has 0 to {area - 1}")

    def _judge(self) -> Outcome | None:
        ending = judge(self._position)
        if ending == codes.ONGOING:
            return None
        winner, reason = divmod(ending, 1 << codes.WINNER_SHIFT)
        return Outcome(_SIDE_OF.get(winner), _REASONS[reason])

    def _text(self, move: Move) -> str:
        return format_move(move, self.variant.size)

    def _capture_dispute(self, move: Move, captured: tuple[int, ...]) -> str:
        names = format_squares(captured, self.variant.size)
        return f"{self._text(move)}: {Refusal.CAPTURES.value}: {names or 'none'}"


def describe(outcome: Outcome) -> str:
    """*outcome* in words, for instance ``game over: defender wins (corner)``."""
    verdict = f"{outcome.winner.value} wins" if outcome.winner else "draw"
    return f"game over: {verdict} ({outcome.reason.value})"


def check_board(variant: Variant, board: Board) -> Board:
    """*board*, if it can stand on the board of *variant*.

    Raises:
        NotationError: wrong size, not exactly one king, or a piece where it may not be.
    """
    if board.size != variant.size:
        raise NotationError(
            f"position of {board.size} rows: the board of {variant.name} has {variant.size}"
        )
    if len(board.pieces) != board.size**2:
        raise NotationError(f"position of {len(board.pieces)} squares: needed are {board.size**2}")
    kings = len(board.squares_of(Piece.KING))
    if kings != 1:
        raise NotationError(f"position with {kings} kings: one is needed")
    misplaced = variant.misplaced(board)
    if misplaced:
        raise NotationError(f"position: {misplaced}")
    return board
