"""How a game ends by the rules: one function for each, and their order.

``judge`` answers 0 while the game goes on, else ``winner << WINNER_SHIFT |
reason`` with winner 0 for a draw. Nothing here changes the position.
"""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

from taflengine.core import codes
from taflengine.core.position import Position

EMPTY = cython.declare(cython.int, codes.EMPTY)
ATTACKER = cython.declare(cython.int, codes.ATTACKER)
DEFENDER = cython.declare(cython.int, codes.DEFENDER)
KING = cython.declare(cython.int, codes.KING)
OCCUPANT = cython.declare(cython.int, codes.OCCUPANT)
BORDER = cython.declare(cython.int, codes.BORDER)
PIECE_SHIFT = cython.declare(cython.int, codes.PIECE_SHIFT)
TARGET = cython.declare(cython.int, codes.TARGET)
MAX_CELLS = cython.declare(cython.int, codes.MAX_CELLS)
MEN = cython.declare(cython.int, codes.DEFENDERS_START)
NO_KING = cython.declare(cython.int, codes.NO_KING)

ONGOING = cython.declare(cython.int, codes.ONGOING)
KING_CAPTURED = cython.declare(cython.int, codes.KING_CAPTURED)
ENCIRCLEMENT = cython.declare(cython.int, codes.ENCIRCLEMENT)
AT_CORNER = cython.declare(cython.int, codes.AT_CORNER)
AT_EDGE = cython.declare(cython.int, codes.AT_EDGE)
EXIT_FORT = cython.declare(cython.int, codes.EXIT_FORT)
NO_MOVES = cython.declare(cython.int, codes.NO_MOVES)
REPETITION = cython.declare(cython.int, codes.REPETITION)
QUIET = cython.declare(cython.int, codes.QUIET)
ATTACKERS_WIN = cython.declare(cython.int, codes.ATTACKER << codes.WINNER_SHIFT)
DEFENDERS_WIN = cython.declare(cython.int, codes.DEFENDER << codes.WINNER_SHIFT)
WINNER_SHIFT = cython.declare(cython.int, codes.WINNER_SHIFT)

REPEATING_NEVER_ENDS = cython.declare(cython.int, codes.NONE)
REPETITION_DRAWS = cython.declare(cython.int, codes.DRAW)
DEFENDERS_LOSE = cython.declare(cython.int, codes.LOSS_DEFENDERS)
MOVER_LOSES = cython.declare(cython.int, codes.LOSS_MOVER)
OWN_MOVES = cython.declare(cython.int, codes.OWN_MOVES)

FILLED = cython.declare(cython.int, 1)
SAFE = cython.declare(cython.int, 2)
"""Marks in ``seen`` while a fort is examined."""


def judge(position: Position) -> cython.int:
    """The endings in their order; a win beats a draw on the same ply.

    A position set up by hand, with no move made since, ends only if the side to
    move has no move.
    """
    ending: cython.int = ONGOING
    repeated: cython.int = ONGOING
    if position.ply:
        ending = judge_board(position)
        if ending:
            return ending
        repeated = judge_repetition(position)
        if repeated >> WINNER_SHIFT:
            return repeated
    if not position.has_move(position.side):
        if position.no_move_draws and (position.side == DEFENDER or position.count[ATTACKER]):
            ending = NO_MOVES
        else:
            return (3 - position.side) << WINNER_SHIFT | NO_MOVES
    if repeated:
        return repeated
    if position.quiet_limit and position.quiet >= position.quiet_limit:
        return QUIET
    return ending


def judge_board(position: Position) -> cython.int:
    """Whether the last move has won by what stands on the board."""
    target: cython.int = position.moves[position.ply - 1] & TARGET
    if position.king == NO_KING:
        return ATTACKERS_WIN | KING_CAPTURED
    if position.king == target and position.goal[target]:
        return DEFENDERS_WIN | (AT_EDGE if position.goal_is_edge else AT_CORNER)
    if position.exit_fort and is_in_fort(position):
        return DEFENDERS_WIN | EXIT_FORT
    if position.encirclement and position.side == DEFENDER and is_encircled(position):
        return ATTACKERS_WIN | ENCIRCLEMENT
    return ONGOING


