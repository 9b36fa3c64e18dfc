"""A match played by the workers of a cluster, of which one is killed."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from processes import assert_dead, children_of
from program import COMMAND, SECONDS, run, started

from taflengine.match.games import read_journal

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="dask.distributed is not installed"
)
GAMES = 8
MATCH = (
    *("match", "--engine", "new=search:nodes=2000", "--engine", "old=search:nodes=1000"),
    *("--variant", "brandubh", "--games", str(GAMES)),
)


class Running(NamedTuple):
    """A cluster that runs."""

    address: str
    workers: list[int]


@pytest.fixture
def cluster() -> Iterator[Running]:
    script = Path(__file__).with_name("local_cluster.py")
    with started([sys.executable, "-P", str(script)], stderr=None) as process:
        address, *workers = process.stdout.readline().decode().split()
        yield Running(address, [int(worker) for worker in workers])
        process.stdin.close()
        process.wait(SECONDS)


def test_a_worker_is_killed(tmp_path: Path, cluster: Running) -> None:
    """All games are played, each once, and they are those that one process plays."""
    there, here = tmp_path / "there", tmp_path / "here"
    command = (*COMMAND, *MATCH, "--cluster", cluster.address, "--out", str(there))
    with started(command, stdin=None) as match:
        journal = there / "journal.jsonl"
        end = time.monotonic() + SECONDS
        while not (journal.exists() and journal.read_bytes().count(b"\n") >= 2):
            assert time.monotonic() < end
            assert match.poll() is None, match.communicate()
            time.sleep(0.01)
        while not (engines := children_of(cluster.workers[0])):
            assert time.monotonic() < end
            time.sleep(0.001)
        os.kill(cluster.workers[0], signal.SIGKILL)
        assert_dead(engines)
        said, complaints = match.communicate(timeout=2 * SECONDS)
    assert match.returncode == 0, (said, complaints)
    assert run(*MATCH, "--out", str(here)).status == 0
    games, expected = (
        {game.number: (game.moves, game.winner, game.seed) for game in read_journal(path)}
        for path in (journal, here / "journal.jsonl")
    )
    assert len(games) == GAMES
    assert games == expected


def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    done = run(*MATCH, "--cluster", "morse://nowhere", "--out", str(tmp_path))
    assert (done.status, "Started" in done.stdout) == (2, False)
    assert done.stderr.startswith("taflengine match: cluster morse://nowhere: ")
    assert done.stderr.count("\n") == 1, "nothing fails once more at the end of the program"
