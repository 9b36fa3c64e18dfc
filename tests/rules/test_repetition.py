"""Repetition of positions, and of a player's own moves."""

import pytest
from endings import GATE, OPEN, ROUND, begin, play, ply_and_result, woven
from pictures import drawn, symmetries, turned_board

from taflengine.game import Game
from taflengine.notation import parse_move, parse_picture
from taflengine.pieces import Side

# Repetition of positions.

DRAW = ("draw repetition", "draw repetition")
ATTACKERS = ("attacker repetition", "attacker repetition")
BEGINNER = ("attacker repetition", "defender repetition")
SECOND = ("defender repetition", "attacker repetition")


@pytest.mark.parametrize(
    "defenders_first", [False, True], ids=["attackers first", "defenders first"]
)
@pytest.mark.parametrize(
    ("rule", "count", "start_counts", "ply", "results"),
    [
        ("none", 3, True, 40, ("ongoing", "ongoing")),
        ("none", 2, False, 40, ("ongoing", "ongoing")),
        ("draw", 2, True, 4, DRAW),
        ("draw", 2, False, 5, DRAW),
        ("draw", 3, True, 8, DRAW),
        ("draw", 3, False, 9, DRAW),
        ("loss-defenders", 2, True, 4, ATTACKERS),
        ("loss-defenders", 2, False, 5, ATTACKERS),
        ("loss-defenders", 3, True, 8, ATTACKERS),
        ("loss-defenders", 3, False, 9, ATTACKERS),
        # Who began has made the odd plies.
        ("loss-mover", 2, True, 4, BEGINNER),
        ("loss-mover", 2, False, 5, SECOND),
        ("loss-mover", 3, True, 8, BEGINNER),
        ("loss-mover", 3, False, 9, SECOND),
        ("win-mover", 2, True, 4, SECOND),
        ("win-mover", 2, False, 5, BEGINNER),
        ("win-mover", 3, True, 8, SECOND),
        ("win-mover", 3, False, 9, BEGINNER),
        ("own-moves", 3, True, 9, SECOND),
        ("own-moves", 3, False, 9, SECOND),
    ],
)
def test_repetition(
    rule: str,
    count: int,
    start_counts: bool,
    ply: int,
    results: tuple[str, str],
    defenders_first: bool,
) -> None:
    changes = (
        f'repetition = "{rule}"\nrepetition_count = {count}\n'
        f"start_counts = {str(start_counts).lower()}"
    )
    side = Side.DEFENDER if defenders_first else Side.ATTACKER
    moves = (*ROUND[1::-1], *ROUND[:1:-1]) if defenders_first else ROUND
    game = begin("hnefatafl", OPEN, changes, side)
    assert ply_and_result(game, moves) == (ply, results[defenders_first])


def test_a_position_counts_by_whatever_moves_it_returns() -> None:
    game = begin("hnefatafl")
    assert play(game, " ".join(ROUND)) == "ongoing"
    assert play(game, "f2-g2 c2-c3 g2-f2 c3-c2") == "draw repetition"


def test_other_positions_may_lie_between() -> None:
    game = begin("hnefatafl")
    play(game, " ".join(ROUND))
    play(game, "b6-b7 f6-f7 b7-c7 f7-e7 c7-c6 e7-e6 c6-b6")
    assert play(game, "e6-f6") == "draw repetition"
    assert len(game.plies) == 12


def test_the_same_placement_with_the_other_side_to_move_is_another_position() -> None:
    game = begin("hnefatafl", OPEN, "repetition_count = 2")
    board = game.board
    # The attackers come back in three moves, the defenders in two.
    assert play(game, "b6-b5 f6-f5 b5-b4 f5-f6 b4-b6") == "ongoing"
    assert game.board == board
    assert play(game, "f6-f5 b6-b5 f5-f4 b5-b6 f4-f6") == "draw repetition"


def test_a_mirrored_position_is_another_position() -> None:
    picture = """
        . . . . . . .
        . . . d . . .
        . . . . . . .
        . . . k . . .
        . . . . . . .
        . a . . . . .
        . . . . . . ."""
    game = begin("hnefatafl", picture, "repetition_count = 2")
    mirrored = turned_board(game.board, symmetries(7)[1])
    assert play(game, "b2-c2 d6-d5 c2-f2 d5-d6") == "ongoing"
    assert game.board == mirrored


