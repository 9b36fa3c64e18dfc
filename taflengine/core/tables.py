"""A rule set turned once into lookup tables by square, piece and cell.

The compiled position copies these lists and asks nothing else of a rule set. One
look into a list tells what a piece may do on a square, or for whom it is a captor.
"""

from collections.abc import Iterable

from taflengine.core.codes import (
    ATTACKER,
    BORDER,
    BY_PIECE,
    CAMP,
    CORNER,
    CROSS,
    DEFENDER,
    DRAW,
    EMPTY,
    HARMLESS_CAMP,
    KING,
    LOSS_DEFENDERS,
    LOSS_MOVER,
    MAX_CELLS,
    NONE,
    OCCUPANT,
    OWN_MOVES,
    PIECE_SHIFT,
    PLAIN,
    STOP,
    THRONE,
    WIN_MOVER,
)
from taflengine.geometry import MAX_SIZE
from taflengine.pieces import Piece, Side
from taflengine.rules import Armed, Goal, NoMove, Repetition, Variant

CODES = {None: EMPTY, Piece.ATTACKER: ATTACKER, Piece.DEFENDER: DEFENDER, Piece.KING: KING}
PIECES = {code: piece for piece, code in CODES.items()}
SIDES = {Side.ATTACKER: ATTACKER, Side.DEFENDER: DEFENDER}

_REPETITION = {
    Repetition.NONE: NONE,
    Repetition.DRAW: DRAW,
    Repetition.LOSS_DEFENDERS: LOSS_DEFENDERS,
    Repetition.LOSS_MOVER: LOSS_MOVER,
    Repetition.WIN_MOVER: WIN_MOVER,
    Repetition.OWN_MOVES: OWN_MOVES,
}
_WORD = (1 << 64) - 1


class Tables:
    """What the core knows of a rule set. Lists by square are indexed by board array."""

    def __init__(self, variant: Variant) -> None:
        geometry, size = variant.geometry, variant.size
        self.size = size
        stride = size + 2
        self.squares = [
            (geometry.rank(square) + 1) * stride + geometry.file(square) + 1
            for square in range(geometry.area)
        ]
        """Of each square (a1 = 0) its index in the board array."""
        self.order = list(geometry.order)
        """Of each square its number when files are counted before ranks."""
        self.places = [BORDER] * MAX_CELLS
        """Of each index the place; squares off the board are BORDER."""
        self.siege = [0] * MAX_CELLS
        """How many sides of a king on each index must be closed: 4 or 2."""
        self.goal = [0] * MAX_CELLS
        """1 where the king wins."""
        self.goal_steps = [0] * MAX_CELLS
        """Of each index the steps to the nearest goal, as the files and ranks between."""
        goals = variant.goal_squares
        for square, index in enumerate(self.squares):
            self.places[index] = _place(variant, square)
            self.siege[index] = _siege(variant, square)
            self.goal[index] = int(square in goals)
            self.goal_steps[index] = min(_steps(size, square, end) for end in goals)
        self.camp = [0] * MAX_CELLS
        """Number of the camp group of each index, 0 for none."""
        for number, group in enumerate(variant.camp_groups, start=1):
            for square in group:
                self.camp[self.squares[square]] = number
        self.passage = _passage(variant)
        """By piece and cell: bits CROSS and STOP; 0 where the cell is not empty."""
        self.hostile = _hostile(variant)
        """By victim and cell: 1 where the cell stands for a captor of the victim."""
        self.keys = _zobrist(self.squares)
        """Zobrist keys of 64 bits by ``piece * MAX_CELLS + index``; the first is the side's."""
        reaches = (variant.attacker_reach, variant.defender_reach, variant.king_reach)
        self.reach = [0, *(reach or MAX_SIZE for reach in reaches)]
        """By piece, how many squares it may go in one move."""
        self.hammer = variant.king_armed in (Armed.BOTH, Armed.HAMMER)
        """Whether the king closes captures."""
        self.anvil = variant.king_armed in (Armed.BOTH, Armed.ANVIL)
        """Whether the king holds captures that others close."""
        self.linnaean = variant.linnaean and variant.throne
        self.shieldwall = variant.shieldwall
        self.exit_fort = variant.exit_fort
        self.encirclement = variant.encirclement
        self.goal_is_edge = variant.goal is Goal.EDGE
        self.no_move_draws = variant.no_move is NoMove.DRAW
        self.repetition = _REPETITION[variant.repetition]
        self.repetition_count = variant.repetition_count
        self.start_counts = variant.start_counts
        self.quiet_plies = variant.quiet_plies


