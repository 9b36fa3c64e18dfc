"""What evaluation counts on the board, and the search's sum of it."""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

from taflengine.core import codes
from taflengine.core.position import Position
from taflengine.core.weights import Weights

EMPTY = cython.declare(cython.int, codes.EMPTY)
ATTACKER = cython.declare(cython.int, codes.ATTACKER)
DEFENDER = cython.declare(cython.int, codes.DEFENDER)
KING = cython.declare(cython.int, codes.KING)
OCCUPANT = cython.declare(cython.int, codes.OCCUPANT)
BORDER = cython.declare(cython.int, codes.BORDER)
CROSS = cython.declare(cython.int, codes.CROSS)
STOP = cython.declare(cython.int, codes.STOP)
PIECE_SHIFT = cython.declare(cython.int, codes.PIECE_SHIFT)
MAX_CELLS = cython.declare(cython.int, codes.MAX_CELLS)
FAR = cython.declare(cython.int, 9)
"""More king's moves than are counted."""


def attackers_beside_king(position: Position) -> cython.int:
    """How many attackers stand beside the king, 0 to 4. He must be on the board."""
    i: cython.int
    beside: cython.int = 0
    for i in range(4):
        if position.cell[position.king + position.step[i]] & OCCUPANT == ATTACKER:
            beside += 1
    return beside


def steps_gained(position: Position) -> cython.int:
    """How many steps the king is nearer to his nearest goal square than the centre is.

    A step is one square along a rank or file, whatever stands there; negative
    where he is farther away. He must be on the board.
    """
    return position.goal_steps[position.throne] - position.goal_steps[position.king]


