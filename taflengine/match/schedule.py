"""Who plays whom, from which opening: the plan of every game, known before the first.

The plan of game k depends on the settings of the match and k, on nothing else. So an
interrupted match goes on with exactly the games that are missing.
"""

import random
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from taflengine.match.openings import random_opening
from taflengine.match.plan import GamePlan, Opening
from taflengine.variants.spoken import parse_variant

MAX_SEED = 2**31 - 1


class Tournament(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    """Each engine meets every other one. Of two engines it is a match of pairs."""
    GAUNTLET = "gauntlet"
    """The first engine meets every other one."""
    SELF_PLAY = "self-play"
    """One engine plays itself, each game from an opening of its own."""


class Order(Enum):
    """In which order the openings are taken."""

    SEQUENTIAL = "sequential"
    RANDOM = "random"


class Book(NamedTuple):
    """Where the openings come from."""

    openings: Mapping[str, Sequence[Opening]]
    """Of each rule set, as ``newgame`` takes it; none where they are drawn by chance."""
    random_plies: int
    """So many moves are drawn by chance where there are no openings."""
    order: Order
    start: int = 1
    """The first opening that is taken, counted from 1."""


class Schedule:
    """The games of a match.

    Args:
        tournament: Who meets whom.
        engines: How many there are.
        variants: The rule sets, taken in turn, as ``newgame`` takes them.
        book: The openings.
        seed: What chance is drawn from.
    """

    def __init__(
        self, tournament: Tournament, engines: int, variants: Sequence[str], book: Book, seed: int
    ) -> None:
        self._variants = tuple(variants)
        self._book = book
        self._seed = seed
        if tournament is Tournament.SELF_PLAY:
            self.pairings: tuple[tuple[int, int], ...] = ((0, 0),)
        elif tournament is Tournament.GAUNTLET:
            self.pairings = tuple((0, other) for other in range(1, engines))
        else:
            self.pairings = tuple(combinations(range(engines), 2))
        self._games_a_pair = 1 if tournament is Tournament.SELF_PLAY else 2

    def total(self, games: int) -> int:
        """How many games there are if any two engines that meet play *games*."""
        return games * len(self.pairings)

    def plan(self, number: int) -> GamePlan:
        """Game *number*, counted from 1."""
        before, second = divmod(number - 1, self._games_a_pair)
        turn, pairing = divmod(before, len(self.pairings))
        first, other = self.pairings[pairing]
        again, variant = divmod(turn, len(self._variants))
        rules = self._variants[variant]
        return GamePlan(
            number=number,
            pair=before + 1,
            round=turn + 1,
            rules=rules,
            attacker=other if second else first,
            defender=first if second else other,
            opening=self._opening(rules, again),
            seed=random.Random(f"{self._seed} game {number}").randint(0, MAX_SEED),
        )

    def _opening(self, rules: str, index: int) -> Opening:
        """The opening that is taken the *index*-th time, from 0, that *rules* are played."""
        openings = self._book.openings.get(rules, ())
        if not openings:
            if not self._book.random_plies:
                return Opening("start")
            generator = random.Random(f"{self._seed} opening {rules} {index}")
            return random_opening(parse_variant(rules), self._book.random_plies, generator)
        cycle, place = divmod(index + self._book.start - 1, len(openings))
        if self._book.order is Order.RANDOM:
            place = _shuffled(f"{self._seed} order {rules} {cycle}", len(openings))[place]
        return openings[place]


@lru_cache(maxsize=16)
def _shuffled(seed: str, length: int) -> tuple[int, ...]:
    """The numbers below *length* in an order that follows from *seed*."""
    numbers = list(range(length))
    random.Random(seed).shuffle(numbers)
    return tuple(numbers)
