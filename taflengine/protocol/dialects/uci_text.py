"""Words that both sides of UCI use."""

from taflengine.notation import Move, square_name
from taflengine.pieces import Side

CLOCKS = {Side.ATTACKER: ("btime", "binc"), Side.DEFENDER: ("wtime", "winc")}
"""What ``go`` calls the time and the increment of each side: the attackers are black."""
RULES_OPTION = "UCI_Variant"
"""The option that says which rule set is played."""


def glued(move: Move, size: int) -> str:
    """Write *move* as ``e4e7``."""
    return "".join(square_name(square, size) for square in move)
