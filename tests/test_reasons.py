"""Why a move is good, in words that are true of the position."""

import pytest

from taflengine.analysis import reasons_for
from taflengine.game import Game
from taflengine.notation import parse_move, parse_rows
from taflengine.pieces import Side

RING = "11/11/11/4aaa4/3a3a3/3a1k1a3/3a3a3/4aaa4/11/11/11"
"""A closed ring of hnefatafl's size; squares inside it are nine."""


@pytest.mark.parametrize(
    ("rows", "side", "move", "reasons"),
    [
        (RING.replace("4aaa4/11/11/11", "4aa5/6a4/11/11"), "a", "g3-g4", ["closes the ring"]),
        (RING.replace("3a3a3/4aaa4/11", "3a3a3/4aaa4/5a5"), "a", "f3-f2", []),
        (RING.replace("3a1k1a3", "3a1k1a2a"), "a", "k6-i6", []),
        (
            RING.replace("3a3a3/4aaa4/11/11", "3aa2a3/5aa4/4a6/11"),
            "a",
            "e3-e4",
            [],
        ),
        (RING.replace("4aaa4/3a3a3", "4aaa4/3a2aa3"), "a", "h7-h8", []),
    ],
)
def test_rings(rows: str, side: str, move: str, reasons: list[str]) -> None:
    game = Game("hnefatafl", parse_rows(rows), Side.ATTACKER if side == "a" else Side.DEFENDER)
    assert reasons_for(game, parse_move(move, 11).move) == reasons


def test_a_ring_is_made_tighter() -> None:
    """A second line of attackers steps in."""
    rows = "11/11/4aaa4/3a3a3/3a3a3/3a1k1a3/3a3a3/4aaa4/11/11/11"
    game = Game("hnefatafl", parse_rows(rows), Side.ATTACKER)
    assert reasons_for(game, parse_move("e9-e8", 11).move) == ["makes the ring tighter"]
    assert reasons_for(game, parse_move("d6-c6", 11).move) == []


def test_roads_and_threats() -> None:
    rows = "7/7/7/3k3/7/a5a/7"
    game = Game("brandubh", parse_rows(rows), Side.DEFENDER)
    assert reasons_for(game, parse_move("d4-d7", 7).move) == ["opens 2 roads to the corner"]
    game = Game("brandubh", parse_rows("7/7/7/k6/7/a6/7"), Side.DEFENDER)
    assert reasons_for(game, parse_move("a4-g4", 7).move) == ["opens a second road to the corner"]
    assert reasons_for(game, parse_move("a4-d4", 7).move) == []
