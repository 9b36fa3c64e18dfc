"""What the evaluation sees of rings and barred corners."""

import re

import pytest

from taflengine.core.evaluation import Evaluation
from taflengine.core.weights import LARGE_CORNER, Weights
from taflengine.game import Game
from taflengine.notation import parse_rows
from taflengine.pieces import Side
from taflengine.variants.catalogue import VARIANTS

NOTHING = Weights(**dict.fromkeys(Weights._fields, 0))
BARRED = NOTHING._replace(barred=-1000, place_barred=100)
GUARDS = ["2a5a2", "1a7a1", "a9a", "11", "4d6", "5k5", "6d4", "11", "a9a", "1a7a1", "2a5a2"]
"""Three men on the diagonal before each corner."""
DIAMOND = ["11", "5a5", "4a1a4", "3a3a3", "2a2d2a2", "1a3k3a1", "2a5a2", "3a3a3", "4a1a4"]
DIAMOND += ["5a5", "11"]
"""A ring about the king, four squares away."""


def points(rows: list[str], weights: Weights, name: str = "hnefatafl") -> int:
    """What *weights* say of a position."""
    variant = VARIANTS[name]
    placed = Game(variant, parse_rows("/".join(rows)), Side.ATTACKER).position
    return int(Evaluation(Game(variant).position, weights).points(placed))


def put(rows: list[str], square: str, piece: str) -> list[str]:
    """*rows* with *piece* on *square*, ``.`` for none."""
    full = [re.sub(r"\d+", lambda run: "." * int(run[0]), row) for row in rows]
    file, row = ord(square[0]) - ord("a"), len(rows) - int(square[1:])
    full[row] = full[row][:file] + piece + full[row][file + 1 :]
    return [re.sub(r"\.+", lambda run: str(len(run[0])), each) for each in full]


def test_guards_bar_the_corners() -> None:
    assert points(GUARDS, BARRED) == -1000


@pytest.mark.parametrize("square", ["c11", "j10", "a9", "k3", "b2", "i1"])
def test_one_guard_less_and_a_corner_is_open(square: str) -> None:
    assert points(put(GUARDS, square, "."), BARRED) == 0


def test_a_closed_ring_bars_the_corners_too() -> None:
    assert points(DIAMOND, BARRED) == -1000


def test_places_count_less_behind_barred_corners() -> None:
    guards = NOTHING._replace(guard=-10, barred=-1000, place_barred=25)
    assert points(GUARDS, guards) == -1000 - 12 * 10 * 25 // 100


def test_squares_shut_off_are_counted() -> None:
    """Behind guards the twelve squares of the corners; outside the ring all that are not inside."""
    outside = BARRED._replace(barred=-1, square_outside=-10)
    assert points(GUARDS, outside) == -1 - 10 * 12
    assert points(DIAMOND, outside) == -1 - 10 * (121 - 16 - 25)


def test_a_closed_ring_counts_what_is_inside() -> None:
    ring = NOTHING._replace(closed_ring=-500, square_inside=1)
    assert points(DIAMOND, ring) == -500 + 25
    assert points(put(DIAMOND, "f10", "."), ring) == 0, "a gap"
    assert points(put(DIAMOND, "f1", "d"), ring) == 0, "a defender stands outside"


@pytest.mark.parametrize("name", ["hnefatafl", "copenhagen"])
@pytest.mark.parametrize("gap", ["f10", "f2", "b6", "j6"])
def test_to_close_a_ring_is_to_the_attackers_good(gap: str, name: str) -> None:
    """Also where the king sees nothing but the edge through the gap: that bars the corners too."""
    walls = {
        "f10": ("e10", "g10", "e11", "g11"),
        "f2": ("e1", "g1", "e2", "g2"),
        "b6": ("a5", "a7", "b5", "b7"),
        "j6": ("j5", "j7", "k5", "k7"),
    }
    closed = DIAMOND
    for wall in walls[gap]:
        closed = put(closed, wall, "a")
    idle = put(put(closed, gap, "."), "b1", "a")
    assert points(closed, LARGE_CORNER, name) < points(idle, LARGE_CORNER, name)


@pytest.mark.parametrize("name", ["brandubh", "tablut", "hnefatafl", "tawlbwrdd-lewis"])
def test_a_king_between_two_attackers_is_not_shut_in(name: str) -> None:
    """Above and below or on either side: what is free beside him is free."""
    size = VARIANTS[name].size
    empty, middle = [str(size)] * size, size // 2 + 1

    def square(file: int, rank: int) -> str:
        return f"{chr(ord('a') + file - 1)}{rank}"

    lying = standing = put(empty, square(middle, middle), "k")
    for away in (-1, 1):
        lying = put(lying, square(middle + away, middle), "a")
        standing = put(standing, square(middle, middle + away), "a")
    lying, standing = put(lying, square(1, middle), "d"), put(standing, square(middle, 1), "d")
    weights = NOTHING._replace(closed_ring=-500, square_outside=-1, barred=-1000)
    assert points(lying, weights, name) == points(standing, weights, name) == 0
