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
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

from taflengine.match.games import FinishedGame
from taflengine.match.journal import read_games
from taflengine.pieces import Side


class Cost(NamedTuple):
    """What was measured of a match."""

    moves: int
    a_move: float
    """Seconds a move that are no thinking, in the middle one of the games."""
    share: float
    """The part of a game that is no thinking, from 0 to 1, in the middle one of the games."""
    runner: float
    """Seconds a move that the runner kept a processor busy, over all games."""


def measure(engine: str, games: int, plies: int) -> Cost:
    """The cost of a match of an engine against itself."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        command = [sys.executable, "-P", "-m", "taflengine", "match", "--out", str(directory)]
        command += ["--engine", f"a={engine}", "--engine", f"b={engine}", "--json"]
        command += ["--maxmoves", str(plies), "--timemargin", "5000", "--games", str(games + 1)]
        begun = ended = 0.0
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            for line in process.stdout:
                if '"event": "finished"' in line:
                    ended = busy_seconds(process.pid)
                    begun = begun or ended
        # In the first game the engines start; it is left out.
        found = read_games(directory)[1:]
    moves = sum(thinking_moves(game) for game in found)
    return Cost(
        moves,
        median(no_thinking(game) / thinking_moves(game) for game in found),
        median(no_thinking(game) / seconds(game) for game in found),
        (ended - begun) / moves,
    )


def thinking_moves(game: FinishedGame) -> int:
    """The moves that engines chose."""
    return game.plies - game.opening_plies


def seconds(game: FinishedGame) -> float:
    """From the beginning of *game* to its end."""
    started, ended = (datetime.fromisoformat(each) for each in (game.started, game.ended))
    return (ended - started).total_seconds()


def no_thinking(game: FinishedGame) -> float:
    """The seconds of *game* in which no engine was asked for a move."""
    return seconds(game) - sum(game.player(side).seconds for side in Side)


def busy_seconds(process: int) -> float:
    """How long *process*, without its children, has kept a processor busy."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure both."""
    games = int(sys.argv[1]) if sys.argv[1:] else 20
    cost = measure("random", games, 400)
    print(f"engines that answer at once, {cost.moves} moves")
    print(f"  no thinking: {1000 * cost.a_move:.3f} ms a move")
    print(f"  the runner on a processor: {1000 * cost.runner:.3f} ms a move")
    cost = measure("search:movetime=0.05", max(3, games // 5), 60)
    print(f"50 ms a move, {cost.moves} moves")
    print(f"  no thinking: {100 * cost.share:.2f} %")
    print(f"  the runner on a processor: {100 * cost.runner / 0.05:.2f} %")


if __name__ == "__main__":
    main()
