"""How OTEP writes moves and analyses."""

from typing import TYPE_CHECKING

from taflengine.errors import NotationError
from taflengine.notation import Move, format_move, parse_move
from taflengine.pieces import Side

if TYPE_CHECKING:
    from taflengine.engines.report import Report, Variation

WIN = 5000
"""The value of a won game."""
_MOST = WIN - 1


def read_moves(text: str, size: int) -> list[Move]:
    """Read moves with ``|`` between, in the short or the full notation; others are left out."""
    moves = []
    for word in text.split("|"):
        try:
            moves.append(parse_move(word, size).move)
        except NotationError:
            continue
    return moves


def format_analysis(report: "Report", side: Side, size: int) -> str:
    """Write what was found for *side*, which is to move, as ``analysis N LINE VALUE...``."""
    pairs = [
        f"{'|'.join(format_move(move, size) for move in variation.line)} "
        f"{_value(variation, side):.2f}"
        for variation in report.variations
    ]
    return f"analysis {len(pairs)} {' '.join(pairs)}"


def _value(variation: "Variation", side: Side) -> float:
    """From the attackers' side, a man being 100 and a proven win ``WIN``."""
    plies = variation.plies_to_end
    points = max(-_MOST, min(_MOST, variation.score))
    if plies is not None:
        points = WIN if plies > 0 else -WIN
    return points if side is Side.ATTACKER else -points
