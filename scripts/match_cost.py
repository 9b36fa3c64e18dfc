"""Measure what a match costs besides the engines' thinking.

Usage: scripts/python scripts/match_cost.py [GAMES]

The cost is all that is not the time from a question to its answer: rules, journal,
telling the moves to the other engine, asking what was thought. It is printed for
engines that answer at once, a move, and as a share of the time of a match in which
each move takes 50 ms. The time of the runner's own process on a processor stands
beside it: that does not depend on what else the machine is doing.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from taflengine.match.journal import read_games
from taflengine.pieces import Side


class Cost(NamedTuple):
    """What was measured of a match, from its first game to its last."""

    elapsed: float
    """Seconds on the wall."""
    thinking: float
    """Of those, seconds between a question and its answer."""
    runner: float
    """Seconds that the runner kept a processor busy."""
    moves: int


def measure(engine: str, games: int, plies: int) -> Cost:
    """The cost of a match of an engine against itself."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        command = [sys.executable, "-P", "-m", "taflengine", "match", "--out", str(directory)]
        match = [*command, "--engine", f"a={engine}", "--engine", f"b={engine}"]
        match += ["--maxmoves", str(plies), "--timemargin", "5000", "--json"]
        # The first run begins and checks everything; the second only adds games.
        subprocess.run([*match, "--games", "1"], stdout=subprocess.DEVNULL, check=True)
        before = len(read_games(directory))
        elapsed = runner = 0.0
        with subprocess.Popen(
            [*match, "--games", str(before + games)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            begun = busy = 0.0
            for line in process.stdout:
                if '"event": "started"' in line and not begun:
                    begun, busy = time.monotonic(), busy_seconds(process.pid)
                if '"event": "finished"' in line:
                    elapsed = time.monotonic() - begun
                    runner = busy_seconds(process.pid) - busy
        found = read_games(directory)[before:]
        thinking = sum(game.player(side).seconds for game in found for side in Side)
        moves = sum(game.plies - game.opening_plies for game in found)
        return Cost(elapsed, thinking, runner, moves)


def busy_seconds(process: int) -> float:
    """How long *process*, without its children, has kept a processor busy."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure both."""
    games = int(sys.argv[1]) if sys.argv[1:] else 20
    cost = measure("random", games, 400)
    spent, runner = cost.elapsed - cost.thinking, cost.runner
    print(f"instant engines, {cost.moves} moves in {cost.elapsed:.1f} s")
    print(f"  no thinking: {1000 * spent / cost.moves:.3f} ms a move")
    print(f"  the runner on a processor: {1000 * runner / cost.moves:.3f} ms a move")
    cost = measure("search:movetime=0.05", max(2, games // 10), 100)
    spent, runner = cost.elapsed - cost.thinking, cost.runner
    print(f"50 ms a move, {cost.moves} moves in {cost.elapsed:.1f} s")
    print(f"  no thinking: {100 * spent / cost.elapsed:.2f} %")
    print(f"  the runner on a processor: {100 * runner / cost.elapsed:.2f} %")


if __name__ == "__main__":
    main()
