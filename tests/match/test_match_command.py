"""``taflengine match`` as people and programs use it: real processes, real files."""

import json
from pathlib import Path

from program import Done, run

from taflengine.match.games import FinishedGame, read_journal

NEW = ("--engine", "new=search:nodes=60", "--engine", "old=oneply")
SMALL = (*NEW, "--variant", "brandubh")


def play(directory: Path, *arguments: str) -> Done:
    return run("match", "--out", str(directory), *arguments)


def games_of(directory: Path) -> list[FinishedGame]:
    return read_journal(directory / "journal.jsonl")


def test_a_match_of_pairs(tmp_path: Path) -> None:
    done = play(tmp_path, *SMALL, "--pairs", "2")
    assert (done.status, done.stderr.count("taflengine 0.")) == (0, 2)
    games = games_of(tmp_path)
    assert [game.number for game in games] == [1, 2, 3, 4]
    assert [game.attacker.name for game in games] == ["new", "old", "new", "old"]
    first, second, third, _ = [game.moves[: game.opening_plies] for game in games]
    assert first == second != third
    assert done.stdout.count("Started game") == done.stdout.count("Finished game") == 4


def test_the_same_command_again_plays_nothing_new(tmp_path: Path) -> None:
    play(tmp_path, *SMALL, "--games", "2")
    before = (tmp_path / "journal.jsonl").read_bytes()
    assert play(tmp_path, *SMALL, "--games", "2").status == 0
    assert (tmp_path / "journal.jsonl").read_bytes() == before
    assert play(tmp_path, "--resume", "--games", "3").status == 0
    assert [game.number for game in games_of(tmp_path)] == [1, 2, 3]


def test_other_settings_are_named_and_refused(tmp_path: Path) -> None:
    play(tmp_path, *SMALL, "--games", "2")
    done = play(tmp_path, *NEW, "--games", "2", "--variant", "tablut", "--seed", "5")
    assert done.status == 2
    assert "variant: was ['brandubh'], now ['tablut']\n  seed: was 1, now 5\n" in done.stderr
    assert play(tmp_path, *NEW, "--games", "1", "--variant", "tablut", "--force").status == 0
    assert [game.variant for game in games_of(tmp_path)] == ["tablut"]
    assert len(read_journal(tmp_path / "journal.jsonl.old-1")) == 2


def test_json_lines(tmp_path: Path) -> None:
    done = play(tmp_path, *SMALL, "--games", "2", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events][:4] == ["started", "finished"] * 2
    assert all(event["schema"] == 1 for event in events)
    found = FinishedGame.from_json(json.dumps(events[1]["game"]))
    assert found == games_of(tmp_path)[0]
