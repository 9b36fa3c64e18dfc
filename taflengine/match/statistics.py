"""What results tell about strength: counts in, numbers out.

The unit of evidence is the pair: one opening, played twice with the sides
swapped. The sides of these games are unequal, so that the two games of a pair
depend on each other, and only whole pairs say without prejudice how far apart
two engines are. Single games serve where there are no pairs.

No answer is ever infinite or no number. What the games at hand cannot tell is
None, and where they bound a figure from one side only, that side is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import erf, exp, log, log10, sqrt
from operator import mul
from typing import NamedTuple

from taflengine.errors import NotationError

DEVIATIONS = 1.959963984540054
"""An interval of the normal distribution this many deviations to each side holds 95 %."""
DOUBT = 0.05
"""What is left of certainty beside an interval."""
FEWEST = 5
"""With fewer pairs (or games) that differ, the normal distribution says nothing."""
ELO_PER_DEVIATION = 800 / log(10)
"""Normalised Elo of an advantage of one standard deviation of a game."""

_NEVER_SEEN = 1e-3
"""What the likelihood takes instead of a count of zero, as other match runners do."""
_CLOSE_ENOUGH = 1e-9
_ROUNDS = 200
"""Far more than any counts need: a solution stops at the accuracy of floats."""


class Estimate(NamedTuple):
    """A figure and its interval of 95 %; None where the games do not tell.

    An end that is None beside one that is not: bounded from one side only.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def error(self) -> float | None:
        """Half the width of the interval, if it has two ends."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def elo_of(score: float) -> float | None:
    """The difference in Elo at which *score*, from 0 to 1, is expected; None for 0 and 1."""
    return -400 * log10(1 / score - 1) if 0 < score < 1 else None


def score_of(elo: float) -> float:
    """The score, from 0 to 1, expected at a difference of *elo*."""
    return 1 / (1 + exp(-elo * log(10) / 400))


@dataclass(frozen=True, slots=True)
class Scores:
    """How often a unit of evidence ended with each score, from the worst to the best.

    Three counts are of games: lost, drawn, won. Five are of pairs: 0, a half, 1, one and a half
    and 2 points.
    """

    counts: tuple[int, ...]

    @property
    def games_each(self) -> int:
        """Games in a unit: 1 or 2."""
        return len(self.counts) // 2

    @property
    def total(self) -> int:
        """Units counted."""
        return sum(self.counts)

    @property
    def values(self) -> tuple[float, ...]:
        """The score of each class, from 0 to 1."""
        last = len(self.counts) - 1
        return tuple(index / last for index in range(last + 1))

    @property
    def mean(self) -> float | None:
        """The mean score, from 0 to 1."""
        if not self.total:
            return None
        points = sum(index * count for index, count in enumerate(self.counts))
        return points / (self.total * (len(self.counts) - 1))

    @property
    def deviation(self) -> float | None:
        """The standard deviation of one unit's score."""
        mean = self.mean
        if mean is None:
            return None
        pairs = zip(self.counts, self.values, strict=True)
        return sqrt(sum(count * (value - mean) ** 2 for count, value in pairs) / self.total)

    def interval(self) -> Estimate:
        """The mean score with its interval, which may end at 0 or 1.

        Where all units ended alike, the interval holds every mean under which that had a chance
        of at least ``DOUBT``, however the other scores were spread.
        """
        mean, deviation = self.mean, self.deviation
        if mean is None or deviation is None:
            return Estimate()
        if deviation == 0:
            sure = DOUBT ** (1 / self.total)
            return Estimate(mean, mean * sure, 1 - (1 - mean) * sure)
        if self.total < FEWEST:
            return Estimate(mean)
        reach = DEVIATIONS * deviation / sqrt(self.total)
        return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def elo_difference(scores: Scores) -> Estimate:
    """How many Elo the engine whose score is counted is ahead."""
    found = (None if score is None else elo_of(score) for score in scores.interval())
    return Estimate(*found)


