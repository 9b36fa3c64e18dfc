"""A position that moves are made and unmade on: the one implementation of moving and capturing.

The layout of the class and the C types of its methods stand in ``position.pxd``;
compiled, its arrays are C arrays. The methods below the mark check nothing:
their callers pass indices of the board array and legal moves.
"""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import free, realloc

from taflengine.core import codes
from taflengine.core.tables import Tables

ATTACKER = cython.declare(cython.int, codes.ATTACKER)
DEFENDER = cython.declare(cython.int, codes.DEFENDER)
KING = cython.declare(cython.int, codes.KING)
OCCUPANT = cython.declare(cython.int, codes.OCCUPANT)
CORNER = cython.declare(cython.int, codes.CORNER)
BORDER = cython.declare(cython.int, codes.BORDER)
CROSS = cython.declare(cython.int, codes.CROSS)
STOP = cython.declare(cython.int, codes.STOP)
PIECE_SHIFT = cython.declare(cython.int, codes.PIECE_SHIFT)
MOVE_SHIFT = cython.declare(cython.int, codes.MOVE_SHIFT)
TARGET = cython.declare(cython.int, codes.TARGET)
MAX_CELLS = cython.declare(cython.int, codes.MAX_CELLS)
FIRST_LIST = cython.declare(cython.int, codes.FIRST_LIST)
MAX_MOVES = cython.declare(cython.int, codes.MAX_MOVES)
MEN = cython.declare(cython.int, codes.DEFENDERS_START)
NO_KING = cython.declare(cython.int, codes.NO_KING)


