"""Let the engine play against itself under every rule set in one process, and watch it.

Every move is checked against the slow, independent rules of ``tests/slow_rules.py``:
that it is legal, what it captures, how the game then stands. The process must not
crash, and its memory must stand still once every rule set has been seen: measured after
the first of several rounds and after the last. The exit code is 1 if anything is wrong.

``--sanitize`` builds the core with the address and undefined-behaviour sanitizers of
gcc in a temporary folder and does the same there; what they find ends the run. Memory
is then told but not judged, for the sanitizers keep what has been freed.
"""

import argparse
import faulthandler
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from slow_rules import SlowGame

from taflengine import core
from taflengine.core import position
from taflengine.engines.engine import Limits
from taflengine.engines.search import SearchEngine
from taflengine.game import Game
from taflengine.notation import Move, format_move, square_name
from taflengine.variants.catalogue import VARIANTS
from taflengine.variants.plain import to_plain

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
"""Where the slow rules are; scripts/endurance puts it on the path."""
PLAYED_AT_RANDOM = 4
"""The first plies of each game, so that no two games are alike."""
LONGEST_GAME = 150
ROUNDS = 5
HURRIED = 10
"""One move in so many is limited by time in place of nodes, and stopped from another thread."""
HURRY_SECONDS = 0.002
SHARED = 10
"""One move in so many is looked for by two threads."""
GROWTH_ALLOWED = 4.0
"""Megabytes that memory may grow by after the first round; it sways by one or two.

With 20,000 moves a loss of 250 bytes a move would show.
"""
SANITIZERS = "-fsanitize=address,undefined"
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")


def main() -> None:
    """Play, here or in a build of its own."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=20_000, help="at least so many, %(default)s")
    parser.add_argument("--nodes", type=int, default=300, help="of each search, %(default)s")
    parser.add_argument("--sanitize", action="store_true", help="with a build that watches memory")
    options = parser.parse_args()
    if options.moves < 1 or options.nodes < 1:
        parser.error("--moves and --nodes take a number from 1 on")
    if options.sanitize:
        sys.exit(run_sanitized(options.moves, options.nodes))
    sys.exit(Endurance(options.nodes).run(options.moves))


class Endurance:
    """One run: the engine, and what has been seen of it."""

    def __init__(self, nodes: int) -> None:
        self.limits = Limits(nodes=nodes), Limits(seconds=HURRY_SECONDS)
        self.engines = SearchEngine(self.limits[0], 1), SearchEngine(self.limits[0], 1, threads=2)
        self.moves = self.games = 0
        self.endings: dict[str, int] = {}

    def run(self, moves: int) -> int:
        """Play at least so many moves; 0 if nothing was wrong, else 1."""
        faulthandler.enable()
        begun = time.monotonic()
        sanitized = describe_core()
        share = -(-moves // (ROUNDS * len(VARIANTS)))
        memory = []
        try:
            for turn in range(ROUNDS):
                for name in VARIANTS:
                    self.play(name, share, random.Random(f"{name} {turn}"))
                memory.append(resident())
                print(f"round {turn + 1}: {self.moves} moves, {memory[-1]:.1f} MB", flush=True)
        except WrongError as wrong:
            print(f"wrong: {wrong}")
            return 1
        print(f"rule sets {len(VARIANTS)}, games {self.games}, moves {self.moves}, ", end="")
        print(f"seconds {time.monotonic() - begun:.0f}, most memory {peak():.1f} MB")
        for ending, count in sorted(self.endings.items(), key=lambda item: -item[1]):
            print(f"  {ending}: {count}")
        growth = memory[-1] - memory[0]
        print(f"no crash, no illegal move; memory after the first round {growth:+.2f} MB")
        if growth > GROWTH_ALLOWED and not sanitized:
            print(f"wrong: memory grew by more than {GROWTH_ALLOWED} MB")
            return 1
        return 0

    def play(self, name: str, moves: int, chance: random.Random) -> None:
        """Play so many moves under one rule set, a game after the other."""
        game = Game(name)
        rules = to_plain(game.variant)
        slow = SlowGame(rules)
        for _ in range(moves):
            if game.outcome or len(game.plies) >= LONGEST_GAME:
                self.end(game)
                game, slow = Game(name), SlowGame(rules)
            if len(game.plies) < PLAYED_AT_RANDOM:
                move = chance.choice(game.legal_moves())
            else:
                hurried = chance.randrange(HURRIED) == 0
                engine = self.engines[chance.randrange(SHARED) == 0]
                engine.limits = self.limits[hurried]
                move = engine.choose(game, None)
            self.check(game, slow, move)
        self.end(game)

    def check(self, game: Game, slow: SlowGame, move: Move) -> None:
        """Play *move* on both and compare."""
        size = game.variant.size
        text = format_move(move, size)
        where = f"{game.variant.name}, after {[format_move(ply.move, size) for ply in game.plies]}"
        try:
            captured = {square_name(square, size) for square in game.play(move)}
            taken = slow.play(*(square_name(square, size) for square in move))
        except ValueError as error:
            raise WrongError(f"{where}: {text}: {error}") from error
        if captured != taken or str(game.outcome or "ongoing") != slow.result():
            raise WrongError(
                f"{where}: {text}: {captured} {game.outcome}, "
                f"by the slow rules {taken} {slow.result()}"
            )
        self.moves += 1

    def end(self, game: Game) -> None:
        """Count a game."""
        ending = str(game.outcome or "left unfinished")
        self.games += 1
        self.endings[ending] = self.endings.get(ending, 0) + 1


class WrongError(Exception):
    """The engine and the slow rules do not agree."""


def describe_core() -> bool:
    """Tell which core is run; whether it is a sanitized one."""
    path = Path(position.__file__)
    sanitized = path.suffix == ".so" and b"__asan_report" in path.read_bytes()
    print(f"core: {core.form()}{', sanitized' if sanitized else ''}, {path.parent}", flush=True)
    return sanitized


def resident() -> float:
    """Megabytes of memory that the process holds now, or held at most where that is not told."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    return peak()


