"""Time controls, the running clock of one side, and how much of it to spend on a move.

Nothing here asks what time it is: whoever measures says how long a move took.
Clocks count whole nanoseconds, so that three tenths of a second use up 0.3 seconds.
"""

import math
import re
from typing import NamedTuple

from taflengine.errors import NotationError
from taflengine.notation import quote

_NANO = 10**9
_SECONDS = r"(?:[0-9]{1,7}:)?[0-9]{1,9}(?:\.[0-9]{0,9})?"
_CONTROL = (
    rf"(?:(?P<session>[0-9]{{1,6}})/)?(?P<main>{_SECONDS})"
    rf"(?:\+(?P<period>{_SECONDS})/(?P<moves>[0-9]{{1,6}}))?(?:\+(?P<increment>{_SECONDS}))?"
)

MIN_SECONDS, MAX_SECONDS = 0.001, 86_400
"""What may be given to one move, or to whatever else is waited for: a day at most."""
MOVES_TO_COME = 30
"""For how many more moves a side plans where nobody says how many there will be."""
INCREMENT_SHARE = 0.75
"""Part of an increment that is planned to be spent; the rest refills a clock that ran low."""
STRETCH = 4
"""How many times its plan a move may take at most."""
LEAST = 0.001
"""Seconds that are planned for a move however little is left: enough to look one ply ahead."""


class TimeControl(NamedTuple):
    """How much time a side has for its moves. All four parts may be combined.

    - Absolute: only ``main``.
    - Fischer: ``main`` and ``increment``.
    - Canadian: when ``main`` is used up, ``period`` seconds for each ``moves`` moves;
      what is left of a period when its moves are made is lost.
    - Moves per time: ``moves`` without ``period``; ``main`` is added again each time
      so many moves have been made, and what was left is kept.
    - No limit: ``main`` is infinite, or there is a ``period`` for no moves.
    """

    main: float = 0.0
    """Seconds on the clock at the start."""
    increment: float = 0.0
    """Seconds added after each move that was made in time."""
    period: float = 0.0
    """Seconds of a period that follows the main time; 0 if there is none."""
    moves: int = 0
    """Moves to be made in a period, or, without periods, in the main time."""

    @property
    def limited(self) -> bool:
        """Whether a side can run out of time."""
        return self.main != math.inf and not (self.period > 0 and self.moves == 0)

    def __str__(self) -> str:
        """The short form that ``parse_control`` reads."""
        if not self.limited:
            return "inf"
        text = _short(self.main)
        if self.period > 0:
            text = f"{text}+{_short(self.period)}/{self.moves}"
        elif self.moves > 0:
            text = f"{self.moves}/{text}"
        return f"{text}+{_short(self.increment)}" if self.increment > 0 else text


UNLIMITED = TimeControl(main=math.inf)


def parse_control(text: str) -> TimeControl:
    """A time control in its usual short form, in seconds or ``minutes:seconds``.

    ``300`` absolute, ``10+0.1`` Fischer, ``40/60`` 40 moves in each 60 seconds,
    ``40/60+1`` the same with an increment, ``300+30/5`` Canadian, 5 moves in each
    30 seconds behind the main time, ``inf`` no limit.

    Raises:
        NotationError: *text* is none of these, or leaves no time for a move.
    """
    if text == "inf":
        return UNLIMITED
    found = re.fullmatch(_CONTROL, text)
    if found is None:
        raise NotationError(
            f"{quote(text)} is no time control: say seconds, as 300, 10+0.1, 40/60 or 300+30/5"
        )
    main, increment, period = (
        _seconds(found[part] or "0") for part in ("main", "increment", "period")
    )
    counts = [int(found[part]) for part in ("session", "moves") if found[part]]
    if len(counts) > 1 or 0 in counts:
        raise NotationError(f"{quote(text)} is no time control: say once for how many moves")
    if main + period == 0 or (found["period"] and period == 0):
        raise NotationError(f"{quote(text)} is no time control: it leaves no time for a move")
    return TimeControl(main, increment, period, sum(counts))


