"""Find balanced openings of rule sets, by self-play.

    scripts/python scripts/openings.py [VARIANT...] [--count N] [--nodes N] [--games N] [--seed N]

Writes taflengine/openings/VARIANT.txt for each rule set, by default for all. A
candidate is a line of moves: some are drawn by chance, the others are the search's. It is
kept if the search, playing on from there against itself, wins 30 to 70 % for
the defenders. Where one side wins too much, it is the other side that gets the search's
moves in the candidates to come. Boards turned and mirrored count as the same.
"""

import argparse
import random
import sys
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from taflengine import Game, Side, __version__
from taflengine.engines.engine import Limits
from taflengine.engines.search import Searcher
from taflengine.notation import Move, format_move
from taflengine.variants.catalogue import VARIANTS

FOLDER = Path(__file__).resolve().parent.parent / "taflengine" / "openings"
LEAST, MOST = 0.3, 0.7
"""Points of the defenders, per game, between which an opening is balanced."""
DECIDED = 900
"""A playout in which this score has held for a few plies is taken for won."""
HOLD = 6
LONGEST = 160
"""Plies of a playout; then it is drawn."""
BATCH = 16
"""So many candidates are judged before the share of chance is looked at again."""


class Task(NamedTuple):
    """A candidate to be made and judged."""

    variant: str
    seed: str
    tilt: float
    """The share of the defenders' moves that are drawn by chance; the attackers' have the rest."""
    nodes: int
    games: int


def candidate(task: Task) -> tuple[list[Move], float] | None:
    """The moves of a candidate and the defenders' points per game, None if it ends at once."""
    chance = random.Random(task.seed)
    searcher = Searcher(4)
    game = Game(task.variant)
    shortest = 4 if game.variant.size <= 9 else 6
    for _ in range(chance.randint(shortest, shortest + 4)):
        if game.outcome:
            return None
        share = task.tilt if game.side_to_move is Side.DEFENDER else 1 - task.tilt
        if chance.random() < share:
            move = chance.choice(game.legal_moves())
        else:
            *_, report = searcher.deepen(game, Limits(nodes=task.nodes), multipv=3)
            move = chance.choice(report.variations).line[0]
        game.play(move)
    if game.outcome:
        return None
    *_, report = searcher.deepen(game, Limits(nodes=10 * task.nodes))
    if report.plies_to_end is not None:
        return None
    points = 0.0
    for number in range(task.games):
        points += playout(game.copy(), Limits(nodes=task.nodes + number * task.nodes // 5))
        if points / task.games < LEAST and points + task.games - number - 1 < LEAST * task.games:
            break
        if points > MOST * task.games:
            break
    return [ply.move for ply in game.plies], points / task.games


def playout(game: Game, limits: Limits) -> float:
    """The defenders' points of a game that the search plays against itself: 0, 0.5 or 1."""
    searcher = Searcher(4)
    held = 0
    for _ in range(LONGEST):
        if game.outcome:
            break
        *_, report = searcher.deepen(game, limits)
        score = report.score if game.side_to_move is Side.DEFENDER else -report.score
        if abs(score) >= DECIDED:
            held = held + 1 if held * score >= 0 and score > 0 else held - 1 if held <= 0 else 0
            if abs(held) >= HOLD:
                return 1.0 if score > 0 else 0.0
        else:
            held = 0
        game.play(report.line[0])
    winner = game.outcome.winner if game.outcome else None
    return 0.5 if winner is None else float(winner is Side.DEFENDER)


def likeness(game: Game) -> tuple[object, ...]:
    """The same for positions that are turned or mirrored images of each other."""
    size, pieces = game.variant.size, game.board.pieces
    rows = [tuple(pieces[k * size : (k + 1) * size]) for k in range(size)]
    images = []
    for _ in range(4):
        rows = [tuple(column) for column in zip(*rows[::-1], strict=True)]
        images += [tuple(rows), tuple(row[::-1] for row in rows)]
    return min(images, key=repr), game.side_to_move


def write_openings(variant: str, asked: argparse.Namespace, pool: Pool) -> None:  # type: ignore[valid-type]
    """Find openings of *variant*; its file is written anew with each that is found."""
    tilt, number, found, seen = 0.5, 0, [], set()
    while len(found) < asked.count and number < asked.most * asked.count:
        tasks = [
            Task(variant, f"{asked.seed} {variant} {k}", tilt, asked.nodes, asked.games)
            for k in range(number, number + BATCH)
        ]
        number += BATCH
        judged = [each for each in pool.imap(candidate, tasks) if each]
        for moves, points in judged:
            game = Game(variant)
            for move in moves:
                game.play(move)
            if LEAST <= points <= MOST and likeness(game) not in seen:
                seen.add(likeness(game))
                text = " ".join(format_move(move, game.variant.size) for move in moves)
                found.append(f"{text}  # {points:.2f}")
        if judged:
            mean = sum(points for _, points in judged) / len(judged)
            tilt = min(1.0, max(0.0, tilt + 0.2 * (mean - 0.5)))
        write(variant, asked, found[: asked.count])
        print(f"{variant}: {len(found)} of {number}, tilt {tilt:.2f}", file=sys.stderr)


def write(variant: str, asked: argparse.Namespace, lines: list[str]) -> None:
    """Write the file of *variant*."""
    head = (
        f"# Balanced openings of {variant}, by scripts/openings.py of {__version__}: behind each\n"
        f"# the defenders' points per game of {asked.games} playouts.\n"
    )
    (asked.folder / f"{variant}.txt").write_text(head + "\n".join([*lines, ""]))


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), metavar="VARIANT")
    parser.add_argument("--count", type=int, default=100, help="openings of each rule set")
    parser.add_argument("--nodes", type=int, default=1_000, help="positions a move of a playout")
    parser.add_argument("--games", type=int, default=6, help="playouts of a candidate")
    parser.add_argument("--most", type=int, default=30, help="candidates tried for each opening")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    with Pool(asked.processes) as pool:
        for variant in asked.variants:
            write_openings(variant, asked, pool)


if __name__ == "__main__":
    main()
