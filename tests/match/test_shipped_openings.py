"""The openings that come with the program: lines that can be played, and no two alike."""

import re

import pytest

from taflengine.game import Game
from taflengine.match.openings import SHIPPED, shipped_openings
from taflengine.pieces import Piece, Side
from taflengine.variants.catalogue import VARIANTS

LEAST, MOST = 0.3, 0.7
"""Points of the defenders per game in playouts, between which an opening is balanced."""


def test_every_rule_set_has_openings() -> None:
    assert {path.stem for path in SHIPPED.glob("*.txt")} == set(VARIANTS)


@pytest.mark.parametrize("name", VARIANTS)
def test_openings_lead_to_a_game_that_goes_on(name: str) -> None:
    variant = VARIANTS[name]
    openings = shipped_openings(variant)
    assert len(openings) >= 8
    seen: set[tuple[tuple[Piece | None, ...], Side]] = set()
    for opening in openings:
        game = Game(variant)
        for move in opening.moves:
            game.play(move)
        assert not game.outcome
        images = {
            tuple(game.board.pieces[image.index(square)] for square in range(len(image)))
            for image in variant.geometry.symmetries()
        }
        now = {(board, game.side_to_move) for board in images}
        assert not now & seen
        seen |= now


@pytest.mark.parametrize("name", VARIANTS)
def test_openings_are_balanced_by_their_playouts(name: str) -> None:
    text = (SHIPPED / f"{name}.txt").read_text(encoding="utf-8")
    shares = [float(share) for share in re.findall(r"# ([0-9.]+)$", text, flags=re.MULTILINE)]
    assert len(shares) == len(shipped_openings(VARIANTS[name]))
    assert all(LEAST <= share <= MOST for share in shares)
