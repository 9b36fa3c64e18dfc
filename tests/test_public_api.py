"""The library's front: complete, sorted, light, and as the README shows it."""

import subprocess
import sys

import pytest

import taflengine
from taflengine import Game, IllegalMoveError, NotationError, Reason, Refusal, Side


def test_every_public_name_is_there_and_listed_once() -> None:
    assert taflengine.__all__ == sorted(set(taflengine.__all__), key=str.lower)
    for name in taflengine.__all__:
        assert getattr(taflengine, name).__doc__
    homes = taflengine._HOME_OF
    assert set(homes) == set(taflengine.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Gmae'"):
        _ = taflengine.Gmae


def test_importing_loads_nothing_else() -> None:
    code = "import sys, taflengine; print([m for m in sys.modules if m.startswith('taflengine.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_game_from_the_library() -> None:
    game = Game("brandubh")
    assert game.side_to_move is Side.ATTACKER
    assert len(game.legal_moves()) == 40
    assert game.play_text("d6-c6") == ()
    with pytest.raises(IllegalMoveError) as refused:
        game.play_text("d4-d7")
    assert refused.value.reason is Refusal.BLOCKED
    assert str(refused.value) == "illegal move: d4-d7: another piece is in the way at d5"
    with pytest.raises(NotationError):
        game.play_text("d4")
    for text in ("d5-e5", "c6-c7", "d4-d6", "c7-c6", "d6-e6", "a4-a2", "e6-e7", "a2-a3", "e7-g7"):
        game.play_text(text)
    assert game.outcome == (Side.DEFENDER, Reason.CORNER)
    assert str(game.outcome) == "defender corner"
    assert game.legal_moves() == []
    game.undo(2)
    assert game.outcome is None
