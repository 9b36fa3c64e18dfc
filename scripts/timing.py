"""Let the engine play matches against itself by the clock and say how late its moves came.

Two matches of real processes over real pipes, refereed by ``taflengine match``: one at 50 ms
a move, in which lateness is measured and costs nothing, and one at 1 s + 10 ms, in which
a move that is late by any time at all loses. The exit code is 1 after a loss on time.
What is measured holds for a machine that does nothing else: run nothing beside it.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from taflengine.match.games import Ending, FinishedGame, read_journal

VARIANTS = ("brandubh", "tablut", "copenhagen", "hnefatafl", "tawlbwrdd-bell", "tablut-15")
"""All sizes but the largest, both goals."""
SECONDS = 0.05
CONTROL = "1+0.01"
LONGEST_GAME = 200
"""Plies; a draw then."""
SHORT_GAME = 44
"""The same where moves are counted and not games: many beginnings, many middles."""
RANDOM_PLIES = 4
NO_MATTER = 60_000
"""Milliseconds by which a move may be late where lateness is only measured."""


def main() -> None:
    """Play and print."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=1_000, help="of 50 ms, %(default)s; 0 is none")
    parser.add_argument("--games", type=int, default=500, help="by the clock, %(default)s; or 0")
    parser.add_argument("--out", type=Path, help="where the journals are kept; nowhere by default")
    options = parser.parse_args()
    if options.moves < 0 or options.games < 0:
        parser.error("--moves and --games take a number from 0 on")
    with tempfile.TemporaryDirectory(prefix="timing-") as folder:
        directory = options.out or Path(folder)
        failures = 0
        if options.moves:
            tell(f"moves of {SECONDS} s", list(moves_of_fixed_time(options.moves, directory)))
        if options.games:
            failures = tell(f"games of {CONTROL}, no margin", clocked(options.games, directory))
    sys.exit(1 if failures else 0)


def moves_of_fixed_time(moves: int, directory: Path) -> Iterator[FinishedGame]:
    """Games with at least so many moves altogether, each move of the same time."""
    done = part = 0
    while done < moves:
        part += 1
        games = -(-(moves - done) // (SHORT_GAME - RANDOM_PLIES))
        limits = ("--movetime", str(SECONDS), "--timemargin", str(NO_MATTER))
        played = match(
            directory / f"moves-{part}",
            *limits,
            *("--maxmoves", str(SHORT_GAME), "--games", str(games), "--seed", str(part)),
        )
        done += sum(len(game.moves) - game.opening_plies for game in played)
        yield from played


def clocked(games: int, directory: Path) -> list[FinishedGame]:
    """So many games by the clock."""
    limits = ("--tc", CONTROL, "--timemargin", "0", "--maxmoves", str(LONGEST_GAME))
    return match(directory / "games", *limits, "--games", str(games), "--seed", "1")


def match(directory: Path, *settings: str) -> list[FinishedGame]:
    """The games of a match between two processes of the engine, one game at a time."""
    variants = [word for name in VARIANTS for word in ("--variant", name)]
    command = [
        sys.executable,
        "-P",
        "-m",
        "taflengine",
        "match",
        "--out",
        str(directory),
        "--force",
    ]
    engines = ["--engine", "one=search", "--engine", "other=search"]
    openings = ["--random-plies", str(RANDOM_PLIES), "--concurrency", "1"]
    done = subprocess.run(
        [*command, *engines, *openings, *variants, *settings],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}timing: the match failed, see above")
    return read_journal(directory / "journal.jsonl")


def tell(what: str, games: list[FinishedGame]) -> int:
    """Print what came of *games*; how many were lost on time or by a failure."""
    thoughts = [thought for game in games for thought in game.thoughts if thought]
    late = [max(game.attacker.overshoot, game.defender.overshoot) for game in games]
    lost = [game for game in games if game.ending is Ending.TIME]
    failed = [game for game in games if game.ending.is_failure]
    slowest = max(thought.seconds for thought in thoughts)
    print(f"{what}: {len(games)} games, {len(thoughts)} moves", flush=True)
    print(f"  slowest move           {slowest * 1e3:8.2f} ms")
    print(f"  largest overshoot      {max(late) * 1e3:8.2f} ms")
    print(f"  lost on time           {len(lost):8}")
    print(f"  other failures         {len(failed):8}")
    for game in (*lost, *failed):
        print(f"  game {game.number}, {game.variant}, {game.plies} plies: {game.detail}")
    return len(lost) + len(failed)


if __name__ == "__main__":
    begun = time.monotonic()
    try:
        main()
    finally:
        print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
