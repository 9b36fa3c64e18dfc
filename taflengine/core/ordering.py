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
KILLER_FIRST = cython.declare(cython.int, codes.KILLER_FIRST)
REPLY_FIRST = cython.declare(cython.int, codes.REPLY_FIRST)
HISTORY_LIMIT = cython.declare(cython.int, 16_384)
"""No move's history goes beyond; it is less than ``REPLY_FIRST``."""
FADE = cython.declare(cython.int, 8)
"""By how much history is divided between two searches."""


class Ordering:
    """Killers by ply, history by side and move, replies by the move before."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.cells = (position.size + 2) * (position.size + 2)
        squares: cython.int = self.cells * self.cells
        moves: cython.int = codes.FIRST_LIST + (codes.MAX_PLY + 1) * codes.MAX_MOVES
        if cython.compiled:
            self.history = cython.cast(cython.p_short, calloc(2 * squares, 2))
            self.replies = cython.cast(cython.p_int, calloc(squares, 4))
            self.scores = cython.cast(cython.p_int, calloc(moves, 4))
            if (
                self.history == cython.NULL
                or self.replies == cython.NULL
                or self.scores == cython.NULL
            ):
                raise MemoryError
        else:
            self.history, self.replies = [0] * (2 * squares), [0] * squares
            self.scores, self.killers = [0] * moves, [0] * 256

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.history)
            free(self.replies)
            free(self.scores)

    def begin(self) -> None:
        """Forget the killers and let history fade: a new search begins."""
        i: cython.int
        for i in range(256):
            self.killers[i] = 0
        for i in range(2 * self.cells * self.cells):
            self.history[i] //= FADE

    # From here on C code only.

    def rate(
        self, start: cython.int, end: cython.int, best: cython.int, ply: cython.int
    ) -> cython.void:
        """Give each move from *start* to before *end* its place in the order.

        Captures are looked for once: most positions have none. Behind *end* there must
        be room for a list of them.
        """
        i: cython.int
        last_capture: cython.int = capturing(self.position, end)
        move: cython.int
        square: cython.int
        last: cython.int = self.position.moves[self.position.ply - 1] if self.position.ply else 0
        reply: cython.int = self.replies[(last >> MOVE_SHIFT) * self.cells + (last & TARGET)]
        base: cython.int = (self.position.side - 1) * self.cells * self.cells
        killer: cython.int = self.killers[2 * ply]
        second: cython.int = self.killers[2 * ply + 1]
        for i in range(start, end):
            move = self.position.found[i]
            if move == best:
                self.scores[i] = BEST_FIRST
            elif last_capture > end and is_listed(self.position, move, end, last_capture):
                self.scores[i] = CAPTURE_FIRST
            elif move == killer:
                self.scores[i] = KILLER_FIRST + 1
            elif move == second:
                self.scores[i] = KILLER_FIRST
            elif move == reply:
                self.scores[i] = REPLY_FIRST
            else:
                square = (move >> MOVE_SHIFT) * self.cells + (move & TARGET)
                self.scores[i] = self.history[base + square]

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

    def reward(
        self, start: cython.int, last: cython.int, depth: cython.int, ply: cython.int
    ) -> cython.void:
        """Remember that the quiet move at *last* refuted, and those tried before it did not."""
        i: cython.int
        move: cython.int = self.position.found[last]
        bonus: cython.int = min(16 * depth * depth, 1_600)
        before: cython.int
        if move != self.killers[2 * ply]:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        if self.position.ply:
            before = self.position.moves[self.position.ply - 1]
            self.replies[(before >> MOVE_SHIFT) * self.cells + (before & TARGET)] = move
        self.add_history(move, bonus)
        for i in range(start, last):
            if self.scores[i] < CAPTURE_FIRST:
                self.add_history(self.position.found[i], -bonus)

    def add_history(self, move: cython.int, bonus: cython.int) -> cython.void:
        """Move the history of *move* towards *bonus*, never beyond the limit."""
        index: cython.int = (
            ((self.position.side - 1) * self.cells + (move >> MOVE_SHIFT)) * self.cells
        ) + (move & TARGET)
        size: cython.int = bonus if bonus > 0 else -bonus
        self.history[index] += bonus - self.history[index] * size // HISTORY_LIMIT
