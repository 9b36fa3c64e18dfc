"""The vocabulary of a rule set: everything that can be said about a tafl game.

A rule set is a value. No code asks for its name; code asks the parameter. The
names of the fields are the words of ``rules NAME``, of rule files and of the
explanation given to people.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from taflengine.errors import NotationError, RulesError
from taflengine.geometry import Geometry, geometry_of
from taflengine.notation import Board, parse_picture, parse_square, square_name
from taflengine.pieces import EVERYBODY, KING_ONLY, MEN, NOBODY, Piece, Side

Pieces = frozenset[Piece]
MAX_QUIET_PLIES = 1_000_000_000
"""More than any game lasts; the core counts no further."""
UNLIMITED = 0
"""A reach of any number of squares."""


class Goal(Enum):
    """Where the king wins."""

    CORNER = "corner"
    EDGE = "edge"


class Armed(Enum):
    """What the king does in a custodial capture: close it (hammer), hold it (anvil)."""

    BOTH = "both"
    HAMMER = "hammer"
    ANVIL = "anvil"
    NEITHER = "neither"


class NoMove(Enum):
    """What happens to a side that has no legal move on its turn."""

    LOSS = "loss"
    DRAW = "draw"


class Repetition(Enum):
    """What a repeated position, or a player's repeated move, leads to."""

    NONE = "none"
    DRAW = "draw"
    LOSS_DEFENDERS = "loss-defenders"
    LOSS_MOVER = "loss-mover"
    WIN_MOVER = "win-mover"
    OWN_MOVES = "own-moves"


class Calls(Enum):
    """Warnings that the rules want spoken. They change nothing in play."""

    NONE = "none"
    RAICHI = "raichi"
    WATCH_YOUR_KING = "watch-your-king"


class Reason(Enum):
    """Why a game has ended; the first eight follow from the rules alone."""

    KING_CAPTURED = "king-captured"
    ENCIRCLEMENT = "encirclement"
    CORNER = "corner"
    EDGE = "edge"
    EXIT_FORT = "exit-fort"
    NO_MOVES = "no-moves"
    REPETITION = "repetition"
    QUIET_MOVES = "quiet-moves"
    AGREEMENT = "agreement"
    RESIGNATION = "resignation"
    TIME = "time"
    ILLEGAL_MOVE = "illegal-move"
    DISCONNECT = "disconnect"
    MAX_MOVES = "max-moves"
    ADJUDICATION = "adjudication"