@pytest.mark.parametrize("clear", ["true", "false"])
@pytest.mark.parametrize("start_counts", ["true", "false"])
@pytest.mark.parametrize(("count", "ply"), [(2, 7), (3, 11)])
def test_after_a_capture_counting_begins_anew(
    count: int, ply: int, start_counts: str, clear: str
) -> None:
    """The position right after the capture is remembered, whatever is said of the start."""
    changes = (
        f"repetition_count = {count}\nstart_counts = {start_counts}\n"
        f"captures_clear_positions = {clear}"
    )
    game = begin("hnefatafl", OPEN, changes)
    assert play(game, "b6-b5 f6-f5 f2-d2") == "ongoing"
    assert game.plies[-1].captured
    assert ply_and_result(game, ("f5-f6", "b5-b6", "f6-f5", "b6-b5")) == (ply, "draw repetition")


@pytest.mark.parametrize("start_counts", ["true", "false"])
def test_a_capture_with_the_first_move_is_remembered(start_counts: str) -> None:
    game = begin("hnefatafl", OPEN, f"start_counts = {start_counts}")
    play(game, "f2-d2")
    moves = ("f6-f5", "b6-b5", "f5-f6", "b5-b6")
    assert ply_and_result(game, moves) == (9, "draw repetition")


def test_bologna_draws_at_the_second_occurrence() -> None:
    game = Game("tablut-bologna")
    assert play(game, "e4-f4 d1-c1 f4-e4 c1-c2 e4-f4 c2-c1") == "draw repetition"


def test_undo_forgets_occurrences() -> None:
    game = begin("hnefatafl")
    for _ in range(5):
        play(game, " ".join(ROUND))
        game.undo(4)
    assert ply_and_result(game, ROUND) == (8, "draw repetition")
    game.undo()
    assert game.outcome is None
    assert play(game, ROUND[3]) == "draw repetition"
    game.undo(3)
    assert play(game, "f6-f7 b5-b6 f7-f6") == "draw repetition"
    assert len(game.plies) == 8


def test_undo_of_a_capture_brings_the_occurrences_before_it_back() -> None:
    game = begin("hnefatafl")
    play(game, " ".join(ROUND))
    play(game, "f2-d2")
    game.undo()
    assert play(game, " ".join(ROUND)) == "draw repetition"


def test_a_position_set_up_by_hand_is_its_own_first_occurrence() -> None:
    board = parse_picture(OPEN)
    game = Game(drawn("hnefatafl", OPEN.replace("a", ".", 1)), board)
    assert ply_and_result(game, ROUND) == (8, "draw repetition")


def test_repetition_switched_off_and_on_again() -> None:
    game = Game(drawn("hnefatafl", OPEN), enforce_repetition=False)
    assert not game.enforce_repetition
    assert ply_and_result(game, ROUND, 13) == (13, "ongoing")
    game.enforce_repetition = True
    assert str(game.outcome) == "draw repetition"
    assert game.legal_moves() == []
    game.enforce_repetition = False
    assert game.outcome is None
    assert play(game, "f6-f7") == "ongoing"
    game.enforce_repetition = True
    assert game.outcome is None, "this position is new"
    assert game.enforce_repetition


def test_repetition_switched_off_leaves_other_endings_on() -> None:
    game = Game(drawn("copenhagen-clean", OPEN), enforce_repetition=False)
    assert ply_and_result(game, ROUND, 200) == (100, "draw quiet-moves")


def test_what_was_played_counts_in_perft() -> None:
    game = begin("hnefatafl")
    play(game, " ".join((*ROUND, *ROUND[:3])))
    last = parse_move(ROUND[3], 7).move
    assert game.divide(2)[last] == 0
    game.enforce_repetition = False
    assert game.divide(2)[last] > 0


# Repetition of a player's own moves.

TWO_EACH = """
    . . . . . . .
    . a . . . d .
    . . . . . . .
    . . . k . . .
    . . . . . . .
    . a . . . d .
    . . . . . . ."""
P, Q = ("b6-b5", "b5-b6"), ("b2-b3", "b3-b2")
"""There and back of two attackers."""
R, S = ("f6-f5", "f5-f6"), ("f2-f3", "f3-f2")
"""There and back of two defenders."""


def test_own_moves_the_attacker_who_makes_a_move_for_the_third_time_loses() -> None:
    game = begin("tawlbwrdd", TWO_EACH)
    assert play(game, woven(P, R + S, 9)) == "defender repetition"


