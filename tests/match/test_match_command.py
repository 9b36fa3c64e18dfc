"""``taflengine match`` as people and programs use it: real processes, real files."""

import json
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from program import COMMAND, ENVIRONMENT, ROOT, SECONDS, Done, run, started, without_advice

from taflengine.game import Game
from taflengine.match.conduct import processors
from taflengine.match.games import Ending, FinishedGame, read_journal
from taflengine.notation import parse_move, parse_side
from taflengine.rules import Reason

NEW = ("--engine", "new=search:nodes=60", "--engine", "old=oneply")
together = pytest.mark.xdist_group("a match of pairs")
"""In one process, where the match is played once."""
SMALL = (*NEW, "--variant", "brandubh")


def play(directory: Path, *arguments: str) -> Done:
    return run("match", "--out", str(directory), *arguments)


def games_of(directory: Path) -> list[FinishedGame]:
    return read_journal(directory / "journal.jsonl")


class Played(NamedTuple):
    """A match that was played, and what was said of it."""

    directory: Path
    done: Done


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Two pairs of games, only to be read."""
    directory = tmp_path_factory.mktemp("match") / "pairs"
    return Played(directory, play(directory, *SMALL, "--pairs", "2"))


@pytest.fixture
def played(original: Played, tmp_path: Path) -> Path:
    """The directory of a match of four games, of which a test may do what it likes."""
    return shutil.copytree(original.directory, tmp_path / "match")


@together
def test_a_match_of_pairs(original: Played) -> None:
    done = original.done
    assert (done.status, done.stderr, done.stdout.count(": taflengine 0.")) == (0, "", 2)
    games = games_of(original.directory)
    assert [game.number for game in games] == [1, 2, 3, 4]
    assert [game.attacker.name for game in games] == ["new", "old", "new", "old"]
    first, second, third, _ = [game.moves[: game.opening_plies] for game in games]
    assert first == second != third
    assert done.stdout.count("Started game") == done.stdout.count("Finished game") == 4


@together
def test_the_same_command_again_plays_nothing_new(played: Path) -> None:
    before = (played / "journal.jsonl").read_bytes()
    assert play(played, *SMALL, "--pairs", "2").status == 0
    assert (played / "journal.jsonl").read_bytes() == before
    assert play(played, "--resume", "--games", "5").status == 0
    assert [game.number for game in games_of(played)] == [1, 2, 3, 4, 5]


@together
def test_other_settings_are_named_and_refused(played: Path) -> None:
    done = play(played, *NEW, "--games", "2", "--variant", "tablut", "--seed", "5")
    assert done.status == 2
    assert "variant: was ['brandubh'], now ['tablut']\n  seed: was 1, now 5\n" in done.stderr
    assert play(played, *NEW, "--games", "1", "--variant", "tablut", "--force").status == 0
    assert [game.variant for game in games_of(played)] == ["tablut"]
    assert len(read_journal(played / "journal.jsonl.old-1")) == 4


def test_a_refusal_says_what_is_allowed(tmp_path: Path) -> None:
    """The engine's own words are not cut before they come to that."""
    done = play(tmp_path, "--engine", "a=search:level=11", "--engine", "b=oneply", "--games", "2")
    assert done.status == 2
    assert "'set_param level 11' is refused: ''11' is not allowed: say a number from 1 to 10'" in (
        done.stderr
    )


def test_json_lines(tmp_path: Path) -> None:
    done = play(tmp_path, *SMALL, "--games", "2", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events][:4] == ["notice", "notice", "notice", "started"]
    assert [event["event"] for event in events][-1] == "ended"
    assert all(event["schema"] == 1 for event in events)
    found = FinishedGame.from_json(json.dumps(events[4]["game"]))
    assert found == games_of(tmp_path)[0]


@together
def test_reports_are_reproduced_from_the_journal(played: Path) -> None:
    """To the last digit, in all three forms."""
    for option, name in ((), "txt"), (("--json",), "json"), (("--html",), "html"):
        written = (played / f"report.{name}").read_text()
        (played / f"report.{name}").unlink()
        assert run("match", "report", str(played), *option).stdout == written
    assert play(played, "--resume").stdout.count("Started game") == 0
    assert (played / "report.txt").exists()


@together
def test_status(original: Played) -> None:
    done = run("match", "status", str(original.directory))
    assert done.stdout.startswith("Does not run\n4 of 4 games\nScore of new vs old: ")
    plain = json.loads(run("match", "status", str(original.directory), "--json").stdout)
    assert (plain["runner"], plain["played"], plain["planned"]) == (None, 4, 4)
    assert plain["report"]["games"] == 4


