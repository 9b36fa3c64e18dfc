"""Ratings for each chair, and the worth of the side, against results of known strength."""

import math
import random
from collections.abc import Iterable

import pytest

from taflengine.match.ratings import ELO_PER_LOG_ODDS, Chair, Meeting, rate
from taflengine.match.statistics import Estimate
from taflengine.pieces import Side

BIAS = 120.0
DEFENDING = {"a": 90.0, "b": 20.0, "c": -40.0, "d": -70.0}
ATTACKING = {"a": 50.0, "b": -105.0, "c": 70.0, "d": -15.0}
STRENGTH = {
    Chair(name, side): elo
    for side, chair in ((Side.DEFENDER, DEFENDING), (Side.ATTACKER, ATTACKING))
    for name, elo in chair.items()
}


def chance(defender: str, attacker: str) -> float:
    """How often *defender* beats *attacker*."""
    elo = BIAS + DEFENDING[defender] - ATTACKING[attacker]
    return 1 / (1 + math.exp(-elo / ELO_PER_LOG_ODDS))


def pairings(names: Iterable[str]) -> list[tuple[str, str]]:
    chosen = list(names)
    return [(one, other) for one in chosen for other in chosen if one != other]


def play(chances: random.Random, games: int) -> list[Meeting]:
    """A round robin of the engines above."""
    return [
        Meeting(
            defender,
            attacker,
            sum(chances.random() < chance(defender, attacker) for _ in range(games)),
            games,
        )
        for defender, attacker in pairings(DEFENDING)
    ]


def test_exact_results_give_back_the_strength() -> None:
    found = rate(
        Meeting(defender, attacker, 1000 * chance(defender, attacker), 1000)
        for defender, attacker in pairings(DEFENDING)
    )
    assert found.chairs_apart
    assert found.bias.value == pytest.approx(BIAS)
    assert {chair: each.value for chair, each in found.chairs.items()} == pytest.approx(STRENGTH)


def test_intervals_hold_the_strength_19_times_of_20() -> None:
    held = asked = 0
    for seed in range(250):
        found = rate(play(random.Random(seed), 60))
        truths = [
            (found.bias, BIAS),
            *((found.chairs[chair], elo) for chair, elo in STRENGTH.items()),
        ]
        for estimate, truth in truths:
            assert estimate.low is not None
            assert estimate.high is not None
            asked += 1
            held += estimate.low <= truth <= estimate.high
    assert asked == 250 * 9
    assert held / asked == pytest.approx(0.95, abs=0.02)


def test_two_engines_get_one_rating_each() -> None:
    """Worked by hand: log-odds of 3 and of 1/3 to 1, so no bias and half of ln 9 apart."""
    found = rate([Meeting("a", "b", 75, 100), Meeting("b", "a", 25, 100)])
    assert not found.chairs_apart
    assert found.bias.value == pytest.approx(0)
    for side in Side:
        assert found.of("a", side).value == pytest.approx(400 * math.log10(3) / 2)
        assert found.of("b", side).value == pytest.approx(-400 * math.log10(3) / 2)
    # The variance of log-odds from 75 of 100 is 1/75 + 1/25; the bias is a mean of two.
    deviation = math.sqrt((1 / 75 + 1 / 25) / 2) * ELO_PER_LOG_ODDS
    assert found.bias.error == pytest.approx(1.959964 * deviation, rel=1e-4)


def test_a_draw_is_half_a_win_of_each_side() -> None:
    drawn = rate([Meeting("a", "b", 40 + 35, 100), Meeting("b", "a", 0.5 * 50, 100)])
    assert drawn == rate([Meeting("a", "b", 75, 100), Meeting("b", "a", 25, 100)])


def test_play_against_itself_tells_the_bias_alone() -> None:
    found = rate([Meeting("a", "a", 60, 100)])
    assert found.bias.value == pytest.approx(400 * math.log10(1.5))
    assert found.of("a", Side.DEFENDER) == found.of("a", Side.ATTACKER) == Estimate()


def test_who_lost_every_game_in_a_chair_has_no_rating_there() -> None:
    """And takes nobody else's away."""
    others = [
        Meeting(defender, attacker, 1000 * chance(defender, attacker), 1000)
        for defender, attacker in pairings(DEFENDING)
    ]
    lost = [Meeting("loser", name, 0, 1000) for name in DEFENDING]
    held = [Meeting(name, "loser", 1000 * chance(name, "b"), 1000) for name in DEFENDING]
    found = rate([*others, *lost, *held])
    assert found.of("loser", Side.DEFENDER) == Estimate()
    assert found.of("loser", Side.ATTACKER).value == pytest.approx(
        found.of("b", Side.ATTACKER).value
    )
    for one, other in pairings(DEFENDING):
        ahead, truth = found.of(one, Side.DEFENDER).value, DEFENDING[one] - DEFENDING[other]
        behind = found.of(other, Side.DEFENDER).value
        assert ahead is not None
        assert behind is not None
        assert ahead - behind == pytest.approx(truth)


def test_a_gauntlet_gives_one_rating_each() -> None:
    """The guests have not met each other, so their chairs cannot be compared."""
    guests = "bcd"
    found = rate(
        [
            *(Meeting("a", guest, 70, 100) for guest in guests),
            *(Meeting(guest, "a", 40, 100) for guest in guests),
        ]
    )
    assert not found.chairs_apart
    best = found.of("a", Side.ATTACKER).value
    assert best is not None
    for guest in guests:
        rating = found.of(guest, Side.DEFENDER).value
        assert rating == pytest.approx(-best / 3)


@pytest.mark.parametrize(
    "meetings",
    [
        [],
        [Meeting("a", "b", 0, 0)],
        [Meeting("a", "b", 5, 10)],
        [Meeting("a", "b", 10, 10), Meeting("b", "a", 0, 10)],
        [Meeting("a", "b", 10, 10), Meeting("b", "a", 10, 10)],
        [Meeting("a", "b", 6, 10), Meeting("b", "a", 10, 10)],
        [Meeting("a", "a", 10, 10)],
    ],
)
def test_what_games_do_not_tell_is_left_empty(meetings: list[Meeting]) -> None:
    found = rate(meetings)
    assert found.bias == Estimate()
    assert all(estimate == Estimate() for estimate in found.chairs.values())
