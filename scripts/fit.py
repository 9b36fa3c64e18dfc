"""Fit the chance to win, and what each term of the evaluation tells of it, to self-play.

    scripts/python scripts/fit.py FAMILY [--games N] [--nodes N] [--seed N] [--samples FILE]

FAMILY names a table of taflengine/core/weights.py, such as LARGE_CORNER. The games begin
with some moves chosen by chance, half of them with a few defenders taken off, since
positions that one side always wins teach nothing. Of each game the quiet positions are
kept: no capture, no road, no king in danger. Printed are the ``scale`` that
turns scores into chances, and a logistic regression of the result on what is counted, drawn
towards the weights in force, with the loss of each on games that were not used.

The regression is no table to play by: it sees what goes with winning, not what wins. Its
large corner table lost 215 Elo to the one that it began from (scripts/strength.md);
scripts/tune.py tunes by matches. What --samples names is read if it is there, else written.
Needs numpy: ``pip install taflengine[tune]``.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from taflengine import Game, Side
from taflengine.core import weights
from taflengine.core.evaluation import Evaluation
from taflengine.core.tactics import captures, king_captures, roads
from taflengine.engines.engine import Limits
from taflengine.engines.search import Searcher
from taflengine.notation import Board, format_rows, parse_rows
from taflengine.pieces import Piece
from taflengine.variants.catalogue import VARIANTS

FIXED = ("attacker", "one_road", "two_roads", "scale")
"""Not fitted: the unit, what quiet positions do not show, and what is no term."""
UNIT = 1_000
"""Weight under which a term is counted, so that whole numbers keep three decimals."""
MOST_PLIES = 300
DRAWN = 0.5


def family_of(name: str) -> list[str]:
    """The rule sets that are weighed by the table called *name*, on its most common board."""
    table = getattr(weights, name)
    names = [each for each, variant in VARIANTS.items() if weights.weights_of(variant) is table]
    sizes = Counter(VARIANTS[each].size for each in names)
    usual = sizes.most_common(1)[0][0]
    return [each for each in names if VARIANTS[each].size == usual]


def opening(variant_name: str, chance: random.Random, searcher: Searcher) -> Game:
    """A game after some moves of which half were chosen by chance."""
    variant = VARIANTS[variant_name]
    pieces: list[Piece | None] = list(variant.start.pieces)
    defenders = [square for square, piece in enumerate(pieces) if piece is Piece.DEFENDER]
    if chance.random() < 0.5:
        for square in chance.sample(defenders, chance.randint(1, max(1, len(defenders) // 4))):
            pieces[square] = None
    game = Game(variant, Board(variant.size, tuple(pieces)))
    for _ in range(chance.randint(3, 8)):
        moves = game.legal_moves()
        if not moves:
            break
        if chance.random() < 0.5:
            *_, report = searcher.deepen(game, Limits(nodes=1_000), multipv=4)
            game.play(chance.choice(report.variations).line[0])
        else:
            game.play(chance.choice(moves))
    return game


def is_quiet(game: Game) -> bool:
    """Whether nothing is about to be taken and no road is open."""
    position = game.position
    return not (captures(position) or king_captures(position) or roads(position))


def samples_of(task: tuple[str, int, int]) -> list[tuple[str, str, float, float]]:
    """The quiet positions of one game: rule set, position, result and the search's win chance.

    Result and chance are the defenders', 0 to 1.
    """
    name, seed, nodes = task
    chance = random.Random(f"{name} {seed}")
    searcher = Searcher(4)
    game = opening(name, chance, searcher)
    found = []
    for ply in range(MOST_PLIES):
        if game.outcome:
            break
        *_, report = searcher.deepen(game, Limits(nodes=nodes))
        if ply > 1 and report.plies_to_end is None and is_quiet(game):
            own = report.variations[0].win_chance
            side = game.side_to_move
            rows = f"{format_rows(game.board)} {side.value}"
            found.append((rows, own if side is Side.DEFENDER else 1 - own))
        game.play(report.line[0])
    winner = game.outcome.winner if game.outcome else None
    result = DRAWN if winner is None else float(winner is Side.DEFENDER)
    return [(name, rows, result, own) for rows, own in found]


def generate(family: str, games: int, nodes: int, seed: int, processes: int) -> Iterator[list]:
    """The samples of each of *games* games, rule sets in turn."""
    names = family_of(family)
    tasks = [(names[k % len(names)], seed + k, nodes) for k in range(games)]
    with Pool(processes) as pool:
        for number, found in enumerate(pool.imap(samples_of, tasks, chunksize=1), start=1):
            if sys.stderr.isatty() or number % 100 == 0:
                print(f"{number} of {games} games", file=sys.stderr)
            yield found


def counted(family: str, games: list[list], terms: list[str]) -> tuple:
    """What the evaluation counts in each sample, its result and the number of its game."""
    table = getattr(weights, family)
    zero = weights.Weights(*([0] * len(table)))
    evaluations = {
        name: [Evaluation(Game(name).position, zero._replace(**{term: UNIT})) for term in terms]
        for name in family_of(family)
    }
    rows, results, numbers = [], [], []
    for number, samples in enumerate(games):
        for name, text, result, own in samples:
            board, side = text.split()
            game = Game(name, parse_rows(board), Side(side), enforce_repetition=False)
            points = [each.points(game.position) / UNIT for each in evaluations[name]]
            points.append(1.0 if side == Side.DEFENDER.value else 0.0)
            points.append(1.0)
            rows.append(points)
            results.append(0.7 * result + 0.3 * own)
            numbers.append(number)
    return np.array(rows), np.array(results), np.array(numbers)


def loss(x: np.ndarray, y: np.ndarray, w: np.ndarray, theta: np.ndarray) -> float:
    """The mean log-loss of the targets."""
    p = np.clip(1 / (1 + np.exp(-x @ theta)), 1e-9, 1 - 1e-9)
    return float(-(w * (y * np.log(p) + (1 - y) * np.log(1 - p))).sum() / w.sum())


def fit(x: np.ndarray, y: np.ndarray, w: np.ndarray, prior: np.ndarray, pull: np.ndarray):
    """The log-odds of each count, drawn towards *prior*, by Newton's method."""
    theta = np.zeros_like(prior)  # from anywhere else a step may leap too far
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ theta))
        gradient = x.T @ (w * (p - y)) + pull * (theta - prior)
        hessian = (x * (w * p * (1 - p))[:, None]).T @ x + np.diag(pull)
        step = np.linalg.solve(hessian, gradient)
        theta -= step
        if np.abs(step).max() < 1e-9:
            break
    return theta


