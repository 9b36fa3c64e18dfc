"""Measure the marks that README.md states, each as a ratio taken in one run where that is possible.

Absolute figures are those of this machine at this moment. ``--json`` prints one
line for programs.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from taflengine import __version__, core
from taflengine.engines.engine import Limits
from taflengine.engines.report import Report
from taflengine.engines.search import Searcher
from taflengine.game import Game
from taflengine.notation import parse_move, parse_rows, parse_side

ENGINE = [str(Path(sys.executable).with_name("taflengine"))]
CLICK = [sys.executable, "-c", "import click"]
SHUTTLE = ("play d1-c1", "play f8-g8", "play c1-d1", "play g8-f8")
"""Four moves of the house game that lead back to where they began."""
START, DEPTH = "copenhagen", 9
POSITIONS = (
    *("brandubh", "tablut", "hnefatafl", "copenhagen", "tawlbwrdd-lewis", "parlett"),
    "brandubh 3a3/3a3/3d3/a1dkd1a/1d5/3a3/1a3a1 a",
    "tablut 3aa4/4a4/4d4/a3d3a/aa1dkd1aa/a3d3a/4d4/4a4/3a1a3 d",
    "hnefatafl 3aa1a4/5a5/7a3/a4d4a/a3d1d3a/aa1ddkdd2a/a3ddd2aa/a4d4a/11/5a5/3aaaaa3 d",
    "copenhagen 2a2aa4/5a1a3/3a4d2/a4d3a1/a3dd1d2a/aa1dd2d1a1/a5ddaa1/a2d5a1/3k3a3/3a1a2d2/4a2a3 a",
)
"""What is searched to a fixed depth: the nodes change only when the search means to change."""
FIRST_ANSWERS = 41
COMMANDS = 20_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    options = parser.parse_args()
    marks = measure()
    if options.json:
        print(json.dumps(marks))
        return
    for name, value in marks.items():
        print(f"{name:<52} {value:.4g}" if isinstance(value, float) else f"{name:<52} {value}")


def measure() -> dict[str, object]:
    """Each mark's name with unit, and its value."""
    fast = perft_rate(4)
    slow = float(plain("import bench; print(bench.perft_rate(2))"))
    first, bare = first_answers()
    search = search_marks()
    return {
        "machine": f"{platform.node()}, {processor()}, {os.cpu_count()} cores",
        "version": f"{__version__} {core.form()}, Python {platform.python_version()}",
        "perft 4, house game, every move made (M/s)": fast / 1e6,
        "  ratio to plain Python": fast / slow,
        "search, ten positions to depth 7 (nodes)": search.nodes,
        "search, start of copenhagen (M nodes/s)": search.rate / 1e6,
        "  time to depth 9 (s)": search.seconds,
        "  ratio of nodes/s, two threads to one": search.rate_of_two / search.rate,
        "  ratio of time, ten to depth 9, one thread to two": search.gain_of_two,
        "first answer of a fresh process (ms)": first * 1e3,
        "  ratio to python -c 'import click'": first / bare,
        "commands through a pipe: play (1/s)": command_rate(SHUTTLE),
        "commands through a pipe: legal (1/s)": command_rate(("legal",)),
        "a game of 50 plies replayed and judged (ms)": replay_time() * 1e3,
        "memory of a session, most at any time (MB)": session_memory() / 1e6,
        "legal in plain Python, in process (ms)": float(
            plain("import bench; print(bench.legal_time())")
        )
        * 1e3,
    }


def processor() -> str:
    """The processor's name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def best(work: Callable[[], object], rounds: int) -> float:
    """Seconds of the fastest of *rounds* runs of *work*."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def perft_rate(depth: int) -> float:
    """Leaf moves a second from the start of the house game, each made and unmade."""
    game = Game()
    counts: list[int] = []
    seconds = best(lambda: counts.append(game.perft(depth)), 3)
    return counts[0] / seconds


