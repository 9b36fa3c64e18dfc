"""The one table of weights of the search's evaluation, by family of games.

An attacker is worth 100. All points are the defenders'. The tables were tuned by matches
(scripts/tune.py, scripts/strength.md); the defaults, fitted to recorded games, are where that
began.
"""

from typing import NamedTuple

from taflengine.rules import Goal, Variant


class Weights(NamedTuple):
    """Points for the defenders, each times what its name counts."""

    attacker: int = -100
    """Each attacker on the board."""
    defender: int = 85
    """Each defender's man on the board."""
    distance: int = 60
    """Mean distance of the attackers to the king, in squares along ranks and files."""
    one_road: int = 150
    """The king could go to a goal square now, in one direction."""
    two_roads: int = 600
    """The same in two directions or more."""
    two_moves: int = 60
    """Each goal that the king could reach in two moves if nobody else moved."""
    three_moves: int = 25
    """The same in three moves."""
    cut_off: int = -50
    """No goal is within the king's three moves."""
    outside_line: int = 30
    """Each end of a rank or file whose outermost piece is the defenders'."""
    guard: int = -18
    """Each attacker on one of the three squares of the diagonal that bars a corner."""
    second_line: int = -25
    """Each attacker on a line next to the edge."""
    edge_line: int = 10
    """Each attacker on the edge."""
    beside_corner: int = 10
    """Each attacker beside a corner."""
    king_on_edge: int = -80
    """The king stands on the edge without a road."""
    attacker_beside_king: int = -10
    """Each attacker beside the king."""
    defender_beside_king: int = 10
    """Each defender beside the king."""
    closed_ring: int = -300
    """No way through anything but attackers leads from the king to the edge, and no defender
    stands outside."""
    square_inside: int = 4
    """Then each square inside the ring."""
    square_outside: int = -8
    """Each square without an attacker that is shut off from the king, where he has few men or
    every corner is barred, as it is by a ring too."""
    barred: int = 0
    """Every corner is barred: the king has no way through anything but attackers to one. 0 if
    that is not looked for."""
    place_barred: int = 100
    """Then so many hundredths of the points for attackers' places still count: they hold men on
    guard, and a ring is not drawn closer by those who stand guard."""
    scale: int = 220
    """So many points multiply the odds of a win by e. No term: it turns scores into chances."""


LARGE_CORNER = Weights(
    defender=51,
    distance=36,
    one_road=123,
    two_roads=693,
    two_moves=82,
    three_moves=33,
    cut_off=-6,
    outside_line=14,
    guard=-39,
    second_line=-14,
    edge_line=-1,
    beside_corner=14,
    king_on_edge=-37,
    attacker_beside_king=-4,
    defender_beside_king=-5,
    closed_ring=-242,
    square_inside=3,
    square_outside=-12,
    barred=-330,
    place_barred=25,
    scale=396,
)
SMALL_CORNER = Weights(
    defender=35,
    distance=30,
    one_road=47,
    two_roads=336,
    two_moves=20,
    three_moves=17,
    cut_off=6,
    outside_line=17,
    guard=5,
    second_line=-1,
    edge_line=-6,
    beside_corner=31,
    king_on_edge=-20,
    attacker_beside_king=-9,
    defender_beside_king=1,
    closed_ring=-384,
    square_inside=3,
    scale=226,
)
SMALL_EDGE = Weights(
    defender=74,
    distance=52,
    one_road=112,
    two_roads=534,
    two_moves=20,
    three_moves=0,
    cut_off=9,
    outside_line=17,
    guard=0,
    second_line=-6,
    edge_line=0,
    beside_corner=0,
    king_on_edge=0,
    attacker_beside_king=-18,
    defender_beside_king=5,
    closed_ring=-361,
    square_inside=2,
    scale=164,
)
LARGE_EDGE = Weights(
    defender=39,
    distance=77,
    one_road=122,
    two_roads=497,
    two_moves=22,
    three_moves=0,
    cut_off=17,
    outside_line=8,
    guard=0,
    second_line=3,
    edge_line=6,
    beside_corner=0,
    king_on_edge=0,
    attacker_beside_king=-9,
    defender_beside_king=5,
    closed_ring=-271,
    square_inside=1,
    scale=253,
)


def weights_of(variant: Variant) -> Weights:
    """The weights for *variant*: of its family, scaled if its board is larger or smaller."""
    if variant.goal is Goal.EDGE:
        table, size = (SMALL_EDGE, 9) if variant.size <= 9 else (LARGE_EDGE, 11)
    else:
        table, size = (SMALL_CORNER, 7) if variant.size <= 7 else (LARGE_CORNER, 11)
    return table if variant.size == size else _scaled(table, size / variant.size)


def _scaled(table: Weights, ratio: float) -> Weights:
    """*table* for a board on which distances and lines are 1 / *ratio* times as many."""
    return table._replace(
        distance=round(table.distance * ratio),
        outside_line=round(table.outside_line * ratio),
        square_inside=round(table.square_inside * ratio**2),
        square_outside=round(table.square_outside * ratio**2),
    )