class Outcome(NamedTuple):
    """Who has won, None for a draw, and why. A game that goes on has no outcome."""

    winner: Side | None
    reason: Reason

    def __str__(self) -> str:
        return f"{self.winner.value if self.winner else 'draw'} {self.reason.value}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Variant:
    """The rules of one game and its start. The defaults are those of the house game.

    Words used below: *hostile to* a piece is a square that can stand for one of
    the two captors of that piece. To *stop* is to end a move on a square, to
    *cross* is to slide over it while it is empty.

    Raises:
        RulesError: the values contradict each other; the message names the field.
    """

    name: str
    """Lower case, digits and dashes; what ``newgame`` takes."""
    summary: str
    """The game in one line."""
    source: str
    """Where the rules come from, and what was decided where the source is silent."""
    board: str
    """The start as a drawing: a attacker, d defender, k king, a dot for empty; top rank first."""
    aliases: tuple[str, ...] = ()
    """Other names that ``newgame`` takes."""
    first: Side = Side.ATTACKER
    """The side that moves first."""

    attacker_reach: int = UNLIMITED
    """How many squares an attacker may go in one move; 0 is any number."""
    defender_reach: int = UNLIMITED
    """The same for the defenders' men."""
    king_reach: int = UNLIMITED
    """The same for the king."""

    throne: bool = True
    """Whether the centre is a throne. Where it is not, the throne's other rules are idle."""
    throne_stop: Pieces = KING_ONLY
    """Who may stop on the throne. The king starts there in any case."""
    throne_cross: Pieces = EVERYBODY
    """Who may cross the empty throne."""
    throne_hostile_empty: Pieces = EVERYBODY
    """To whom the empty throne is hostile."""
    throne_hostile_occupied: Pieces = NOBODY
    """To whom the throne is hostile while a piece stands on it."""

    corners: int = 1
    """Side of the marked region in each corner: 0 none, 1 one square, 2 four squares.

    Only the king may stop on a marked corner square.
    """
    corner_hostile: Pieces = MEN
    """To whom marked corner squares are hostile."""
    edge_hostile_to_king: bool = False
    """Whether the board's edge closes a side of a king who must be closed in on four."""

    camps: tuple[tuple[str, ...], ...] = ()
    """Groups of marked squares of the attackers, by name.

    An attacker on a camp square may move within his own group; nobody else may
    stop on a camp square or cross one.
    """
    camp_hostile: Pieces = NOBODY
    """To whom camp squares are hostile, empty or occupied."""
    camp_harmless_to_attackers: tuple[str, ...] = ()
    """Camp squares that are hostile to no attacker, whatever ``camp_hostile`` says."""

    king_armed: Armed = Armed.BOTH
    """What part the king takes in capturing attackers."""
    king_sides_on_throne: int = 4
    """How many sides of the king must be closed on the throne: 4, or 2 on one line."""
    king_sides_beside_throne: int = 4
    """The same on the four squares beside the throne."""
    king_sides_elsewhere: int = 4
    """The same on all other squares, and everywhere where there is no throne."""
    goal: Goal = Goal.CORNER
    """Where the king wins: on a marked corner square, or on any edge square outside camps."""

    shieldwall: bool = False
    """Whether a row along the edge, fronted and closed at both ends, is taken at once."""
    exit_fort: bool = False
    """Whether a king on the edge inside an unbreakable fort of his own has won."""
    encirclement: bool = False
    """Whether the attackers win when no defender can reach the edge past them."""
    linnaean: bool = False
    """Whether a defender beside the king on the throne is taken against the throne
    while attackers hold the king's three other sides."""

    no_move: NoMove = NoMove.LOSS
    """What happens to a side without a legal move."""
    repetition: Repetition = Repetition.DRAW
    """What repetition leads to."""
    repetition_count: int = 3
    """Which occurrence of a position counts as repetition: the second or the third."""
    start_counts: bool = True
    """Whether the start is the first occurrence of its position."""
    captures_clear_positions: bool = False
    """Whether the rules say that positions before a capture are forgotten.

    It changes nothing: after a capture no earlier position can return.
    """
    quiet_plies: int = 0
    """A draw after so many plies, of both sides together, without a capture; 0 is never."""
    calls: Calls = Calls.NONE
    """Which warnings are spoken."""

    def __post_init__(self) -> None:
        _check(self)

    def __repr__(self) -> str:
        return f"<Variant {self.name}>"

    @cached_property
    def start(self) -> Board:
        """The start as a value."""
        try:
            return parse_picture(self.board)
        except NotationError as error:
            raise RulesError(f"board: {error}") from None

    @property
    def size(self) -> int:
        """Squares on a side of the board."""
        return self.start.size

    @property
    def geometry(self) -> Geometry:
        """The squares of the board."""
        return geometry_of(self.size)

    @cached_property
    def corner_squares(self) -> frozenset[int]:
        """The marked corner squares."""
        return self.geometry.corner_squares(self.corners)

    @cached_property
    def camp_groups(self) -> tuple[frozenset[int], ...]:
        """The camps as sets of squares."""
        return tuple(
            frozenset(_square(self, "camps", name) for name in group) for group in self.camps
        )

    @cached_property
    def harmless_squares(self) -> frozenset[int]:
        """The camp squares that are hostile to no attacker."""
        key = "camp_harmless_to_attackers"
        return frozenset(_square(self, key, name) for name in self.camp_harmless_to_attackers)

    @cached_property
    def goal_squares(self) -> frozenset[int]:
        """The squares on which the king wins."""
        if self.goal is Goal.CORNER:
            return self.corner_squares
        edge = frozenset(filter(self.geometry.is_edge, range(self.geometry.area)))
        return edge.difference(*self.camp_groups)

    def misplaced(self, board: Board) -> str | None:
        """What is wrong with the first piece of *board* that may not be where it is.

        None if all may. The king may be on any throne or corner, an attacker in any camp.
        """
        camps = frozenset[int]().union(*self.camp_groups)
        for square, piece in enumerate(board.pieces):
            place = ""
            if square in self.corner_squares and piece is not Piece.KING:
                place = "a corner square"
            if self.throne and square == self.geometry.centre:
                place = "" if piece in self.throne_stop | KING_ONLY else "the throne"
            if square in camps and piece is not Piece.ATTACKER:
                place = "a camp square"
            if piece and place:
                name = square_name(square, board.size)
                return f"the {piece.value} on {name} may not stand on {place}"
        return None


