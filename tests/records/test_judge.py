"""What the rules say to records: each kind of difference, games of the engine, games of people."""

import re
from pathlib import Path

import pytest
from program import ROOT

from taflengine.records.formats import format_game, parse_games, read_games
from taflengine.records.judge import Judgement, Kind, judge
from taflengine.records.record import Record, Verdict
from taflengine.records.report import Totals
from taflengine.variants.catalogue import VARIANTS

OWN = ROOT / "tests" / "games"
SHARED = ROOT.parent / "shared" / "games"
WON = "d6-c6 d5-e5 c6-c7 d4-d6 c7-c6 d6-e6 a4-a2 e6-e7 a2-a3 e7-g7"
"""The king reaches a corner."""


def judged(text: str, variant: str = "brandubh", **how: bool) -> Judgement:
    [record] = parse_games(text, variant)
    return judge(record, **how)


def found(judgement: Judgement) -> list[tuple[Kind, int, str]]:
    return [(each.kind, each.ply, each.text) for each in judgement.differences]


def test_a_good_game() -> None:
    judgement = judged(f"{WON},0,0,White\n")
    assert found(judgement) == []
    assert (judgement.plies, judgement.capturing, str(judgement.outcome)) == (
        10,
        0,
        "defender corner",
    )


def test_an_illegal_move_ends_the_judging() -> None:
    judgement = judged("d6-c6 d4-d7 d6-d7,0,0,White\n")
    assert found(judgement) == [
        (
            Kind.ILLEGAL,
            2,
            "line 1, column 7: illegal move: d4-d7: another piece is in the way at d5",
        )
    ]
    assert judgement.plies == 1


def test_a_game_that_goes_on_after_its_end() -> None:
    assert found(judged(f"{WON} d7-e7,0,0,White\n")) == [
        (
            Kind.OVER,
            11,
            "line 1, column 61: illegal move: d7-e7: game over: defender wins (corner)",
        )
    ]


def test_captures_are_compared_as_sets_and_the_game_goes_on() -> None:
    right = "d2-e2 c4-c5 f4-f5 d4-c4 e2-d2{} c4-c3"
    wrong = "line 1, column 25: e2-d2: the captures written are not the captures made: d3"
    for written, expected in [
        ("xd3", []),
        ("xd3xd3", []),
        ("xd3xd4", [(Kind.CAPTURES, 5, wrong)]),
        ("xe3", [(Kind.CAPTURES, 5, wrong)]),
        ("", [(Kind.CAPTURES, 5, wrong)]),
    ]:
        judgement = judged(f"{right.format(written)},1,0,Ongoing\n")
        assert found(judgement) == expected, written
        assert judgement.plies == 6
    assert found(judged(right.format(""))) == [], "a list of moves that writes no captures"
    assert len(found(judged(right.format("") + "xd5"))) == 2, "one that writes some"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{WON},0,0,Black", "the record says attacker, the rules defender corner"),
        (f"{WON},0,0,Draw", "the record says draw, the rules defender corner"),
        (f"{WON},0,0,Ongoing", "the record says ongoing, the rules defender corner"),
        (f"{WON},0,0,", ""),
        (WON, ""),
        ("d6-c6,0,0,Black", ""),
        ("d6-c6,0,0,Draw", ""),
        ("d6-c6 timeout,0,0,Black", ""),
        ("d6-c6 timeout,0,0,White", "defender gave up, and the record says defender"),
        ("d6-c6 timeout,0,0,Draw", "defender gave up, and the record says draw"),
        ("timeout,0,0,", ""),
        ("[variant:brandubh]\n[result:1]\n\n1. d6-c6 ---", ""),
        (
            "[variant:brandubh]\n[result:-1]\n\n1. d6-c6 ---",
            "defender gave up, and the record says defender",
        ),
        (
            "[variant:brandubh]\n[result:1]\n[termination:king-captured]\n\n1. d6-c6",
            "the record says king-captured, by the rules the game goes on",
        ),
        ("[variant:brandubh]\n[result:1]\n[termination:agreement]\n\n1. d6-c6", ""),
    ],
)
def test_results_are_compared(text: str, fault: str) -> None:
    expected = [(Kind.RESULT, 0, f"line 1, column 1: {fault}")] if fault else []
    assert found(judged(text)) == expected


