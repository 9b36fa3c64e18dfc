"""From the games of a journal to counts: who won against whom, on which side, in which pairs.

A game that has been played before is left out: same rule set, same engines on the same sides,
same moves from the first to the last. Engines without chance repeat themselves as soon as an
opening comes again, and a game counted ten times is no ten games. Games in which an engine
failed are always counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from taflengine.match.games import Ending, FinishedGame
from taflengine.match.ratings import Meeting
from taflengine.match.statistics import Scores
from taflengine.pieces import Side


class Scoring(Enum):
    """What decides a pair; the value is its name in options."""

    RESULT = "result"
    """The results of its games: a win is a point, a draw half a point for each."""
    CAPTURES = "captures"
    """Who captured more pieces in its two games together."""


@dataclass(slots=True)
class Tally:
    """Games that one engine won, drew and lost."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    def add(self, *, won: bool | None) -> None:
        """Count a game; None is a draw."""
        self.wins += won is True
        self.losses += won is False
        self.draws += won is None

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """A win is a point, a draw half a point."""
        return self.wins + self.draws / 2

    @property
    def scores(self) -> Scores:
        """The same for ``statistics``."""
        return Scores((self.losses, self.draws, self.wins))

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.losses + other.losses, self.draws + other.draws)


@dataclass(slots=True)
class Pairs:
    """Pairs as one engine sees them against another."""

    counts: list[int] = field(default_factory=lambda: [0] * 5)
    """By points of the two games: 0, a half, 1, one and a half, 2."""
    drawn_twice: int = 0
    """Of those with one point, the pairs that are two draws."""
    by_side: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    """The pairs in which one side won both games, whoever had it."""

    @property
    def scores(self) -> Scores:
        """The same for ``statistics``."""
        return Scores(tuple(self.counts))


class Count:
    """What the games of a match come to; games are added in the order in which they ended."""

    def __init__(
        self, games: Iterable[FinishedGame] = (), scoring: Scoring = Scoring.RESULT
    ) -> None:
        self.scoring = scoring
        self.games: list[FinishedGame] = []
        """The games that count."""
        self.duplicates: dict[int, int] = {}
        """By the number of a game that is left out, the number of the game that it repeats."""
        self.names: list[str] = []
        """The engines, in the order in which they came up."""
        self._tallies: dict[tuple[str, str, Side], Tally] = {}
        self._pairs: dict[tuple[str, str], Pairs] = {}
        self._halves: dict[int, FinishedGame] = {}
        self._seen: dict[tuple[object, ...], int] = {}
        for game in games:
            self.add(game)

    def add(self, game: FinishedGame) -> None:
        """Count *game*, unless it repeats one."""
        for side in Side:
            if (name := game.player(side).name) not in self.names:
                self.names.append(name)
        if not (game.ending.is_failure or game.ending is Ending.TIME):
            first = self._seen.setdefault(_identity(game), game.number)
            if first != game.number:
                self.duplicates[game.number] = first
                return
        self.games.append(game)
        for side in Side:
            key = game.player(side).name, game.player(side.other).name, side
            won = None if game.winner is None else game.winner is side
            self._tallies.setdefault(key, Tally()).add(won=won)
        other = self._halves.pop(game.pair, None)
        if other is None:
            self._halves[game.pair] = game
        elif game.attacker.name == other.defender.name != game.defender.name:
            self._add_pair(other, game)

    def _add_pair(self, first: FinishedGame, second: FinishedGame) -> None:
        for name, rival in (
            (first.attacker.name, first.defender.name),
            (first.defender.name, first.attacker.name),
        ):
            pairs = self._pairs.setdefault((name, rival), Pairs())
            pairs.counts[self._half_points(name, first, second)] += 1
            if first.winner is second.winner:
                if first.winner is None:
                    pairs.drawn_twice += self.scoring is Scoring.RESULT
                else:
                    pairs.by_side[first.winner] += 1

    def _half_points(self, name: str, *games: FinishedGame) -> int:
        if self.scoring is Scoring.CAPTURES:
            ahead = 0
            for game in games:
                side = game.side_of(name)
                ahead += game.player(side).captures - game.player(side.other).captures
            return 2 + 2 * (ahead > 0) - 2 * (ahead < 0)
        winners = [game.winner and game.player(game.winner).name for game in games]
        return sum({None: 1, name: 2}.get(winner, 0) for winner in winners)

    def tally(self, name: str, rival: str | None = None, side: Side | None = None) -> Tally:
        """Games of *name*: against *rival*, or all, on *side*, or both."""
        found = (
            tally
            for (one, other, at), tally in self._tallies.items()
            if one == name and rival in (None, other) and side in (None, at)
        )
        return sum(found, Tally())

    def pairs(self, name: str, rival: str | None = None) -> Pairs:
        """Whole pairs as *name* sees them: against *rival*, or all."""
        total = Pairs()
        for (one, other), pairs in self._pairs.items():
            if one == name and rival in (None, other):
                total.counts = [sum(both) for both in zip(total.counts, pairs.counts, strict=True)]
                total.drawn_twice += pairs.drawn_twice
                for side in Side:
                    total.by_side[side] += pairs.by_side[side]
        return total

    def sides(self, variant: str | None = None) -> Tally:
        """Games as the attackers see them: under the rules of *variant*, or all."""
        total = Tally()
        for game in self.games:
            if variant in (None, game.variant):
                total.add(won=None if game.winner is None else game.winner is Side.ATTACKER)
        return total

    def meetings(self) -> list[Meeting]:
        """The results for ``ratings``."""
        return [
            Meeting(name, rival, tally.points, tally.games)
            for (name, rival, side), tally in self._tallies.items()
            if side is Side.DEFENDER
        ]


def _identity(game: FinishedGame) -> tuple[object, ...]:
    """What two games have in common of which one is left out."""
    return game.variant, game.start, game.attacker.name, game.defender.name, game.moves
