"""Engines and settings as people write them, and what is wrong with them."""

import math
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from taflengine.clock import UNLIMITED, TimeControl
from taflengine.errors import TaflError
from taflengine.match.adjudicate import (
    Adjudication,
    Adjudicator,
    DrawRule,
    ResignRule,
    parse_draw,
    parse_resign,
)
from taflengine.match.cli import match
from taflengine.match.entrants import parse_entrant
from taflengine.match.games import Ending
from taflengine.match.settings import SETTINGS, complete, differences, parse_settings
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import Budget

TWO = ["oneply", "random"]


def settings(**given: Any) -> Any:
    plain = {"engine": TWO, **{key.replace("_", "-"): value for key, value in given.items()}}
    return parse_settings(complete(plain))


def test_a_built_in_engine() -> None:
    found = parse_entrant("new=search:nodes=3000,hash=8,threads=2")
    assert (found.name, found.dialect, found.nodes) == ("new", "gtp", 3000)
    assert found.settings(0) == {"engine": "search", "hash": "8", "threads": "2"}
    assert found.arguments(0) == (sys.executable, "-P", "-m", "taflengine")
    assert parse_entrant("search:nodes=3000").name == "search:nodes=3000"
    fast = parse_entrant("search:movetime=0.05")
    assert fast.budget(Budget(UNLIMITED, 7)) == Budget(TimeControl(period=0.05, moves=1), 7)


def test_a_built_in_engine_of_another_dialect() -> None:
    """It is told its parameters when it is started; what it is told later is as for any engine."""
    found = parse_entrant("cmd=uci:search:hash=8,threads=2,seed=%SEED%,nodes=30 option.Hash=9")
    assert (found.dialect, found.nodes, found.threads) == ("uci", 30, 2)
    assert found.settings(5) == {"Hash": "9"}
    assert found.arguments(5)[4:] == (
        *("--protocol=uci", "--param=engine=search", "--param=hash=8"),
        *("--param=threads=2", "--param=seed=5"),
    )
    assert parse_entrant("cmd=oneply proto=htp") == parse_entrant("name=oneply cmd=htp:oneply")
    assert parse_entrant("gtp:oneply") == parse_entrant("name=oneply cmd=oneply")


def test_a_command_line() -> None:
    found = parse_entrant("their engine --fast")
    assert (found.name, found.dialect, found.command) == ("their engine --fast", None, found.name)
    found = parse_entrant("theirs=gtp:./engine 'a file' --seed %SEED%")
    assert (found.name, found.dialect) == ("theirs", "gtp")
    assert found.arguments(5) == ("./engine", "a file", "--seed", "5")


def test_words_like_those_of_other_runners(tmp_path: Path) -> None:
    found = parse_entrant(
        f"cmd='./engine -v' name=A proto=gtp dir={tmp_path} arg='two words' option.level=3 "
        "option.seed=%SEED% env.HOME=/nowhere initstr='one\\ntwo' tc=10+0.1 restart=on",
        each="tc=5 option.level=1 option.hash=2",
    )
    assert found.arguments(9) == ("./engine", "-v", "two words")
    assert found.settings(9) == {"level": "3", "hash": "2", "seed": "9"}
    assert (found.name, found.directory, found.restart) == ("A", tmp_path, True)
    assert found.environment == {"HOME": "/nowhere"}
    assert found.start_lines(9) == ("one", "two")
    assert found.control == TimeControl(10, increment=0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cmd=x colour=red", "'colour=red' is none of name= cmd= proto="),
        ("cmd=", "engine 'cmd=': there is no command"),
        ("A=", "there is no command"),
        ("cmd=x proto=morse", "'morse' is no dialect: say gtp"),
        ("cmd='x", "No closing quotation"),
        ("cmd=x nodes=many", "nodes is 'many': say a number from 1 on"),
        ("cmd=x tc=soon", "'soon' is no time control"),
        ("cmd=x restart=maybe", "restart is 'maybe': say on or off"),
        ("search:nodes", "'nodes' is no parameter: say KEY=VALUE, as nodes=3000"),
        ("search:nodes=0", "nodes is '0': say a number from 1 on"),
    ],
)
def test_a_bad_engine_is_explained(text: str, message: str) -> None:
    with pytest.raises(TaflError, match=re.escape(message)):
        parse_entrant(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"engine": ["oneply"]}, "1 engines: a match needs two or more"),
        ({"tournament": "self-play"}, "2 engines: self-play needs one"),
        ({"engine": ["oneply", "oneply"]}, "two engines are called oneply: give them names"),
        ({"tournament": "knockout"}, "tournament is 'knockout': say round-robin gauntlet self-"),
        ({"variant": ["chess"]}, "'chess' is no rule set"),
        ({"tc": "10", "movetime": "1"}, "tc and movetime: only one of them can be given"),
        ({"movetime": "-1"}, "'-1' is no time for a move: say seconds, as 0.5"),
        ({"start_timeout": math.nan}, "start-timeout is 'nan': say seconds from 0.001 to 86400"),
        ({"reply_timeout": 0}, "reply-timeout is '0': say seconds from 0.001 to 86400"),
        ({"move_timeout": math.inf}, "move-timeout is 'inf': say seconds from 0.001 to 86400"),
        ({"move_timeout": "long"}, "move-timeout is 'long': say seconds from 0.001 to 86400"),
        ({"nodes": -5}, "nodes is '-5': say a number from 1 on"),
        ({"games": 0}, "games is '0': say a number from 1 on"),
        ({"openings": "x", "random_plies": 2}, "openings and random-plies: only one"),
        ({"draw": "movecount=3"}, "is no rule of adjudication: say movenumber=N movecount=N score"),
        ({"resign": "movecount=3 score=5 twosided=no"}, "say twosided=true or twosided=false"),
        ({"sprt": "elo0=5,elo1=0"}, "sprt: -1000 <= elo0 < elo1 <= 1000 must hold"),
        ({"engine": [*TWO, "search"], "sprt": ""}, "sprt: it compares two engines, not 3"),
        ({"scoring": "beauty"}, "scoring is 'beauty': say result captures"),
        ({"weather": "fine"}, "'weather' is no setting: allowed are directory engine"),
    ],
)
def test_bad_settings_are_explained(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TaflError, match=re.escape(message)):
        settings(**given)


