"""Squares of an n x n board: files and ranks, edges, corners, symmetries.

A square is an int below ``size * size``; a1 is 0, b1 is 1, and the first square
of the second rank is ``size``. Nothing here knows a rule.
"""

from functools import cache

MIN_SIZE = 7
MAX_SIZE = 19
SIZES = tuple(range(MIN_SIZE, MAX_SIZE + 1, 2))
"""Sides of the boards that the engine plays on: odd, so that there is a centre."""


class Geometry:
    """The squares of one board size. Made once for each size by ``geometry_of``."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.area = size * size
        self.centre = self.area // 2
        last = size - 1
        self.corners = (0, last, self.area - size, self.area - 1)
        self.by_file = tuple(rank * size + file for file in range(size) for rank in range(size))
        """All squares, files before ranks: a1, a2, ... b1, b2, ..."""
        self.order = tuple((square % size) * size + square // size for square in range(self.area))
        """Of each square its place in ``by_file``: the key to sort squares by."""

    def file(self, square: int) -> int:
        """Column of *square*, 0 for file a."""
        return square % self.size

    def rank(self, square: int) -> int:
        """Row of *square*, 0 for rank 1."""
        return square // self.size

    def is_edge(self, square: int) -> bool:
        """Whether *square* lies on one of the four outer lines."""
        last = self.size - 1
        return self.file(square) in (0, last) or self.rank(square) in (0, last)

    def corner_squares(self, width: int) -> frozenset[int]:
        """The squares of the four corner regions, each *width* squares wide and high.

        *width* 0 gives no square, 1 the four corners, 2 sixteen squares.
        """
        near = set(range(width))
        ends = near | {self.size - 1 - line for line in near}
        return frozenset(file + rank * self.size for file in ends for rank in ends)

    def neighbours(self, square: int) -> tuple[int, ...]:
        """The two to four squares beside *square*, along ranks and files."""
        file, rank = self.file(square), self.rank(square)
        steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
        return tuple(
            file + dx + (rank + dy) * self.size
            for dx, dy in steps
            if 0 <= file + dx < self.size and 0 <= rank + dy < self.size
        )

    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The eight turns and mirrors; each maps a square to its image by index."""
        maps = []
        last = self.size - 1
        for turns in range(4):
            for mirror in (False, True):
                image = []
                for square in range(self.area):
                    file, rank = self.file(square), self.rank(square)
                    if mirror:
                        file = last - file
                    for _ in range(turns):
                        file, rank = rank, last - file
                    image.append(rank * self.size + file)
                maps.append(tuple(image))
        return tuple(maps)


@cache
def geometry_of(size: int) -> Geometry:
    """The geometry of a board with *size* squares on a side, one of ``SIZES``.

    Raises:
        ValueError: *size* is even, or not from 7 to 19.
    """
    if size not in SIZES:
        raise ValueError(f"board size {size}: allowed are odd sizes from {MIN_SIZE} to {MAX_SIZE}")
    return Geometry(size)