class Evaluation:
    """The search's evaluation of the positions of one rule set.

    Args:
        start: A position at the start of a game; its evaluation is made to be 0.
        weights: Points for each thing counted.
    """

    def __init__(self, start: Position, weights: Weights) -> None:
        if not cython.compiled:
            self.place, self.level = ([0] * codes.MAX_CELLS for _ in range(2))
            self.corner, self.corner_step = [0] * 4, [0] * 8
        self.attacker = weights.attacker
        self.defender = weights.defender
        self.distance = weights.distance
        self.one_road = weights.one_road
        self.two_roads = weights.two_roads
        self.two_moves = weights.two_moves
        self.three_moves = weights.three_moves
        self.cut_off = weights.cut_off
        self.outside_line = weights.outside_line
        self.king_on_edge = weights.king_on_edge
        self.attacker_beside_king = weights.attacker_beside_king
        self.defender_beside_king = weights.defender_beside_king
        size, stride = start.size, start.size + 2
        last = size - 1
        for rank in range(size):
            for file in range(size):
                self.place[(rank + 1) * stride + file + 1] = _place(file, rank, last, weights)
        for number, (file, rank) in enumerate(((0, 0), (last, 0), (0, last), (last, last))):
            self.corner[number] = (rank + 1) * stride + file + 1
            self.corner_step[2 * number] = -1 if file else 1
            self.corner_step[2 * number + 1] = -stride if rank else stride

        self.base = 0
        self.base = -self.score(start)

    def points(self, position: Position) -> cython.int:
        """Points of *position* for the defenders, an attacker being 100. The king must be there."""
        return self.score(position)

    # From here on C code only.

    def score(self, position: Position) -> cython.int:
        """As ``points``."""
        i: cython.int
        index: cython.int
        file: cython.int
        rank: cython.int
        total: cython.int = self.base
        apart: cython.int = 0
        king_file: cython.int = position.king % position.stride
        king_rank: cython.int = position.king // position.stride
        attackers: cython.int = position.count[ATTACKER]
        for i in range(attackers):
            index = position.men[i]
            total += self.place[index]
            file = index % position.stride - king_file
            rank = index // position.stride - king_rank
            apart += (file if file > 0 else -file) + (rank if rank > 0 else -rank)
        if attackers:
            total += self.distance * apart // attackers
        total += self.attacker * attackers + self.defender * position.count[DEFENDER]
        for i in range(4):
            index = position.cell[position.king + position.step[i]] & OCCUPANT
            if index == ATTACKER:
                total += self.attacker_beside_king
            elif index == DEFENDER:
                total += self.defender_beside_king
        return total + self.king_reach(position) + self.outside_line * self.outside_lines(position)

    def king_reach(self, position: Position) -> cython.int:
        """Points for how the king stands to his goals, in moves of his alone."""
        i: cython.int
        moves: cython.int
        one: cython.int
        two: cython.int
        roads: cython.int = 0
        near: cython.int = 0
        later: cython.int = 0
        total: cython.int = 0
        on_edge: cython.bint = False
        for i in range(MAX_CELLS):
            self.level[i] = 0
        position.queue[0] = position.king
        self.level[position.king] = FAR
        one = self.spread(position, 0, 1, 1)
        two = self.spread(position, 1, one, 2)
        if position.goal_is_edge:
            for i in range(1, one):
                roads += position.goal[position.queue[i]]
            for i in range(one, two):
                near += position.goal[position.queue[i]]
        else:
            for i in range(4):
                moves = self.corner_moves(position, i)
                roads += moves == 1
                near += moves == 2
                later += moves == 3
            for i in range(4):
                if position.cell[position.king + position.step[i]] == BORDER:
                    on_edge = True
        if roads >= 2:
            total += self.two_roads
        elif roads == 1:
            total += self.one_road
        elif on_edge:
            total += self.king_on_edge
        if roads + near + later == 0:
            total += self.cut_off
        return total + self.two_moves * near + self.three_moves * later

    def spread(
        self, position: Position, start: cython.int, end: cython.int, level: cython.int
    ) -> cython.int:
        """Mark the empty squares one king's move from those in the queue, *start* to before *end*.

        They are appended to the queue; the new end is returned.
        """
        i: cython.int
        j: cython.int
        index: cython.int
        code: cython.int
        way: cython.int
        left: cython.int
        step: cython.int
        top: cython.int = end
        for i in range(start, end):
            for j in range(4):
                step = position.step[j]
                index = position.queue[i] + step
                left = position.reach[KING]
                while left:
                    code = position.cell[index]
                    way = position.passage[KING << PIECE_SHIFT | code]
                    if way & STOP and self.level[index] == 0:
                        self.level[index] = level
                        position.queue[top] = index
                        top += 1
                    if not way & CROSS or self.level[index] > level:
                        break
                    index += step
                    left -= 1
        return top

    def corner_moves(self, position: Position, corner: cython.int) -> cython.int:
        """In how many moves the king would reach a corner: 1, 2, 3, or ``FAR`` for more."""
        i: cython.int
        index: cython.int
        best: cython.int = FAR
        level: cython.int = self.level[self.corner[corner]]
        if level:
            return level
        for i in range(2):
            index = self.corner[corner] + self.corner_step[2 * corner + i]
            while position.cell[index] & OCCUPANT == EMPTY and position.cell[index] != BORDER:
                level = self.level[index]
                if level and level + 1 < best:
                    best = level + 1
                index += self.corner_step[2 * corner + i]
        return best

    def outside_lines(self, position: Position) -> cython.int:
        """How many ends of ranks and files have a defender or the king as outermost piece."""
        i: cython.int
        low: cython.int
        high: cython.int
        outside: cython.int = 0
        stride: cython.int = position.stride
        size: cython.int = position.size
        for i in range(1, size + 1):
            low = i * stride + 1
            high = i * stride + size
            outside += self.outermost(position, low, 1) + self.outermost(position, high, -1)
            low = stride + i
            high = size * stride + i
            outside += self.outermost(position, low, stride) + self.outermost(
                position, high, -stride
            )
        return outside

    def outermost(self, position: Position, index: cython.int, step: cython.int) -> cython.int:
        """1 if the first piece from *index* on in the direction of *step* is the defenders'."""
        while position.cell[index] & OCCUPANT == EMPTY:
            if position.cell[index] == BORDER:
                return 0
            index += step
        return 0 if position.cell[index] & OCCUPANT == ATTACKER else 1


def _place(file: int, rank: int, last: int, weights: Weights) -> int:
    """Points for an attacker on the square."""
    from_side, from_end = sorted((min(file, last - file), min(rank, last - rank)))
    points = 0
    if from_side == 0:
        points += weights.edge_line + (weights.beside_corner if from_end == 1 else 0)
    elif from_side == 1:
        points += weights.second_line
    if from_side + from_end == 2:
        points += weights.guard
    return points
