"""When a sequential test has seen enough."""

from collections.abc import Iterable

from taflengine.match.counting import Count, Scoring
from taflengine.match.games import FinishedGame
from taflengine.match.statistics import Sprt, Verdict


class Decision:
    """Follows the test of a match between two engines, on the pairs that its report counts.

    Args:
        sprt: The test.
        first: The engine whose scores are counted.
        scoring: What decides a pair.
    """

    def __init__(self, sprt: Sprt, first: str, scoring: Scoring = Scoring.RESULT) -> None:
        self._sprt = sprt
        self._first = first
        self._count = Count(scoring=scoring)

    def add(self, games: Iterable[FinishedGame]) -> None:
        """Count *games*, of which only whole pairs that repeat no other matter."""
        for game in games:
            self._count.add(game)

    @property
    def ratio(self) -> float | None:
        """The logarithm of the likelihood ratio, None without a whole pair."""
        return self._sprt.log_likelihood_ratio(self._count.pairs(self._first).scores)

    @property
    def verdict(self) -> Verdict:
        """What the test has come to."""
        return self._sprt.verdict(self.ratio)
