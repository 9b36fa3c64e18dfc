"""Games of a journal that nobody played, for tests of counts and reports."""

import random
from collections.abc import Iterable, Sequence
from itertools import combinations

from taflengine.match.games import Ending, FinishedGame, Player, Thought
from taflengine.match.statistics import score_of
from taflengine.pieces import Side

ATTACKER, DEFENDER = Side.ATTACKER, Side.DEFENDER
_WON_BY = {
    ATTACKER: [Ending.KING_CAPTURED] * 6 + [Ending.ENCIRCLEMENT],
    DEFENDER: [Ending.CORNER] * 6 + [Ending.EXIT_FORT],
    None: [Ending.REPETITION, Ending.MAX_MOVES],
}


def game(
    number: int,
    attacker: str = "A",
    defender: str = "B",
    winner: Side | None = None,
    *,
    pair: int | None = None,
    moves: Sequence[str] | None = None,
    ending: Ending = Ending.CORNER,
    culprit: Side | None = None,
    captures: tuple[int, int] = (0, 0),
    **others: object,
) -> FinishedGame:
    """A game whose moves are its own unless given; two with numbers in a row make a pair."""
    return FinishedGame(
        number=number,
        pair=(number + 1) // 2 if pair is None else pair,
        variant="brandubh",
        attacker=Player(name=attacker, captures=captures[0]),
        defender=Player(name=defender, captures=captures[1]),
        moves=tuple(moves if moves is not None else (f"d6-c6x{number}",)),
        winner=winner,
        ending=ending,
        culprit=culprit,
        **others,  # type: ignore[arg-type]
    )


def match(
    strengths: dict[str, float], pairs: int, seed: int = 1, bias: float = 80.0
) -> list[FinishedGame]:
    """A round robin, each two engines *pairs* pairs, of engines with Elo as given."""
    chances = random.Random(seed)
    games: list[FinishedGame] = []
    for turn in range(pairs):
        for first, second in combinations(strengths, 2):
            opening = chances.gauss(bias, 100)
            pair = len(games) // 2 + 1
            for attacker, defender in ((first, second), (second, first)):
                lead = strengths[defender] - strengths[attacker] + opening
                games.append(_play(chances, len(games) + 1, pair, turn, attacker, defender, lead))
    return games


def _play(
    chances: random.Random,
    number: int,
    pair: int,
    turn: int,
    attacker: str,
    defender: str,
    lead: float,
) -> FinishedGame:
    winner: Side | None = DEFENDER if chances.random() < score_of(lead) else ATTACKER
    if chances.random() < 0.08:
        winner = None
    ending, culprit = chances.choice(_WON_BY[winner]), None
    if winner and chances.random() < 0.02:
        ending, culprit = chances.choice([Ending.TIME, Ending.CRASH]), winner.other
    plies = chances.randint(20, 90)
    thoughts = [None] * 2 + [Thought(round(chances.uniform(0.02, 0.1), 6)) for _ in range(plies)]
    spent = [sum(each.seconds for each in thoughts[turn::2] if each) for turn in (0, 1)]
    return FinishedGame(
        number=number,
        pair=pair,
        round=turn + 1,
        variant="brandubh",
        attacker=Player(name=attacker, version="engine 1", seconds=spent[0]),
        defender=Player(
            name=defender, seconds=spent[1], overshoot=0.013 if ending is Ending.TIME else 0.0
        ),
        opening_plies=2,
        moves=tuple(f"{number}-{ply}" for ply in range(plies + 2)),
        thoughts=tuple(thoughts),
        winner=winner,
        ending=ending,
        culprit=culprit,
    )


def write_journal(games: Iterable[FinishedGame]) -> str:
    """The text of a journal with *games*."""
    return "".join(f"{each.to_json()}\n" for each in games)