def main() -> None:
    """Generate or read samples, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("family")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--nodes", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--samples", type=Path)
    asked = parser.parse_args()
    if asked.samples and asked.samples.exists():
        games = [json.loads(line) for line in asked.samples.read_text().splitlines()]
    else:
        games = []
        for found in generate(asked.family, asked.games, asked.nodes, asked.seed, asked.processes):
            games.append(found)
            if asked.samples:
                with asked.samples.open("a") as file:
                    file.write(json.dumps(found) + "\n")
    table = getattr(weights, asked.family)
    terms = [name for name in table._fields if name not in FIXED or name == "attacker"]
    x, y, numbers = counted(asked.family, games, terms)
    sizes = np.bincount(numbers, minlength=len(games))
    w = 1 / np.sqrt(sizes[numbers])  # long games do not outvote short ones
    old = np.array([*(getattr(table, term) / table.scale for term in terms), 0.0, 0.0])
    # As sure of the weights in force as some hundred samples that the term decides would be.
    spread = x.std(axis=0) + 1e-3
    pull = 20.0 * spread**2
    pull[-2:] = 1e-6
    held = numbers % 5 == 0
    print(f"{asked.family}: {len(games)} games, {len(y)} positions, mean result {y.mean():.3f}")
    theta = fit(x[~held], y[~held], w[~held], old, pull)
    only_scale = fit(x[:, :-2] @ old[:-2, None], y, w, np.array([1.0]), np.array([1e-6]))
    shifted = np.concatenate([old[:-2] * only_scale[0], old[-2:]])
    constant = np.zeros_like(old)
    constant[-1] = np.log((w * y).sum() / (w * (1 - y)).sum())
    print(
        f"loss on held-out games: constant {loss(x[held], y[held], w[held], constant):.4f}, "
        f"old, best scale {loss(x[held], y[held], w[held], shifted):.4f}, "
        f"fitted {loss(x[held], y[held], w[held], theta):.4f}"
    )
    print(f"scale={round(table.scale / only_scale[0])}  # in force: {table.scale}")
    theta = fit(x, y, w, old, pull)
    unit = -theta[terms.index("attacker")] / 100
    for term, value in zip(terms, theta, strict=False):
        print(f"    {term}={round(value / unit)},  # in force: {getattr(table, term)}")


if __name__ == "__main__":
    main()
