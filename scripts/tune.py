"""Tune a family's weights by matches of the search against itself.

    scripts/python scripts/tune.py FAMILY [--variant NAME]... [--iterations N] [--pairs N]
        [--nodes N] [--seed N] [--processes N]

FAMILY names a table of taflengine/core/weights.py, such as LARGE_CORNER. Each iteration
moves every weight a step up or down by chance, plays the table so made against its
mirror image in paired openings, and moves the weights towards whichever scored better
(simultaneous perturbation). The mean of the second half of the iterations is printed as
a table to put into weights.py. A match against the table in force must then show the
gain: scripts/ablation.py and ``taflengine match`` do that.
"""

import argparse
import random
import sys
import time
from multiprocessing import Pool
from typing import NamedTuple

from taflengine import Game, Side
from taflengine.core import weights
from taflengine.core.codes import WON
from taflengine.core.weights import Weights
from taflengine.engines.engine import Limits
from taflengine.engines.search import Searcher
from taflengine.match.openings import shipped_openings
from taflengine.notation import Move
from taflengine.variants.catalogue import VARIANTS

STEPS = {
    "defender": 12,
    "distance": 14,
    "one_road": 40,
    "two_roads": 80,
    "two_moves": 14,
    "three_moves": 8,
    "cut_off": 20,
    "outside_line": 8,
    "guard": 7,
    "second_line": 8,
    "edge_line": 5,
    "beside_corner": 9,
    "king_on_edge": 25,
    "attacker_beside_king": 9,
    "defender_beside_king": 6,
    "closed_ring": 80,
    "square_inside": 2,
    "square_outside": 3,
    "barred": 70,
    "place_barred": 12,
}
"""How far each weight is moved up and down; an attacker stays the unit."""
BARRED = {"barred", "place_barred"}
"""Those that count only in families that bar corners."""
GAIN = 1.6
"""So many steps a weight moves for a pair of tables of which one wins everything."""
LONGEST = 180
"""Plies of a game behind its opening; then it is drawn."""


class Task(NamedTuple):
    """A pair of games: one opening, *ours* with either side."""

    variant: str
    opening: tuple[Move, ...]
    ours: Weights
    theirs: Weights
    nodes: int


def points(task: Task) -> float:
    """Of *ours* per game, 0 to 1."""
    total = 0.0
    for side in Side:
        game = Game(task.variant)
        for move in task.opening:
            game.play(move)
        won = winner(game, side, task)
        total += 0.5 if won is None else float(won is side)
    return total / 2


def winner(game: Game, side: Side, task: Task) -> Side | None:
    """Play *game* on, *ours* having *side*; a proven win is taken for won."""
    ours = Searcher(2, weights=task.ours)
    theirs = Searcher(2, weights=task.theirs)
    for _ in range(LONGEST):
        if game.outcome:
            return game.outcome.winner
        mover = game.side_to_move
        *_, report = (ours if mover is side else theirs).deepen(game, Limits(nodes=task.nodes))
        if abs(report.score) > WON:
            return mover if report.score > 0 else mover.other
        game.play(report.line[0])
    return None


def names_of(family: str) -> list[str]:
    """The rule sets that *family* weighs and that have openings."""
    table = getattr(weights, family)
    return [
        name
        for name, variant in VARIANTS.items()
        if weights.weights_of(variant) is table and shipped_openings(variant)
    ]


def tune(asked: argparse.Namespace, pool: Pool) -> dict[str, float]:  # type: ignore[valid-type]
    """The tuned weights, those of ``STEPS`` that *asked* family counts."""
    table: Weights = getattr(weights, asked.family)
    names = [name for name in STEPS if table.barred or name not in BARRED]
    chance = random.Random(asked.seed)
    books = {
        name: [opening.moves for opening in shipped_openings(VARIANTS[name])]
        for name in asked.variant or names_of(asked.family)
    }
    values = {name: float(getattr(table, name)) for name in names}
    sums = dict.fromkeys(names, 0.0)
    begun = time.monotonic()
    for number in range(asked.iterations):
        signs = {name: chance.choice((-1, 1)) for name in names}
        width = (1 + number / asked.iterations) ** -0.1
        gain = GAIN * (1 + number / (0.3 * asked.iterations)) ** -0.6
        up, down = (
            table._replace(
                **{
                    name: round(values[name] + turn * signs[name] * width * STEPS[name])
                    for name in names
                }
            )
            for turn in (1, -1)
        )
        tasks = []
        for _ in range(asked.pairs):
            variant = chance.choice(list(books))
            nodes = chance.randint(asked.nodes * 3 // 4, asked.nodes * 5 // 4)
            tasks.append(Task(variant, chance.choice(books[variant]), up, down, nodes))
        score = sum(pool.map(points, tasks, chunksize=1)) / len(tasks)
        for name in names:
            values[name] += gain * STEPS[name] * signs[name] * (score - 0.5)
            if number >= asked.iterations // 2:
                sums[name] += values[name]
        if number % 10 == 9:
            print(
                f"{number + 1} of {asked.iterations}, {time.monotonic() - begun:.0f} s, "
                + " ".join(f"{name}={value:.0f}" for name, value in values.items()),
                file=sys.stderr,
            )
    rounds = asked.iterations - asked.iterations // 2
    return {name: value / rounds for name, value in sums.items()}


def main() -> None:
    """Tune and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "family", choices=["LARGE_CORNER", "SMALL_CORNER", "LARGE_EDGE", "SMALL_EDGE"]
    )
    parser.add_argument("--variant", action="append", choices=list(VARIANTS))
    parser.add_argument("--iterations", type=int, default=150)
    parser.add_argument("--pairs", type=int, default=14, help="pairs of games in each iteration")
    parser.add_argument("--nodes", type=int, default=1_500, help="positions a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    with Pool(asked.processes) as pool:
        tuned = tune(asked, pool)
    print(f"{asked.family} = Weights(")
    for name, value in tuned.items():
        print(f"    {name}={round(value)},")
    print(f"    scale={getattr(weights, asked.family).scale},\n)")


if __name__ == "__main__":
    main()