@pytest.mark.parametrize("command", ["status", "stop", "report"])
def test_where_there_is_no_match(tmp_path: Path, command: str) -> None:
    done = run("match", command, str(tmp_path))
    expected = f"taflengine: {tmp_path}: there is no match here, no settings.json\n"
    assert (done.status, done.stdout, done.stderr) == (1, "", expected)


def test_a_file_of_settings(tmp_path: Path) -> None:
    """Options go before it; a table for each engine."""
    config = tmp_path / "match.toml"
    config.write_text(
        """
        variant = ["brandubh"]
        games = 4
        nodes = 50
        [[engine]]
        name = "new"
        cmd = "search"
        option = { hash = 1 }
        [[engine]]
        cmd = "oneply"
        """
    )
    out = tmp_path / "out"
    assert play(out, "--config", str(config), "--games", "2").status == 0
    assert [game.attacker.name for game in games_of(out)] == ["new", "oneply"]
    config.write_text("games = ")
    done = play(out, "--config", str(config))
    assert done.status == 2
    assert f"taflengine match: {config}: " in done.stderr
    config.write_text("speed = 3\n")
    assert "'speed' is no setting" in play(out, "--config", str(config)).stderr


RANDOM = ("match", "--engine", "a=random", "--engine", "b=random", "--variant", "brandubh")


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_match_goes_on_when_its_reader_goes(tmp_path: Path, more: tuple[str, ...]) -> None:
    out = tmp_path / "match"
    command = (*COMMAND, *RANDOM, "--games", "20", "--out", str(out), *more)
    with started(command, stdin=None) as process:
        assert b"a: taflengine " in process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(SECONDS) == 0
    assert len(games_of(out)) == 20
    assert (out / "report.txt").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full to write to")
def test_a_match_goes_on_when_its_lines_have_no_room(tmp_path: Path) -> None:
    out = tmp_path / "match"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *RANDOM, "--games", "4", "--out", str(out)],
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            timeout=SECONDS,
            check=False,
        )
    said = b"taflengine match: <stdout>: No space left on device; nothing more is written there\n"
    assert (done.stderr, done.returncode) == (said, 0)
    assert len(games_of(out)) == 4


def test_without_standard_error(tmp_path: Path) -> None:
    """Some start programs with it closed."""
    out = tmp_path / "match"
    command = [*COMMAND, "match", "--engine", "a=random", "--engine", "b=random", "--games", "2"]
    command += ["--variant", "brandubh", "--out", str(out)]
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(command)} 2>&-"],
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout.decode().splitlines()[-1]) == (0, "Match finished")


