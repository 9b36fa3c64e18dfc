"""A line of a journal says all of a game, and a journal cannot be misread."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from taflengine.errors import JournalError
from taflengine.match.games import Ending, FinishedGame, Player, Thought, read_journal
from taflengine.pieces import Side

GAME = FinishedGame(
    number=7,
    pair=4,
    round=2,
    variant="brandubh",
    attacker=Player(
        name="A", version="taflengine 0.1", command="a b", captures=1, seconds=0.25, overshoot=0.012
    ),
    defender=Player(name="þ"),
    opening="left",
    opening_plies=1,
    start="3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a",
    seed=99,
    moves=("d6-c6", "d5-e5"),
    winner=Side.DEFENDER,
    ending=Ending.TIME,
    detail="A loses on time (12 ms over)",
    culprit=Side.ATTACKER,
    last_words='one "line"\nanother',
    events=("a: another hash",),
    thoughts=(None, Thought(0.25, -31, 4, 1200)),
    started="2026-01-01T10:00:00+00:00",
    ended="2026-01-01T10:00:01+00:00",
)


def test_a_game_is_one_line_and_back() -> None:
    line = GAME.to_json()
    assert "\n" not in line
    assert FinishedGame.from_json(line) == GAME


def test_keys_of_later_versions_are_skipped() -> None:
    plain = json.loads(GAME.to_json()) | {"weather": "fine"}
    plain["attacker"]["mood"] = [1]
    assert FinishedGame.from_json(json.dumps(plain)) == GAME


def test_what_may_be_missing() -> None:
    line = json.dumps(
        {
            "schema": 1,
            "number": 1,
            "pair": 1,
            "variant": "brandubh",
            "attacker": {"name": "A"},
            "defender": {"name": "B"},
            "moves": "",
            "winner": None,
            "ending": "no-moves",
        }
    )
    found = FinishedGame.from_json(line)
    assert (found.moves, found.winner, found.thoughts, found.plies) == ((), None, (), 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema 2: this version reads 1"),
        ({"number": "7"}, "number: '7' is not allowed"),
        ({"number": True}, "number: 'True' is not allowed"),
        ({"winner": "nobody"}, "winner: 'nobody' is not allowed"),
        ({"ending": "boredom"}, "ending: 'boredom' is not allowed"),
        ({"attacker": {}}, "no key 'name'"),
        ({"thoughts": [[1, 2, 3, 4, 5]]}, "thoughts: '[[1, 2, 3, 4, 5]]' is not allowed"),
    ],
)
def test_what_is_no_game(change: dict[str, object], message: str) -> None:
    with pytest.raises(JournalError, match=f"^{message.translate(_LITERAL)}$"):
        FinishedGame.from_json(json.dumps(json.loads(GAME.to_json()) | change))


_LITERAL = str.maketrans({"[": r"\[", "]": r"\]"})


def test_who_played_what() -> None:
    assert (GAME.side_of("A"), GAME.side_of("þ")) == (Side.ATTACKER, Side.DEFENDER)
    assert GAME.player(Side.DEFENDER).name == "þ"
    with pytest.raises(ValueError, match="C did not play game 7"):
        GAME.side_of("C")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of two games."""
    path = tmp_path / "journal.jsonl"
    games = [GAME, replace(GAME, number=2)]
    path.write_text("".join(f"{game.to_json()}\n" for game in games))
    return path


def test_a_torn_last_line_is_no_game(journal: Path) -> None:
    whole = journal.read_bytes()
    for end in range(len(whole) + 1):
        journal.write_bytes(whole[:end])
        assert len(read_journal(journal)) == whole[:end].count(b"\n")


def test_a_bad_line_is_named(journal: Path) -> None:
    first, second, _ = journal.read_text().split("\n")
    journal.write_text(f"{first[:50]}\n{second}\n")
    with pytest.raises(JournalError, match=r"journal\.jsonl, line 1: no JSON: "):
        read_journal(journal)
    journal.write_bytes(f"{first}\n".encode() + b"\xff\n")
    with pytest.raises(JournalError, match=r"journal\.jsonl, line 2: not UTF-8"):
        read_journal(journal)


def test_no_game_counts_twice(journal: Path) -> None:
    journal.write_text(journal.read_text() * 2)
    with pytest.raises(JournalError, match="line 3: game 7 is there a second time"):
        read_journal(journal)