def normalised_elo(scores: Scores) -> Estimate:
    """The advantage in deviations of a game: what decides how many games a test needs."""
    mean, deviation = scores.mean, scores.deviation
    if mean is None or not deviation:
        return Estimate()
    value = ELO_PER_DEVIATION * (mean - 0.5) / (deviation * sqrt(scores.games_each))
    if scores.total < FEWEST:
        return Estimate(value)
    reach = DEVIATIONS * ELO_PER_DEVIATION / sqrt(scores.total * scores.games_each)
    return Estimate(value, value - reach, value + reach)


def likelihood_of_superiority(scores: Scores) -> float | None:
    """How likely it is, from 0 to 1, that the engine whose score is counted is the stronger."""
    mean, deviation = scores.mean, scores.deviation
    if mean is None or deviation is None:
        return None
    if deviation == 0:
        # Between equals the best score of all comes up at most every other time.
        chance = 0.5**scores.total
        return {0.0: chance, 1.0: 1 - chance}.get(mean)
    if scores.total < FEWEST:
        return None
    return (1 + erf((mean - 0.5) / deviation * sqrt(scores.total / 2))) / 2


def pairs_ratio(pairs: Scores) -> float | None:
    """Pairs won for each pair lost; None while none is lost."""
    lost = sum(pairs.counts[:2])
    return sum(pairs.counts[3:]) / lost if lost else None


