"""Commands that tell what the search finds while it finds it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from taflengine.errors import CommandError
from taflengine.notation import format_move
from taflengine.protocol.command import Stream
from taflengine.protocol.grammar import command_set
from taflengine.protocol.session import Session
from taflengine.protocol.wishes import Wishes

if TYPE_CHECKING:
    from taflengine.engines.engine import Limits
    from taflengine.engines.report import Report

COMMANDS = command_set()


@COMMANDS.named("analyze", "kata-analyze")
def analyze(session: Session, options: Wishes | None) -> Stream:
    """Answer what the search finds, a line each time it has found more, until any line is sent.

    OPTIONS, in any order: the side, which must be to move; a number or ``interval N``,
    the least time between two lines in hundredths of a second; ``maxmoves N`` or
    ``minmoves N``, so many first moves get a variation, by default the parameter
    multipv; ``avoid MOVE,MOVE...`` and ``allow MOVE,MOVE...``, first moves that are not
    looked at, or the only ones that are; ``depth N``, ``nodes N`` or ``time SECONDS``,
    with which the analysis ends by itself.
    """
    from taflengine.engines.engine import Limits

    heard = session.interrupts
    wishes = options or Wishes(session.game.side_to_move)
    if wishes.bounded:
        reports = _reports(session, wishes, Limits(), lambda: heard.line or heard.stop)
    else:
        reports = _reports(session, wishes, Limits(), lambda: heard.anything)
    return Stream(_lines(session, reports))


@COMMANDS.named("genmove_analyze", "kata-genmove_analyze")
def genmove_analyze(session: Session, options: Wishes | None) -> Stream:
    """Answer what the search finds as analyze does, make the best move, and end with play MOVE.

    The search chooses the move, whatever engine is set, within the time of genmove
    or the limits among OPTIONS. Other lines do not end it, only stop does.
    """
    from taflengine.protocol.choosing import limits_of

    wishes = options or Wishes(session.game.side_to_move)
    session.check_turn(wishes.side)
    moves = wishes.moves(session.game.legal_moves())
    limits = limits_of(session, moves, session.clocks.get(wishes.side))
    reports = _reports(session, wishes, limits, lambda: session.interrupts.stop)
    return Stream(_lines_and_move(session, wishes, reports))


def _reports(
    session: Session, wishes: Wishes, usual: "Limits", over: Callable[[], bool]
) -> Iterator["Report"]:
    """What the search finds of what is wished for; what is wrong with that is raised at once."""
    from taflengine.protocol.reports import paced

    session.check_turn(wishes.side)
    moves = wishes.moves(session.game.legal_moves())
    if not moves:
        raise CommandError("no legal move is left to look at")
    found = session.deepen(
        wishes.limits(usual), over, wishes.variations or session.settings.multipv, moves
    )
    return paced(found, wishes.interval, session.searcher.stop)


def _lines(session: Session, reports: Iterator["Report"]) -> Iterator[str]:
    from taflengine.protocol.reports import info_line

    for report in reports:
        yield info_line(report, session.game.variant.size)


def _lines_and_move(session: Session, wishes: Wishes, reports: Iterator["Report"]) -> Iterator[str]:
    from taflengine.protocol.reports import info_line

    size = session.game.variant.size
    with session.clock_running(wishes.side):
        for report in reports:
            yield info_line(report, size)
        session.make(report.line[0], report)
    yield f"play {format_move(report.line[0], size)}"
