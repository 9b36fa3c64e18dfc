"""Forcing moves found without looking at the others: captures, king's roads, blocks.

Each list is written into ``found`` from *end* on, and holds just those moves
that ``generate`` would hold and that do what is asked.
"""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

from taflengine.core import codes
from taflengine.core.position import Position

ATTACKER = cython.declare(cython.int, codes.ATTACKER)
DEFENDER = cython.declare(cython.int, codes.DEFENDER)
KING = cython.declare(cython.int, codes.KING)
OCCUPANT = cython.declare(cython.int, codes.OCCUPANT)
BORDER = cython.declare(cython.int, codes.BORDER)
CROSS = cython.declare(cython.int, codes.CROSS)
STOP = cython.declare(cython.int, codes.STOP)
PIECE_SHIFT = cython.declare(cython.int, codes.PIECE_SHIFT)
MOVE_SHIFT = cython.declare(cython.int, codes.MOVE_SHIFT)
TARGET = cython.declare(cython.int, codes.TARGET)
MEN = cython.declare(cython.int, codes.DEFENDERS_START)
FIRST_LIST = cython.declare(cython.int, codes.FIRST_LIST)


def moves_to(position: Position, square: int, side: int) -> list[tuple[int, int]]:
    """The moves of *side* that end on *square*, as squares (origin, target). Not sorted."""
    return _pairs(position, arrivals(position, position.index_of[square], side, FIRST_LIST))


def captures(position: Position) -> list[tuple[int, int]]:
    """The moves of the side to move that take a man between two. Not sorted; none twice.

    Shieldwalls and Linnaean captures that take nobody so are left out.
    """
    return _pairs(position, capturing(position, FIRST_LIST))


def king_captures(position: Position) -> list[tuple[int, int]]:
    """The attackers' moves that take the king. Not sorted."""
    return _pairs(position, king_takers(position, FIRST_LIST))


def blocks(position: Position) -> list[tuple[int, int]]:
    """The attackers' moves onto a square that the king's way to a goal leads over. Not sorted."""
    return _pairs(position, road_blocks(position, FIRST_LIST))


def roads(position: Position) -> cython.int:
    """In how many directions the king could go to a goal square now."""
    return king_roads(position)


def _pairs(position: Position, end: cython.int) -> list[tuple[int, int]]:
    i: cython.int
    pairs = []
    for i in range(FIRST_LIST, end):
        move: cython.int = position.found[i]
        pairs.append((position.square_of[move >> MOVE_SHIFT], position.square_of[move & TARGET]))
    return pairs


def arrivals(
    position: Position, target: cython.int, side: cython.int, end: cython.int
) -> cython.int:
    """The moves of *side* to the empty cell *target*."""
    i: cython.int
    step: cython.int
    index: cython.int
    code: cython.int
    piece: cython.int
    steps: cython.int
    man: cython.int
    king: cython.int
    camp: cython.int
    men: cython.int = side << PIECE_SHIFT
    royal: cython.int = KING << PIECE_SHIFT
    here: cython.int = position.cell[target]
    for i in range(4):
        step = position.step[i]
        index = target + step
        steps = 1
        # Whether a man and the king could come this way, and the camp it leads through.
        man = position.passage[men | here] & STOP
        king = position.passage[royal | here] & STOP
        camp = position.camp[target]
        while man or king:
            code = position.cell[index]
            piece = code & OCCUPANT
            if piece:
                if (
                    ((piece == side and man) or (piece == KING and side == DEFENDER and king))
                    and steps <= position.reach[piece]
                    and (camp == 0 or camp == position.camp[index])
                ):
                    position.found[end] = index << MOVE_SHIFT | target
                    end += 1
                break
            if code:
                if not position.passage[men | code] & CROSS:
                    man = 0
                if not position.passage[royal | code] & CROSS:
                    king = 0
                if position.camp[index]:
                    if camp and camp != position.camp[index]:
                        break
                    camp = position.camp[index]
            index += step
            steps += 1
    return end


def capturing(position: Position, end: cython.int) -> cython.int:
    """The moves of the side to move that take a man between two captors."""
    i: cython.int
    j: cython.int
    step: cython.int
    victim: cython.int
    low: cython.int
    high: cython.int
    first: cython.int = end
    foe: cython.int = 3 - position.side
    row: cython.int = foe << PIECE_SHIFT
    base: cython.int = (foe - 1) * MEN
    for i in range(base, base + position.count[foe]):
        victim = position.men[i]
        for j in range(2):
            step = position.step[j]
            low = position.cell[victim + step]
            high = position.cell[victim - step]
            if low | high == 0:
                continue  # nobody to help, the usual case
            if is_open(low) and position.hostile[row | high]:
                end = captors_to(position, victim + step, first, end)
            if is_open(high) and position.hostile[row | low]:
                end = captors_to(position, victim - step, first, end)
    return end


