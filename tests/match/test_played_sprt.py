"""Sequential tests of played matches: node-limited engines, of which one is known to be better."""

from pathlib import Path

import pytest
from program import run

from taflengine.match.findings import ReportSettings
from taflengine.match.games import read_journal
from taflengine.match.report import report_of
from taflengine.match.statistics import Verdict, parse_sprt

TEST = "elo0=0,elo1=120,alpha=0.05,beta=0.05"

STRONG, WEAK = "search:nodes=1500", "search:nodes=60"
RUNS = (
    [(STRONG, WEAK, Verdict.H1)] * 8  # the difference is far beyond the second hypothesis
    + [(WEAK, STRONG, Verdict.H0)] * 8
    + [(WEAK, WEAK, Verdict.H0)] * 4  # no difference: errors are most frequent
)


def sprt(directory: Path, first: str, second: str, seed: int) -> tuple[Verdict, int]:
    """A played match until its test ends: the verdict, and the games that it took."""
    done = run(
        *("match", "--out", str(directory), "--variant", "brandubh", "--seed", str(seed)),
        *("--engine", f"A={first}", "--engine", f"B={second}"),
        *("--sprt", TEST),
    )
    games = read_journal(directory / "journal.jsonl")
    found = report_of(games, ReportSettings(names=("A", "B"), sprt=parse_sprt(TEST))).verdict
    assert found is not None
    assert done.status == (1 if found is Verdict.H0 else 0), done.stdout + done.stderr
    return found, len(games)


@pytest.mark.long
def test_played_tests_are_right_19_times_of_20(tmp_path: Path) -> None:
    right, lengths = 0, []
    for seed, (first, second, expected) in enumerate(RUNS, start=1):
        verdict, games = sprt(tmp_path / str(seed), first, second, seed)
        right += verdict is expected
        lengths.append(games)
    print(f"{right} of {len(RUNS)} right, {sum(lengths) / len(RUNS):.0f} games on average")
    assert len(RUNS) == 20
    assert right >= 19
