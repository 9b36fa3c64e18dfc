"""When a sequential test has seen enough."""

from collections.abc import Iterable

from taflengine.match.games import FinishedGame
from taflengine.match.statistics import Scores, Sprt, Verdict


class Decision:
    """Follows the test of a match between two engines, pair by pair.

    Args:
        sprt: The test.
        first: The engine whose scores are counted.
    """

    def __init__(self, sprt: Sprt, first: str) -> None:
        self._sprt = sprt
        self._first = first
        self._halves: dict[int, float] = {}
        self._counts = [0, 0, 0, 0, 0]

    def add(self, games: Iterable[FinishedGame]) -> None:
        """Count *games*, of each of which only whole pairs matter."""
        for game in games:
            points = (
                1 if game.winner is None else 2 * (game.player(game.winner).name == self._first)
            )
            before = self._halves.pop(game.pair, None)
            if before is None:
                self._halves[game.pair] = points
            else:
                self._counts[int(before + points)] += 1

    @property
    def ratio(self) -> float | None:
        """The logarithm of the likelihood ratio, None without a whole pair."""
        return self._sprt.log_likelihood_ratio(Scores(tuple(self._counts)))

    @property
    def verdict(self) -> Verdict:
        """What the test has come to."""
        return self._sprt.verdict(self.ratio)