def _square(variant: Variant, key: str, name: str) -> int:
    try:
        return parse_square(name, variant.size)
    except NotationError as error:
        raise RulesError(f"{key}: {error}") from None


def _check(variant: Variant) -> None:
    """Raise RulesError for the first thing in *variant* that cannot be played."""
    start, geometry = variant.start, variant.geometry
    kings = len(start.squares_of(Piece.KING))
    if kings != 1:
        raise RulesError(f"board: {kings} kings stand on it, one is needed")
    for key in ("attacker_reach", "defender_reach", "king_reach"):
        if not 0 <= getattr(variant, key) < variant.size:
            raise RulesError(f"{key}: allowed are 0 (any number of squares) to {variant.size - 1}")
    if variant.corners not in (0, 1, 2):
        raise RulesError("corners: allowed are 0 (none), 1 (one square) and 2 (four squares)")
    for key in ("king_sides_on_throne", "king_sides_beside_throne", "king_sides_elsewhere"):
        if getattr(variant, key) not in (2, 4):
            raise RulesError(f"{key}: allowed are 2 (on one line) and 4")
    if variant.repetition_count not in (2, 3):
        raise RulesError("repetition_count: allowed are 2 and 3")
    if variant.repetition is Repetition.OWN_MOVES and variant.repetition_count != 3:
        raise RulesError("repetition_count: own-moves counts to 3")
    if not 0 <= variant.quiet_plies <= MAX_QUIET_PLIES:
        raise RulesError(f"quiet_plies: allowed are 0 (never) to {MAX_QUIET_PLIES}")
    if variant.goal is Goal.CORNER and not variant.corners:
        raise RulesError("goal: a king who wins in a corner needs corners of 1 or 2")
    if variant.goal is Goal.EDGE and variant.corners:
        raise RulesError("corners: where the king wins on the edge no corner is marked")
    if variant.exit_fort and variant.goal is Goal.EDGE:
        raise RulesError("exit_fort: a king who wins on the edge needs no fort there")
    camp_squares = [square for group in variant.camp_groups for square in group]
    if len(camp_squares) != len(set(camp_squares)):
        raise RulesError("camps: a square stands in two groups")
    for square in variant.harmless_squares - set(camp_squares):
        name = square_name(square, variant.size)
        raise RulesError(f"camp_harmless_to_attackers: {name} is no camp square")
    if variant.throne and geometry.centre in camp_squares:
        raise RulesError("camps: the throne cannot be a camp square")
    if set(camp_squares) & variant.corner_squares:
        raise RulesError("camps: a marked corner cannot be a camp square")
    misplaced = variant.misplaced(start)
    if misplaced:
        raise RulesError(f"board: {misplaced}")
    if not variant.goal_squares:
        raise RulesError("camps: they cover the whole edge, the king has no goal")
    if start.squares_of(Piece.KING)[0] in variant.goal_squares:
        raise RulesError("board: the king stands on his goal at the start")
