"""Time as the protocol keeps it: settings, clocks, and searches that are never late."""

import math
import time
from collections.abc import Callable

import pytest
from dialogue import SOON
from program import Program, replies

from taflengine.clock import Clock, parse_control
from taflengine.pieces import Side

FULL = ["= attacker 60.000 0", "defender 60.000 0"]


def answers(*lines: str) -> list[str]:
    """What each line is answered, without the sign of success."""
    return [reply.removeprefix("= ") for reply in replies(lines)]


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("time_settings 300 30 5", "300.000 0"),
        ("time_settings 300 0 0", "300.000 0"),
        ("time_settings 300 0 7", "300.000 0"),
        ("time_settings 0 30 5", "30.000 5"),
        ("time_settings 0 0 0", "0.000 0"),
        ("time_settings 0 1 0", "none"),
        ("time_settings 300 30 0", "none"),
        ("time_settings 1.5 0.25 2", "1.500 0"),
        ("kata-time_settings none", "none"),
        ("kata-time_settings absolute 5", "5.000 0"),
        ("kata-time_settings fischer 1 0.01", "1.000 0"),
        ("kata-time_settings canadian 0 30 5", "30.000 5"),
    ],
)
def test_settings(line: str, clock: str) -> None:
    assert answers(line, "clock") == ["", f"attacker {clock}\ndefender {clock}"]


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ("time_settings 300 0", "usage: time_settings MAIN BYO STONES"),
        ("time_settings 300 0 -1", "-1 is less than nothing: say 0 or more"),
        ("time_settings 300 0 1.5", "'1.5' is no whole number"),
        ("time_settings x 0 0", "'x' is no number"),
        ("time_left attacker 10", "usage: time_left SIDE SECONDS STONES"),
        ("time_left nobody 10 0", "'nobody' is no side"),
        ("time_left attacker nan 0", "'nan' is no number"),
        ("time_left attacker 10 -2", "-2 is less than nothing: say 0 or more"),
        ("kata-time_settings", "usage: kata-time_settings KIND [NUMBERS...]"),
        ("kata-time_settings none 1", "usage: kata-time_settings none"),
        ("kata-time_settings canadian 1 2 0", "a period is of some seconds"),
        ("kata-time_settings canadian 1 2 2.5", "a period is of some seconds"),
        ("kata-time_settings canadian 1 0 2", "a period is of some seconds"),
        ("kata-time_settings fischer 1 -2", "-2 is less than nothing"),
        ("kata-time_settings byoyomi 1 2 3", "'byoyomi' is no time control: say none or absolute"),
    ],
)
def test_what_is_refused_changes_nothing(line: str, failure: str) -> None:
    _, failed, clock = replies(["time_settings 60 30 5", line, "clock"])
    assert failed.startswith(f"? {failure}")
    assert clock.split("\n") == FULL


def test_time_left_is_believed() -> None:
    found = answers("time_settings 60 30 5", "time_left b 12.25 0", "time_left white 7 3", "clock")
    assert found[-1] == "attacker 12.250 0\ndefender 7.000 3"
    found = answers("kata-time_settings fischer 60 1", "time_left defender -0.05 0", "clock")
    assert found[-1] == "attacker 60.000 0\ndefender 0.000 0"
    found = answers("time_settings 0 1 0", "time_left attacker 5 0", "clock")
    assert found[-1] == "attacker none\ndefender none"
    found = answers("time_left attacker 5 0", "clock", "newgame", "clock")
    assert found[1::2] == ["attacker 5.000 0\ndefender none", "attacker none\ndefender none"]


def test_a_game_begins_with_full_clocks() -> None:
    for line in ("newgame", "clear_board", "boardsize 7"):
        found = replies(["time_settings 60 0 0", "time_left attacker 1 0", line, "clock"])
        assert found[-1].split("\n") == FULL
    found = answers("time_settings 60 0 0", "time_left b 1 0", "play d1-d3", "undo", "clock")
    assert found[-1].startswith("attacker 1.000 0")


