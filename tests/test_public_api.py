"""The library's front: complete, sorted, light, and as the README shows it."""

import subprocess
import sys
from collections.abc import Callable

import pytest

import taflengine
from taflengine import (
    Board,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Piece,
    Reason,
    Refusal,
    Side,
)


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


OFF_THE_BOARD: list[Callable[[Game], object]] = [
    lambda game: game.play(Move(10**6, 10**6)),
    lambda game: game.play(Move(-1, 5)),
    lambda game: game.play(Move(33, 406)),
    lambda game: game.moves_from(10**8),
    lambda game: game.moves_from(-1),
    lambda game: game.perft(-1),
    lambda game: game.divide(0),
    lambda game: game.trying(Move(-1, 500)).__enter__(),
    lambda game: Game(game.variant, Board(11, (None,) * 60 + (Piece.KING,))),
]


@pytest.mark.parametrize("ask", OFF_THE_BOARD)
def test_nonsense_is_a_value_error_and_changes_nothing(ask: Callable[[Game], object]) -> None:
    game = Game()
    before = (game.key, game.board, game.plies)
    with pytest.raises(ValueError, match=r"square|depth"):
        ask(game)
    assert (game.key, game.board, game.plies) == before