def _steps(size: int, square: int, other: int) -> int:
    return abs(square % size - other % size) + abs(square // size - other // size)


def _place(variant: Variant, square: int) -> int:
    if variant.throne and square == variant.geometry.centre:
        return THRONE
    if square in variant.corner_squares:
        return CORNER
    if any(square in group for group in variant.camp_groups):
        return HARMLESS_CAMP if square in variant.harmless_squares else CAMP
    return PLAIN


def _siege(variant: Variant, square: int) -> int:
    centre = variant.geometry.centre
    if variant.throne and square == centre:
        return variant.king_sides_on_throne
    if variant.throne and square in variant.geometry.neighbours(centre):
        return variant.king_sides_beside_throne
    return variant.king_sides_elsewhere


def _codes(pieces: Iterable[Piece]) -> list[int]:
    return [CODES[piece] for piece in pieces]


def _passage(variant: Variant) -> list[int]:
    """Camp cells are open to attackers here; the mover also asks for his own group."""
    table = [0] * BY_PIECE
    for piece in (ATTACKER, DEFENDER, KING):
        row = piece << PIECE_SHIFT
        table[row | PLAIN] = CROSS | STOP
        stop = STOP if piece in _codes(variant.throne_stop) else 0
        cross = CROSS if piece in _codes(variant.throne_cross) else 0
        table[row | THRONE] = stop | cross
    table[KING << PIECE_SHIFT | CORNER] = CROSS | STOP
    for place in (CAMP, HARMLESS_CAMP):
        table[ATTACKER << PIECE_SHIFT | place] = CROSS | STOP
    return table


def _hostile(variant: Variant) -> list[int]:
    table = [0] * BY_PIECE
    captors = {ATTACKER: {DEFENDER}, DEFENDER: {ATTACKER}, KING: {ATTACKER}}
    if variant.king_armed in (Armed.BOTH, Armed.ANVIL):
        captors[ATTACKER].add(KING)
    by_place = {
        PLAIN: ((), ()),
        THRONE: (variant.throne_hostile_empty, variant.throne_hostile_occupied),
        CORNER: (variant.corner_hostile, variant.corner_hostile),
        CAMP: (variant.camp_hostile, variant.camp_hostile),
        HARMLESS_CAMP: (variant.camp_hostile - {Piece.ATTACKER},) * 2,
    }
    for victim, foes in captors.items():
        for place, (empty, occupied) in by_place.items():
            for occupant in range(OCCUPANT + 1):
                marked = _codes(occupied if occupant else empty)
                cell = victim << PIECE_SHIFT | place | occupant
                table[cell] = int(occupant in foes or victim in marked)
    table[KING << PIECE_SHIFT | BORDER] = int(variant.edge_hostile_to_king)
    return table


def _zobrist(squares: list[int]) -> list[int]:
    """Keys by SplitMix64 from a fixed seed, so that a position has one key everywhere."""
    keys = [0] * (4 * MAX_CELLS)
    keys[0] = _splitmix(0)
    for piece in (ATTACKER, DEFENDER, KING):
        for square, index in enumerate(squares):
            keys[piece * MAX_CELLS + index] = _splitmix(piece * MAX_CELLS + square)
    return keys


def _splitmix(number: int) -> int:
    word = (number + 1) * 0x9E3779B97F4A7C15 & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31
