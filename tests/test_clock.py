"""Time controls as text, clocks at the ends of their periods, and plans that keep the time."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taflengine.clock import UNLIMITED, Clock, TimeControl, allot, parse_control
from taflengine.errors import NotationError


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("300", TimeControl(main=300)),
        ("10+0.1", TimeControl(main=10, increment=0.1)),
        ("1+0.01", TimeControl(main=1, increment=0.01)),
        ("40/60", TimeControl(main=60, moves=40)),
        ("40/60+1", TimeControl(main=60, moves=40, increment=1)),
        ("300+30/5", TimeControl(main=300, period=30, moves=5)),
        ("0+30/5", TimeControl(period=30, moves=5)),
        ("300+30/5+2.5", TimeControl(main=300, period=30, moves=5, increment=2.5)),
        ("0.05", TimeControl(main=0.05)),
        ("0.000000001", TimeControl(main=1e-9)),
        ("inf", UNLIMITED),
    ],
)
def test_short_forms(text: str, control: TimeControl) -> None:
    assert parse_control(text) == control
    assert str(control) == text


@pytest.mark.parametrize(("text", "seconds"), [("1:30", 90), ("0:05.5", 5.5), ("2:0", 120)])
def test_minutes_are_read(text: str, seconds: float) -> None:
    assert parse_control(text) == TimeControl(main=seconds)
    assert parse_control(f"40/{text}") == TimeControl(main=seconds, moves=40)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "x",
            "-1",
            "1e3",
            "nan",
            "+1",
            "5+",
            "/60",
            "40/",
            "0/60",
            "00/60",
            "0",
            "0+1",
            "40/0",
        ),
        *("300+0/5", "300+30/0", "40/60+30/5", "1+2+3", "10 + 1", "1_0", "\u0661", "1" * 11, "Inf"),
        "9" * 100,
    ],
)
def test_what_is_no_time_control_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no time control"):
        parse_control(text)


nanoseconds = st.integers(0, 10**13).map(lambda count: count / 10**9)
controls = st.builds(
    TimeControl,
    main=nanoseconds.filter(bool),
    increment=nanoseconds,
    period=nanoseconds,
    moves=st.integers(1, 100),
)


@given(controls)
def test_text_and_back(control: TimeControl) -> None:
    assert parse_control(str(control)) == control


def test_absolute_time_is_used_up_exactly() -> None:
    """Tenths of a second add up to a second, which floats do not."""
    clock = Clock(TimeControl(main=1))
    assert all(clock.spend(0.1) for _ in range(10))
    assert (clock.remaining, clock.expired) == (0, False)
    assert not clock.spend(1e-9)
    assert (clock.remaining, clock.expired) == (0, True)


def test_an_increment_comes_after_the_move() -> None:
    clock = Clock(TimeControl(main=1, increment=0.1))
    assert clock.spend(1)
    assert clock.remaining == 0.1
    assert not clock.spend(0.100000001)
    assert clock.remaining == 0


def test_moves_per_time_keep_what_is_left() -> None:
    clock = Clock(TimeControl(main=60, moves=3))
    states = []
    for seconds in (10, 10, 30, 70):
        assert clock.spend(seconds)
        states.append((clock.remaining, clock.moves_left))
    assert states == [(50, 2), (40, 1), (70, 3), (0, 2)]
    assert not clock.spend(0.001)


def test_a_canadian_clock() -> None:
    """Its main time runs out in the middle of a move; a period's leftover is lost."""
    clock = Clock(TimeControl(main=10, period=6, moves=2))
    states = []
    for seconds in (9, 3, 1, 6, 0, 3, 3):
        assert clock.allowance >= seconds
        assert clock.spend(seconds)
        states.append((clock.remaining, clock.moves_left))
    assert states == [(1, 0), (4, 1), (6, 2), (0, 1), (6, 2), (3, 1), (6, 2)]
    assert not clock.spend(6.000000001)


def test_the_end_of_the_main_time() -> None:
    """A move just within it is none of the period's; one that takes all of both is in time."""
    clock = Clock(TimeControl(main=10, period=6, moves=2))
    assert clock.spend(10)
    assert (clock.remaining, clock.moves_left) == (6, 2)
    clock = Clock(TimeControl(main=10, period=6, moves=2))
    assert clock.allowance == 16
    assert clock.spend(16)
    assert (clock.remaining, clock.moves_left) == (0, 1)
    clock = Clock(TimeControl(main=10, period=6, moves=1))
    assert clock.spend(16)
    assert (clock.remaining, clock.moves_left) == (6, 1)
    clock = Clock(TimeControl(main=10, period=6, moves=2))
    assert not clock.spend(16.000000001)