def test_own_moves_the_defender_who_makes_a_move_for_the_third_time_loses() -> None:
    game = begin("tawlbwrdd", TWO_EACH)
    assert play(game, woven(P + Q, R, 10)) == "attacker repetition"


def test_own_moves_positions_may_return_any_number_of_times() -> None:
    game = begin("tawlbwrdd", TWO_EACH)
    start = game.board
    assert play(game, woven(P + Q, R + S, 80)) == "ongoing"
    assert game.board == start


def test_own_moves_the_opponent_is_not_looked_at() -> None:
    """No position occurs twice here."""
    game = begin("tawlbwrdd", TWO_EACH)
    assert play(game, woven(P, ("f6-f5", "f5-f4", "f4-g4", "g4-g5"), 9)) == "defender repetition"


def test_own_moves_with_a_move_of_another_man_between_do_not_count() -> None:
    game = begin("tawlbwrdd", TWO_EACH)
    # b6-b5 is his first, third and sixth move.
    attackers = ("b6-b5", "b5-b6", "b6-b5", "b2-b3", "b5-b6", "b6-b5")
    assert play(game, woven(attackers, R + S, 11)) == "ongoing"
    # b5-b6 is his fifth, seventh and ninth.
    assert play(game, "f5-f6 b5-b6 f2-f3 b6-b5 f3-f2 b5-b6") == "defender repetition"


def test_own_moves_to_another_square_do_not_count() -> None:
    game = begin("tawlbwrdd", TWO_EACH)
    assert play(game, woven((*P, *P, "b6-b7"), R + S, 9)) == "ongoing"


def test_own_moves_from_another_square_do_not_count() -> None:
    game = begin("tawlbwrdd", TWO_EACH)
    attackers = ("b6-b5", "b5-b6", "b6-b5", "b5-c5", "c5-b5")
    assert play(game, woven(attackers, R + S, 9)) == "ongoing"


CAUGHT = """
    . . . . . . .
    . . . . . . a
    . . d . k . .
    . . . . . . .
    d . . . . . .
    a a . . . . .
    . . . . . . ."""


def test_own_moves_neither_a_capture_nor_the_move_between_resets() -> None:
    game = begin("tawlbwrdd", CAUGHT)
    play(game, "b2-b3 c5-c6 b3-b2 c6-c5 b2-b3 c5-c3")
    assert game.plies[-1].captured, "the man who made the move twice is off the board"
    assert play(game, "a2-b2 c3-c5 b2-b3") == "defender repetition"


def test_own_moves_the_other_man_moves_elsewhere() -> None:
    game = begin("tawlbwrdd", CAUGHT)
    play(game, "b2-b3 c5-c6 b3-b2 c6-c5 b2-b3 c5-c3 a2-b2 c3-c5")
    assert play(game, "b2-b4") == "ongoing"


def test_own_moves_undo_forgets() -> None:
    game = begin("tawlbwrdd", TWO_EACH)
    play(game, woven(P, R + S, 9))
    game.undo()
    assert game.outcome is None
    assert play(game, "b6-b7") == "ongoing"
    game.undo(9)
    assert play(game, woven(P, R + S, 9)) == "defender repetition"


def test_own_moves_switched_off_and_on_again() -> None:
    game = Game(drawn("tawlbwrdd", TWO_EACH), enforce_repetition=False)
    assert play(game, woven(P, R + S, 20)) == "ongoing"
    game.enforce_repetition = True
    # The last move was the defenders', who had not repeated theirs.
    assert game.outcome is None
    assert play(game, P[0]) == "defender repetition"


def test_own_moves_a_ring_closed_by_the_third_of_them_wins() -> None:
    game = begin("tawlbwrdd", GATE)
    play(game, "f6-e6 e7-f7 e6-f6 f7-e7 f6-e6 d4-d3 e6-f6 e7-e5")
    assert play(game, "f6-e6") == "attacker encirclement"


TRAP = """
    . . . . . . .
    . . . . . . .
    a . . . . . .
    . . . k . . .
    . . . . . . .
    . . . d . . .
    . d . . . . ."""


def test_own_moves_count_before_a_side_without_a_move() -> None:
    game = begin("tawlbwrdd", TRAP)
    play(game, "a5-a6 d2-a2 a6-a7 a2-d2 a7-a6 d2-a2 a6-a5 a2-d2")
    assert play(game, "a5-a1 d2-a2") == "attacker repetition"
    game.undo(2)
    assert play(game, "a5-a6 d2-d3 a6-a5 d3-d2 a5-a1 d2-a2") == "defender no-moves"
