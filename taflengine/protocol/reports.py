"""Reports of a search as lines for front ends, and at their pace."""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from taflengine.engines.report import Report, Variation
from taflengine.errand import LOOK, Errand
from taflengine.notation import format_move

if TYPE_CHECKING:
    from queue import SimpleQueue

PROVEN_LEAD = 99.99
"""What stands for the score of a proven win, in men."""


def info_line(report: Report, size: int) -> str:
    """All variations of *report* on a board of *size*, in the form of Leela Zero and KataGo."""
    return " ".join(
        _info(report, variation, order, size) for order, variation in enumerate(report.variations)
    )


def _info(report: Report, variation: Variation, order: int, size: int) -> str:
    plies = variation.plies_to_end
    proven = "" if plies is None else f"mate {plies} "
    line = " ".join([format_move(move, size) for move in variation.line])
    return (
        f"info move {format_move(variation.line[0], size)} visits {report.nodes} "
        f"winrate {variation.win_chance:.4f} scoreLead {lead_of(variation):.2f} {proven}"
        f"depth {report.depth} order {order} pv {line}"
    )


def lead_of(variation: Variation) -> float:
    """The score in men, within ``PROVEN_LEAD`` either way."""
    if variation.plies_to_end is None:
        return max(-PROVEN_LEAD, min(PROVEN_LEAD, variation.score / 100))
    return PROVEN_LEAD if variation.plies_to_end > 0 else -PROVEN_LEAD


def paced(
    reports: Generator[Report, None, None], interval: float, stop: Callable[[], None]
) -> Iterator[Report]:
    """The newest of *reports* every *interval* seconds, if there is a new one, and the last.

    Args:
        reports: What is found; at least one.
        interval: Seconds; 0 for all reports, each at once.
        stop: Makes *reports* come to their end; called if nobody wants more of them.
    """
    if interval == 0:
        yield from reports
        return
    # While the search is at work somebody has to look at the clock.
    from queue import SimpleQueue

    found: SimpleQueue[Report | BaseException | None] = SimpleQueue()
    unwanted = False

    def work() -> None:
        try:
            with closing(reports):
                for report in reports:
                    found.put(report)
                    if unwanted:
                        break
        except BaseException as error:  # raised again where the reports are wanted
            found.put(error)
        finally:
            found.put(None)

    def end() -> None:
        nonlocal unwanted
        unwanted = True
        stop()

    errand = Errand(work, end)
    try:
        errand.start()
        yield from _newest(found, interval)
    finally:
        errand.end()


def _newest(
    found: "SimpleQueue[Report | BaseException | None]", interval: float
) -> Iterator[Report]:
    from queue import Empty

    due = time.monotonic() + interval
    last: Report | None = None
    told = True
    while True:
        try:
            item = found.get(timeout=LOOK if told else min(LOOK, max(0.0, due - time.monotonic())))
        except Empty:
            if last and not told and time.monotonic() >= due:
                yield last
                told, due = True, time.monotonic() + interval
            continue
        if isinstance(item, BaseException):
            raise item
        if item is None:
            break
        last, told = item, False
    if last and not told:
        yield last
