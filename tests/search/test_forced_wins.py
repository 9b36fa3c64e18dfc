"""Every win that brute force finds is found by the search with its length, and is won.

The positions stand in ``won.txt``, which ``find_won.py`` has made: a rule set, the
plies to the win, how the game ends, the side to move, the rows, where it is from.
"""

import csv
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from agreement import SCENES, Scene
from solver import Solver, TooMuchToTryError

from taflengine import core
from taflengine.engines.engine import Limits
from taflengine.engines.report import Report
from taflengine.engines.search import SearchEngine, Searcher
from taflengine.errors import NotationError
from taflengine.game import Game
from taflengine.notation import parse_move, parse_rows
from taflengine.pieces import Side
from taflengine.variants.catalogue import VARIANTS

pytestmark = pytest.mark.skipif(
    core.form() != "compiled", reason="takes too long where the core is plain Python"
)
HUMAN = Path(__file__).parents[2].parent / "shared" / "games"
"""Games of people; they are no part of the project."""
MANY = 5_000_000
"""Most wins are found in a hundredth of these nodes."""
ENOUGH = Limits(nodes=MANY)
FEW = Limits(nodes=20_000)
"""About what there is time for in a twentieth of a second."""
PLAYED_OUT = 50

Record = Callable[[str, object], None]


class Won(NamedTuple):
    """A position that the side to move wins by force."""

    variant: str
    plies: int
    outcome: str
    """How the game ends when both sides do their best."""
    side: Side
    rows: str
    source: str

    def game(self) -> Game:
        """A game that begins here."""
        return Game(self.variant, parse_rows(self.rows), self.side)


@cache
def won_positions() -> tuple[Won, ...]:
    lines = Path(__file__).with_name("won.txt").read_text().splitlines()
    return tuple(read(*line.split(maxsplit=6)) for line in lines)


def read(
    variant: str, plies: str, winner: str, reason: str, side: str, rows: str, source: str
) -> Won:
    return Won(variant, int(plies), f"{winner} {reason}", Side(side), rows, source)


def told(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in sorted(counts.items()))


def last_report(game: Game, limits: Limits, threads: int = 1) -> Report:
    *_, last = Searcher(1, threads).deepen(game, limits)
    return last


def test_the_positions_are_many_and_of_all_kinds(record_property: Record) -> None:
    positions = won_positions()
    kinds = Counter(won.outcome for won in positions)
    record_property("forced wins by how they end", told(kinds))
    lengths = Counter(f"{won.side.value} in {won.plies}" for won in positions)
    record_property("forced wins by winner and plies", told(lengths))
    origins = Counter(won.source.split()[0] for won in positions)
    record_property("forced wins by where they are from", told(origins))
    assert len(positions) >= 200
    assert len(set(positions)) == len(positions)
    assert {won.variant for won in positions} == set(VARIANTS)
    assert set(kinds) >= {
        "attacker king-captured",
        "attacker encirclement",
        "attacker no-moves",
        "defender corner",
        "defender edge",
        "defender exit-fort",
        "defender no-moves",
    }
    for side in Side:
        assert lengths[f"{side.value} in 3"] >= 30
        assert lengths[f"{side.value} in 5"] >= 30


def wins_by_definition(game: Game, side: Side, plies: int) -> bool:
    """Whether *side* wins within *plies*, as one would define it."""
    if game.outcome:
        return game.outcome.winner is side
    if plies == 0:
        return False
    worth = []
    for move in game.legal_moves():
        game.play(move)
        worth.append(wins_by_definition(game, side, plies - 1))
        game.undo()
    return any(worth) if game.side_to_move is side else all(worth)


def small_games() -> Iterator[Game]:
    """Positions of the smallest boards with few moves, without end."""
    chance = random.Random("small")
    while True:
        variant = VARIANTS[chance.choice(["magpie", "ard-ri", "brandubh", "brandubh-federation"])]
        scene = Scene(variant, chance)
        drawing = SCENES[chance.choice(["sparse", "siege", "ring"])]
        assert drawing
        drawing(scene)
        try:
            game = Game(variant, scene.turned(), chance.choice(list(Side)))
        except NotationError:
            continue
        if not game.outcome and all(len(game.legal_moves(side)) <= 28 for side in Side):
            yield game


def test_the_solver_is_right_by_definition(record_property: Record) -> None:
    found = Counter[str]()
    games = small_games()
    while found.total() < 50:
        game = next(games)
        before = (game.key, game.board)
        side = game.side_to_move
        if found["in 1"] >= 10 and wins_by_definition(game, side, 1):
            continue  # they would be most
        needed = (plies for plies in range(1, 4) if wins_by_definition(game, side, plies))
        by_definition = next(needed, None)
        assert Solver(game).plies_to_win(3) == by_definition, game.board
        assert (game.key, game.board) == before
        found[f"in {by_definition}"] += 1
    record_property("solver compared with the definition", told(found))
    assert min(found[f"in {plies}"] for plies in (1, 3, None)) >= 5


