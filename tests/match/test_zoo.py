"""Every way in which an engine can fail has one consequence, and leaves nothing behind."""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from processes import assert_dead

from taflengine.match.crew import Table
from taflengine.match.games import Ending, FinishedGame
from taflengine.match.process import Guard
from taflengine.match.settings import MatchSettings, complete, parse_settings
from taflengine.pieces import Side

ZOO = Path(__file__).with_name("zoo_engine.py")
PATIENCE = {"start-timeout": 60, "reply-timeout": 60, "move-timeout": 60}


def zoo(*arguments: str) -> str:
    """The command of a bad engine; those that are slow have little time."""
    return shlex.join([sys.executable, str(ZOO), *arguments])


def settings_with(command: str, limit: str = "", grace: float = 60, **more: Any) -> MatchSettings:
    """A match of the engine with this command, and *limit*, against one that is good.

    *grace* is how many seconds a move may be late before its engine counts as hanging.
    """
    plain = {
        "engine": [f"name=zoo proto=gtp cmd={shlex.quote(command)} {limit}", "good=oneply"],
        "variant": ["brandubh"],
        "random-plies": 0,
        "maxmoves": 8,
        **PATIENCE,
        **{key.replace("_", "-"): value for key, value in more.items()},
    }
    settings = parse_settings(complete(plain))
    return replace(settings, patience=settings.patience._replace(grace=grace))


@pytest.fixture
def guard() -> Iterator[Guard]:
    with Guard() as found:
        yield found


def play(guard: Guard, settings: MatchSettings, number: int = 1) -> FinishedGame:
    """A game in which the bad engine has the attackers; the referee must not fail."""
    table = Table(settings.brief(), guard)
    result = table.play(settings.schedule().plan(number))
    table.clear()
    assert result.game, result.trouble
    return result.game


LOSSES = [
    ("does-not-start", Ending.START_FAILURE, "zoo does not start: exited with status 1"),
    ("hangs-at-start", Ending.START_FAILURE, "zoo does not start: does not answer"),
    ("exits", Ending.CRASH, "zoo disconnects: exited with status 3"),
    ("is-killed", Ending.CRASH, "zoo disconnects: was killed by SIGKILL"),
    ("closes-stdout", Ending.CRASH, "zoo disconnects: closed its pipes and lives on"),
    ("hangs", Ending.STALL, "zoo connection stalls: does not answer"),
    ("late", Ending.TIME, r"zoo loses on time \(\d{3,} ms over\)"),
    (
        "illegal",
        Ending.ILLEGAL_MOVE,
        "zoo makes an illegal move: illegal move: a1-a2: there is no piece on the square, in .* a",
    ),
    ("no-move", Ending.PROTOCOL_ERROR, "zoo breaks the protocol: genmove: 'e4' is no move: .*"),
    ("claims-win", Ending.PROTOCOL_ERROR, "zoo breaks the protocol: genmove: 'I win' is no .*"),
    ("refuses", Ending.PROTOCOL_ERROR, "zoo .* 'genmove attacker' is refused: 'I would rather .*"),
    ("twice", Ending.PROTOCOL_ERROR, "zoo breaks the protocol: .*'play .* '=.*'"),
    ("wrong-id", Ending.PROTOCOL_ERROR, r"zoo .* with the id \d+ is answered '=\d+ ..-.*'"),
    ("babbles", Ending.PROTOCOL_ERROR, "zoo .* 'genmove attacker' is answered 'thinking hard': .*"),
    ("garbage", Ending.PROTOCOL_ERROR, "zoo .*: writes a line of more than 65536 bytes"),
    ("garbage-lines", Ending.PROTOCOL_ERROR, "zoo .* is answered 'what\ufffd': no = or .*"),
]


@pytest.mark.parametrize(("fault", "ending", "detail"), LOSSES, ids=[case[0] for case in LOSSES])
@pytest.mark.parametrize("ply", [0, 4])
def test_a_failure_loses(guard: Guard, fault: str, ending: Ending, detail: str, ply: int) -> None:
    start = 0.5 if fault == "hangs-at-start" else 60
    limit = "st=0.5" if fault in ("late", "hangs") else ""
    grace = 0.1 if fault == "hangs" else 60
    game = play(guard, settings_with(zoo(fault, str(ply)), limit, grace, start_timeout=start))
    assert (game.ending, game.winner, game.culprit) == (ending, Side.DEFENDER, Side.ATTACKER)
    assert re.fullmatch(detail, game.detail), game.detail
    assert game.plies == (0 if ending is Ending.START_FAILURE else ply + 2 * (fault == "twice"))


def test_last_words(guard: Guard) -> None:
    game = play(guard, settings_with(zoo("exits")))
    assert game.last_words == "first\nout of ideas"
    assert "no licence" in play(guard, settings_with(zoo("does-not-start"))).last_words


def test_a_program_that_is_not_there(guard: Guard) -> None:
    game = play(guard, settings_with("./no-such-engine --fast"))
    assert game.ending is Ending.START_FAILURE
    assert re.search(r"cannot be started: .*no-such-engine: No such file", game.detail)


def test_an_engine_that_resigns(guard: Guard) -> None:
    game = play(guard, settings_with(zoo("resigns")))
    assert (game.ending, game.detail) == (Ending.RESIGNATION, "zoo resigns")
    assert game.winner is Side.DEFENDER


@pytest.mark.parametrize("fault", ["none", "floods-stderr", "ignores-quit", "forks", "forks-away"])
def test_what_is_no_failure(guard: Guard, tmp_path: Path, fault: str) -> None:
    """The game goes on; afterwards no process is left of the engine."""
    file = tmp_path / "processes"
    game = play(guard, settings_with(zoo(fault, "2", str(file))))
    assert (game.ending, game.plies) == (Ending.MAX_MOVES, 8)
    assert (game.winner, game.culprit, game.events) == (None, None, ())
    assert_dead([int(word) for word in file.read_text().split()])


@pytest.mark.parametrize("fault", ["hangs", "forks"])
def test_nothing_is_left_of_an_engine_that_failed(guard: Guard, tmp_path: Path, fault: str) -> None:
    file = tmp_path / "processes"
    settings = settings_with(zoo(fault, "0", str(file)), "st=0.5", 0.1, maxmoves=4)
    table = Table(settings.brief(), guard)
    table.play(settings.schedule().plan(1))
    processes = [int(word) for word in file.read_text().split()]
    table.abort()
    table.clear()
    assert_dead(processes)
    with pytest.raises(ChildProcessError):  # it was waited for: no zombie is left
        os.waitpid(processes[0], os.WNOHANG)


def test_an_engine_is_started_again_behind_a_failure(guard: Guard) -> None:
    settings = settings_with(zoo("exits", "2"))
    table = Table(settings.brief(), guard)
    for number in (1, 2, 3):
        game = table.play(settings.schedule().plan(number)).game
        assert game
        assert game.ending is Ending.CRASH
        assert game.winner is not game.side_of("zoo")
    table.clear()


def test_claims_are_noted_and_not_believed(guard: Guard) -> None:
    game = play(guard, settings_with(zoo("claims-result", "2")))
    assert (game.ending, game.winner) == (Ending.MAX_MOVES, None)
    assert game.events == ("zoo says that the result is attacker king-captured, not ongoing",)