def test_periods_from_the_start() -> None:
    clock = Clock(TimeControl(period=6, moves=2))
    assert (clock.remaining, clock.moves_left, clock.allowance) == (6, 2, 6)


@pytest.mark.parametrize("control", [UNLIMITED, TimeControl(period=5), TimeControl(300, 1, 5, 0)])
def test_no_limit(control: TimeControl) -> None:
    clock = Clock(control)
    assert not control.limited
    assert clock.spend(1e9)
    clock.set(1, 1)
    assert (clock.remaining, clock.moves_left, clock.expired) == (math.inf, 0, False)


def test_whoever_keeps_the_time_is_believed() -> None:
    clock = Clock(TimeControl(main=10, period=6, moves=2))
    clock.set(3.5)
    assert (clock.remaining, clock.moves_left) == (3.5, 0)
    clock.set(2, 1)
    assert (clock.remaining, clock.moves_left) == (2, 1)
    clock.set(-0.2, 1)
    assert (clock.remaining, clock.moves_left) == (0, 1)
    assert not clock.spend(1)
    clock.set(-0.2)
    assert (clock.remaining, clock.moves_left, clock.expired) == (6, 2, False)


@given(controls, st.lists(nanoseconds, max_size=30))
def test_a_clock_counts_as_fractions_do(control: TimeControl, moves: list[float]) -> None:
    """Against the rule written down plainly, with exact fractions of a second."""

    def exact(seconds: float) -> Fraction:
        return Fraction(round(seconds * 10**9), 10**9)

    clock = Clock(control)
    left, count = exact(control.main), control.moves
    periods = exact(control.period)
    in_period = False
    for seconds in moves:
        left -= exact(seconds)
        counts = in_period or not periods
        if periods and not in_period and left <= 0:
            in_period, counts, count = True, left < 0, control.moves
            left += periods
        assert clock.spend(seconds) == (left >= 0)
        if left < 0:
            return
        left += exact(control.increment)
        count -= counts
        if count == 0:
            left, count = (periods if periods else left + exact(control.main)), control.moves
        assert exact(clock.remaining) == left


@pytest.mark.parametrize(
    ("text", "lag"),
    [
        *(("1+0.01", lag) for lag in (0, 0.002, 0.008)),
        *(("60+0.6", lag) for lag in (0.01, 0.1)),
        *(("10", 0.005), ("1/0.05", 0.02), ("40/10", 0.01), ("5+2/4", 0.01), ("0+3/1", 0.02)),
        *(("0.2+0.05", 0.02), ("10/1+0.01", 0.01), ("300+30/25", 0.1)),
    ],
)
@pytest.mark.parametrize("greedy", [False, True])
def test_plans_keep_the_time(text: str, lag: float, greedy: bool) -> None:
    """400 moves with a delay each: by the plan, and always by as much as a move may take.

    Absolute time ends some day; there 100 moves are asked for.
    """
    control = parse_control(text)
    clock = Clock(control)
    for number in range(100 if control == TimeControl(main=control.main) else 400):
        plan = allot(clock, margin=max(0.03, lag))
        assert 0 < plan.soft <= plan.hard
        assert plan.hard <= max(0.001, clock.allowance)
        assert clock.spend((plan.hard if greedy else plan.soft) + lag), f"move {number + 1}"


def test_time_is_made_use_of() -> None:
    """A game of 60 moves a side spends most of its minute, and its first moves the most."""
    clock = Clock(TimeControl(main=60))
    spent = []
    for _ in range(60):
        spent.append(allot(clock, 0.03).soft)
        clock.spend(spent[-1])
    assert 48 < sum(spent) < 60
    assert spent == sorted(spent, reverse=True)
    assert allot(Clock(parse_control("1/0.05")), 0.03).hard == pytest.approx(0.025)


@settings(max_examples=300)
@given(controls, nanoseconds, st.floats(0, 10))
def test_no_plan_is_longer_than_the_time(control: TimeControl, left: float, margin: float) -> None:
    clock = Clock(control)
    clock.set(left, control.moves)
    plan = allot(clock, margin)
    assert 0.001 <= plan.soft <= plan.hard <= max(0.001, clock.allowance)