@pytest.mark.parametrize("command", ["status", "stop", "report"])
def test_options_before_a_subcommand_are_refused(tmp_path: Path, command: str) -> None:
    done = run("match", "--random-plies", "3", command, str(tmp_path))
    assert (done.status, done.stdout) == (2, "")
    assert f"--random-plies before {command} is not for {command}." in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--openings", "noise"), "noise, line 2: not UTF-8 text"),
        (("--openings", "none"), "none: cannot be read: No such file or directory"),
        (("--config", "noise"), "noise, line 2: not UTF-8 text"),
        (("--config", "."), ".: cannot be read: Is a directory"),
        (("--out", "noise"), "noise: File exists"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    (tmp_path / "noise").write_bytes(b"# one\n\xff\n")
    done = run("match", "--engine", "a=random", "--engine", "b=random", *words, cwd=tmp_path)
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr.startswith("taflengine match: ")
    assert done.stderr.endswith(f"{complaint}\n")
    assert done.stderr.count("\n") == 1


def test_engines_are_checked_before_the_first_game(tmp_path: Path) -> None:
    done = play(tmp_path, "--engine", "good=oneply", "--engine", "bad=gtp:sh -c 'echo ouch >&2'")
    assert (done.status, done.stdout) == (2, "")
    assert "bad: exited with status 0\n    ouch" in done.stderr
    assert not (tmp_path / "journal.jsonl").exists()


def test_an_engine_that_fails_again_and_again_halts_the_match(tmp_path: Path) -> None:
    zoo = Path(__file__).with_name("zoo_engine.py")
    bad = f"bad=gtp:{COMMAND[0]} {zoo} exits 2"
    match = ("--engine", bad, "--engine", "good=oneply", "--variant", "brandubh")
    halted = play(tmp_path / "halted", *match, "--games", "4", "--random-plies", "0")
    assert halted.status == 3
    assert "bad has failed 2 times in a row: the match is halted" in halted.stdout
    assert len(games_of(tmp_path / "halted")) == 2
    going = (*match, "--games", "4", "--random-plies", "0", "--recover")
    done = play(tmp_path / "going", *going)
    assert done.status == 1
    endings = [game.ending.value for game in games_of(tmp_path / "going")]
    assert endings == ["crash"] * 4


def test_more_games_at_a_time_than_processors(tmp_path: Path) -> None:
    done = play(tmp_path, *SMALL, "--concurrency", "1000")
    assert done.status == 2
    assert "--force-concurrency allows it" in done.stderr


def test_a_warning_of_too_many_threads(tmp_path: Path) -> None:
    many = f"name=a cmd=oneply env.X=1 option.threads={processors() + 1}"
    done = play(tmp_path, "--engine", many, "--engine", "b=random", "--variant", "brandubh")
    assert f"{processors() + 1} threads of engines on {processors()} processors" in done.stdout


@pytest.mark.parametrize(
    ("variant", "plies", "ending"),
    [("homeschool", 40, Ending.MAX_MOVES), ("ard-ri", 8, Ending.REPETITION)],
)
def test_engines_that_shuffle(tmp_path: Path, variant: str, plies: int, ending: Ending) -> None:
    """A cap on plies is a draw of its own kind; the rules go before it, on the same ply too."""
    zoo = f"gtp:{COMMAND[0]} {Path(__file__).with_name('zoo_engine.py')} shuffles"
    players = ("--engine", f"a={zoo}", "--engine", f"b={zoo}", "--variant", variant)
    play(tmp_path, *players, "--games", "1", "--random-plies", "0", "--maxmoves", str(plies))
    (game,) = games_of(tmp_path)
    assert (game.ending, game.winner, game.plies) == (ending, None, plies)


def test_self_play_for_balance(tmp_path: Path) -> None:
    done = play(
        tmp_path,
        *("--engine", "one=search:nodes=60", "--tournament", "self-play"),
        *("--variant", "brandubh", "--games", "4"),
    )
    assert done.status == 0
    assert "Attackers in brandubh: " in done.stdout
    assert len({game.moves for game in games_of(tmp_path)}) == 4


def test_a_round_robin(tmp_path: Path) -> None:
    engines = ("--engine", "a=oneply", "--engine", "b=random", "--engine", "c=search:nodes=40")
    done = play(tmp_path, *engines, "--variant", "brandubh", "--games", "2")
    assert done.status == 0
    met = {(game.attacker.name, game.defender.name) for game in games_of(tmp_path)}
    assert len(games_of(tmp_path)) == len(met) == 6


def test_a_start_of_its_own_under_rules_of_its_own(tmp_path: Path) -> None:
    rules = tmp_path / "slow.toml"
    rules.write_text('name = "slow-king"\nbased_on = "brandubh"\nking_reach = 1\n')
    book = tmp_path / "book.txt"
    book.write_text("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d d5-e5\n")
    out = tmp_path / "out"
    done = play(
        out, *NEW, "--games", "2", "--variant", f"@{rules}", "--openings", str(book)
    )  # fmt: skip
    assert (done.status, "says that" in done.stdout) == (0, False)
    assert {game.start for game in games_of(out)} == {"3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d"}
    assert {game.variant for game in games_of(out)} == {f"@{rules}"}
    assert {game.moves[0] for game in games_of(out)} == {"d5-e5"}


def test_a_game_over_named_pipes() -> None:
    """The script in plain shell plays a whole game by the rules."""
    engine = f"{shlex.join(COMMAND)}"
    done = subprocess.run(
        ["/bin/sh", str(ROOT / "scripts" / "match.sh"), engine, engine, "brandubh"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, without_advice(done.stderr)) == (0, "")
    *moves, result = done.stdout.splitlines()
    game = Game("brandubh")
    for line in moves:
        side, move = line.split()
        game.play(parse_move(move, 7).move, by=parse_side(side))
    assert str(game.outcome) == result


def test_the_readme_explains_every_ending_that_the_rules_do_not() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| a game ends by |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    explained = {word.strip("` ") for row in rows for word in row.split(",")}
    reasons = {reason.value for reason in list(Reason)[:8]}
    assert explained == {ending.value for ending in Ending} - reasons