def middle_ratio(scores: Scores) -> float | None:
    """The part of the units that ended even, from 0 to 1."""
    return scores.counts[len(scores.counts) // 2] / scores.total if scores.total else None


def rate(points: float, games: int) -> Estimate:
    """A part of the games with Wilson's interval; draws may be counted as half points."""
    if not games:
        return Estimate()
    part, square = points / games, DEVIATIONS**2
    centre = (part + square / (2 * games)) / (1 + square / games)
    reach = sqrt(part * (1 - part) / games + square / (4 * games * games))
    reach *= DEVIATIONS / (1 + square / games)
    # At 0 and 1 the rounding of floats would leave an end just inside.
    low = 0.0 if points == 0 else centre - reach
    return Estimate(part, low, 1.0 if points == games else centre + reach)


class Model(Enum):
    """What the hypotheses of a sequential test are about; the value is its name in options."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class Verdict(Enum):
    """What a sequential test has come to; the value is what a report says."""

    GOES_ON = "continues"
    H0 = "H0 was accepted"
    H1 = "H1 was accepted"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test: is the difference ``elo1`` rather than ``elo0``?

    It may be looked at after every pair. The hypotheses are told apart by the generalised
    likelihood ratio: each is granted the distribution of scores under it that explains the
    counts best. Where that of a normalised difference cannot be found, since the counts are far
    from it or nearly all the same, a normal distribution takes its place.

    Args:
        elo0: The difference under the first hypothesis, in the Elo of ``model``.
        elo1: The difference under the second, which is greater.
        alpha: How often H1 may be accepted where H0 holds.
        beta: How often H0 may be accepted where H1 holds.
        model: Elo as ``elo_difference`` or as ``normalised_elo`` measures it.

    Raises:
        NotationError: the hypotheses or the error rates contradict themselves.
    """

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.LOGISTIC

    def __post_init__(self) -> None:
        """Refuse a test that could not end, or that would prove nothing."""
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise NotationError("sprt: -1000 <= elo0 < elo1 <= 1000 must hold")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise NotationError("sprt: alpha and beta lie between 0 and 1, and so does their sum")

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first H0 is accepted, at or above the second H1."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, scores: Scores) -> float | None:
        """How much more likely the counts are under H1, as a logarithm; None without any."""
        if not scores.total:
            return None
        counts = [count or _NEVER_SEEN for count in scores.counts]
        total = sum(counts)
        seen = [count / total for count in counts]
        values, hypotheses = scores.values, (self.elo0, self.elo1)
        unit = ELO_PER_DEVIATION / sqrt(scores.games_each)
        fits: list[list[float] | None]
        if self.model is Model.LOGISTIC:
            fits = [
                _likeliest(seen, [value - score_of(elo) for value in values]) for elo in hypotheses
            ]
        else:
            fits = [_likeliest_of_advantage(seen, values, elo / unit) for elo in hypotheses]
        first, second = fits
        if first is None or second is None:
            low, high = (_normal_log_likelihood(seen, values, elo / unit) for elo in hypotheses)
            return total * (high - low)
        ratios = zip(seen, first, second, strict=True)
        return total * sum(part * log(high / low) for part, low, high in ratios)

    def verdict(self, ratio: float | None) -> Verdict:
        """What a log-likelihood ratio decides."""
        low, high = self.bounds
        if ratio is None or low < ratio < high:
            return Verdict.GOES_ON
        return Verdict.H1 if ratio >= high else Verdict.H0


def parse_sprt(text: str) -> Sprt:
    """A test from words like ``elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalised``.

    Raises:
        NotationError: a key is unknown or twice there, or a value is wrong.
    """
    numbers: dict[str, float] = {}
    model: Model | None = None
    for word in text.replace(",", " ").split():
        key, _, value = word.partition("=")
        if key in numbers or (key == "model" and model):
            raise NotationError(f"sprt: {key} is given twice")
        if key == "model":
            names = {each.value: each for each in Model} | {"normalized": Model.NORMALISED}
            if value not in names:
                raise NotationError(f"sprt: model is logistic or normalised, not {value!r}")
            model = names[value]
        elif key in ("elo0", "elo1", "alpha", "beta"):
            try:
                numbers[key] = float(value)
            except ValueError:
                raise NotationError(f"sprt: {key} is a number, not {value!r}") from None
        else:
            raise NotationError(f"sprt: {key!r} is none of elo0, elo1, alpha, beta, model")
    return Sprt(**numbers, model=model or Model.LOGISTIC)


def _likeliest(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The distribution with mean value 0 under which what was *seen* is most likely.

    By Lagrange it is ``seen / (1 + x * value)`` for the one x that gives the mean. All of *seen*
    are positive, and *values* lie to both sides of 0.
    """
    low, high = -1 / max(values), -1 / min(values)
    found = 0.0
    for _ in range(_ROUNDS):
        terms = [
            (part * value / (1 + found * value), value / (1 + found * value))
            for part, value in zip(seen, values, strict=True)
        ]
        mean = sum(term for term, _ in terms)
        # The mean falls as x grows, so its sign tells on which side the answer lies.
        low, high = (found, high) if mean > 0 else (low, found)
        new = found + mean / sum(term * factor for term, factor in terms)
        if not low < new < high:
            new = (low + high) / 2
        close = abs(new - found) <= _CLOSE_ENOUGH * max(1.0, abs(found))
        found = new
        if close:
            break
    return [part / (1 + found * value) for part, value in zip(seen, values, strict=True)]


def _likeliest_of_advantage(
    seen: Sequence[float], values: Sequence[float], advantage: float
) -> list[float] | None:
    """As ``_likeliest``, for a mean that is *advantage* deviations above a half.

    That condition is not linear in the distribution. It is replaced by its tangent at the last
    answer until the answer stays. None if a tangent misses all distributions.
    """
    chances = [1 / len(seen)] * len(seen)
    for _ in range(_ROUNDS):
        mean, deviation = _moments(chances, values)
        slopes = [
            value - advantage * (value * value - 2 * mean * value) / (2 * deviation)
            for value in values
        ]
        shift = mean - 0.5 - advantage * deviation - sum(map(mul, chances, slopes))
        tangent = [slope + shift for slope in slopes]
        if not min(tangent) < 0 < max(tangent):
            return None
        last, chances = chances, _likeliest(seen, tangent)
        if max(abs(new - old) for new, old in zip(chances, last, strict=True)) < _CLOSE_ENOUGH:
            return chances
    return None


def _normal_log_likelihood(
    seen: Sequence[float], values: Sequence[float], advantage: float
) -> float:
    """That of one unit if scores were normally distributed, with the deviation that suits best."""
    mean, deviation = _moments(seen, values)
    ahead = mean - 0.5
    square = deviation**2 + ahead**2
    # Setting the derivative by the deviation to 0 gives a quadratic equation.
    suits = (sqrt((ahead * advantage) ** 2 + 4 * square) - ahead * advantage) / 2
    ratio = ahead / suits
    return ratio * advantage - log(suits) - (square / suits**2 + advantage**2) / 2


def _moments(chances: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum(map(mul, chances, values))
    square = sum(map(mul, chances, [(value - mean) ** 2 for value in values]))
    return mean, sqrt(square)
