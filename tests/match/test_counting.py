"""Which games count, and for whom."""

from dataclasses import replace

import pytest
from made_games import ATTACKER, DEFENDER, game

from taflengine.match.counting import Count, Scoring, Tally
from taflengine.match.games import Ending, FinishedGame
from taflengine.match.ratings import Meeting
from taflengine.match.statistics import Scores


def pair(number: int, *winners: str | None) -> list[FinishedGame]:
    """Pair *number* of A and B, A attacking first; *winners* are names, None for a draw."""
    games = []
    for place, winner in enumerate(winners):
        attacker, defender = ("A", "B") if place == 0 else ("B", "A")
        side = None if winner is None else ATTACKER if winner == attacker else DEFENDER
        games.append(game(2 * number - 1 + place, attacker, defender, side))
    return games


@pytest.mark.parametrize(
    ("winners", "counts"),
    [
        (("B", "B"), (1, 0, 0, 0, 0)),
        (("B", None), (0, 1, 0, 0, 0)),
        ((None, "B"), (0, 1, 0, 0, 0)),
        (("A", "B"), (0, 0, 1, 0, 0)),
        (("B", "A"), (0, 0, 1, 0, 0)),
        ((None, None), (0, 0, 1, 0, 0)),
        (("A", None), (0, 0, 0, 1, 0)),
        (("A", "A"), (0, 0, 0, 0, 1)),
        (("A",), (0, 0, 0, 0, 0)),
    ],
)
def test_pairs(winners: tuple[str | None, ...], counts: tuple[int, ...]) -> None:
    count = Count(pair(1, *winners))
    assert count.pairs("A", "B").scores == Scores(counts)
    assert count.pairs("B", "A").scores == Scores(counts[::-1])
    assert count.pairs("A").scores == Scores(counts)
    assert count.pairs("A", "B").drawn_twice == (winners == (None, None))


def test_a_pair_may_end_in_any_order_and_among_others() -> None:
    first, second, third = pair(1, "A", "A"), pair(2, "B", None), pair(3, "A", "B")
    count = Count([second[1], first[1], third[0], first[0], second[0]])
    assert count.pairs("A").scores == Scores((0, 1, 0, 0, 1))


def test_pairs_that_one_side_won() -> None:
    """A attacks first, so the winners are sides in turn."""
    count = Count([*pair(1, "A", "B"), *pair(2, "B", "A"), *pair(3, "B", "A"), *pair(4, "A", "A")])
    assert count.pairs("A").by_side == {ATTACKER: 1, DEFENDER: 2}


def test_games_by_engine_and_side() -> None:
    count = Count([*pair(1, "A", None), *pair(2, "A", "B"), game(9, "C", "A", DEFENDER, pair=9)])
    assert count.names == ["A", "B", "C"]
    assert count.tally("A", "B") == Tally(wins=2, losses=1, draws=1)
    assert count.tally("A") == Tally(wins=3, losses=1, draws=1)
    assert count.tally("A", side=ATTACKER) == Tally(wins=2)
    assert count.tally("A", "B", DEFENDER) == Tally(losses=1, draws=1)
    assert count.tally("B", "C") == Tally()
    assert count.sides() == Tally(wins=3, losses=1, draws=1)
    assert count.meetings() == [
        Meeting("B", "A", 0.0, 2),
        Meeting("A", "B", 0.5, 2),
        Meeting("A", "C", 1.0, 1),
    ]


def test_a_game_that_repeats_another_is_left_out_with_its_pair() -> None:
    """As engines without chance do when an opening comes again."""
    games = [*pair(1, "A", "B"), *pair(2, "A", "A"), *pair(3, "A", "B")]
    games[4] = replace(games[4], moves=games[0].moves)
    games[5] = replace(games[5], moves=games[1].moves)
    count = Count(games)
    assert count.duplicates == {5: 1, 6: 2}
    assert count.tally("A") == Tally(wins=3, losses=1)
    assert count.pairs("A").scores == Scores((0, 0, 1, 0, 1))


def test_half_a_pair_is_none() -> None:
    games = [*pair(1, "A", "B"), *pair(2, "A", "B")]
    games[2] = replace(games[2], moves=games[0].moves)
    count = Count(games)
    assert count.duplicates == {3: 1}
    assert count.tally("A") == Tally(wins=1, losses=2)
    assert count.pairs("A").scores == Scores((0, 0, 1, 0, 0))


@pytest.mark.parametrize(
    "other",
    [
        {"variant": "tablut"},
        {"start": "7/7/7/aadkdaa/7/7/7 a"},
        {"moves": ("d6-c6", "d5-c5")},
    ],
)
def test_what_differs_is_no_repetition(other: dict[str, str]) -> None:
    one = game(1, winner=DEFENDER, moves=("d6-c6",))
    assert not Count([one, replace(one, number=3, pair=2, **other)]).duplicates  # type: ignore[arg-type]
    swapped = replace(one, number=3, pair=2, attacker=one.defender, defender=one.attacker)
    assert not Count([one, swapped]).duplicates


@pytest.mark.parametrize("ending", [Ending.CRASH, Ending.START_FAILURE, Ending.TIME])
def test_failures_always_count(ending: Ending) -> None:
    """An engine that never starts has the same game, without a move, every time."""
    games = [
        game(number, winner=DEFENDER, ending=ending, culprit=ATTACKER, moves=(), pair=number)
        for number in range(1, 11)
    ]
    count = Count(games)
    assert not count.duplicates
    assert count.tally("A") == Tally(losses=10)


def test_captures_decide_a_pair_by_both_games_together() -> None:
    """A takes 7 and 3 pieces against 5 and 4, though B wins both games."""
    games = [
        game(1, "A", "B", DEFENDER, captures=(7, 5)),
        game(2, "B", "A", ATTACKER, captures=(4, 3)),
        game(3, "A", "B", DEFENDER, captures=(2, 1)),
        game(4, "B", "A", ATTACKER, captures=(1, 0)),
    ]
    assert Count(games, Scoring.CAPTURES).pairs("A").scores == Scores((0, 0, 1, 0, 1))
    assert Count(games, Scoring.RESULT).pairs("A").scores == Scores((2, 0, 0, 0, 0))


def test_an_engine_against_itself_makes_no_pairs() -> None:
    games = [game(number, "A", "A", DEFENDER) for number in range(1, 5)]
    count = Count(games)
    assert count.sides() == Tally(losses=4)
    assert count.pairs("A").scores.total == 0
    assert count.meetings() == [Meeting("A", "A", 4.0, 4)]