def may_win_quietly(position: Position) -> cython.bint:
    """Whether one move of the side to move might win that is neither the king's nor takes him.

    No is certain: there is no rule of forts or rings that could apply, and the other
    side can move whatever is done. Repetition is not asked.
    """
    i: cython.int
    index: cython.int
    free: cython.int
    side: cython.int = position.side
    foe: cython.int = 3 - side
    base: cython.int = (foe - 1) * MEN
    mobile: cython.int = 0
    if side == ATTACKER and position.encirclement and may_close_ring(position):
        return True
    if side == DEFENDER and position.exit_fort:
        if is_on_edge(position, position.king):
            return True
        for i in range(position.slides(position.king, 0)):
            if is_on_edge(position, position.found[i] & TARGET):
                return True
    # A move fills one square. Who has two to go to, and is not taken, can still move.
    if foe == DEFENDER and free_beside(position, position.king) > 1:
        return False
    for i in range(base, base + position.count[foe]):
        index = position.men[i]
        if is_on_edge(position, index):
            continue  # where a wall of men could be taken with it
        free = free_beside(position, index)
        if free > 1 and not position.linnaean and not can_be_taken(position, index, foe):
            return False
        mobile += free > 0
    return mobile <= 4


def may_close_ring(position: Position) -> cython.bint:
    """Whether one move of the attackers' might encircle all others; no is certain.

    A move shuts one line. Who sees the edge on two, and is not taken, sees it still.
    """
    i: cython.int
    index: cython.int
    if clear_lines(position, position.king) > 1:
        return False
    for i in range(MEN, MEN + position.count[DEFENDER]):
        index = position.men[i]
        if (
            clear_lines(position, index) > 1
            and not is_on_edge(position, index)
            and not position.linnaean
            and not can_be_taken(position, index, DEFENDER)
        ):
            return False
    return True


def clear_lines(position: Position, index: cython.int) -> cython.int:
    """In how many directions from *index* no attacker stands before the edge."""
    i: cython.int
    other: cython.int
    clear: cython.int = 0
    for i in range(4):
        other = index + position.step[i]
        while position.cell[other] != BORDER and position.cell[other] & OCCUPANT != ATTACKER:
            other += position.step[i]
        if position.cell[other] == BORDER:
            clear += 1
    return clear


def free_beside(position: Position, index: cython.int) -> cython.int:
    """How many empty squares without a mark are beside *index*: any piece may go there."""
    i: cython.int
    free: cython.int = 0
    for i in range(4):
        if position.cell[index + position.step[i]] == 0:
            free += 1
    return free


def can_be_taken(position: Position, index: cython.int, side: cython.int) -> cython.bint:
    """Whether a captor of the man of *side* on *index* is missing on one side only."""
    i: cython.int
    low: cython.int
    high: cython.int
    row: cython.int = side << PIECE_SHIFT
    for i in range(2):
        low = position.cell[index + position.step[i]]
        high = position.cell[index - position.step[i]]
        if (is_open(low) and position.hostile[row | high]) or (
            is_open(high) and position.hostile[row | low]
        ):
            return True
    return False


def is_on_edge(position: Position, index: cython.int) -> cython.bint:
    """Whether *index*, a square of the board, is on the edge."""
    i: cython.int
    for i in range(4):
        if position.cell[index + position.step[i]] == BORDER:
            return True
    return False


def is_open(code: cython.int) -> cython.bint:
    """Whether a cell with this *code* is an empty square of the board."""
    return code != BORDER and not code & OCCUPANT


def captors_to(
    position: Position, target: cython.int, first: cython.int, end: cython.int
) -> cython.int:
    """The moves of the side to move onto *target* by pieces that may capture.

    None that stands in ``found`` from *first* on: a move that takes two is listed once.
    """
    i: cython.int = end
    before: cython.int = end
    end = arrivals(position, target, position.side, end)
    while i < end:
        # An unarmed king takes nobody.
        if (not position.hammer and position.found[i] >> MOVE_SHIFT == position.king) or is_listed(
            position, position.found[i], first, before
        ):
            end -= 1
            position.found[i] = position.found[end]
        else:
            i += 1
    return end


def is_listed(
    position: Position, move: cython.int, start: cython.int, end: cython.int
) -> cython.bint:
    """Whether *move* stands in ``found`` from *start* to before *end*."""
    i: cython.int
    for i in range(start, end):
        if position.found[i] == move:
            return True
    return False


def king_roads(position: Position) -> cython.int:
    """In how many directions the king could go to a goal square now."""
    i: cython.int
    roads: cython.int = 0
    for i in range(4):
        if goal_on_line(position, position.step[i]):
            roads += 1
    return roads


def goal_on_line(position: Position, step: cython.int) -> cython.int:
    """The first goal square that the king could go to in the direction of *step*, 0 for none."""
    i: cython.int
    target: cython.int
    for i in range(position.slide(position.king, step, 0)):
        target = position.found[i] & TARGET
        if position.goal[target]:
            return target
    return 0


def road_blocks(position: Position, end: cython.int) -> cython.int:
    """The attackers' moves onto a square that the king's way to a goal leads over."""
    i: cython.int
    index: cython.int
    goal: cython.int
    for i in range(4):
        goal = goal_on_line(position, position.step[i])
        if goal:
            index = position.king
            while index != goal:
                index += position.step[i]
                end = arrivals(position, index, ATTACKER, end)
    return end


def king_takers(position: Position, end: cython.int) -> cython.int:
    """The attackers' moves that take the king: those onto a side that closes the last gap.

    A captor cannot come from another side of the king: no straight way leads there.
    """
    i: cython.int
    index: cython.int
    for i in range(4):
        index = position.king + position.step[i]
        if is_open(position.cell[index]) and position.is_king_taken(index, -position.step[i]):
            end = arrivals(position, index, ATTACKER, end)
    return end
