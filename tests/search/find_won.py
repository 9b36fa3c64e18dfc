"""Find positions that are won by force and write won.txt anew; takes half an hour.

Run it after a change of the rules that is meant to change them, as
``PYTHONPATH=.:tests python tests/search/find_won.py``; a change of the search is no
reason, for it has no part in this. A rule set's positions are drawn at random, or
come from the last plies of recorded games and of games played for the purpose.
Which are kept is decided by the brute-force solver alone. One line is one position:
rule set, plies to the win, how the game then ends, side to move, rows, source.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agreement import SCENES, Scene
from solver import Solver, TooMuchToTryError

from taflengine.engines.oneply import OnePly
from taflengine.errors import NotationError
from taflengine.game import Game
from taflengine.notation import format_rows
from taflengine.pieces import Side
from taflengine.rules import Variant
from taflengine.variants.catalogue import VARIANTS

PLIES = 5
"""Longest win that is looked for."""
WANTED = {1: 1, 2: 1, 3: 3, 4: 2, 5: 4}
"""Positions of a rule set for each winner, by the plies they take."""
OF_EACH_ENDING = 2
"""Positions of a rule set that are kept in any case for how they end."""
BUDGET = 40_000_000
"""Moves that are tried for one rule set, then what has been found must do."""
MOST_TRIES = 4_000_000
"""Moves that are tried on one position before it is left alone."""
LAST_PLIES = 8
"""So far before the end of a game its positions are looked at."""
DRAWN = ("sparse", "siege", "ring", "fort", "pen", "wall")

Candidate = tuple[Game, str]


def drawn(variant: Variant, chance: random.Random) -> Iterator[Candidate]:
    """Positions drawn at random, without end."""
    often = ("fort",) * 6 * variant.exit_fort + ("ring",) * 6 * variant.encirclement
    while True:
        kind = chance.choice((*DRAWN, *often))
        drawing = SCENES[kind]
        assert drawing
        scene = Scene(variant, chance)
        drawing(scene)
        try:
            game = Game(variant, scene.turned(), chance.choice(list(Side)))
        except NotationError:
            continue
        if not game.outcome:
            yield game, f"drawn {kind}"


def last_positions(game: Game, source: str) -> Iterator[Candidate]:
    """The last positions of a game that has been won, those of the winner's turns, without a past.

    The game is taken back on the way.
    """
    winner = game.outcome.winner if game.outcome else None
    for _ in range(min(LAST_PLIES, len(game.plies) - 1) if winner else 0):
        game.undo()
        if game.side_to_move is winner:
            ply = len(game.plies)
            yield Game(game.variant, game.board, winner), f"{source} ply {ply}"


def recorded(variant: Variant) -> Iterator[Candidate]:
    """The ends of the recorded games of the rule set."""
    path = Path(__file__).parents[1] / "games" / f"{variant.name}.txt"
    for number, line in enumerate(path.read_text().splitlines(), 1):
        game = Game(variant)
        for text in line.split(": ")[2].split():
            game.play_text(text)
        yield from last_positions(game, f"recorded {number}")


def played(variant: Variant, chance: random.Random) -> Iterator[Candidate]:
    """The ends of games between players who move now with a look ahead, now at random."""
    house, number = OnePly(), 0
    while True:
        game, number = Game(variant), number + 1
        while not game.outcome and len(game.plies) < 200:
            if chance.random() < 0.6:
                game.play(house.choose(game, chance))
            else:
                game.play(chance.choice(game.legal_moves()))
        yield from last_positions(game, f"played {number}")


def candidates(variant: Variant) -> Iterator[Candidate]:
    """Those from games and those drawn in turn."""
    games = played(variant, random.Random(f"played {variant.name}"))
    scenes = drawn(variant, random.Random(f"drawn {variant.name}"))
    yield from recorded(variant)
    while True:
        yield next(games)
        yield next(scenes)


def find(variant: Variant) -> Iterator[str]:
    """The lines of one rule set."""
    kept, endings = Counter[tuple[int, Side]](), Counter[str]()
    tries, seen = 0, set[int]()
    needed = [(plies, side) for plies in (1, 3, 5) for side in Side]
    for game, source in candidates(variant):
        if tries > BUDGET or all(kept[plies, side] >= WANTED[plies] for plies, side in needed):
            break
        if game.key in seen:
            continue
        seen.add(game.key)
        side = game.side_to_move
        solver = Solver(game, MOST_TRIES)
        try:
            plies = solver.plies_to_win(PLIES)
        except TooMuchToTryError:
            plies = None
        tries += solver.tries
        if plies is None:
            continue
        outcome = str(Solver(game).line(plies).outcome)
        if kept[plies, side] < WANTED[plies] or endings[outcome] < OF_EACH_ENDING:
            kept[plies, side] += 1
            endings[outcome] += 1
            rows = format_rows(game.board)
            yield f"{variant.name} {plies} {outcome} {side.value} {rows} {source}"
    counts = ", ".join(f"{side.value} in {plies}: {kept[plies, side]}" for plies, side in needed)
    sys.stderr.write(f"{variant.name}: {tries} tries; {counts}; {dict(endings)}\n")


def main() -> None:
    """Write the file."""
    path = Path(__file__).with_name("won.txt")
    with path.open("w") as file:
        for variant in VARIANTS.values():
            file.writelines(f"{line}\n" for line in find(variant))
            file.flush()


if __name__ == "__main__":
    main()