class Position:
    """Board, side to move, and the moves that led here since the position was set up."""

    def __init__(self, tables: Tables) -> None:
        i: cython.int
        if not cython.compiled:
            self._make_arrays()
        self.size = tables.size
        self.area = tables.size * tables.size
        self.stride = tables.size + 2
        self.capacity = self.room = self.ply = 0
        for i in range(MAX_CELLS):
            self.cell[i] = tables.places[i]
            self.camp[i] = tables.camp[i]
            self.siege[i] = tables.siege[i]
            self.goal[i] = tables.goal[i]
            self.goal_steps[i] = tables.goal_steps[i]
            self.seen[i] = 0
        for i in range(codes.BY_PIECE):
            self.passage[i] = tables.passage[i]
            self.hostile[i] = tables.hostile[i]
        for i in range(4 * MAX_CELLS):
            self.zobrist[i] = tables.keys[i]
        for i in range(self.area):
            self.index_of[i] = tables.squares[i]
            self.square_of[tables.squares[i]] = i
            self.order_of[tables.squares[i]] = tables.order[i]
        for i in range(4):
            self.reach[i] = tables.reach[i]
        self.step[0], self.step[1], self.step[2], self.step[3] = -1, -self.stride, self.stride, 1
        self.throne = self.index_of[self.area // 2]
        self.hammer = tables.hammer
        self.anvil = tables.anvil
        self.linnaean = tables.linnaean
        self.shieldwall = tables.shieldwall
        self.exit_fort = tables.exit_fort
        self.encirclement = tables.encirclement
        self.goal_is_edge = tables.goal_is_edge
        self.no_move_draws = tables.no_move_draws
        self.repetition_rule = self.repetition = tables.repetition
        self.repetition_count = tables.repetition_count
        self.start_counts = tables.start_counts
        self.quiet_limit = tables.quiet_plies
        self.reserve(64)
        self.reserve_moves(2)
        self.clear()

    if not cython.compiled:

        def _make_arrays(self) -> None:
            """Stand in for the C arrays of ``position.pxd``."""
            self.cell, self.camp, self.siege, self.goal, self.seen = (
                [0] * codes.MAX_CELLS for _ in range(5)
            )
            self.goal_steps, self.square_of, self.order_of, self.slot, self.queue = (
                [0] * codes.MAX_CELLS for _ in range(5)
            )
            self.passage, self.hostile = ([0] * codes.BY_PIECE for _ in range(2))
            self.index_of = [0] * 361
            self.zobrist = [0] * (4 * codes.MAX_CELLS)
            self.reach, self.step = [0] * 4, [0] * 4
            self.count, self.men = [0] * 3, [0] * 723
            self.taken_index, self.taken_slot, self.taken_piece = ([0] * 363 for _ in range(3))
            self.moves: list[int] = []
            self.quiets: list[int] = []
            self.tops: list[int] = []
            self.keys: list[int] = []
            self.found: list[int] = []

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.moves)
            free(self.quiets)
            free(self.tops)
            free(self.keys)
            free(self.found)

    def reserve(self, plies: cython.int) -> None:
        """Make room for *plies* more moves on the stack. ``make`` does not look.

        Raises:
            MemoryError: there is none; the position is unchanged.
        """
        size: cython.int = self.ply + plies + 1
        if size <= self.capacity:
            return
        size = max(size, 2 * self.capacity)
        if cython.compiled:
            moves = realloc(self.moves, size * cython.sizeof(cython.int))
            if moves == cython.NULL:
                raise MemoryError
            self.moves = cython.cast(cython.p_int, moves)
            quiets = realloc(self.quiets, size * cython.sizeof(cython.int))
            if quiets == cython.NULL:
                raise MemoryError
            self.quiets = cython.cast(cython.p_int, quiets)
            tops = realloc(self.tops, size * cython.sizeof(cython.short))
            if tops == cython.NULL:
                raise MemoryError
            self.tops = cython.cast(cython.p_short, tops)
            keys = realloc(self.keys, size * cython.sizeof(cython.ulonglong))
            if keys == cython.NULL:
                raise MemoryError
            self.keys = cython.cast(cython.p_ulonglong, keys)
        else:
            for stack in (self.moves, self.quiets, self.tops, self.keys):
                stack.extend([0] * (size - self.capacity))
        self.capacity = size

    def reserve_moves(self, lists: cython.int) -> None:
        """Make room in ``found`` for *lists* lists of moves, one behind the other."""
        size: cython.int = FIRST_LIST + lists * MAX_MOVES
        if size <= self.room:
            return
        if cython.compiled:
            found = realloc(self.found, size * cython.sizeof(cython.int))
            if found == cython.NULL:
                raise MemoryError
            self.found = cython.cast(cython.p_int, found)
        else:
            self.found.extend([0] * (size - self.room))
        self.room = size

    def clear(self) -> None:
        """Empty the board and forget all moves; attackers to move."""
        i: cython.int
        for i in range(MAX_CELLS):
            self.cell[i] &= ~OCCUPANT
        self.count[ATTACKER] = self.count[DEFENDER] = 0
        self.king = NO_KING
        self.side = ATTACKER
        self.key = self.zobrist[0]
        self.ply = self.quiet = self.taken_top = 0

    def set_up(self, pieces: list[int], side: cython.int) -> None:
        """Place *pieces*, an occupant for each square from a1 on, with *side* to move.

        At most one of them is the king. All moves are forgotten.
        """
        i: cython.int
        self.clear()
        for i in range(self.area):
            if pieces[i]:
                self._place(self.index_of[i], pieces[i])
        if side == DEFENDER:
            self.side = DEFENDER
            self.key ^= self.zobrist[0]

    def _place(self, index: cython.int, piece: cython.int) -> None:
        self.cell[index] |= piece
        self.key ^= self.zobrist[piece * MAX_CELLS + index]
        if piece == KING:
            self.king = index
            return
        self.slot[index] = self.count[piece]
        self.men[(piece - 1) * MEN + self.count[piece]] = index
        self.count[piece] += 1

    def pieces(self) -> list[int]:
        """The occupant of each square, from a1 on."""
        return [self.cell[self.index_of[i]] & OCCUPANT for i in range(self.area)]

    def piece_at(self, square: cython.int) -> cython.int:
        """The occupant of *square*."""
        return self.cell[self.index_of[square]] & OCCUPANT

    def king_square(self) -> cython.int:
        """Where the king stands, -1 if he is off the board."""
        return -1 if self.king == NO_KING else self.square_of[self.king]

    def men_of(self, side: cython.int) -> cython.int:
        """How many men *side* has; the king is none."""
        return self.count[side]

    def enforce_repetition(self, on: cython.bint) -> None:
        """Apply the rule set's repetition rule, or let positions repeat without end."""
        self.repetition = self.repetition_rule if on else codes.NONE

    def legal_moves(self, side: cython.int) -> list[int]:
        """All moves of *side*, as if it were to move, ascending.

        A move is ``origin * area + target``, both counted files before ranks (a1,
        a2, ... b1, ...). Whether the game has ended is not asked.
        """
        return self._listed(self.generate(side, FIRST_LIST))

    def moves_from(self, square: cython.int) -> list[int]:
        """All moves of the piece on *square*, as ``legal_moves`` gives them."""
        index: cython.int = self.index_of[square]
        if not self.cell[index] & OCCUPANT:
            return []
        return self._listed(self.slides(index, FIRST_LIST))

    def _listed(self, end: cython.int) -> list[int]:
        moves = [
            self.order_of[self.found[i] >> MOVE_SHIFT] * self.area
            + self.order_of[self.found[i] & TARGET]
            for i in range(FIRST_LIST, end)
        ]
        moves.sort()
        return moves

    def allows(self, origin: cython.int, target: cython.int) -> bool:
        """Whether the piece on the square *origin* may go to *target*, whoever is to move."""
        i: cython.int
        index: cython.int = self.index_of[origin]
        move: cython.int = index << MOVE_SHIFT | self.index_of[target]
        if not self.cell[index] & OCCUPANT:
            return False
        for i in range(FIRST_LIST, self.slides(index, FIRST_LIST)):
            if self.found[i] == move:
                return True
        return False

    def play(self, origin: cython.int, target: cython.int) -> list[int]:
        """Make a legal move, given as squares; answer the squares it captures, ascending."""
        first: cython.int = self.taken_top
        self.reserve(1)
        self.make(self.index_of[origin] << MOVE_SHIFT | self.index_of[target])
        return sorted([self.square_of[self.taken_index[i]] for i in range(first, self.taken_top)])

    def undo(self) -> None:
        """Take back the last move; there must be one."""
        self.unmake()

    # From here on C code only: no checks, no Python objects, no exceptions.

    def generate(self, side: cython.int, end: cython.int) -> cython.int:
        """Write the moves of *side* into ``found`` from *end* on; return the new end."""
        i: cython.int
        base: cython.int = (side - 1) * MEN
        if side == DEFENDER and self.king != NO_KING:
            end = self.slides(self.king, end)
        for i in range(base, base + self.count[side]):
            end = self.slides(self.men[i], end)
        return end

    def slides(self, origin: cython.int, end: cython.int) -> cython.int:
        """Write the moves of the piece on *origin* into ``found`` from *end* on."""
        i: cython.int
        for i in range(4):
            if not self.cell[origin + self.step[i]] & OCCUPANT:
                end = self.slide(origin, self.step[i], end)
        return end

    def slide(self, origin: cython.int, step: cython.int, end: cython.int) -> cython.int:
        """As ``slides``, in one direction, nearest square first."""
        piece: cython.int = self.cell[origin] & OCCUPANT
        row: cython.int = piece << PIECE_SHIFT
        left: cython.int = self.reach[piece]
        head: cython.int = origin << MOVE_SHIFT
        index: cython.int = origin + step
        code: cython.int = self.cell[index]
        way: cython.int
        while left:
            if code == 0:
                self.found[end] = head | index
                end += 1
            elif code & OCCUPANT:
                break
            else:
                way = self.passage[row | code]
                if self.camp[index] and self.camp[index] != self.camp[origin]:
                    break
                if way & STOP:
                    self.found[end] = head | index
                    end += 1
                if not way & CROSS:
                    break
            index += step
            code = self.cell[index]
            left -= 1
        return end

    def has_move(self, side: cython.int) -> cython.bint:
        """Whether *side* has a legal move."""
        i: cython.int
        j: cython.int
        base: cython.int = (side - 1) * MEN
        # Nearly always somebody stands beside a plain empty square, which is open to all.
        for i in range(base, base + self.count[side]):
            for j in range(4):
                if self.cell[self.men[i] + self.step[j]] == 0:
                    return True
        if side == DEFENDER and self.king != NO_KING and self.slides(self.king, 0):
            return True
        for i in range(base, base + self.count[side]):
            if self.slides(self.men[i], 0):
                return True
        return False

    def is_move(self, move: cython.int) -> cython.bint:
        """Whether *move*, from wherever it comes, is a legal move of the side to move."""
        i: cython.int
        origin: cython.int = move >> MOVE_SHIFT
        target: cython.int = move & TARGET
        piece: cython.int = self.cell[origin] & OCCUPANT
        step: cython.int = 1 if target > origin else -1
        if piece == 0 or (piece == ATTACKER) != (self.side == ATTACKER):
            return False
        if (target - origin) % self.stride == 0:
            step *= self.stride
        for i in range(self.slide(origin, step, 0)):
            if self.found[i] == move:
                return True
        return False

    def make(self, move: cython.int) -> cython.void:
        """Make a legal move of the side to move; captures are lifted, endings are not judged."""
        origin: cython.int = move >> MOVE_SHIFT
        target: cython.int = move & TARGET
        side: cython.int = self.side
        piece: cython.int = self.cell[origin] & OCCUPANT
        ply: cython.int = self.ply
        top: cython.int = self.taken_top
        self.moves[ply] = move
        self.keys[ply] = self.key
        self.quiets[ply] = self.quiet
        self.tops[ply] = top
        self.cell[origin] ^= piece
        self.cell[target] |= piece
        self.key ^= (
            self.zobrist[piece * MAX_CELLS + origin]
            ^ self.zobrist[piece * MAX_CELLS + target]
            ^ self.zobrist[0]
        )
        if piece == KING:
            self.king = target
        else:
            self.slot[target] = self.slot[origin]
            self.men[(piece - 1) * MEN + self.slot[target]] = target
        if piece != KING or self.hammer:
            # Rows first: a man of a row may be closed in between two as well, and
            # what a capture between two rests on is never lifted with a row.
            if self.shieldwall:
                self.take_walls(target, side)
            self.take_around(target, 3 - side)
        self.quiet = self.quiet + 1 if self.taken_top == top else 0
        self.ply = ply + 1
        self.side = 3 - side

    def unmake(self) -> cython.void:
        """Take back the last move; the lists are again as they were, in the same order."""
        ply: cython.int = self.ply - 1
        move: cython.int = self.moves[ply]
        origin: cython.int = move >> MOVE_SHIFT
        target: cython.int = move & TARGET
        piece: cython.int
        index: cython.int
        slot: cython.int
        base: cython.int
        while self.taken_top > self.tops[ply]:
            self.taken_top -= 1
            index = self.taken_index[self.taken_top]
            piece = self.taken_piece[self.taken_top]
            self.cell[index] |= piece
            if piece == KING:
                self.king = index
                continue
            base = (piece - 1) * MEN
            slot = self.taken_slot[self.taken_top]
            self.men[base + self.count[piece]] = self.men[base + slot]
            self.slot[self.men[base + slot]] = self.count[piece]
            self.men[base + slot] = index
            self.slot[index] = slot
            self.count[piece] += 1
        piece = self.cell[target] & OCCUPANT
        self.cell[target] ^= piece
        self.cell[origin] |= piece
        if piece == KING:
            self.king = origin
        else:
            self.slot[origin] = self.slot[target]
            self.men[(piece - 1) * MEN + self.slot[origin]] = origin
        self.ply = ply
        self.side = 3 - self.side
        self.key = self.keys[ply]
        self.quiet = self.quiets[ply]

    def take(self, index: cython.int) -> cython.void:
        """Lift the piece on *index*; the last of its list takes its place there."""
        piece: cython.int = self.cell[index] & OCCUPANT
        base: cython.int
        slot: cython.int
        last: cython.int
        self.cell[index] ^= piece
        self.key ^= self.zobrist[piece * MAX_CELLS + index]
        self.taken_index[self.taken_top] = index
        self.taken_piece[self.taken_top] = piece
        if piece == KING:
            self.king = NO_KING
        else:
            base = (piece - 1) * MEN
            slot = self.slot[index]
            self.count[piece] -= 1
            last = self.men[base + self.count[piece]]
            self.men[base + slot] = last
            self.slot[last] = slot
            self.taken_slot[self.taken_top] = slot
        self.taken_top += 1

    def take_around(self, target: cython.int, foe: cython.int) -> cython.void:
        """Take what the piece that has moved to *target* closes in against a captor behind.

        Each victim stands beside *target* and its other captor beyond it, so no
        capture changes what another rests on.
        """
        i: cython.int
        step: cython.int
        index: cython.int
        occupant: cython.int
        for i in range(4):
            step = self.step[i]
            index = target + step
            occupant = self.cell[index] & OCCUPANT
            if occupant == foe:
                if self.hostile[foe << PIECE_SHIFT | self.cell[index + step]] or (
                    self.linnaean and foe == DEFENDER and self.is_pinned_to_king(index, step)
                ):
                    self.take(index)
            elif occupant == KING and foe == DEFENDER and self.is_king_taken(target, step):
                self.take(index)

    def is_king_taken(self, target: cython.int, step: cython.int) -> cython.bint:
        """Whether an attacker on *target* closes in the king one *step* on.

        He need not stand there yet: his own side of the king is taken for closed.
        Attackers and squares hostile to the king close a side. Where two sides
        suffice they lie on one line, and the edge of the board is no side.
        """
        i: cython.int
        row: cython.int = KING << PIECE_SHIFT
        king: cython.int = target + step
        far: cython.int = self.cell[king + step]
        if self.siege[king] == 2:
            return far != BORDER and self.hostile[row | far] != 0
        for i in range(4):
            if self.step[i] != -step and not self.hostile[row | self.cell[king + self.step[i]]]:
                return False
        return True

    def is_pinned_to_king(self, index: cython.int, step: cython.int) -> cython.bint:
        """Whether a defender on *index* is held by the throne beyond it (Linnaean capture).

        The king sits there and attackers stand on his three other sides.
        """
        i: cython.int
        neighbour: cython.int
        if index + step != self.throne or self.king != self.throne:
            return False
        for i in range(4):
            neighbour = self.throne + self.step[i]
            if neighbour != index and self.cell[neighbour] & OCCUPANT != ATTACKER:
                return False
        return True

    def take_walls(self, target: cython.int, side: cython.int) -> cython.void:
        """Take the rows along an edge that the piece which has moved to *target* closes.

        A row has two pieces or more without a gap, one of the captors before
        each, and at its far end a captor or a corner hostile to its men. The
        king counts in the row and stays.
        """
        i: cython.int
        j: cython.int
        outward: cython.int
        along: cython.int
        index: cython.int
        length: cython.int
        end: cython.int
        foe: cython.int = 3 - side
        for i in range(4):
            outward = self.step[i]
            if self.cell[target + outward] != BORDER:
                continue
            for j in range(4):
                along = self.step[j]
                if along == outward or along == -outward:
                    continue
                index = target + along
                length = 0
                while self.is_of(index, foe) and self.is_captor(index - outward, side):
                    index += along
                    length += 1
                end = self.cell[index]
                if length < 2 or not (
                    self.is_captor(index, side)
                    or (end == CORNER and self.hostile[foe << PIECE_SHIFT | end])
                ):
                    continue
                while index != target + along:
                    index -= along
                    if self.cell[index] & OCCUPANT != KING:
                        self.take(index)

    def is_of(self, index: cython.int, side: cython.int) -> cython.bint:
        """Whether a piece of *side*, the king among the defenders, stands on *index*."""
        occupant: cython.int = self.cell[index] & OCCUPANT
        return occupant == side or (occupant == KING and side == DEFENDER)

    def is_captor(self, index: cython.int, side: cython.int) -> cython.bint:
        """Whether a piece of *side* that may hold a capture stands on *index*."""
        occupant: cython.int = self.cell[index] & OCCUPANT
        return occupant == side or (occupant == KING and side == DEFENDER and self.anvil)