class SearchMarks(NamedTuple):
    """What the search does, in nodes and in time."""

    nodes: int
    """Of all positions to their depth."""
    rate: float
    """Nodes a second, one thread."""
    seconds: float
    """Time to ``DEPTH`` from ``START``, one thread."""
    rate_of_two: float
    gain_of_two: float
    """Time to ``DEPTH`` of one thread to that of two, geometric mean over all positions."""


def search_marks() -> SearchMarks:
    """Measure the search."""
    alone = [deepest(START, DEPTH) for _ in range(3)]
    together = [deepest(START, DEPTH, threads=2) for _ in range(3)]
    return SearchMarks(
        sum(deepest(position, 7).nodes for position in POSITIONS),
        max(report.nodes / report.seconds for report in alone),
        statistics.median(report.seconds for report in alone),
        max(report.nodes / report.seconds for report in together),
        statistics.geometric_mean(
            seconds_of(position, 1) / seconds_of(position, 2) for position in POSITIONS
        ),
    )


def seconds_of(position: str, threads: int) -> float:
    """Median time to ``DEPTH`` of a few searches."""
    return statistics.median(deepest(position, DEPTH, threads).seconds for _ in range(3))


def deepest(position: str, depth: int, threads: int = 1) -> Report:
    """The last report of a search of *position*, a rule set and perhaps rows and a side.

    Its table has the default size: to get a larger one from the system takes longer than this.
    """
    name, *placed = position.split()
    game = Game(name, parse_rows(placed[0]), parse_side(placed[1])) if placed else Game(name)
    *_, report = Searcher(threads=threads).deepen(game, Limits(depth=depth))
    return report


def legal_time() -> float:
    """Seconds for the sorted legal moves of the house game's start."""
    game = Game()
    return best(game.legal_moves, 20)


def replay_time() -> float:
    """Seconds to read, check, play and judge a recorded game of 50 plies."""
    record = (Path(__file__).parent / "bench_game.txt").read_text().split()
    assert len(record) == 50

    def replay() -> None:
        game = Game("copenhagen")
        for text in record:
            written = parse_move(text, 11)
            game.play(written.move, written.captures or frozenset())

    return best(replay, 20)


def plain(code: str) -> str:
    """What *code* prints in a process whose core runs as plain Python."""
    environment = os.environ | {
        "TAFLENGINE_COMPILED": "off",
        "PYTHONPATH": str(Path(__file__).parent),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def first_answers() -> tuple[float, float]:
    """Median seconds of a process that answers ``name``, and of one that imports click."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(FIRST_ANSWERS):
        for command, taken in zip((ENGINE, CLICK), times, strict=True):
            begun = time.perf_counter()
            subprocess.run(command, input=b"name\n", stdout=subprocess.DEVNULL, check=True)
            taken.append(time.perf_counter() - begun)
    return statistics.median(times[0]), statistics.median(times[1])


def command_rate(lines: tuple[str, ...]) -> float:
    """Answers a second to *lines* sent over and over in one write, start of the process apart."""
    repeated = "\n".join(lines * (COMMANDS // len(lines)))
    text = f"newgame\nset_param repetition off\n{repeated}\n"
    empty = best(lambda: subprocess.run(ENGINE, input=b"name\n", stdout=subprocess.DEVNULL), 5)
    seconds = best(
        lambda: subprocess.run(ENGINE, input=text.encode(), stdout=subprocess.PIPE, check=True), 3
    )
    return COMMANDS / (seconds - empty)


def session_memory() -> int:
    """Most bytes that one session of every rule set held in memory."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdin=sys.stdin, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    script = "variants\nnewgame alea-evangelii\nlegal\ngenmove defender\nnewgame\nperft 3\n"
    done = subprocess.run(
        [sys.executable, "-c", code, *ENGINE],
        input=script,
        capture_output=True,
        text=True,
        check=True,
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit


if __name__ == "__main__":
    main()
