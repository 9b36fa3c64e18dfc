"""Counting move sequences: the check and the yardstick of the position.

Every move is made and unmade, those of the last ply too; nothing is counted in bulk.
"""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

from taflengine.core import codes
from taflengine.core.endings import judge
from taflengine.core.position import Position


def perft(position: Position, depth: cython.int) -> cython.ulonglong:
    """The number of sequences of exactly *depth* legal moves from *position*.

    A finished game has no moves. *position* is as it was afterwards.
    """
    position.reserve(depth)
    position.reserve_moves(depth + 1)
    return count(position, depth, codes.FIRST_LIST)


def count(position: Position, depth: cython.int, start: cython.int) -> cython.ulonglong:
    """As ``perft``, with the move lists in ``found`` from *start* on."""
    i: cython.int
    end: cython.int
    total: cython.ulonglong = 0
    if depth == 0:
        return 1
    if judge(position):
        return 0
    end = position.generate(position.side, start)
    for i in range(start, end):
        position.make(position.found[i])
        total += count(position, depth - 1, end)
        position.unmake()
    return total
