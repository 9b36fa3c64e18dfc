"""A match that is interrupted, however roughly, goes on with the games that are missing."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import assert_dead, children_of, is_alive
from program import COMMAND, ENVIRONMENT, SECONDS, run, wait_until

from taflengine.match.games import FinishedGame, read_journal

GAMES = 10
MATCH = (
    *("match", "--engine", "new=search:nodes=150", "--engine", "old=oneply"),
    *("--variant", "brandubh", "--games", str(GAMES), "--concurrency", "2", "--force-concurrency"),
)
SLOW = (
    *("match", "--engine", "a=search:nodes=300000", "--engine", "b=search:nodes=300001"),
    *("--variant", "brandubh", "--games", "40", "--maxmoves", "20", "--random-plies", "4"),
)


class Match:
    """A match that runs in a process of its own."""

    def __init__(self, directory: Path, arguments: tuple[str, ...] = MATCH) -> None:
        self.journal = directory / "journal.jsonl"
        self.process = subprocess.Popen(
            [*COMMAND, *arguments, "--out", str(directory)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=ENVIRONMENT,
        )

    def lines(self) -> int:
        return self.journal.read_bytes().count(b"\n") if self.journal.exists() else 0

    def wait_for_lines(self, count: int) -> None:
        """Until *count* games are in the journal, or the match has ended."""
        wait_until(lambda: self.lines() >= count or self.process.poll() is not None)

    def wait_for_game(self, number: int) -> None:
        """Until game *number* has begun."""
        log = self.journal.with_name("match.log")
        wait_until(lambda: f"Started game {number} " in log.read_text())

    def engines(self) -> set[int]:
        return children_of(self.process.pid)

    def end(self) -> tuple[int, str]:
        """The exit status, and all that was said."""
        said, _ = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, said.decode()


@pytest.fixture
def matches() -> Iterator[list[Match]]:
    """Those that are put there do not outlive the test."""
    started: list[Match] = []
    yield started
    for match in started:
        if match.process.poll() is None:
            match.process.kill()
        match.process.communicate()


def told(games: list[FinishedGame]) -> dict[int, object]:
    """What must be the same of a game whenever it is played."""
    return {
        game.number: (
            *(game.pair, game.round, game.variant, game.opening, game.opening_plies, game.seed),
            *(game.moves, game.winner, game.ending, game.attacker.name, game.defender.name),
        )
        for game in games
    }


def test_killed_three_times(tmp_path: Path, matches: list[Match]) -> None:
    """The same games as in one go, to the last move, and no process is left each time."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert run(*MATCH, "--out", str(whole)).status == 0
    kills = 0
    while kills < 3:
        match = Match(broken)
        matches.append(match)
        match.wait_for_lines(match.lines() + random.randint(1, 2))
        time.sleep(random.uniform(0, 0.05))
        engines = match.engines()
        match.process.kill()
        match.process.wait()
        assert len(engines) > 2
        assert_dead(engines)
        kills += 1
    if (torn := broken / "journal.jsonl").read_bytes().count(b"\n") < GAMES:
        with torn.open("ab") as file:
            file.write(b'{"schema":1,"number":99,')
    assert run(*MATCH, "--out", str(broken)).status == 0
    games = read_journal(broken / "journal.jsonl")
    assert len(games) == GAMES
    assert told(games) == told(read_journal(whole / "journal.jsonl"))


def test_a_second_run_is_refused(tmp_path: Path, matches: list[Match]) -> None:
    match = Match(tmp_path, SLOW)
    matches.append(match)
    match.wait_for_lines(1)
    done = run(*SLOW, "--out", str(tmp_path))
    assert (done.status, done.stdout) == (2, "")
    assert f"process {match.process.pid} is playing this match" in done.stderr
    assert is_alive(match.process.pid)


def test_one_interrupt_finishes_the_running_game(tmp_path: Path, matches: list[Match]) -> None:
    match = Match(tmp_path, SLOW)
    matches.append(match)
    match.wait_for_lines(1)
    engines = match.engines()
    match.process.send_signal(signal.SIGINT)
    status, said = match.end()
    assert status == 130
    assert said.count("Started game") == said.count("Finished game") == match.lines()
    assert f"taflengine match --resume --out {tmp_path}" in said
    assert_dead(engines)


@pytest.mark.parametrize("numbers", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM]])
def test_a_second_one_ends_at_once(
    tmp_path: Path, matches: list[Match], numbers: list[signal.Signals]
) -> None:
    """The unfinished game leaves no trace."""
    match = Match(tmp_path, SLOW)
    matches.append(match)
    match.wait_for_lines(1)
    match.wait_for_game(2)
    engines = match.engines()
    for number in numbers:
        match.process.send_signal(number)
        time.sleep(0.05)
    status, said = match.end()
    assert status == 130
    assert said.count("Started game") - 1 == said.count("Finished game") == match.lines()
    assert_dead(engines)


def test_engines_need_no_end_of_input_to_die(tmp_path: Path, matches: list[Match]) -> None:
    """One that reads nothing any more, and what it has started, dies with the runner."""
    file = tmp_path / "processes"
    zoo = Path(__file__).with_name("zoo_engine.py")
    bad = f"zoo=gtp:{COMMAND[0]} {zoo} forks-away 0 {file}"
    hang = f"hang=gtp:{COMMAND[0]} {zoo} hangs 2"
    match = Match(
        tmp_path / "out", ("match", "--engine", bad, "--engine", hang, "--random-plies", "0")
    )
    matches.append(match)
    wait_until(lambda: match.journal.exists() and file.exists() and len(match.engines()) >= 3)
    time.sleep(0.5)
    processes = {int(word) for word in file.read_text().split()} | match.engines()
    os.kill(match.process.pid, signal.SIGKILL)
    assert_dead(processes)
