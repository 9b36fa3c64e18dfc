"""How a move is chosen, in whatever dialect it is asked for."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from taflengine.engines import ENGINES, ONEPLY, SEARCH, Setup
from taflengine.engines.engine import Limits
from taflengine.notation import Move
from taflengine.protocol.session import Session

if TYPE_CHECKING:
    from taflengine.clock import Clock
    from taflengine.engines.report import Report

    Think = Callable[[Session, Limits, int, Collection[Move]], Iterator[Report]]

ONE_DEPTH = Limits(depth=1)
"""What is looked at where nothing is to be chosen, or the answer is wanted at once."""
BEGUN = 0.5
"""Part of the time planned for a move after which no further depth is begun: it would take
longer than all those before it."""


def limits_of(
    session: Session, moves: Sequence[Move], clock: "Clock | None", margin: float = 0.0
) -> Limits:
    """How long to look for one of *moves* under *clock*, if there is one.

    *margin* is the least that is kept back of each move's time.
    """
    if len(moves) == 1:
        return ONE_DEPTH
    return on_clock(session.limits, clock, max(margin, session.settings.margin))


def on_clock(limits: Limits, clock: "Clock | None", margin: float) -> Limits:
    """*limits* with the time that *clock* allows for the next move in the place of theirs.

    They stay as they are without a clock, or with one that has no limit. *margin* is as
    ``allot`` takes it.
    """
    if clock is None or not clock.control.limited:
        return limits
    from taflengine.clock import allot

    plan = allot(clock, margin)
    return limits._replace(seconds=plan.hard, soft_seconds=BEGUN * plan.soft)


def choose(
    session: Session,
    limits: Limits,
    moves: Sequence[Move],
    think: "Think" = Session.reports,
    *,
    repeatable: bool = False,
    watch: "Callable[[Report], None] | None" = None,
) -> "tuple[Move, Report | None]":
    """A move of the engine of *session*, and what its search has found, if it was asked.

    The move is not made.

    Args:
        session: Its game has not ended.
        limits: When a search ends; the level may hold it back further.
        moves: The legal moves that count.
        think: Searches as ``Session.reports`` does.
        repeatable: Take the first of equal moves, so that the answer to the same
            question is always the same.
        watch: Gets each report of a search, which then has as many variations as
            the parameter says.
    """
    if not session.searches:
        name = session.settings.engine
        engine = ENGINES[ONEPLY if name == SEARCH else name](Setup(limits))
        move = engine.choose(session.game, None if repeatable else session.generator)
        return move if move in moves else moves[0], None
    multipv = session.settings.multipv if watch else 1
    for report in think(session, session.held_back(limits), multipv, moves):
        if watch:
            watch(report)
    return report.line[0], report
