"""Ratings of engines that take an engine's two chairs apart, and the worth of the side itself.

The sides of these games are unequal, and an engine may attack well and defend badly. So the
odds that the defenders win are taken as

    log-odds = side bias + rating of the engine that defends - rating of the one that attacks

where each engine has two ratings, and those of a chair have the mean 0. The ratings are the
likeliest ones under the results; a draw is half a win of each side. Where two engines have
only played each other, nobody can tell the chairs apart, and each gets one rating for both.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp, log, sqrt
from operator import mul
from typing import NamedTuple

from taflengine.match.statistics import DEVIATIONS, Estimate
from taflengine.pieces import Side

ELO_PER_LOG_ODDS = 400 / log(10)

_ROUNDS = 100
"""A likeliest answer that exists is found in a dozen."""
_LONGEST_STEP = 2.0
"""In log-odds. A full step of Newton's may overshoot while the answer is far."""
_NO_INFORMATION = 1e-6
"""A pivot below this: what is left of the information does not determine an unknown."""
_PIN = 1e6
"""The weight with which the mean of a chair is held at 0, which costs no likelihood."""
_CLOSE_ENOUGH = 1e-10


class Meeting(NamedTuple):
    """What came of the games in which one engine defended against another."""

    defender: str
    attacker: str
    points: float
    """The defender's: a win 1, a draw a half."""
    games: int


class Chair(NamedTuple):
    """An engine on one side, or, where ``side`` is None, on both."""

    name: str
    side: Side | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of each engine in each chair, relative to the mean of that chair.

    What the games do not determine is an empty ``Estimate``: the rating of who won or lost
    every game in a chair, and everything where nobody can be compared.
    """

    bias: Estimate
    """How many Elo the defenders are ahead when engines of mean rating meet."""
    chairs: Mapping[Chair, Estimate]

    def of(self, name: str, side: Side) -> Estimate:
        """The rating of an engine on a side."""
        chairs = self.chairs
        return chairs.get(Chair(name, side)) or chairs.get(Chair(name, None)) or Estimate()

    @property
    def chairs_apart(self) -> bool:
        """Whether an engine has a rating for each side, not one for both."""
        return any(chair.side for chair in self.chairs)


def rate(meetings: Iterable[Meeting]) -> Ratings:
    """The likeliest ratings under the results of *meetings*."""
    games = [meeting for meeting in meetings if meeting.games]
    for sides in (tuple(Side), (None, None)):
        found = _fit(games, sides)
        if found is not None:
            return found
    return Ratings(Estimate(), {})


_Seats = tuple[Chair, Chair]
"""Who defended and who attacked."""


def _fit(meetings: Sequence[Meeting], sides: Sequence[Side | None]) -> Ratings | None:
    """Ratings, if determined, with the attackers' and the defenders' chairs of *sides*."""
    attacking, defending = sides
    rows = [
        ((Chair(each.defender, defending), Chair(each.attacker, attacking)), each)
        for each in meetings
    ]
    everybody = dict.fromkeys(chain.from_iterable(seats for seats, _ in rows), Estimate())
    while rows and (boundless := _boundless(rows)):
        rows = [(seats, each) for seats, each in rows if boundless.isdisjoint(seats)]
    chairs = list(dict.fromkeys(chain.from_iterable(seats for seats, _ in rows)))
    if len(chairs) == 2 and len({chair.name for chair in chairs}) == len(set(sides)) == 2:
        # One defender against one attacker: their skill and the side's worth look the same.
        return None
    solved = _likeliest(rows, chairs)
    if solved is None:
        return None
    bias, *ratings = (
        Estimate(*(ELO_PER_LOG_ODDS * (value + side * DEVIATIONS * error) for side in (0, -1, 1)))
        for value, error in solved
    )
    for chair, rating in zip(chairs, ratings, strict=True):
        if sum(other.side is chair.side for other in chairs) > 1:
            everybody[chair] = rating
    return Ratings(bias, everybody)


def _boundless(rows: Iterable[tuple[_Seats, Meeting]]) -> set[Chair]:
    """The chairs in which somebody won or lost every game: no finite rating is likely enough."""
    points: dict[Chair, float] = {}
    games: dict[Chair, int] = {}
    for (defender, attacker), meeting in rows:
        if defender != attacker:
            points[defender] = points.get(defender, 0) + meeting.points
            points[attacker] = points.get(attacker, 0) + meeting.games - meeting.points
            games[defender] = games.get(defender, 0) + meeting.games
            games[attacker] = games.get(attacker, 0) + meeting.games
    return {chair for chair, won in points.items() if won in (0, games[chair])}


def _likeliest(
    rows: Sequence[tuple[_Seats, Meeting]], chairs: Sequence[Chair]
) -> list[tuple[float, float]] | None:
    """Bias and ratings of *chairs* in log-odds, each with its standard error; by Newton's method.

    None where the results determine no finite answer.
    """
    if not rows:
        return None
    place = {chair: index for index, chair in enumerate(chairs, start=1)}
    width = 1 + len(chairs)
    found = [0.0] * width
    for _ in range(_ROUNDS):
        slope = [0.0] * width
        information = [[0.0] * width for _ in found]
        for (defender, attacker), meeting in rows:
            signs = {0: 1.0, place[defender]: 1.0}
            # Against oneself the two cancel out, and the game tells of the bias alone.
            signs[place[attacker]] = signs.get(place[attacker], 0.0) - 1.0
            chance = 1 / (1 + exp(-sum(sign * found[index] for index, sign in signs.items())))
            for index, sign in signs.items():
                slope[index] += sign * (meeting.points - meeting.games * chance)
                for other, factor in signs.items():
                    weight = meeting.games * chance * (1 - chance)
                    information[index][other] += sign * factor * weight
        for chair, row in place.items():
            for other_chair, column in place.items():
                if chair.side is other_chair.side:
                    information[row][column] += _PIN
                    slope[row] -= _PIN * found[column]
        inverse = _inverse(information)
        if inverse is None:
            return None
        step = [sum(map(mul, row, slope)) for row in inverse]
        longest = max(map(abs, step))
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        found = [value + scale * part for value, part in zip(found, step, strict=True)]
        if longest < _CLOSE_ENOUGH:
            errors = (sqrt(inverse[index][index]) for index in range(width))
            return list(zip(found, errors, strict=True))
    return None


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]] | None:
    """The inverse of a symmetric matrix that should be positive; None where it is not."""
    size = len(matrix)
    rows = [
        [*row, *(float(index == other) for other in range(size))]
        for index, row in enumerate(matrix)
    ]
    for index, row in enumerate(rows):
        if row[index] < _NO_INFORMATION:
            return None
        row[:] = [value / row[index] for value in row]
        for other in rows:
            if other is not row and other[index]:
                factor = other[index]
                other[:] = [value - factor * part for value, part in zip(other, row, strict=True)]
    return [row[size:] for row in rows]