def _seconds(text: str) -> float:
    minutes, _, seconds = text.rpartition(":")
    return 60 * int(minutes or 0) + float(seconds)


def _short(seconds: float) -> str:
    """As few digits as tell *seconds* to the nanosecond, never with an exponent."""
    whole, fraction = divmod(round(seconds * _NANO), _NANO)
    return f"{whole}.{fraction:09d}".rstrip("0").rstrip(".")


class Clock:
    """The time of one side under a time control; ``spend`` after each move.

    To use up exactly what is left is in time; a nanosecond more is not.
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.moves_left = 0
        """Moves still to be made in the time that is left; 0 if that is not limited."""
        self.expired = False
        """Whether more time was spent than there was; only ``set`` changes that."""
        self._left = 0
        if control.limited:
            self._left = _nano(control.main)
            if control.period == 0:
                self.moves_left = control.moves
            elif self._left == 0:
                self._begin_period()

    @property
    def remaining(self) -> float:
        """Seconds left, never below 0; infinite if there is no limit."""
        return self._left / _NANO if self.control.limited else math.inf

    @property
    def allowance(self) -> float:
        """The longest time of the next move, in seconds; a period may follow the main time."""
        if self._in_main_time:
            return (self._left + _nano(self.control.period)) / _NANO
        return self.remaining

    def spend(self, seconds: float) -> bool:
        """Account for a move that took *seconds*; False if that was more than there was."""
        if not self.control.limited:
            return True
        left = self._left - _nano(seconds)
        counts = self.moves_left > 0
        if self._in_main_time and left <= 0:
            counts = left < 0  # else the move was just within the main time
            self._begin_period()
            left += self._left
        if left < 0:
            self._left, self.expired = 0, True
            return False
        self._left = left + _nano(self.control.increment)
        if counts:
            self.moves_left -= 1
            if self.moves_left == 0:
                self._renew()
        return True

    def set(self, remaining: float, moves: int = 0) -> None:
        """Believe whoever keeps the time: *remaining* seconds, for *moves* moves if not 0.

        Less than nothing counts as nothing. Where there is no limit this has no effect.
        """
        if self.control.limited:
            self._left, self.moves_left = max(0, _nano(remaining)), moves
            self.expired = False
            if self._in_main_time and self._left == 0:
                self._begin_period()

    @property
    def _in_main_time(self) -> bool:
        """Whether a period will follow when the time is used up."""
        return self.control.limited and self.control.period > 0 and self.moves_left == 0

    def _begin_period(self) -> None:
        self._left, self.moves_left = _nano(self.control.period), self.control.moves

    def _renew(self) -> None:
        """All moves of a period have been made."""
        if self.control.period > 0:
            self._begin_period()
        else:
            self._left += _nano(self.control.main)
            self.moves_left = self.control.moves


def _nano(seconds: float) -> int:
    return round(seconds * _NANO)


class Allotment(NamedTuple):
    """Seconds for one move: when to begin nothing new, and when to have answered."""

    soft: float
    hard: float


def allot(clock: Clock, margin: float = 0.0) -> Allotment:
    """What to spend on the next move under *clock*, so that there is time for those to come.

    Args:
        clock: The clock of the side that moves; one with a limit.
        margin: Seconds lost with each move, such as the way of the answer. They
            are kept back for all moves that are planned for, but never more than
            half of the time that the control gives for a move.
    """
    control, moves = clock.control, clock.moves_left or MOVES_TO_COME
    share = (control.period or control.main) / (control.moves or MOVES_TO_COME)
    lag = min(margin, (share + control.increment) / 2)
    kept = lag + (moves - 1) * max(0.0, lag - control.increment)
    usable = max(0.0, clock.remaining - kept)
    plan = usable / moves + INCREMENT_SHARE * control.increment
    if clock.allowance > clock.remaining:
        # Behind the main time come periods: a share of one is there at any time.
        plan, usable = max(plan, share - lag), max(usable, share - lag)
    hard = min(STRETCH * plan, max(usable / 2, min(plan, usable)))
    return Allotment(max(LEAST, min(plan, hard)), max(LEAST, hard))
