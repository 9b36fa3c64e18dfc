"""Endings by quiet moves, their order, undo, positions set up by hand."""

import pytest
from endings import GATE, OPEN, ROUND, begin, play, ply_and_result, woven
from pictures import on_board

from taflengine.errors import IllegalMoveError, Refusal
from taflengine.game import Game
from taflengine.notation import format_move, parse_move, parse_picture, parse_square
from taflengine.pieces import Side

# Quiet moves.


@pytest.mark.parametrize("name", ["copenhagen-clean", "brandubh"])
def test_fifty_quiet_moves_of_each_side_draw(name: str) -> None:
    """Two walks of 5 and 6 moves: no position occurs a third time in a hundred plies."""
    attackers = ("b6-b5", "b5-b4", "b4-b3", "b3-b7", "b7-b6")
    defenders = ("f6-f5", "f5-f4", "f4-f3", "f3-g3", "g3-g6", "g6-f6")
    game = begin(name)
    assert play(game, woven(attackers, defenders, 99)) == "ongoing"
    assert play(game, defenders[49 % 6]) == "draw quiet-moves"
    assert len(game.plies) == 100


QUIET_SIX = 'quiet_plies = 6\nrepetition = "none"'


@pytest.mark.parametrize(("limit", "ply"), [(1, 1), (2, 2), (7, 7), (0, 40)])
def test_quiet_moves_are_counted_in_plies_of_both_sides(limit: int, ply: int) -> None:
    game = begin("hnefatafl", OPEN, f'quiet_plies = {limit}\nrepetition = "none"')
    result = "draw quiet-moves" if limit else "ongoing"
    assert ply_and_result(game, ROUND) == (ply, result)


def test_a_capture_by_the_attackers_starts_the_count_anew() -> None:
    game = begin("hnefatafl", OPEN, QUIET_SIX)
    play(game, f"{' '.join(ROUND)} f2-d2")
    assert game.plies[-1].captured
    assert ply_and_result(game, ("f6-f5", "b6-b5", "f5-f6", "b5-b6")) == (11, "draw quiet-moves")


def test_a_capture_by_the_defenders_starts_the_count_anew() -> None:
    picture = OPEN.replace(". a d . . a .", ". d a . . d .")
    game = begin("hnefatafl", picture, QUIET_SIX)
    play(game, "b6-b5 f6-f5 b5-b6 f2-d2")
    assert game.plies[-1].captured
    assert ply_and_result(game, ("b6-b5", "f5-f6", "b5-b6", "f6-f5")) == (10, "draw quiet-moves")


def test_undo_restores_the_count() -> None:
    game = begin("hnefatafl", OPEN, QUIET_SIX)
    play(game, f"{' '.join(ROUND)} f2-d2")
    game.undo()
    assert ply_and_result(game, ROUND) == (6, "draw quiet-moves")
    game.undo()
    assert game.outcome is None
    assert play(game, "f6-f7") == "draw quiet-moves"
    game.undo(2)
    play(game, "f2-d2")
    assert ply_and_result(game, ("f6-f5", "b6-b5", "f5-f6", "b5-b6")) == (11, "draw quiet-moves")


# One ply, two endings.

CORNERED = """
    . . . . . . .
    . a . . . d .
    k . . . . . .
    . . . . . . .
    a . a . . . .
    . . . . . . .
    . . . . . . ."""


def test_reaching_the_corner_with_the_last_quiet_ply_wins() -> None:
    game = begin("hnefatafl", CORNERED, QUIET_SIX)
    assert play(game, "b6-b5 f6-f5 b5-b6 f5-f6 c3-c2 a5-a7") == "defender corner"


def test_an_exit_fort_with_the_last_quiet_ply_wins() -> None:
    picture = """
        . . . . . . . . .
        . . . . . . . a .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . d . . .
        . . . . . . . . .
        . . . d d . . . .
        . . d k . . . . ."""
    game = begin("copenhagen", picture, "quiet_plies = 2")
    assert play(game, "h8-h7 f4-f1") == "defender exit-fort"


