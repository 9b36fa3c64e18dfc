"""What can be said of a match: every figure of a report, worked out from its games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from taflengine.errors import TaflError
from taflengine.match import statistics
from taflengine.match.counting import Count, Pairs, Scoring, Tally
from taflengine.match.games import Ending, FinishedGame
from taflengine.match.ratings import Ratings, rate
from taflengine.match.statistics import Estimate, Scores, Sprt, Verdict
from taflengine.pieces import Side
from taflengine.variants.spoken import parse_variant

LOPSIDED = 0.6
"""Where one side wins both games of more pairs, opening and time tell engines hardly apart."""

TELLING_PAIRS = 10
"""With fewer pairs this is not said."""


@dataclass(frozen=True, kw_only=True)
class ReportSettings:
    """What a report says that games do not."""

    names: Sequence[str] = ()
    """The engines, in the order in which they are reported; others of the games follow."""
    planned: int | None = None
    """How many games the match has when it is over."""
    limits: str = ""
    """Time or nodes a move, in words."""
    sprt: Sprt | None = None
    scoring: Scoring = Scoring.RESULT


@dataclass(frozen=True)
class Strength:
    """What a number of pairs says of an engine."""

    elo: Estimate
    normalised_elo: Estimate
    superiority: float | None
    """The likelihood of being the stronger, from 0 to 1."""
    middle_ratio: float | None
    """The part of the pairs that ended even."""
    pairs_ratio: float | None
    """Pairs won for each pair lost."""

    @classmethod
    def of(cls, scores: Scores) -> "Strength":
        """The strength behind *scores*."""
        return cls(
            statistics.elo_difference(scores),
            statistics.normalised_elo(scores),
            statistics.likelihood_of_superiority(scores),
            statistics.middle_ratio(scores),
            statistics.pairs_ratio(scores),
        )


@dataclass(frozen=True)
class Versus:
    """Two engines that have met, as the first of them sees it."""

    name: str
    rival: str
    tally: Tally
    pairs: Pairs
    strength: Strength


@dataclass(frozen=True)
class SequentialTest:
    """What has come of a sequential test between two engines."""

    sprt: Sprt
    ratio: float | None
    """The logarithm of the likelihood ratio."""
    verdict: Verdict


@dataclass(frozen=True)
class Thinking:
    """The time that an engine took."""

    seconds: float
    moves: int | None
    """Its moves; None where it is not known who moved first."""
    longest: float | None
    """Seconds for one move, at most."""
    overshoot: float
    """Seconds by which a move came too late, at most."""
    late: int
    """Games lost on time."""


@dataclass(frozen=True)
class EngineFindings:
    """One engine against all others."""

    name: str
    version: str
    tally: Tally
    by_side: dict[Side, Tally]
    pairs: Pairs
    strength: Strength
    failures: Counter[Ending]
    thinking: Thinking


@dataclass(frozen=True)
class Step:
    """Where an engine stood after one of its pairs."""

    pairs: int
    score: Estimate


@dataclass(frozen=True)
class Findings:
    """All that a report says; the same games and settings give the same."""

    settings: ReportSettings
    variants: tuple[str, ...]
    games: int
    """The games that count."""
    duplicates: dict[int, int]
    """Games left out, each with the game that it repeats."""
    engines: tuple[EngineFindings, ...]
    """In the order of the settings."""
    versus: tuple[Versus, ...]
    """Each two that have met once, in the order of the settings."""
    test: SequentialTest | None
    sides: dict[str, Tally]
    """By rule set: the games as the attackers see them."""
    both_won: dict[Side, int]
    """Pairs in which one side won both games."""
    whole_pairs: int
    ratings: Ratings
    endings: dict[Ending, Counter[Side | None]]
    """How often each ending came, by the side that it gave the game to."""
    progress: dict[str, tuple[Step, ...]]
    """The way of each engine, pair by pair."""
    odd_games: tuple[tuple[int, str], ...]
    """Numbers of games with what was odd about them, though it changed no result."""

    @property
    def is_match(self) -> bool:
        """Whether two engines, and no others, have met."""
        return len(self.engines) == 2 and len(self.versus) == 1

    @property
    def is_lopsided(self) -> bool:
        """Whether in most pairs, of enough to tell, one side won both games."""
        most = max(self.both_won.values())
        return self.whole_pairs >= TELLING_PAIRS and most > LOPSIDED * self.whole_pairs

    @property
    def all_sides(self) -> Tally:
        """Over all rule sets: the games as the attackers see them."""
        return sum(self.sides.values(), Tally())

    def ranking(self) -> list[EngineFindings]:
        """The engines by the part of the points that they made, the best first."""
        return sorted(
            self.engines,
            key=lambda each: each.tally.points / each.tally.games if each.tally.games else -1,
            reverse=True,
        )

    def between(self, name: str, rival: str) -> Tally | None:
        """The games of *name* against *rival*, if they have met."""
        for each in self.versus:
            if (each.name, each.rival) == (name, rival):
                return each.tally
            if (each.name, each.rival) == (rival, name):
                return Tally(each.tally.losses, each.tally.wins, each.tally.draws)
        return None


def findings_of(games: Sequence[FinishedGame], settings: ReportSettings) -> Findings:
    """Work everything out from *games*, in the order in which they ended."""
    count = Count(scoring=settings.scoring)
    progress: dict[str, list[Step]] = {}
    for game in games:
        count.add(game)
        for name in {game.attacker.name, game.defender.name}:
            scores = count.pairs(name).scores
            steps = progress.setdefault(name, [])
            if scores.total > len(steps):
                steps.append(Step(scores.total, scores.interval()))
    names = list(dict.fromkeys([*settings.names, *count.names]))
    versus = tuple(
        _versus(count, name, rival)
        for index, name in enumerate(names)
        for rival in names[index + 1 :]
        if count.tally(name, rival).games
    )
    endings: dict[Ending, Counter[Side | None]] = {}
    for game in count.games:
        endings.setdefault(game.ending, Counter())[game.winner] += 1
    variants = tuple(dict.fromkeys(game.variant for game in games))
    return Findings(
        settings=settings,
        variants=variants,
        games=len(count.games),
        duplicates=count.duplicates,
        engines=tuple(_engine(count, name, games) for name in names),
        versus=versus,
        test=_test(settings.sprt, versus, names),
        sides={variant: count.sides(variant) for variant in variants},
        both_won={side: sum(each.pairs.by_side[side] for each in versus) for side in Side},
        whole_pairs=sum(each.pairs.scores.total for each in versus),
        ratings=rate(count.meetings()),
        endings={ending: endings[ending] for ending in Ending if ending in endings},
        progress={name: tuple(steps) for name, steps in progress.items()},
        odd_games=tuple((game.number, event) for game in games for event in game.events),
    )


def _versus(count: Count, name: str, rival: str) -> Versus:
    pairs = count.pairs(name, rival)
    return Versus(name, rival, count.tally(name, rival), pairs, Strength.of(pairs.scores))


def _test(
    sprt: Sprt | None, versus: Sequence[Versus], names: Sequence[str]
) -> SequentialTest | None:
    if sprt is None or len(names) != 2:
        return None
    ratio = sprt.log_likelihood_ratio(versus[0].pairs.scores) if versus else None
    return SequentialTest(sprt, ratio, sprt.verdict(ratio))


def _engine(count: Count, name: str, games: Sequence[FinishedGame]) -> EngineFindings:
    pairs = count.pairs(name)
    own = [(game, side) for game in games for side in Side if game.player(side).name == name]
    versions = dict.fromkeys(game.player(side).version for game, side in own)
    return EngineFindings(
        name=name,
        version=", ".join(version for version in versions if version),
        tally=count.tally(name),
        by_side={side: count.tally(name, side=side) for side in Side},
        pairs=pairs,
        strength=Strength.of(pairs.scores),
        failures=Counter(
            game.ending
            for game, side in own
            if game.culprit is side and (game.ending.is_failure or game.ending is Ending.TIME)
        ),
        thinking=_thinking(own),
    )


def _thinking(own: Sequence[tuple[FinishedGame, Side]]) -> Thinking:
    firsts = [_first_side(game) for game, _ in own]
    moves = [
        thought.seconds
        for (game, side), first in zip(own, firsts, strict=True)
        for thought in game.thoughts[0 if side is first else 1 :: 2]
        if thought
    ]
    known = None not in firsts
    return Thinking(
        seconds=sum(game.player(side).seconds for game, side in own),
        moves=len(moves) if known else None,
        longest=max(moves, default=None) if known else None,
        overshoot=max((game.player(side).overshoot for game, side in own), default=0.0),
        late=sum(game.ending is Ending.TIME and game.culprit is side for game, side in own),
    )


def _first_side(game: FinishedGame) -> Side | None:
    """Who moved first; None if the rule set was a file that is not there any more."""
    if game.start:
        return Side.DEFENDER if game.start.split()[-1].startswith("d") else Side.ATTACKER
    return _first_of(game.variant)


@cache
def _first_of(variant: str) -> Side | None:
    try:
        return parse_variant(variant).first
    except (TaflError, OSError):
        return None