def test_repetition_may_be_ignored() -> None:
    text = "d2-b2 d3-d2 b2-b3 d2-d3 b3-b2 d3-d2 b2-b3 d2-d3 b3-b2 d3-d2,0,0,Draw"
    assert [kind for kind, _, _ in found(judged(text))] == [Kind.OVER]
    assert found(judged(text, enforce_repetition=False)) == []


def test_variations_are_judged_where_they_begin() -> None:
    text = (
        "[variant:brandubh]\n\n1. d6-c6 d5-e5\n1b.1.1a. ..... d5-a5\n1b.1.2a. c6-c7 a5-c5\n"
        "2. c6-c7 d4-d7\n2a.1.1a. c6-d6 e5-d5\n2a.1.2a. d6-d4\n"
    )
    assert found(judged(text)) == [
        (
            Kind.ILLEGAL,
            5,
            "line 8, column 10: illegal move: d6-d4: another piece is in the way at d5",
        ),
        (
            Kind.ILLEGAL,
            4,
            "line 6, column 10: illegal move: d4-d7: another piece is in the way at d7",
        ),
    ]


def test_rules_that_cannot_be_played() -> None:
    [difference] = judged("[rules:dim:5 ber:c start:/1t1/]\n\n1. a1-a2\n").differences
    assert difference.kind is Kind.RULES
    assert difference.text == (
        "line 1, column 1: OpenTafl rules, dim: allowed are odd sizes from 7 to 19"
    )


def test_a_position_that_the_rules_cannot_have() -> None:
    text = "[variant:brandubh]\n[position:/t6/7/7/3K3/7/7/7/]\n"
    [difference] = judged(text).differences
    assert difference.text == (
        "line 1, column 1: position: the attacker on a1 may not stand on a corner square"
    )


def own_records(name: str) -> list[Record]:
    """The games of the engine in tests/games, with the results that stand there."""
    records = []
    for line in (OWN / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        _, result, moves = line.split(": ")
        winner = result.split()[0]
        [record] = parse_games(f"{moves},0,0,{CLAIMS[winner]}\n", name)
        records.append(record)
    return records


CLAIMS = {"attacker": "Black", "defender": "White", "draw": "Draw", "ongoing": "Ongoing"}


@pytest.mark.parametrize("name", VARIANTS)
def test_games_of_the_engine_agree_and_come_back(name: str) -> None:
    """In every format that can say them."""
    for record in own_records(name):
        assert found(judge(record)) == []
        for form in ("otg", "json", "csv", "moves"):
            [again] = parse_games(format_game(record, form), name, form=form)
            assert again.entries == record.entries
            assert form == "moves" or again.verdict is record.verdict
            assert found(judge(again)) == []


def test_there_are_enough_games_of_the_engine() -> None:
    assert sum(len(own_records(name)) for name in VARIANTS) > 100


PEOPLE = [
    # the file, the rules, games, moves, and how many go on after a repetition
    ("copenhagen", "copenhagen", 876, 44155, 6),
    ("brandubh", "brandubh-federation", 263, 5665, 4),
]


@pytest.mark.parametrize(("name", "variant", "games", "plies", "repeated"), PEOPLE)
def test_games_of_people_agree(
    name: str,
    variant: str,
    games: int,
    plies: int,
    repeated: int,
) -> None:
    path = SHARED / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there: games of people are no part of the project")
    free, strict = Totals(), Totals()
    for record in read_games(path, variant):
        free.add(judge(record, enforce_repetition=False))
        strict.add(judge(record))
        assert parse_games(format_game(record)) == [record]
    assert (free.games, free.plies, free.wrong) == (games, plies, 0)
    assert strict.differences == {Kind.OVER: repeated}


def test_a_verdict_is_of_every_game_of_people() -> None:
    path = SHARED / "copenhagen.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there: games of people are no part of the project")
    lines = path.read_text().splitlines()
    verdicts = [record.verdict for record in read_games(path, "copenhagen")]
    words = {"White": Verdict.DEFENDER, "Black": Verdict.ATTACKER, "Draw": Verdict.DRAW}
    said = [re.split(",", line)[3] for line in lines]
    assert verdicts == [words.get(word, Verdict.ONGOING) for word in said]


def test_own_games_are_where_they_are_looked_for() -> None:
    assert {path.stem for path in Path(OWN).glob("*.txt")} == set(VARIANTS)
