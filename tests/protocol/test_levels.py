"""Levels: the lowest is oneply, those above visit so many positions, the highest all it may."""

import pytest
from program import replies

from taflengine import core
from taflengine.engines.levels import HIGHEST, LOWEST, nodes_of

SETUP = ("newgame brandubh", "set_param seed 3", "set_param movetime 60")
MOVES = ("genmove attacker", "genmove defender") * 3


def moves_of(*settings: str) -> list[str]:
    return replies((*SETUP, *settings, *MOVES))[-len(MOVES) :]


def test_the_lowest_level_plays_as_oneply() -> None:
    lowest = moves_of("set_param engine search", f"set_param level {LOWEST}")
    assert lowest == moves_of("set_param engine oneply")


@pytest.mark.parametrize("level", [2, 5] if core.form() == "compiled" else [2])
def test_a_level_visits_its_number_of_positions(level: int) -> None:
    held = moves_of("set_param engine search", f"set_param level {level}")
    assert held == moves_of("set_param engine search", f"set_param nodes {nodes_of(level)}")


def test_other_limits_hold_too_and_a_hint_is_never_held_back() -> None:
    fewer = moves_of("set_param engine search", "set_param level 6", "set_param nodes 100")
    assert fewer == moves_of("set_param engine search", "set_param nodes 100")
    asked = (*SETUP, "set_param nodes 3000", "hint")
    assert replies(asked)[-1] == replies(("set_param level 2", *asked))[-1]


def test_each_level_has_more_than_the_one_below() -> None:
    numbers = [nodes_of(level) for level in range(LOWEST + 1, HIGHEST)]
    assert None not in numbers
    assert numbers == sorted(set(numbers))  # type: ignore[type-var]
    assert nodes_of(HIGHEST) is None
