"""What evaluation counts on the board. Each is a number with a meaning; weights are elsewhere."""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

from taflengine.core import codes
from taflengine.core.position import Position

ATTACKER = cython.declare(cython.int, codes.ATTACKER)
OCCUPANT = cython.declare(cython.int, codes.OCCUPANT)


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
