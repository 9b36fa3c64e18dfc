"""Engines of every dialect, with their settings, in real processes."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest
from program import COMMAND, ENVIRONMENT, SECONDS, limited, run, started

from taflengine.match.games import Ending, FinishedGame, read_journal

SHORT = ("--maxmoves", "10", "--random-plies", "2")


def play(directory: Path, *arguments: str) -> list[FinishedGame]:
    """The games of a match in which nothing goes wrong."""
    done = run("match", "--out", str(directory), *arguments)
    assert (done.status, done.stderr) == (0, ""), done.stdout
    return read_journal(directory / "journal.jsonl")


@pytest.mark.parametrize("dialect", ["gtp", "uci", "htp", "otep"])
@pytest.mark.parametrize("named", [True, False])
def test_a_dialect(tmp_path: Path, dialect: str, named: bool) -> None:
    """It plays both sides to the end, whether its dialect is named or found out."""
    speaker = shlex.join([*COMMAND, "--protocol", dialect, "--param", "movetime=0.02"])
    engine = f"speaker={dialect}:{speaker}" if named else f"speaker={speaker}"
    match = ("--engine", engine, "--engine", "oneply", "--variant", "copenhagen", *SHORT)
    games = play(tmp_path, *match, "--games", "2")
    assert [(game.ending, game.plies, game.events) for game in games] == [
        (Ending.MAX_MOVES, 10, ())
    ] * 2


@pytest.mark.parametrize("dialect", ["uci", "htp", "otep"])
def test_a_built_in_engine_speaks_the_dialect_asked_for(tmp_path: Path, dialect: str) -> None:
    """Its controller would not get a move from a program that speaks another."""
    match = ("--engine", f"a={dialect}:oneply", "--engine", "random", "--variant", "copenhagen")
    games = play(tmp_path, *match, *SHORT, "--games", "2")
    assert [(game.ending, game.events) for game in games] == [(Ending.MAX_MOVES, ())] * 2


@pytest.mark.parametrize(
    ("engine", "complaint"),
    [
        ("a=uci:search:nonsense=1", "'nonsense' is no parameter"),
        ("a=htp:search:nodes=9", "HTP cannot limit nodes or depth"),
    ],
)
def test_what_a_built_in_engine_cannot_be_told(tmp_path: Path, engine: str, complaint: str) -> None:
    match = ("--engine", engine, "--engine", "oneply", "--variant", "copenhagen", *SHORT)
    done = run("match", "--out", str(tmp_path), *match, "--games", "1")
    assert (done.status, done.stdout) == (2, "")
    assert complaint in done.stderr


@pytest.mark.parametrize("control", ["2+0.1", "20/4", "3", "1+2/5", "inf"])
def test_a_clock(tmp_path: Path, control: str) -> None:
    """Engines that use the time they have do not lose on it."""
    engines = ("--engine", "a=search", "--engine", "b=search:hash=2")
    games = play(
        tmp_path,
        *(*engines, "--variant", "brandubh", "--maxmoves", "8", "--games", "1"),
        *("--random-plies", "4", "--tc", control, "--timemargin", "3000"),
        *(("--nodes", "500") if control == "inf" else ()),
    )
    (game,) = games
    assert game.ending is not Ending.TIME
    assert 0 < game.attacker.seconds < 8
    assert all(thought and thought.depth is not None for thought in game.thoughts[4:])


def test_environment_directory_lines_and_stderr(tmp_path: Path) -> None:
    """What an engine is given when it is started, and what it says on standard error."""
    code = (
        "import os, sys; print(os.getcwd(), os.environ['MOOD'], sys.argv[1:], file=sys.stderr); "
        "from taflengine.__main__ import main; sys.argv[1:] = []; main()"
    )
    place = tmp_path / "place"
    place.mkdir()
    command = shlex.join([sys.executable, "-P", "-c", code, "%SEED%"])
    engine = (
        f"name=a proto=gtp cmd={shlex.quote(command)} dir={place} env.MOOD=good "
        f"stderr={tmp_path / 'words'} initstr='set_param engine random' restart=on"
    )
    match = ("--engine", engine, "--engine", "oneply", "--variant", "brandubh", *SHORT)
    play(tmp_path / "out", *match, "--games", "3", "--seed", "77")
    # One start for the check, and one for each game.
    assert (tmp_path / "words").read_text() == f"{place} good ['77']\n" * 4


def test_a_processor_of_its_own(tmp_path: Path) -> None:
    """It is bound once it has started, so the first command can tell."""
    cpu = min(os.sched_getaffinity(0))
    code = (
        "import os, sys; from taflengine.protocol.commands import admin; "
        "from taflengine.__main__ import main; "
        "admin.COMMANDS.named('where')(lambda session: print(os.sched_getaffinity(0), "
        "file=sys.stderr)); sys.argv[1:] = []; main()"
    )
    command = shlex.join([sys.executable, "-P", "-c", code])
    engine = f"name=a cmd={shlex.quote(command)} proto=gtp initstr=where cpu={cpu}"
    engine = f"{engine} stderr={tmp_path / 'words'}"
    match = ("--engine", engine, "--engine", "oneply", "--variant", "brandubh", *SHORT)
    play(tmp_path / "out", *match, "--games", "1")
    assert (tmp_path / "words").read_text() == f"{{{cpu}}}\n" * 2


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """The match is halted; what is in the journal is whole, and the match can go on."""
    match = (
        *("match", "--engine", "a=oneply", "--engine", "b=random", "--variant", "brandubh"),
        *("--games", "12", "--out", str(tmp_path)),
    )

    done = subprocess.run(
        limited(6_000, *match),
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 3
    assert f"taflengine match: {tmp_path}: File too large" in done.stderr
    before = read_journal(tmp_path / "journal.jsonl")
    assert 0 < len(before) < 12
    assert run(*match).status == 0
    after = read_journal(tmp_path / "journal.jsonl")
    assert len(after) == 12
    assert after[: len(before)] == before


def test_a_line_moves_on_at_a_terminal(tmp_path: Path) -> None:
    """It has games, score, test, rate and time left; nothing of it goes to standard output."""
    lines = tmp_path / "lines"
    command = shlex.join(
        [
            *(*COMMAND, "match", "--engine", "a=search:nodes=2000", "--engine", "b=oneply"),
            *("--variant", "brandubh", "--games", "6", "--sprt", "elo0=0,elo1=50"),
            *("--out", str(tmp_path / "out")),
        ]
    )
    child = pexpect.spawn(
        "/bin/sh",
        ["-c", f"{command} >{lines}"],
        env=ENVIRONMENT,
        timeout=SECONDS,
        encoding="utf-8",
        dimensions=(24, 200),
    )
    child.expect(
        r"\d of 6 games  a: \d - \d - 0 [^\r]*LLR \S+ \(-2.94, 2.94\)  \S+ games/min  \S+ left"
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert child.before
    assert child.before.count("6 of 6 games") == 1, "it is drawn behind the end"
    assert "\x1b" not in lines.read_text()
    assert "Finished game 6" in lines.read_text()


def test_nothing_is_drawn_behind_an_interrupted_match(tmp_path: Path) -> None:
    """The shell's prompt follows on what it says last: how to go on."""
    engines = ("--engine", "a=search:nodes=20000", "--engine", "b=search:nodes=20001")
    match = ("match", *engines, "--variant", "brandubh", "--games", "400", "--out", str(tmp_path))
    child = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *match],
        env=ENVIRONMENT,
        timeout=SECONDS,
        encoding="utf-8",
        dimensions=(24, 200),
    )
    child.expect(r"\x1b\[K1 of 400 games")
    child.sendintr()
    child.expect_exact("Interrupted; go on with: ")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert child.before
    assert " games" not in child.before


def test_a_match_is_stopped_from_elsewhere(tmp_path: Path) -> None:
    engines = ("--engine", "a=search:nodes=20000", "--engine", "b=search:nodes=20001")
    match = ("match", *engines, "--variant", "brandubh", "--games", "400", "--out", str(tmp_path))
    with started([*COMMAND, *match], stdin=None, stderr=None, text=True) as process:
        while "Finished game 1" not in process.stdout.readline():
            assert process.poll() is None
        status = run("match", "status", str(tmp_path))
        assert status.stdout.startswith(f"Runs as process {process.pid}\n")
        assert run("match", "stop", str(tmp_path)).status == 0
        said = process.stdout.read()
        assert process.wait(SECONDS) == 130
    assert "Interrupted; go on with: " in said
    assert run("match", "stop", str(tmp_path)).status == 1
