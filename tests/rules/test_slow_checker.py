"""The core agrees with the slow checker in steered random play under every rule set."""

from collections.abc import Callable
from functools import cache

import pytest
from agreement import Comparison
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import variants

from taflengine import core
from taflengine.rules import Goal, NoMove, Repetition, Variant
from taflengine.variants.catalogue import VARIANTS

together = pytest.mark.xdist_group("slow checker")
"""In one process, where the last test finds what the others have counted."""

NORMAL = 2_000 if core.form() == "compiled" else 300
LONG = 100_000
SEED_GAMES = (
    "hnefatafl",
    "historical",
    "homeschool",
    "tawlbwrdd-lewis",
    "tawlbwrdd-bell",
    "copenhagen-clean",
    "brandubh",
)
"""The rule sets that the project began with."""


def expected(variant: Variant) -> set[str]:
    """Every ending that the rules of *variant* know, and every shape of shieldwall."""
    goal = "defender edge" if variant.goal is Goal.EDGE else "defender corner"
    names = {"attacker king-captured", goal}
    if variant.exit_fort:
        names.add("defender exit-fort")
    if variant.encirclement:
        names.add("attacker encirclement")
    if variant.no_move is NoMove.LOSS:
        names |= {"attacker no-moves", "defender no-moves"}
    else:
        names |= {"draw no-moves", "defender no-moves"}
    names |= {
        Repetition.NONE: set(),
        Repetition.DRAW: {"draw repetition"},
        Repetition.LOSS_DEFENDERS: {"attacker repetition"},
        Repetition.OWN_MOVES: {"attacker repetition", "defender repetition"},
    }[variant.repetition]
    if variant.quiet_plies:
        names.add("draw quiet-moves")
    if variant.shieldwall:
        notes = ("king-in-row", "corner", "double")
        names |= {"shieldwall", *(f"shieldwall {note}" for note in notes)}
    return names


@cache
def run(name: str, plies: int) -> dict[str, int]:
    return Comparison(VARIANTS[name], seed=1).run(plies)


Record = Callable[[str, object], None]


@together
@pytest.mark.parametrize("name", VARIANTS)
def test_core_and_slow_checker_agree(name: str, record_property: Record) -> None:
    record_property(f"compared with the slow checker, {name}", told(run(name, NORMAL)))


def told(counts: dict[str, int]) -> str:
    """What was counted in one line, most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{what} {count}" for what, count in ordered)


@together
@pytest.mark.parametrize("names", [SEED_GAMES, tuple(VARIANTS)])
def test_every_ending_and_shieldwall_was_reached(names: tuple[str, ...]) -> None:
    """Over the games of the seeds, and over all; the longer run asks it of each."""
    if core.form() != "compiled":
        pytest.skip("the plain form plays too little to reach everything")
    reached = set[str]().union(*(run(name, NORMAL) for name in names))
    wanted = set[str]().union(*(expected(VARIANTS[name]) for name in names))
    assert sorted(wanted - reached) == []


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(variants(), st.integers(0, 1_000_000))
def test_they_agree_under_rule_sets_of_anybody(variant: Variant, seed: int) -> None:
    """Combinations that no known game has, as a rule file may hold them."""
    Comparison(variant, seed).run(20)


@pytest.mark.long
@pytest.mark.parametrize("name", VARIANTS)
def test_core_and_slow_checker_agree_at_length(name: str, record_property: Record) -> None:
    counts = run(name, LONG)
    record_property(f"compared at length with the slow checker, {name}", told(counts))
    missing = expected(VARIANTS[name]) - set(counts)
    assert not missing, f"never reached: {sorted(missing)}"
