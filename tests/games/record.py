"""Play the games of this directory, one file for each rule set, and write them anew.

Run it after a change of the rules that is meant to change them; a change of an
engine is no reason, for the games stay good. One line is one game: the engines of
attackers and defenders, the seed, the result, and the moves with their captures.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path

from taflengine.engines.engine import Engine
from taflengine.engines.oneply import OnePly
from taflengine.engines.uniform import Uniform
from taflengine.game import Game
from taflengine.notation import Move, format_move, square_name
from taflengine.pieces import Side
from taflengine.variants.catalogue import VARIANTS

MAX_PLIES = 300
"""Where a game is left unfinished."""

Pairing = tuple[str, str, int]
PAIRINGS: tuple[Pairing, ...] = (
    ("oneply", "random", 1),
    ("random", "oneply", 2),
    ("oneply", "oneply", 3),
    ("back", "back", 4),
)
"""What is played under every rule set."""
RARE: dict[str, tuple[Pairing, ...]] = {
    "hnefatafl": (("oneply", "random", 10),),
    "copenhagen-clean": (("random", "random", 3), ("oneply", "random", 10)),
    "brandubh": (("random", "random", 9), ("random", "random", 95)),
    "copenhagen": (("oneply", "random", 10),),
    "fetlar": (("oneply", "random", 10),),
    "brandubh-federation": (("random", "random", 95),),
    "magpie": (("random", "random", 1), ("oneply", "random", 42)),
    "tablut-bologna": (("random", "random", 8),),
    "ard-ri": (("random", "random", 93), ("oneply", "random", 146)),
}
"""Chosen among some hundreds for their endings: without a move, by repetition, by quiet moves."""


class Back:
    """Takes its own last move back wherever it can, for endings by repetition."""

    def choose(self, game: Game, generator: random.Random | None) -> Move:
        """As ``Engine.choose``."""
        moves = game.legal_moves()
        for ply in game.plies[-2:-1]:
            back = Move(ply.move.target, ply.move.origin)
            if back in moves:
                return back
        return generator.choice(moves) if generator else moves[0]


PLAYERS: dict[str, Callable[[], Engine]] = {"oneply": OnePly, "random": Uniform, "back": Back}


def record(variant: str, attacker: str, defender: str, seed: int) -> str:
    """One game as a line."""
    game, generator = Game(variant), random.Random(seed)
    players = {Side.ATTACKER: PLAYERS[attacker](), Side.DEFENDER: PLAYERS[defender]()}
    while not game.outcome and len(game.plies) < MAX_PLIES:
        game.play(players[game.side_to_move].choose(game, generator))
    size = game.variant.size
    moves = (
        "x".join([format_move(ply.move, size), *(square_name(each, size) for each in ply.captured)])
        for ply in game.plies
    )
    return f"{attacker} {defender} {seed}: {game.outcome or 'ongoing'}: {' '.join(moves)}"


def main() -> None:
    """Write every file."""
    for name in VARIANTS:
        games = [record(name, *pairing) for pairing in (*PAIRINGS, *RARE.get(name, ()))]
        path = Path(__file__).with_name(f"{name}.txt")
        path.write_text("".join(f"{game}\n" for game in games))
        sys.stderr.write(f"{name}: {', '.join(game.split(': ')[1] for game in games)}\n")


if __name__ == "__main__":
    main()
