"""Iterative deepening: one search of one position, a ply deeper after the other."""

import time
from collections.abc import Iterator, Sequence
from functools import partial

from taflengine.core.codes import MATE, WON
from taflengine.core.search import Search
from taflengine.engines.aspiration import aspire
from taflengine.engines.engine import MAX_DEPTH, Limits
from taflengine.engines.report import Report, Variation, variation_of
from taflengine.engines.threads import run_beside
from taflengine.notation import Move


class Deepening:
    """The state of one search: what has been found so far, and to which depth.

    Args:
        search: Has begun.
        helpers: Searches that help it; they count nodes too.
        scale: As ``variation_of`` takes it.
        multipv: So many variations are wanted.
        moves: The first moves that count; at least one.
        barred: The other legal moves.
    """

    def __init__(
        self,
        search: Search,
        helpers: Sequence[Search],
        scale: int,
        multipv: int,
        moves: Sequence[Move],
        barred: Sequence[Move],
    ) -> None:
        self._search, self._searches, self._scale = search, (search, *helpers), scale
        self._wanted = min(multipv, len(moves))
        self._moves, self._barred = moves, tuple(barred)
        self._depth = 0
        self._best: list[Variation] = []

    def reports(self, limits: Limits, begun: float) -> Iterator[Report]:
        """As ``Searcher.deepen``; *begun* is when it was called, by ``time.monotonic``."""
        reported = None
        while self._depth < min(limits.depth or MAX_DEPTH, MAX_DEPTH):
            before = self._best
            self._deepen()
            if self._best is not before:
                reported = self._report(begun)
                yield reported
            if self._search.stopped or self._is_settled():
                break
            if limits.soft_seconds is not None and _since(begun) > limits.soft_seconds:
                break
        if not reported:
            self._best = [self._variation(0, self._moves[:1])]
            yield self._report(begun)

    def _report(self, begun: float) -> Report:
        nodes = sum(int(search.nodes) for search in self._searches)
        return Report(self._depth, nodes, _since(begun), tuple(self._best))

    def _variation(self, score: int, line: Sequence[Move]) -> Variation:
        return variation_of(score, tuple(line), self._scale)

    def _is_settled(self) -> bool:
        """Whether all that is wanted is proven, so that a further depth would change nothing."""
        return all(abs(variation.score) > WON for variation in self._best)

    def _deepen(self) -> None:
        """Look a ply deeper; if that is stopped, keep what it has found better than before."""
        search, found = self._search, list[Variation]()
        for number in range(self._wanted):
            others = [variation.line[0] for variation in found]
            search.bar([*self._barred, *others])
            guess = self._best[number].score if number < len(self._best) else None
            score = aspire(search, partial(run_beside, search, search.run), self._depth + 1, guess)
            line: Sequence[Move] = self._line()
            if not search.stopped and score > WON:
                score, line = self._soonest(score, line)
            elif search.stopped and (number or not line):
                break
            found.append(self._variation(score, line))
        if found:
            firsts = {variation.line[0] for variation in found}
            found += [old for old in self._best if old.line[0] not in firsts]
            # A sort keeps the order of equals: the move found first stays first.
            self._best = sorted(found[: self._wanted], key=lambda each: -each.score)
        if not search.stopped:
            self._depth += 1

    def _soonest(self, score: int, line: Sequence[Move]) -> tuple[int, Sequence[Move]]:
        """The soonest win, given the score and line of one; the same if time runs out.

        The deepening search leaves moves out and may see a long win first.
        """
        search = self._search
        for plies in range(1, MATE - score, 2):
            sooner = run_beside(search, search.can_win, plies)
            if search.stopped:
                break
            if sooner >= MATE - plies:
                return sooner, self._line()
        return score, line

    def _line(self) -> list[Move]:
        return [Move(*move) for move in self._search.line()]


def _since(begun: float) -> float:
    return time.monotonic() - begun
