"""What a search has found, as values."""

import math
from typing import NamedTuple

from taflengine.core.codes import MATE, WON
from taflengine.notation import Move


class Variation(NamedTuple):
    """A move of the side to move, what is expected to follow, and what it is worth."""

    score: int
    """From the side to move, an attacker being 100; a draw costs it 300, so that it plays on where
    it is up to three men behind. See ``plies_to_end`` for proven ends."""
    line: tuple[Move, ...]
    """What both sides are expected to play."""
    win_chance: float
    """Of the side to move, 0 to 1, as games of the engine with itself ended after such a score."""

    @property
    def plies_to_end(self) -> int | None:
        """Plies to a proven win, negative to a proven loss, None if neither is proven."""
        if abs(self.score) <= WON:
            return None
        plies = MATE - abs(self.score)
        return plies if self.score > 0 else -plies


class Report(NamedTuple):
    """What a search to one depth has found. ``score`` and the like are of its best variation."""

    depth: int
    """Plies that were looked at in full."""
    nodes: int
    """Positions visited since the search began, by all threads."""
    seconds: float
    """Time since the search began."""
    variations: tuple[Variation, ...]
    """The best first, each with another first move; at least one."""

    @property
    def score(self) -> int:
        """As ``Variation.score``."""
        return self.variations[0].score

    @property
    def line(self) -> tuple[Move, ...]:
        """As ``Variation.line``; the first move is the best found."""
        return self.variations[0].line

    @property
    def plies_to_end(self) -> int | None:
        """As ``Variation.plies_to_end``."""
        return self.variations[0].plies_to_end


def variation_of(score: int, line: tuple[Move, ...], scale: int) -> Variation:
    """A variation whose win chance follows from its score.

    Args:
        score: As ``Variation.score``.
        line: As ``Variation.line``.
        scale: Points that multiply the odds of a win by e.
    """
    if abs(score) > WON:
        return Variation(score, line, 1.0 if score > 0 else 0.0)
    return Variation(score, line, 1 / (1 + math.exp(-score / scale)))