def peak() -> float:
    """Megabytes of memory that the process held at most."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def run_sanitized(moves: int, nodes: int) -> int:
    """Build with the sanitizers in a folder that is gone afterwards, run there; the exit code."""
    compiler = shutil.which("gcc")
    if compiler is None:
        sys.exit("endurance: --sanitize needs gcc")
    library = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if not Path(library).is_absolute():
        sys.exit("endurance: gcc comes without libasan.so")
    with tempfile.TemporaryDirectory(prefix="sanitized-") as folder:
        site = build(Path(folder), compiler)
        environment = os.environ | {
            "PYTHONPATH": f"{site}{os.pathsep}{TESTS}",
            "TAFLENGINE_COMPILED": "required",
            "LD_PRELOAD": library,
            # Python keeps what it has until the end, so that leaks cannot be told.
            "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=32",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            # Each object on its own, so that a step beyond its end is seen.
            "PYTHONMALLOC": "malloc",
        }
        command = [sys.executable, __file__, "--moves", str(moves), "--nodes", str(nodes)]
        return subprocess.run(command, env=environment, check=False).returncode


def build(folder: Path, compiler: str) -> Path:
    """Where the sanitized package lies: built from a copy, so that the checkout stays as it is."""
    source, site = folder / "source", folder / "site"
    leave = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    shutil.copytree(ROOT / "taflengine", source / "taflengine", ignore=leave)
    for name in SOURCES:
        shutil.copy(ROOT / name, source)
    environment = os.environ | {
        "CC": compiler,
        "CFLAGS": f"{SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer -g",
        "LDFLAGS": SANITIZERS,
        "TAFLENGINE_COMPILED": "required",
    }
    print("building the sanitized core", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "--no-deps", "--target", site, source],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}endurance: the build failed, see above")
    return site


if __name__ == "__main__":
    main()