def test_the_engine_keeps_its_own_clock() -> None:
    """What genmove takes is off the clock of its side, and nothing else is."""
    with Program() as program:
        for line in ("newgame brandubh", "set_param engine search", "time_settings 10 0 0"):
            program.ask(line)
        begun = time.monotonic()
        program.ask("genmove attacker")
        taken = time.monotonic() - begun
        attacker, defender = program.ask("clock").removeprefix("= ").split("\n")
        left = float(attacker.split()[1])
        assert 10 - taken - 0.002 <= left < 9.98
        assert defender == "defender 10.000 0"
        program.ask("reg_genmove defender")
        assert program.ask("genmove attacker").startswith("? out of turn")
        program.ask("genmove_analyze time 0.1")
        attacker, defender = program.ask("clock").removeprefix("= ").split("\n")
        assert float(attacker.split()[1]) == left
        assert 1 < float(defender.split()[1]) <= 9.91


def test_a_clock_takes_the_place_of_movetime() -> None:
    """In both directions; reg_genmove and hint heed movetime all the same."""
    with Program() as program:
        for line in ("newgame brandubh", "set_param engine search", "set_param movetime 3600"):
            program.ask(line)
        program.ask("time_settings 1 0 0")
        begun = time.monotonic()
        program.ask("genmove attacker")
        assert time.monotonic() - begun < SOON
        program.ask("set_param movetime 0.001")
        program.ask("time_settings 10000 0 0")
        begun = time.monotonic()
        program.ask("reg_genmove defender")
        program.ask("hint")
        assert time.monotonic() - begun < SOON
        program.ask("time_settings 20 0 0")
        begun = time.monotonic()
        program.ask("genmove defender")
        assert time.monotonic() - begun > 0.1


def play(control: str, margin: float, moves: int) -> float:
    """Moves of the engine against itself under clocks that are outside, where replies are read.

    Of four moves two are asked for without a word about the clock. Returns the least
    time that was left of what a move was allowed.
    """
    kept = parse_control(control)
    settings = (
        f"time_settings {kept.main} {kept.period} {kept.moves}"
        if kept.period
        else f"kata-time_settings fischer {kept.main} {kept.increment}"
    )
    least = math.inf
    with Program() as program:
        for line in ("set_param engine search", f"set_param margin {margin}", settings):
            program.ask(line)
        clocks = {side.value: Clock(kept) for side in Side}
        for number in range(moves):
            if program.ask("result") != "= ongoing":
                program.ask("clear_board")
                clocks = {side.value: Clock(kept) for side in Side}
            side = program.ask("side").removeprefix("= ")
            clock = clocks[side]
            if number % 4 < 2:
                program.ask(f"time_left {side} {clock.remaining:.3f} {clock.moves_left}")
            allowed = clock.allowance
            begun = time.perf_counter()
            program.ask(f"genmove {side}")
            taken = time.perf_counter() - begun
            least = min(least, allowed - taken)
            assert clock.spend(taken), f"{taken - allowed:.4f} s late at move {number + 1}"
    return least


@pytest.mark.parametrize(("control", "moves"), [("5+0.5", 6), ("0+2/1", 4), ("1+3/3", 6)])
def test_no_time_is_lost(
    control: str, moves: int, record_property: Callable[[str, object], None]
) -> None:
    """The margin is wide, because those who run tests may be busy with others."""
    least = play(control, 1, moves)
    record_property(f"{control}: least time left after a move, s", f"{least:.3f}")


@pytest.mark.long
@pytest.mark.parametrize("control", ["1+0.01", "0+0.05/1", "2+0.5/10", "10+0.1"])
def test_no_time_is_lost_in_fast_games(
    control: str, record_property: Callable[[str, object], None]
) -> None:
    """With the usual margin: they need a processor of their own."""
    least = play(control, 0.05, 1000)
    record_property(f"{control}: least time left after one of 1000 moves, s", f"{least:.4f}")
