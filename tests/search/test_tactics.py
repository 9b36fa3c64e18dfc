"""The core's lists of forcing moves hold just the moves that do what they say."""

import random

import pytest
from agreement import SCENES, Scene

from taflengine import core
from taflengine.core import tactics
from taflengine.errors import NotationError
from taflengine.game import Game
from taflengine.notation import Move
from taflengine.pieces import Side
from taflengine.rules import Reason, Variant
from taflengine.variants.catalogue import VARIANTS

POSITIONS = 120 if core.form() == "compiled" else 10


def drawn(variant: Variant, count: int) -> list[Game]:
    """Positions in which things happen, with either side to move."""
    chance = random.Random(variant.name)
    games: list[Game] = []
    while len(games) < count:
        drawing = chance.choice([each for each in SCENES.values() if each])
        scene = Scene(variant, chance)
        drawing(scene)
        try:
            game = Game(variant, scene.turned(), chance.choice(list(Side)))
        except NotationError:
            continue
        if not game.outcome:
            games.append(game)
    return games


def pairs(moves: set[Move]) -> list[tuple[int, int]]:
    return sorted((move.origin, move.target) for move in moves)


@pytest.mark.parametrize("name", VARIANTS)
def test_lists_agree_with_trying_every_move(name: str) -> None:
    variant = VARIANTS[name]
    found = dict.fromkeys(("takers", "captures", "blocks", "roads"), 0)
    for game in drawn(variant, POSITIONS):
        position, moves = game.position, game.legal_moves()
        for square in range(variant.geometry.area):
            if position.piece_at(square) == 0:
                side = 1 if game.side_to_move is Side.ATTACKER else 2
                arriving = {move for move in moves if move.target == square}
                assert sorted(tactics.moves_to(position, square, side)) == pairs(arriving)
        takers, captures = set(), set()
        for move in moves:
            king = position.king_square()
            captured = game.play(move)
            if game.outcome and game.outcome.reason is Reason.KING_CAPTURED:
                takers.add(move)
                captured = tuple(square for square in captured if square != king)
            if captured:
                captures.add(move)
            game.undo()
        listed = tactics.captures(position)
        assert len(listed) == len(set(listed))
        if variant.shieldwall or variant.linnaean:
            assert set(listed) <= captures
        else:
            assert sorted(listed) == pairs(captures)
        found["captures"] += len(captures)
        roads = king_roads(game)
        assert tactics.roads(position) == len(roads)
        found["roads"] += len(roads)
        if game.side_to_move is Side.ATTACKER:
            assert sorted(tactics.king_captures(position)) == pairs(takers)
            found["takers"] += len(takers)
            on_road = set().union(*roads.values()) if roads else set()
            blocks = {move for move in moves if move.target in on_road}
            assert sorted(set(tactics.blocks(position))) == pairs(blocks)
            found["blocks"] += len(blocks)
    if core.form() == "compiled":
        assert found["takers"]
        assert found["captures"]
        assert found["roads"]
        # A king who goes one square at a time is blocked on his goal or not at all.
        assert found["blocks"] or variant.king_reach == 1


def king_roads(game: Game) -> dict[tuple[bool, bool], set[int]]:
    """Of each direction with a goal the squares up to the nearest one, by the king's moves."""
    size, position = game.variant.size, game.position
    king = position.king_square()
    roads: dict[tuple[bool, bool], set[int]] = {}
    for move in game.moves_from(king):
        same_rank = move.target // size == king // size
        direction = (same_rank, move.target > king)
        if move.target in game.variant.goal_squares:
            step = (1 if same_rank else size) * (1 if move.target > king else -1)
            squares = set(range(king + step, move.target + step, step))
            if direction not in roads or len(squares) < len(roads[direction]):
                roads[direction] = squares
    return roads