def judge_repetition(position: Position) -> cython.int:
    """What the last move's repeating of a position, or of a move, leads to.

    A position is placement and side to move; it cannot return after a capture.
    Under OWN_MOVES a player loses who makes the same move as his move before
    last and as the one two before that.
    """
    rule: cython.int = position.repetition
    ply: cython.int = position.ply
    mover: cython.int = 3 - position.side
    first: cython.int
    earlier: cython.int
    times: cython.int = 1
    if rule == REPEATING_NEVER_ENDS:
        return ONGOING
    if rule == OWN_MOVES:
        if ply < 9:
            return ONGOING
        if (
            position.moves[ply - 1] == position.moves[ply - 5]
            and position.moves[ply - 1] == position.moves[ply - 9]
        ):
            return position.side << WINNER_SHIFT | REPETITION
        return ONGOING
    first = ply - position.quiet
    if first == 0 and not position.start_counts:
        first = 1
    earlier = ply - 4
    while earlier >= first:
        if position.keys[earlier] == position.key:
            times += 1
        earlier -= 2
    if times < position.repetition_count:
        return ONGOING
    if rule == REPETITION_DRAWS:
        return REPETITION
    if rule == DEFENDERS_LOSE:
        return ATTACKERS_WIN | REPETITION
    if rule == MOVER_LOSES:
        return position.side << WINNER_SHIFT | REPETITION
    return mover << WINNER_SHIFT | REPETITION


def is_encircled(position: Position) -> cython.bint:
    """Whether no way through anything but attackers leads from a defender or the king to the edge.

    Ways go along ranks and files. A defender who stands on the edge is there.
    """
    i: cython.int
    for i in range(MAX_CELLS):
        position.seen[i] = 0
    if reaches_edge(position, position.king):
        return False
    for i in range(MEN, MEN + position.count[DEFENDER]):
        if not position.seen[position.men[i]] and reaches_edge(position, position.men[i]):
            return False
    return True


def reaches_edge(position: Position, start: cython.int) -> cython.bint:
    """Whether a way through anything but attackers leads from *start* to the edge.

    Marks in ``seen`` what it has been to, up to the first edge square.
    """
    i: cython.int
    index: cython.int
    code: cython.int
    top: cython.int = 1
    position.queue[0] = start
    position.seen[start] = FILLED
    while top:
        top -= 1
        index = position.queue[top]
        for i in range(4):
            code = position.cell[index + position.step[i]]
            if code == BORDER:
                return True
            if code & OCCUPANT != ATTACKER and not position.seen[index + position.step[i]]:
                position.seen[index + position.step[i]] = FILLED
                position.queue[top] = index + position.step[i]
                top += 1
    return False


def is_in_fort(position: Position) -> cython.bint:
    """Whether the king stands on the edge, can move, and his fort cannot be broken.

    The fort is what he reaches through empty squares, marked ones included. No
    attacker may touch it, and every defender who touches it must be safe.
    """
    i: cython.int
    j: cython.int
    on_edge: cython.bint = False
    for i in range(4):
        if position.cell[position.king + position.step[i]] == BORDER:
            on_edge = True
    if not on_edge or not position.slides(position.king, 0) or not fill_fort(position):
        return False
    mark_safe(position)
    for i in range(MEN, MEN + position.count[DEFENDER]):
        if position.seen[position.men[i]] == SAFE:
            continue
        for j in range(4):
            if position.seen[position.men[i] + position.step[j]] == FILLED:
                return False
    return True


def fill_fort(position: Position) -> cython.bint:
    """Mark as FILLED what the king reaches; False if an attacker touches it."""
    i: cython.int
    index: cython.int
    beside: cython.int
    code: cython.int
    top: cython.int = 1
    for i in range(MAX_CELLS):
        position.seen[i] = 0
    position.queue[0] = position.king
    position.seen[position.king] = FILLED
    while top:
        top -= 1
        index = position.queue[top]
        for i in range(4):
            beside = index + position.step[i]
            code = position.cell[beside]
            if code & OCCUPANT == ATTACKER:
                return False
            if code & OCCUPANT == EMPTY and code != BORDER and not position.seen[beside]:
                position.seen[beside] = FILLED
                position.queue[top] = beside
                top += 1
    return True


def mark_safe(position: Position) -> cython.void:
    """Mark as SAFE the defenders whom no attacker can capture while the filled fort holds.

    On both lines through such a man one neighbour is off the board, a square of
    the fort that is not hostile to defenders, or another safe man. All are
    taken for safe until one is found who is not; then those who leant on him
    are looked at again.
    """
    i: cython.int
    index: cython.int
    changed: cython.bint = True
    for i in range(MEN, MEN + position.count[DEFENDER]):
        position.seen[position.men[i]] = SAFE
    while changed:
        changed = False
        for i in range(MEN, MEN + position.count[DEFENDER]):
            index = position.men[i]
            if position.seen[index] == SAFE and not (
                (
                    is_held(position, index, position.step[0])
                    or is_held(position, index, position.step[3])
                )
                and (
                    is_held(position, index, position.step[1])
                    or is_held(position, index, position.step[2])
                )
            ):
                position.seen[index] = 0
                changed = True


def is_held(position: Position, index: cython.int, step: cython.int) -> cython.bint:
    """Whether no attacker can ever capture the defender on *index* from the side of *step*."""
    code: cython.int = position.cell[index + step]
    if code == BORDER or position.seen[index + step] == SAFE:
        return True
    return (
        position.seen[index + step] == FILLED
        and not position.hostile[DEFENDER << PIECE_SHIFT | code]
    )
