"""The order in which a search tries moves: what it has learnt of moves, not of positions."""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free

from taflengine.core import codes
from taflengine.core.position import Position
from taflengine.core.tactics import capturing, is_listed

MOVE_SHIFT = cython.declare(cython.int, codes.MOVE_SHIFT)
TARGET = cython.declare(cython.int, codes.TARGET)

BEST_FIRST = cython.declare(cython.int, codes.BEST_FIRST)
CAPTURE_FIRST = cython.declare(cython.int, codes.CAPTURE_FIRST)
HISTORY_LIMIT = cython.declare(cython.int, 16_384)
"""No move's history goes beyond; it is less than ``CAPTURE_FIRST``."""
FADE = cython.declare(cython.int, 8)
"""By how much history is divided between two searches."""


class History:
    """How often each move has refuted and how often not, in games on one board.

    Several searches may share one. Two threads that write a number at once may lose one
    of the two: it orders moves, no more.

    Args:
        position: Of the board.
    """

    def __init__(self, position: Position) -> None:
        self.cells = (position.size + 2) * (position.size + 2)
        moves: cython.int = 2 * self.cells * self.cells
        if cython.compiled:
            self.counts = cython.cast(cython.p_short, calloc(moves, 2))
            if self.counts == cython.NULL:
                raise MemoryError
        else:
            self.counts = [0] * moves

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.counts)

    def fade(self) -> None:
        """Let what is known count less: a new search begins."""
        i: cython.int
        for i in range(2 * self.cells * self.cells):
            self.counts[i] //= FADE

    # From here on C code only.

    def place(self, side: cython.int, move: cython.int) -> cython.int:
        """Where the count of this side's *move* stands."""
        return ((side - 1) * self.cells + (move >> MOVE_SHIFT)) * self.cells + (move & TARGET)

    def add(self, side: cython.int, move: cython.int, bonus: cython.int) -> cython.void:
        """Move the count of this side's *move* towards *bonus*, never beyond the limit."""
        place: cython.int = self.place(side, move)
        size: cython.int = bonus if bonus > 0 else -bonus
        self.counts[place] += bonus - self.counts[place] * size // HISTORY_LIMIT


class Ordering:
    """The order of moves at each place of one search: what is listed, and how it is rated."""

    def __init__(self, position: Position, history: History) -> None:
        self.position, self.history = position, history
        moves: cython.int = codes.FIRST_LIST + (codes.MAX_PLY + 1) * codes.MAX_MOVES
        if cython.compiled:
            self.scores = cython.cast(cython.p_int, calloc(moves, 4))
            if self.scores == cython.NULL:
                raise MemoryError
        else:
            self.scores = [0] * moves

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.scores)

    # From here on C code only.

    def first(self, start: cython.int, best: cython.int) -> cython.int:
        """Write the moves that often refute from *start* on, in order; the new end.

        Those are *best*, which may be none or another position's, and the captures. Where
        one of them refutes, the others need not be generated.
        """
        i: cython.int
        known: cython.int = start
        if best and self.position.is_move(best):
            self.position.found[start] = best
            self.scores[start] = BEST_FIRST
            known += 1
        end: cython.int = capturing(self.position, known)
        if known > start:
            for i in range(known, end):
                if self.position.found[i] == best:
                    end -= 1
                    self.position.found[i] = self.position.found[end]
                    break
        for i in range(known, end):
            self.scores[i] = CAPTURE_FIRST
        return end

    def rest(self, start: cython.int, end: cython.int, last: cython.int) -> cython.int:
        """Rate the moves from *end* to before *last* by history; the new end of all.

        Those that stand from *start* to before *end* already are taken out.
        """
        i: cython.int
        move: cython.int
        kept: cython.int = end
        for i in range(end, last):
            move = self.position.found[i]
            if is_listed(self.position, move, start, end):
                continue
            self.position.found[kept] = move
            self.scores[kept] = self.history.counts[self.history.place(self.position.side, move)]
            kept += 1
        return kept

    def rate(self, start: cython.int, end: cython.int, best: cython.int) -> cython.void:
        """Give each move from *start* to before *end* its place in the order.

        It is the order that ``first`` and ``rest`` make. Behind *end* there must be room
        for a list of captures.
        """
        i: cython.int
        last_capture: cython.int = capturing(self.position, end)
        move: cython.int
        for i in range(start, end):
            move = self.position.found[i]
            if move == best:
                self.scores[i] = BEST_FIRST
            elif is_listed(self.position, move, end, last_capture):
                self.scores[i] = CAPTURE_FIRST
            else:
                self.scores[i] = self.history.counts[self.history.place(self.position.side, move)]

    def pick(self, start: cython.int, end: cython.int) -> cython.void:
        """Bring the best of the moves from *start* to before *end* to *start*."""
        i: cython.int
        best: cython.int = start
        move: cython.int
        score: cython.int
        for i in range(start + 1, end):
            if self.scores[i] > self.scores[best]:
                best = i
        move, score = self.position.found[best], self.scores[best]
        self.position.found[best], self.scores[best] = (
            self.position.found[start],
            self.scores[start],
        )
        self.position.found[start], self.scores[start] = move, score

    def reward(self, start: cython.int, last: cython.int, depth: cython.int) -> cython.void:
        """Remember that the quiet move at *last* refuted, and those tried before it did not."""
        i: cython.int
        move: cython.int = self.position.found[last]
        bonus: cython.int = min(16 * depth * depth, 1_600)
        self.history.add(self.position.side, move, bonus)
        for i in range(start, last):
            if self.scores[i] < CAPTURE_FIRST:
                self.history.add(self.position.side, self.position.found[i], -bonus)
