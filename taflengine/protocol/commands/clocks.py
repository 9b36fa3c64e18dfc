"""Commands about time: what the controls are, and what is left."""

from collections.abc import Iterable

from taflengine.errors import CommandError
from taflengine.notation import quote
from taflengine.pieces import Side
from taflengine.protocol.grammar import command_set
from taflengine.protocol.session import Session

COMMANDS = command_set()
KINDS = {
    "none": (),
    "absolute": ("MAIN",),
    "fischer": ("MAIN", "INCREMENT"),
    "canadian": ("MAIN", "PERIOD", "MOVES"),
}
"""The kinds of time control, and the numbers that each takes."""


@COMMANDS.command
def time_settings(session: Session, main: float, byo: float, stones: int) -> None:
    """Begin to keep time: MAIN seconds, then BYO seconds for each STONES moves.

    BYO 0 means that there is only the main time; STONES 0 with another BYO that there
    is no limit. Both clocks start anew.
    """
    from taflengine.clock import TimeControl

    _check(main, byo, stones)
    session.keep_time(TimeControl(main, period=byo, moves=stones if byo else 0))


@COMMANDS.named("kata-time_settings")
def kata_time_settings(session: Session, kind: str, *numbers: float) -> None:
    """Begin to keep time: as time_settings, with the kinds that kata-list_time_settings lists.

    ``none``; ``absolute MAIN``; ``fischer MAIN INCREMENT``; ``canadian MAIN PERIOD MOVES``.
    """
    from taflengine.clock import UNLIMITED, TimeControl

    if kind not in KINDS:
        raise CommandError(f"{quote(kind)} is no time control: say {' or '.join(KINDS)}")
    if len(numbers) != len(KINDS[kind]):
        raise CommandError(f"usage: {' '.join(['kata-time_settings', kind, *KINDS[kind]])}")
    _check(*numbers)
    main, second, moves = (*numbers, 0.0, 0.0, 0.0)[:3]
    if kind == "canadian":
        if not second or not moves.is_integer() or not moves:
            raise CommandError("a period is of some seconds for a whole number of moves")
        session.keep_time(TimeControl(main, period=second, moves=int(moves)))
    else:
        session.keep_time(TimeControl(main, increment=second) if numbers else UNLIMITED)


@COMMANDS.named("kata-list_time_settings")
def kata_list_time_settings(_session: Session) -> Iterable[str]:
    """Answer the kinds of time control, one a line."""
    return KINDS


@COMMANDS.command
def time_left(session: Session, side: Side, seconds: float, stones: int) -> None:
    """Set the clock of SIDE: SECONDS are left for STONES moves, 0 if it is in its main time."""
    _check(stones)
    session.set_clock(side, seconds, stones)


@COMMANDS.command
def clock(session: Session) -> Iterable[str]:
    """Answer the time of both sides: SIDE SECONDS STONES, as time_left takes them.

    In place of both numbers ``none`` stands where time is not limited.
    """
    return [f"{side.value} {_left(session, side)}" for side in Side]


def _left(session: Session, side: Side) -> str:
    found = session.clocks.get(side)
    if found is None or not found.control.limited:
        return "none"
    return f"{found.remaining:.3f} {found.moves_left}"


def _check(*numbers: float) -> None:
    for number in numbers:
        if number < 0:
            raise CommandError(f"{number:.10g} is less than nothing: say 0 or more")
