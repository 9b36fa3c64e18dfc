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
MEN = cython.declare(cython.int, codes.DEFENDERS_START)
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
            self.place, self.level, self.file_of, self.rank_of = (
                [0] * codes.MAX_CELLS for _ in range(4)
            )
            self.attackers_on, self.defenders_on, self.inside = ([0] * 38 for _ in range(3))
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
        self.closed_ring = weights.closed_ring
        self.square_inside = weights.square_inside
        self.square_outside = weights.square_outside
        self.barred = weights.barred
        self.place_barred = weights.place_barred
        # With a third of their men the defenders no longer break out: to shut them in is the game.
        self.few = start.count[DEFENDER] // 3
        size, stride = start.size, start.size + 2
        last = size - 1
        for rank in range(size):
            for file in range(size):
                index = (rank + 1) * stride + file + 1
                self.file_of[index], self.rank_of[index] = file, rank
                self.place[index] = _place(file, rank, last, weights)
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
        j: cython.int
        index: cython.int
        file: cython.int
        rank: cython.int
        few: cython.bint
        total: cython.int = self.base
        apart: cython.int = 0
        places: cython.int = 0
        size: cython.int = position.size
        king_file: cython.int = self.file_of[position.king]
        king_rank: cython.int = self.rank_of[position.king]
        attackers: cython.int = position.count[ATTACKER]
        for i in range(2 * size):
            self.attackers_on[i] = self.defenders_on[i] = 0
        for i in range(attackers):
            index = position.men[i]
            places += self.place[index]
            file = self.file_of[index]
            rank = self.rank_of[index]
            self.attackers_on[file] |= 1 << rank
            self.attackers_on[size + rank] |= 1 << file
            apart += abs(file - king_file) + abs(rank - king_rank)
        if attackers:
            total += self.distance * apart // attackers
        for i in range(MEN, MEN + position.count[DEFENDER]):
            file = self.file_of[position.men[i]]
            rank = self.rank_of[position.men[i]]
            self.defenders_on[file] |= 1 << rank
            self.defenders_on[size + rank] |= 1 << file
        self.defenders_on[king_file] |= 1 << king_rank
        self.defenders_on[size + king_rank] |= 1 << king_file
        total += self.attacker * attackers + self.defender * position.count[DEFENDER]
        for i in range(4):
            j = position.cell[position.king + position.step[i]] & OCCUPANT
            if j == ATTACKER:
                total += self.attacker_beside_king
            elif j == DEFENDER:
                total += self.defender_beside_king
        j = self.outside_lines(size)
        total += places + self.outside_line * j + self.king_reach(position)
        few = position.count[DEFENDER] <= self.few
        # Whose king could be in a corner in three moves is not barred: that is known already.
        if j == 0 or few or (self.cut and self.barred):
            total += self.enclosure(position, few, j == 0, places)
        return total

    def enclosure(
        self, position: Position, few: cython.bint, alone: cython.bint, places: cython.int
    ) -> cython.int:
        """Points for how the king is shut in by attackers, to whose *places* points are given.

        A ring is closed if no way through anything but attackers, along ranks and
        files, leads from him to the edge, and corners are barred if none leads to one. Where
        they are, or his side has *few* men, each square shut off from him counts: a barrier
        would else be held for ever, and never drawn closer. A closed ring counts if no defender
        stands outside: the king's side is *alone* in it.
        """
        i: cython.int
        row: cython.int
        size: cython.int = position.size
        last: cython.int = size - 1
        edges: cython.int = 1 | 1 << last
        inside: cython.int = 0
        side: cython.int = 0
        total: cython.int = 0
        self.flood(size, self.file_of[position.king], self.rank_of[position.king])
        for i in range(size):
            row = self.inside[i]
            side |= row & edges
            while row:
                row &= row - 1
                inside += 1
        if self.barred and not (self.inside[0] | self.inside[last]) & edges:
            few = True
            total = self.barred - (100 - self.place_barred) * places // 100
        if few:
            total += self.square_outside * (size * size - position.count[ATTACKER] - inside)
        if alone and not side | self.inside[0] | self.inside[last]:
            total += self.closed_ring + self.square_inside * inside
        return total

    def flood(self, size: cython.int, file: cython.int, rank: cython.int) -> cython.void:
        """Note what is reached from *file* and *rank* through anything but attackers, row by row.

        ``score`` has noted where they stand.
        """
        i: cython.int
        free: cython.int
        before: cython.int
        row: cython.int
        line: cython.int = (1 << size) - 1
        changed: cython.bint = True
        for i in range(size):
            self.inside[i] = 0
        self.inside[rank] = self.along(1 << file, line & ~self.attackers_on[size + rank])
        while changed:
            changed = False
            for i in range(2 * size):
                # Down the ranks, then up again.
                rank = i if i < size else 2 * size - 1 - i
                free = line & ~self.attackers_on[size + rank]
                before = row = self.inside[rank]
                if rank > 0:
                    row |= self.inside[rank - 1] & free
                if rank < size - 1:
                    row |= self.inside[rank + 1] & free
                if row != before:
                    self.inside[rank] = self.along(row, free)
                    changed = True

    def along(self, row: cython.int, free: cython.int) -> cython.int:
        """The squares of a rank that are reached along it from those of *row*, all *free*."""
        while row != (row | ((row << 1 | row >> 1) & free)):
            row |= (row << 1 | row >> 1) & free
        return row

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
        self.cut = roads + near + later == 0
        if self.cut:
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

    def outside_lines(self, size: cython.int) -> cython.int:
        """How many ends of ranks and files have a defender or the king as outermost piece.

        ``score`` has noted who stands where on each line, a bit for each square.
        """
        i: cython.int
        ours: cython.int
        theirs: cython.int
        outside: cython.int = 0
        for i in range(2 * size):
            ours = self.defenders_on[i]
            if ours:
                theirs = self.attackers_on[i]
                # The highest bit decides which is larger; below the lowest of ours are
                # those bits that are lost when one is taken away.
                outside += ours > theirs
                outside += theirs & (ours ^ (ours - 1)) == 0
        return outside


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