def test_a_ring_with_the_last_quiet_ply_wins() -> None:
    game = begin("fetlar", GATE.replace("d", ".", 1), "quiet_plies = 1")
    assert play(game, "f6-e6") == "attacker encirclement"


def test_repetition_that_wins_counts_before_quiet_moves() -> None:
    game = begin("hnefatafl", OPEN, 'quiet_plies = 8\nrepetition = "win-mover"')
    assert ply_and_result(game, ROUND) == (8, "defender repetition")


def test_a_side_without_a_move_has_lost_on_the_last_quiet_ply() -> None:
    picture = """
        . . . . . . .
        . a . . . . .
        a . . . . . .
        k . . . . . .
        a . . . . . .
        . . . . . . .
        . . . . . . ."""
    game = begin("hnefatafl", picture, "quiet_plies = 1")
    assert play(game, "b6-b4") == "attacker no-moves"
    game = begin("fetlar-panel", picture, "quiet_plies = 1")
    assert play(game, "b6-b4") == "draw quiet-moves"
    game = begin("fetlar-panel", picture, "quiet_plies = 2")
    assert play(game, "b6-b4") == "draw no-moves"


def test_the_last_attacker_taken_is_no_quiet_ply() -> None:
    picture = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . k . . .
        . . . . . . .
        . d a . d . .
        . . . . . . ."""
    game = begin("fetlar-panel", picture, "quiet_plies = 1", Side.DEFENDER)
    assert play(game, "e2-d2") == "defender no-moves"


# Positions set up by hand.


def set_up(name: str, picture: str, side: Side) -> Game:
    """A position under the rules called *name* that has not come about by moves."""
    board = parse_picture(picture)
    return Game(on_board(name, board.size), board, side)


IN_THE_CORNER = """
    . . . . . . .
    . a . . . d .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    k . . . . . ."""
SURROUNDED = """
    . . . . . . .
    . a . . a . .
    . . . a k a .
    . . . . a . .
    . . . . . . .
    . . . . . . d
    . . . . . . ."""
IN_A_FORT = """
    . . . . . . .
    . a . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . d d . . .
    . d k . d . ."""
IN_A_RING = GATE.replace("d", ".", 1).replace("a a . a .", "a a a . .")
IN_FULL_SHIELDWALL = """
    . . . . . . .
    . . . . . k .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . a a . . .
    . a d d a . ."""


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize(
    "picture",
    [IN_THE_CORNER, SURROUNDED, IN_A_FORT, IN_A_RING, IN_FULL_SHIELDWALL],
    ids=["corner", "surrounded", "fort", "ring", "shieldwall"],
)
def test_a_position_set_up_by_hand_is_not_judged(picture: str, side: Side) -> None:
    game = set_up("copenhagen", picture, side)
    assert game.outcome is None
    assert game.legal_moves()


def test_a_king_set_up_in_the_corner_wins_only_by_going_to_another() -> None:
    game = set_up("hnefatafl", IN_THE_CORNER, Side.DEFENDER)
    assert play(game, "f6-f5 b6-b5 a1-a2 b5-b6 a2-a1") == "defender corner"


def test_a_king_set_up_surrounded_is_taken_by_a_new_closing_move() -> None:
    game = set_up("hnefatafl", SURROUNDED, Side.ATTACKER)
    assert play(game, "e4-e3 g2-g3 e3-e4") == "attacker king-captured"


STUCK = """
    . . . . . . .
    . . . . . . .
    a . . . . . .
    k a . . . . .
    a . . . . . .
    . . . . . . .
    . . . . . . ."""
ALONE = STUCK.replace("a", ".")


@pytest.mark.parametrize(
    ("name", "picture", "side", "result"),
    [
        ("hnefatafl", STUCK, Side.DEFENDER, "attacker no-moves"),
        ("fetlar-panel", STUCK, Side.DEFENDER, "draw no-moves"),
        ("hnefatafl", STUCK, Side.ATTACKER, "ongoing"),
        ("hnefatafl", ALONE, Side.ATTACKER, "defender no-moves"),
        ("fetlar-panel", ALONE, Side.ATTACKER, "defender no-moves"),
        ("fetlar-panel", ALONE, Side.DEFENDER, "ongoing"),
    ],
)
def test_a_side_set_up_without_a_move_has_no_game(
    name: str, picture: str, side: Side, result: str
) -> None:
    game = set_up(name, picture, side)
    assert str(game.outcome or "ongoing") == result
    assert bool(game.legal_moves()) == (result == "ongoing")


def test_attackers_without_a_man_have_lost_when_their_turn_comes() -> None:
    game = set_up("fetlar-panel", ALONE, Side.DEFENDER)
    assert play(game, "a4-b4") == "defender no-moves"


# After the end, and what a move is refused for besides its squares.


def test_after_the_end_there_are_no_moves() -> None:
    game = begin("hnefatafl", CORNERED, side=Side.DEFENDER)
    assert play(game, "a5-a7") == "defender corner"
    assert game.legal_moves() == game.legal_moves(Side.DEFENDER) == []
    assert all(game.moves_from(square) == [] for square in range(49))
    assert (game.perft(0), game.perft(1), game.divide(1)) == (1, 0, {})
    board = game.board
    with pytest.raises(
        IllegalMoveError, match=r"b6-b5: game over: defender wins \(corner\)"
    ) as caught:
        play_one(game, "b6-b5")
    assert caught.value.reason is Refusal.GAME_OVER
    assert (game.board, len(game.plies)) == (board, 1)
    game.undo()
    assert game.outcome is None
    assert play(game, "a5-a6") == "ongoing"


def play_one(game: Game, text: str, by: Side | None = None) -> None:
    """Play one move as somebody wrote it, captures and all."""
    move, captures = parse_move(text, game.variant.size)
    game.play(move, captures, by)


def test_out_of_turn_nobody_moves() -> None:
    game = begin("hnefatafl")
    for text in ("f6-f5", "b6-b5"):
        with pytest.raises(IllegalMoveError, match="turn, attacker is to move") as caught:
            play_one(game, text, Side.DEFENDER)
        assert caught.value.reason is Refusal.TURN
    assert game.plies == ()
    play_one(game, "b6-b5", Side.ATTACKER)


@pytest.mark.parametrize("text", ["b6-b5xc2", "f2-d2xf6", "f2-d2xc2xf6"])
def test_captures_that_are_not_made_refuse_the_move(text: str) -> None:
    game = begin("hnefatafl")
    before = (game.board, game.key, game.side_to_move)
    with pytest.raises(IllegalMoveError) as caught:
        play_one(game, text)
    assert caught.value.reason is Refusal.CAPTURES
    assert str(caught.value).endswith(": c2" if text.startswith("f2") else ": none")
    assert (game.board, game.key, game.side_to_move) == before
    assert game.plies == ()


def test_captures_that_are_made_may_be_written() -> None:
    game = begin("hnefatafl")
    play_one(game, "f2-d2xc2")
    assert [format_move(ply.move, 7) for ply in game.plies] == ["f2-d2"]


@pytest.mark.parametrize("text", ["e3-e4", "e3-e4xe5"])
def test_the_kings_capture_may_be_written_or_not(text: str) -> None:
    game = set_up("hnefatafl", SURROUNDED, Side.ATTACKER)
    play(game, "e4-e3 g2-g3")
    play_one(game, text)
    assert str(game.outcome) == "attacker king-captured"
    assert game.plies[-1].captured == (parse_square("e5", 7),)


@pytest.mark.parametrize("plies", [0, -1, 5])
def test_undo_of_more_or_less_than_there_is_changes_nothing(plies: int) -> None:
    game = begin("hnefatafl")
    play(game, " ".join(ROUND))
    with pytest.raises(ValueError, match="plies: allowed are 1 to 4"):
        game.undo(plies)
    assert len(game.plies) == 4
