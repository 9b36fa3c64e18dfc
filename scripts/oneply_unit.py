"""Choose what an attacker is worth to the house opponent by a match between candidates.

Every candidate plays every other from both sides of the house game; a game that
is not over after 400 plies counts as a draw. Prints a table of points per game
with 95 % error bars. The seed makes the run repeatable.
"""

import argparse
import itertools
import math
import random
import sys

from taflengine.engines.oneply import OnePly
from taflengine.game import Game
from taflengine.pieces import Side
from taflengine.progress import ProgressLine

MAX_PLIES = 400


def play(attacker: OnePly, defender: OnePly, seed: int) -> Side | None:
    """The winner of one game; None is a draw."""
    game, generator = Game(), random.Random(seed)
    for _ in range(MAX_PLIES):
        if game.outcome:
            return game.outcome.winner
        engine = attacker if game.side_to_move is Side.ATTACKER else defender
        game.play(engine.choose(game, generator))
    return None


def main() -> None:
    """Run the match and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="games per pairing and side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("candidates", type=int, nargs="+", help="worths of an attacker to try")
    options = parser.parse_args()
    points: dict[int, dict[Side, list[float]]] = {
        unit: {side: [] for side in Side} for unit in options.candidates
    }
    line = ProgressLine(sys.stderr)
    value = {Side.ATTACKER: 1.0, Side.DEFENDER: 0.0, None: 0.5}
    for number, (one, two) in enumerate(itertools.permutations(options.candidates, 2)):
        for game in range(options.games):
            seed = options.seed + number * options.games + game
            score = value[play(OnePly(one), OnePly(two), seed)]
            points[one][Side.ATTACKER].append(score)
            points[two][Side.DEFENDER].append(1 - score)
        line.show(f"{number + 1} pairings")
    line.clear()
    print("attacker worth   points a game     as attackers  as defenders   games")
    for unit, sides in points.items():
        every = [score for scores in sides.values() for score in scores]
        mean = sum(every) / len(every)
        spread = math.sqrt(sum((score - mean) ** 2 for score in every) / len(every))
        error = 1.96 * spread / math.sqrt(len(every))
        shares = [sum(scores) / len(scores) for scores in sides.values()]
        print(
            f"{unit:>14}   {mean:.3f} +- {error:.3f}   "
            f"{shares[0]:>12.3f}  {shares[1]:>12.3f}   {len(every):>5}"
        )


if __name__ == "__main__":
    main()