def prove(positions: tuple[Won, ...]) -> Counter[str]:
    """Solve positions again; their lengths and endings as counted."""
    counts = Counter[str]()
    for won in positions:
        game = won.game()
        assert Solver(game).plies_to_win(won.plies) == won.plies, won
        line = Solver(game).line(won.plies)
        assert len(line.moves) == won.plies, won
        assert str(line.outcome) == won.outcome, won
        counts[f"in {won.plies}"] += 1
    return counts


def test_a_sample_of_the_positions_is_proven_again(record_property: Record) -> None:
    small = [won for won in won_positions() if won.plies < 4 or VARIANTS[won.variant].size < 9]
    record_property("forced wins proven again, sample", told(prove(tuple(small[::3]))))


@pytest.mark.long
def test_all_positions_are_proven_again(record_property: Record) -> None:
    record_property("forced wins proven again, all", told(prove(won_positions())))


@pytest.mark.parametrize("name", VARIANTS)
def test_forced_wins_are_found_with_their_length(name: str, record_property: Record) -> None:
    nodes = 0
    for won in won_positions():
        if won.variant == name:
            report = last_report(won.game(), ENOUGH)
            assert report.plies_to_end == won.plies, (won, report)
            nodes = max(nodes, report.nodes)
    record_property(f"forced wins found, {name}, most nodes for one", nodes)


def test_forced_wins_are_found_by_several_threads(record_property: Record) -> None:
    """Moves that another thread is busy with are put off, and never forgotten."""
    some = [won for won in won_positions() if won.plies > 1][::3]
    for threads in (2, 3):
        for won in some:
            report = last_report(won.game(), Limits(nodes=threads * MANY), threads)
            assert report.plies_to_end == won.plies, (won, report)
    record_property("forced wins found by two threads and by three", len(some))


def test_a_move_that_is_put_off_is_searched_behind_the_others(record_property: Record) -> None:
    """In the plain form, told that other threads are busy with every move but the first."""
    script = Path(__file__).with_name("all_busy.py")
    environment = os.environ | {"TAFLENGINE_COMPILED": "off"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True
    )
    tried, alone, busy = (int(word) for word in done.stdout.split())
    record_property("wins that one search sees, alone and told that all is busy", (alone, busy))
    assert tried >= 20
    assert tried * 0.8 < alone
    assert alone * 0.9 < busy


def played_out() -> tuple[Won, ...]:
    """Some of all kinds that take more than a move, the same each time."""
    longer = [won for won in won_positions() if won.plies > 1 and VARIANTS[won.variant].size <= 15]
    return tuple(random.Random(1).sample(longer, PLAYED_OUT))


def brief(won: Won) -> str:
    return f"{won.variant}, {won.side.value} in {won.plies}"


@pytest.mark.parametrize("won", played_out(), ids=brief)
def test_a_won_position_is_won_against_perfect_defence(won: Won) -> None:
    """Within the plies that were proven, whatever the defence that holds out longest."""
    game, engine = won.game(), SearchEngine(ENOUGH, 1)
    while not game.outcome and len(game.plies) < won.plies:
        if game.side_to_move is won.side:
            game.play(engine.choose(game, None))
        else:
            left = won.plies - len(game.plies) - 1
            move, needed = Solver(game).longest_resistance(left)
            assert needed is not None, f"after {game.plies} the win is gone"
            game.play(move)
    assert game.outcome
    assert game.outcome.winner is won.side


@pytest.mark.long
@pytest.mark.parametrize("limits", [FEW, Limits(seconds=0.05)], ids=["nodes", "time"])
def test_a_won_position_is_won_in_a_hurry(limits: Limits, record_property: Record) -> None:
    """The win may come later, but it comes, against a defender with a hundred times the nodes."""
    late = 0
    for won in played_out():
        game, engine = won.game(), SearchEngine(limits, 1)
        guard = SearchEngine(Limits(nodes=200_000), 1)
        while not game.outcome and len(game.plies) < 60:
            mover = engine if game.side_to_move is won.side else guard
            game.play(mover.choose(game, None))
        assert game.outcome, won
        assert game.outcome.winner is won.side, won
        late += len(game.plies) > won.plies
    record_property(f"won positions played out at {limits}, later than proven", late)


def ends_of_human_games(name: str) -> Iterator[Game]:
    """The last positions of games of people, each without a past, with either side to move."""
    path = HUMAN / f"{name.partition('-')[0]}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    for row in csv.reader(path.read_text().splitlines()):
        game = Game(name, enforce_repetition=False)
        for text in row[0].split():
            if text != "timeout":
                game.play(parse_move(text, game.variant.size).move)
        for _ in range(min(6, len(game.plies))):
            if not game.outcome:
                yield Game(name, game.board, game.side_to_move)
            game.undo()


@pytest.mark.long
@pytest.mark.parametrize("name", ["brandubh-federation"])
def test_forced_wins_in_games_of_people_are_found(name: str, record_property: Record) -> None:
    lengths = Counter[str]()
    for game in ends_of_human_games(name):
        try:
            plies = Solver(game, 3_000_000).plies_to_win(5)
        except TooMuchToTryError:
            continue
        if plies:
            assert last_report(game, ENOUGH).plies_to_end == plies, game.board
            lengths[f"in {plies}"] += 1
        if lengths.total() >= 150:
            break
    record_property(f"forced wins in games of people, {name}", told(lengths))
    assert lengths.total() >= 100
