"""Measure what each technique of the search is worth: matches of the engine against itself without.

    scripts/python scripts/ablation.py [TECHNIQUE...] [--variant V]... [--pairs N]
        [--nodes N | --movetime S] [--concurrency N] [--maxmoves N]
        [--openings DIR] [--out DIR]

For each technique, or several joined by ``+``, a copy of the package is made, the technique taken
out by the replacements in ``TECHNIQUES``, its core compiled, and a match played between the whole
and the copy, in paired openings. Printed is a line for each: the score of the whole, with
the interval of 95 %, and what it won, drew and lost as either side. The journals stay in DIR.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEARCH, ORDERING = "core/search.py", "core/ordering.py"
TECHNIQUES: dict[str, list[tuple[str, str, str]]] = {
    "table-cuts": [
        (
            SEARCH,
            "                not principal\n                and not self.exact\n",
            "                False\n",
        )
    ],
    "table-move": [
        (SEARCH, "            known_move = entry & MOVE_MASK\n", "            known_move = 0\n")
    ],
    "history": [(ORDERING, "        self.counts[place] += bonus", "        bonus += bonus")],
    "captures-first": [
        (ORDERING, "= capturing(self.position, known)", "= known"),
        (ORDERING, "elif is_listed(self.position, move, end, last_capture):", "elif False:"),
    ],
    "late-move-pruning": [(SEARCH, "and depth <= LATE_DEPTH\n", "and False\n")],
    "late-move-reductions": [
        (
            SEARCH,
            "                    and depth >= REDUCE_DEPTH\n",
            "                    and False\n",
        )
    ],
    "quiescence-captures": [
        (SEARCH, "        end = capturing(self.position, start)\n", "        end = start\n")
    ],
    "aspiration": [("engines/aspiration.py", "if guess is not None and", "if False and")],
    "principal-variation": [
        (
            SEARCH,
            "            if tried == 1:\n",
            "            if tried == 1 or (principal and not self.exact):\n",
        )
    ],
    "returns": [
        (SEARCH, "        if self.has_returned():", "        if False and self.has_returned():")
    ],
    "enclosure": [
        (
            "core/evaluation.py",
            "        if j == 0 or few or (self.cut and self.barred):\n",
            "        if False:\n",
        )
    ],
    "all-but-material-and-roads": [
        (
            "core/weights.py",
            "    return table if variant.size == size",
            "    kept = ('attacker', 'defender', 'one_road', 'two_roads', 'scale')\n"
            "    nothing = Weights(**dict.fromkeys(Weights._fields, 0))\n"
            "    table = nothing._replace(**{name: getattr(table, name) for name in kept})\n"
            "    return table if variant.size == size",
        )
    ],
    "barred-corners": [
        ("core/evaluation.py", "self.barred = weights.barred\n", "self.barred = 0\n")
    ],
}
"""What each technique is: file, text, and the text that takes its place."""


def copy_of_whole(folder: Path) -> None:
    """Make *folder* hold the sources of the package and, in ``built``, them installed."""
    left_out = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    shutil.copytree(ROOT / "taflengine", folder / "taflengine", ignore=left_out)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(ROOT / name, folder / name)
    install(folder)


def replacements(techniques: str) -> list[tuple[str, str, str, str]]:
    """What takes *techniques* out, for each text: technique, file, the text, what replaces it."""
    return [(each, *change) for each in techniques.split("+") for change in TECHNIQUES[each]]


def copy_without(techniques: str, whole: Path, folder: Path) -> None:
    """Make *folder* the same as *whole* without *techniques*, joined by ``+``."""
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("built", "build"))
    for technique, name, old, new in replacements(techniques):
        path = folder / "taflengine" / name
        text = path.read_text(encoding="utf-8")
        if text.count(old) != 1:
            sys.exit(f"{technique}: {name} holds {text.count(old)} times: {old!r}")
        path.write_text(text.replace(old, new), encoding="utf-8")
    install(folder)


def install(folder: Path) -> None:
    """Compile the sources in *folder* and put what is run beside them."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "--no-deps", "--target", str(folder / "built"), str(folder)],
        env=os.environ | {"TAFLENGINE_COMPILED": "required"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{folder.name} could not be compiled, see above")


def pairs_of(journal: Path) -> list[float]:
    """The points of the whole in each finished pair, 0 to 1."""
    points: dict[tuple[object, object], list[float]] = {}
    for line in journal.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        if "winner" in game:
            whole = "attacker" if game["attacker"]["name"] == "whole" else "defender"
            score = 0.5 if game["winner"] is None else float(game["winner"] == whole)
            points.setdefault((game["variant"], game["pair"]), []).append(score)
    return [sum(each) / 2 for each in points.values() if len(each) == 2]


def chairs_of(journal: Path) -> str:
    """Won, drawn and lost by the whole as either side."""
    counts = {side: Counter[str]() for side in ("attacker", "defender")}
    for line in journal.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        if "winner" in game:
            whole = "attacker" if game["attacker"]["name"] == "whole" else "defender"
            winner = game["winner"] or "nobody"
            counts[whole][
                "won" if winner == whole else "drawn" if winner == "nobody" else "lost"
            ] += 1
    return ", ".join(
        f"{side} {count['won']}-{count['drawn']}-{count['lost']}" for side, count in counts.items()
    )


def verdict(points: list[float]) -> str:
    """Score, interval and Elo of these pairs."""
    mean = sum(points) / len(points)
    variance = sum((each - mean) ** 2 for each in points) / max(1, len(points) - 1)
    error = 1.96 * math.sqrt(variance / len(points))
    inside = min(max(mean, 0.001), 0.999)
    elo = -400 * math.log10(1 / inside - 1)
    return f"{mean:.3f} +- {error:.3f}  {elo:+5.0f} Elo  {len(points)} pairs"


def main() -> None:
    """Build, play, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("techniques", nargs="*", default=list(TECHNIQUES))
    parser.add_argument("--variant", action="append")
    parser.add_argument("--pairs", type=int, default=60, help="of each rule set")
    parser.add_argument("--nodes", type=int, default=None)
    parser.add_argument("--movetime", type=float, default=0.03)
    parser.add_argument("--concurrency", type=int, default=2, help="games at once")
    parser.add_argument("--maxmoves", type=int, default=200, help="a draw then")
    parser.add_argument("--openings", type=Path, help="a folder with a file for each rule set")
    parser.add_argument("--out", type=Path, default=None)
    asked = parser.parse_args()
    for each in "+".join(asked.techniques).split("+"):
        if each not in TECHNIQUES:
            parser.error(f"no technique '{each}'; there are {', '.join(TECHNIQUES)}")
    out = asked.out or Path(tempfile.mkdtemp(prefix="ablation-"))
    builds = Path(tempfile.mkdtemp(prefix="ablation-builds-"))
    copy_of_whole(builds / "whole")
    for technique in asked.techniques:
        copy_without(technique, builds / "whole", builds / technique)
        total: list[float] = []
        for variant in asked.variant or ["copenhagen", "tablut", "brandubh"]:
            folder = out / technique / variant
            limits = (
                ["--nodes", str(asked.nodes)]
                if asked.nodes
                else ["--movetime", str(asked.movetime)]
            )
            books = ["--openings", str(asked.openings / f"{variant}.txt")] if asked.openings else []
            engines = [
                f"name={name} cmd='{sys.executable} -m taflengine' proto=gtp "
                f"env.PYTHONPATH={built} dir={built} option.engine=search"
                for name, built in (
                    ("whole", builds / "whole" / "built"),
                    ("without", builds / technique / "built"),
                )
            ]
            done = subprocess.run(
                [
                    *(sys.executable, "-P", "-m", "taflengine", "match"),
                    *("--engine", engines[0], "--engine", engines[1]),
                    *("--variant", variant, "--pairs", str(asked.pairs), *limits, *books),
                    *("--concurrency", str(asked.concurrency), "--force-concurrency"),
                    *("--maxmoves", str(asked.maxmoves)),
                    *("--out", str(folder)),
                ],
                check=False,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            if done.returncode:
                sys.exit(done.stderr)
            points = pairs_of(folder / "journal.jsonl")
            total += points
            chairs = chairs_of(folder / "journal.jsonl")
            print(f"{technique:<22} {variant:<15} {verdict(points)}  {chairs}", flush=True)
        print(f"{technique:<22} {'all':<15} {verdict(total)}", flush=True)
    shutil.rmtree(builds)


if __name__ == "__main__":
    main()
