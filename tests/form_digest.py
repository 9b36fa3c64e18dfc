"""Play seeded games under every rule set and print what the core sees; run in both forms.

Each line is a ply: rule set, key, number of legal moves, captures, evaluation,
ending; or a search three plies deep: nodes, score, line. Two forms of the core that
print the same lines have played and searched the same.
"""

import random
import sys

from taflengine.core import form
from taflengine.core.evaluation import attackers_beside_king, steps_gained
from taflengine.engines.engine import Limits
from taflengine.engines.search import Searcher
from taflengine.game import Game
from taflengine.variants.catalogue import VARIANTS

SEARCHED_EVERY = 250
"""A search every so many plies, beside those of the start and of the end."""


def searched(game: Game) -> tuple[int, int, object]:
    """Nodes, score and line of a search three plies deep."""
    *_, report = Searcher(1).deepen(game, Limits(depth=3))
    return report.nodes, report.score, report.line


def main(plies: int) -> None:
    print(form(), file=sys.stderr)
    for name in VARIANTS:
        generator = random.Random(name)
        game = Game(name)
        print(name, "search of the start", searched(game))
        for ply in range(1, plies + 1):
            moves = game.legal_moves()
            if not moves:
                print(name, game.outcome)
                game = Game(name)
                continue
            # A move that captures is taken when one turns up, so that games get somewhere.
            for _ in range(4):
                captured = game.play(generator.choice(moves))
                if captured or game.outcome:
                    break
                game.undo()
            else:
                captured = game.play(generator.choice(moves))
            position = game.position
            terms = "-" if position.king_square() < 0 else ""
            terms = terms or f"{attackers_beside_king(position)} {steps_gained(position)}"
            print(name, f"{game.key:016x}", len(moves), captured, terms, game.outcome)
            if ply % SEARCHED_EVERY == 0 and not game.outcome:
                print(name, "search", searched(game))
        print(name, "search", searched(game if not game.outcome else Game(name)))
        print(name, "perft", Game(name).perft(2 if game.variant.size < 13 else 1))


if __name__ == "__main__":
    main(int(sys.argv[1]))