def test_a_test_goes_on_until_it_is_decided() -> None:
    assert settings().games == 2
    assert settings(sprt="elo1=5").games >= 100_000
    assert settings(sprt="elo1=5", games=50).games == 50


def test_what_may_change_between_runs() -> None:
    old = complete({"engine": TWO, "games": 10, "concurrency": 1})
    new = complete({"engine": TWO, "games": 20, "concurrency": 2, "recover": True})
    assert differences(old, new) == []
    new = complete({"engine": TWO, "nodes": 5, "openings": "x"})
    assert differences(old, new) == [
        "nodes: was not given, now 5",
        "openings: was not given, now x",
    ]


def scores(adjudicator: Adjudicator, *found: int | None) -> list[Adjudication | None]:
    """The verdicts after moves with these scores, the attackers' first."""
    sides = [Side.ATTACKER, Side.DEFENDER] * len(found)
    return [adjudicator.after(*each) for each in zip(sides, found, strict=False)]


def test_a_draw_by_score() -> None:
    """The first move that can count is the second of each side, and two of each are needed."""
    adjudicator = Adjudicator(DrawRule(from_move=2, moves=2, score=10), None)
    verdicts = scores(adjudicator, 0, 0, -10, 10, 5, 0)
    assert verdicts[:5] == [None] * 5
    assert verdicts[5] == Adjudication(None, Ending.DRAW_BY_SCORE)
    for broken in (11, -11, None):
        adjudicator = Adjudicator(DrawRule(from_move=0, moves=2, score=10), None)
        assert set(scores(adjudicator, 0, 0, broken, 0, 0, 0)) == {None}


def test_a_win_by_score_needs_both_sides() -> None:
    rule = parse_resign("movecount=2 score=600")
    verdicts = scores(Adjudicator(None, rule), -600, 600, -700, 650)
    assert verdicts == [None] * 3 + [Adjudication(Side.DEFENDER, Ending.WIN_BY_SCORE)]
    for doubt in (599, None):
        assert set(scores(Adjudicator(None, rule), -600, 600, -700, doubt)) == {None}
    one = parse_resign("movecount=2, score=600, twosided=false")
    assert scores(Adjudicator(None, one), -600, None, -600)[2] == Adjudication(
        Side.DEFENDER, Ending.WIN_BY_SCORE
    )


def test_rules_of_adjudication_are_read() -> None:
    assert parse_draw("movenumber=40 movecount=8 score=20") == DrawRule(40, 8, 20)
    assert parse_resign("movecount=3,score=600") == ResignRule(3, 600, two_sided=True)


def test_every_setting_has_an_option() -> None:
    named = {str(option.name).replace("_", "-") for option in match.params}
    of_the_run = {"config", "out", "resume", "force", "force-concurrency", "cluster", "pairs"}
    assert named - of_the_run - {"only-check", "as-json"} == set(SETTINGS) - {"directory"}
