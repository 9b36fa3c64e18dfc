"""The plan of game k follows from the settings and k: sides, openings, seeds."""

from pathlib import Path

import pytest

from taflengine.errors import NotationError
from taflengine.match.openings import read_openings
from taflengine.match.plan import GamePlan, Opening
from taflengine.match.schedule import Book, Order, Schedule, Tournament
from taflengine.match.settings import complete, parse_settings
from taflengine.notation import format_move
from taflengine.pieces import Side
from taflengine.variants import find_variant

RANDOM = Book({}, 4, Order.SEQUENTIAL)
NAMED = {"brandubh": [Opening("one"), Opening("two"), Opening("three")]}
BRANDUBH, TABLUT = find_variant("brandubh"), find_variant("tablut")


def plans(schedule: Schedule, count: int) -> list[GamePlan]:
    return [schedule.plan(number) for number in range(1, count + 1)]


def test_a_pair_has_one_opening_and_both_sides() -> None:
    found = plans(Schedule(Tournament.ROUND_ROBIN, 2, ["brandubh"], RANDOM, 7), 40)
    for first, second in zip(found[::2], found[1::2], strict=True):
        assert first.opening == second.opening
        assert (first.attacker, first.defender) == (second.defender, second.attacker) == (0, 1)
        assert first.pair == second.pair
        assert first.seed != second.seed
    assert len({plan.opening for plan in found}) == 20
    assert [plan.pair for plan in found[::2]] == list(range(1, 21))


def test_a_plan_depends_on_seed_and_number_alone() -> None:
    """Asked in any order, by any schedule of the same settings."""
    names = ["brandubh", "tablut"]
    one, two, other = (
        Schedule(Tournament.ROUND_ROBIN, 3, names, RANDOM, seed) for seed in (1, 1, 2)
    )
    backwards = [two.plan(number) for number in range(30, 0, -1)]
    assert plans(one, 30) == backwards[::-1]
    assert [plan.opening for plan in plans(other, 30)] != [plan.opening for plan in backwards[::-1]]


def test_a_round_robin_is_fair() -> None:
    """Everybody meets everybody as often as every other one, on both sides, from each opening."""
    schedule = Schedule(
        Tournament.ROUND_ROBIN, 4, ["brandubh"], Book(NAMED, 0, Order.SEQUENTIAL), 1
    )
    assert schedule.total(4) == 24
    met = sorted((plan.attacker, plan.defender) for plan in plans(schedule, 24))
    every = [(one, two) for one in range(4) for two in range(4) if one != two]
    assert met == sorted(every * 2)
    first_round = plans(schedule, 12)
    assert {plan.opening.name for plan in first_round} == {"one"}
    assert {plan.round for plan in first_round} == {1}


def test_a_gauntlet() -> None:
    schedule = Schedule(Tournament.GAUNTLET, 4, ["brandubh"], RANDOM, 1)
    assert schedule.total(2) == 6
    assert all(0 in (plan.attacker, plan.defender) for plan in plans(schedule, 6))


def test_self_play_takes_a_new_opening_for_each_game() -> None:
    found = plans(Schedule(Tournament.SELF_PLAY, 1, ["brandubh"], RANDOM, 1), 10)
    assert {(plan.attacker, plan.defender) for plan in found} == {(0, 0)}
    assert len({plan.opening for plan in found}) == 10
    assert [plan.pair for plan in found] == list(range(1, 11))


def test_openings_in_order_and_shuffled() -> None:
    schedule = Schedule(
        Tournament.SELF_PLAY, 1, ["brandubh"], Book(NAMED, 0, Order.SEQUENTIAL, 2), 1
    )
    names = [plan.opening.name for plan in plans(schedule, 5)]
    assert names == ["two", "three", "one", "two", "three"]
    schedule = Schedule(Tournament.SELF_PLAY, 1, ["brandubh"], Book(NAMED, 0, Order.RANDOM), 1)
    names = [plan.opening.name for plan in plans(schedule, 30)]
    for start in range(0, 30, 3):
        assert sorted(names[start : start + 3]) == ["one", "three", "two"]
    assert len({tuple(names[start : start + 3]) for start in range(0, 30, 3)}) > 2


def test_variants_in_turn() -> None:
    found = plans(Schedule(Tournament.ROUND_ROBIN, 2, ["brandubh", "tablut"], RANDOM, 1), 8)
    assert [plan.rules for plan in found] == ["brandubh"] * 2 + ["tablut"] * 2 + [
        *["brandubh"] * 2,
        *["tablut"] * 2,
    ]


FILE = """\
# openings for two games
brandubh: d6-c6 d5-e5   # by a colon
brandubh d6-e6
[tablut]
e8-d8
[Brandubh]
3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d d5-e5 # set up
"""


def test_a_file_of_openings(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(FILE)
    found = read_openings(path, BRANDUBH, [BRANDUBH, TABLUT])
    assert [opening.name for opening in found] == ["by a colon", "book.txt:3", "set up"]
    assert [[format_move(move, 7) for move in opening.moves] for opening in found] == [
        ["d6-c6", "d5-e5"],
        ["d6-e6"],
        ["d5-e5"],
    ]
    assert found[2].board == BRANDUBH.start
    assert found[2].side is Side.DEFENDER
    assert [opening.name for opening in read_openings(path, TABLUT, [TABLUT])] == ["book.txt:5"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("d6-c6 d6-c6", "line 2: move 2: illegal move: d6-c6: there is no piece on the square"),
        ("d6-h6", "line 2: move 1: 'h6' is not on this board, which goes from a1 to g7"),
        ("3a3/3a3 a d6-c6", "line 2: position of 2 rows: a board has an odd number of rows"),
        ("1a5/7/7/7/7/7/1k5 d b1-a1", "the game is over, defender corner"),
        ("tablutt: d6-c6", "line 2: 'tablutt' is no rule set: did you mean tablut?"),
    ],
)
def test_a_bad_opening_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "book.txt"
    path.write_text(f"# first\n{line}\n")
    with pytest.raises(NotationError) as caught:
        read_openings(path, BRANDUBH, [BRANDUBH])
    if message not in str(caught.value):
        pytest.fail(str(caught.value))


def test_openings_of_no_variant_played_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("tablut: e8-d8\n")
    plain = complete({"engine": ["oneply", "random"], "variant": ["brandubh"]})
    plain |= {"openings": "book.txt", "directory": str(tmp_path)}
    with pytest.raises(NotationError, match=r"book\.txt: there are no openings of brandubh"):
        parse_settings(plain)
