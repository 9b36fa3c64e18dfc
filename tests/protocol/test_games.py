"""Whole recorded games through one real process: every move legal, every capture and end right."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from program import ROOT, replies

OWN = ROOT / "tests" / "games"
"""Games that ``record.py`` in this directory had the engine play, a file for each rule set."""
SHARED = ROOT.parent / "shared" / "games"
"""Games of people; they are no part of the project."""
WINNERS = {"White": "defender", "Black": "attacker", "Draw": "draw"}
"""What their column of results says."""


class Record(NamedTuple):
    """A game as somebody wrote it down."""

    place: str
    moves: list[str]
    """With their captures, as ``play`` reads them."""
    result: str


class Replay(NamedTuple):
    """What the program answered to a record."""

    record: Record
    played: list[str]
    """The reply to each move."""
    result: str

    @property
    def failure(self) -> str:
        """The first move that was refused and why, empty if none was."""
        each = zip(self.record.moves, self.played, strict=True)
        refused = (f"{move}: {reply}" for move, reply in each if reply.startswith("?"))
        return next(refused, "")

    @property
    def dispute(self) -> str:
        """The first move whose captures are not those written, empty if all agree.

        A captured king need not be written.
        """
        each = list(zip(self.record.moves, self.played, strict=True))
        for move, reply in each:
            written, captured = set(move.split("x")[1:]), set(reply[2:].split())
            king = self.result == "attacker king-captured" and (move, reply) == each[-1]
            if written != captured and not (king and written < captured):
                return f"{move}: {reply}"
        return ""


def replay(records: list[Record], variant: str, *first: str) -> list[Replay]:
    """Play all *records* under *variant* through one process, to which *first* is sent first.

    Captures are not sent, so that all that is known of them is the answer.
    """
    lines = list(first)
    for record in records:
        lines.append(f"newgame {variant}")
        lines += [f"play {move.partition('x')[0]}" for move in record.moves]
        lines.append("result")
    answers = iter(replies(lines))
    assert all(next(answers) == "= " for _ in first)
    found = []
    for record in records:
        assert next(answers) == "= "
        played = [next(answers) for _ in record.moves]
        found.append(Replay(record, played, next(answers)[2:]))
    return found


def count(record_property: object, what: str, words: Iterable[str]) -> None:
    """Print how often each of *words* occurs, and keep it in the report."""
    text = ", ".join(f"{number} {word}" for word, number in Counter(words).most_common())
    print(f"{what}: {text}")
    if callable(record_property):
        record_property(what, text)


# Games of the engine


def own_games() -> Iterator[tuple[str, list[Record]]]:
    """Each rule set, and its records."""
    for path in sorted(OWN.glob("*.txt")):
        records = []
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            _, result, moves = line.split(": ")
            records.append(Record(f"{path.name}:{number}", moves.split(), result))
        yield path.stem, records


OWN_GAMES = dict(own_games())


def test_there_are_games_under_every_rule_set(record_property: object) -> None:
    """And of the ways in which a game can end the most common ones and the rarest by chance."""
    (listed,) = replies(["variants"])
    assert sorted(OWN_GAMES) == sorted(re.findall(r"^(?:= )?([a-z0-9-]+): ", listed, re.MULTILINE))
    results = [record.result for records in OWN_GAMES.values() for record in records]
    count(record_property, "own games", results)
    reasons = {result.split()[-1] for result in results}
    assert reasons >= {
        *("king-captured", "corner", "edge", "no-moves", "repetition", "quiet-moves", "ongoing"),
    }
    assert {result.split()[0] for result in results if "repetition" in result} == {
        *("attacker", "defender", "draw"),
    }


@pytest.mark.parametrize("name", OWN_GAMES)
def test_games_of_the_engine(name: str) -> None:
    for replayed in replay(OWN_GAMES[name], name):
        assert not replayed.failure, replayed.record.place
        assert not replayed.dispute, replayed.record.place
        assert replayed.result == replayed.record.result, replayed.record.place


def test_games_as_they_are_written() -> None:
    """The moves with their captures behind them are read, and come back as the history."""
    lines = []
    for name, records in OWN_GAMES.items():
        for record in records:
            lines += [f"newgame {name}", *(f"play {move}" for move in record.moves), "history"]
    answers = iter(replies(lines))
    for records in OWN_GAMES.values():
        for record in records:
            assert next(answers) == "= "
            assert all(next(answers).startswith("= ") for _ in record.moves)
            history = next(answers)[2:].split()
            assert [sorted(move.split("x")) for move in history] == [
                sorted(move.split("x")) for move in record.moves
            ]


# Games of people


def shared_games(name: str) -> list[Record]:
    """The games of one file; a loss on time is no move."""
    path: Path = SHARED / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"there is no ../{path.relative_to(ROOT.parent)}")
    records = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        text, _, _, result = line.rsplit(",", 3)
        moves = [move for move in text.split() if move != "timeout"]
        records.append(Record(f"{path.name}:{number}", moves, result))
    return records


@cache
def shared_replays(name: str, variant: str) -> list[Replay]:
    """The games of one file; the server they were played on enforced no repetition."""
    return replay(shared_games(name), variant, "set_param repetition off")


def contradicts(replayed: Replay) -> bool:
    """Whether the rules have given the game to somebody else than the record does."""
    winner = WINNERS.get(replayed.record.result)
    return replayed.result != "ongoing" and winner != replayed.result.split()[0]


ENDS = {
    "brandubh": {"attacker king-captured": 38, "defender corner": 17},
    # One of the corners stands behind a third occurrence, which does not end a game here.
    "copenhagen": {
        "defender corner": 123,
        "defender exit-fort": 21,
        "attacker king-captured": 20,
        "attacker encirclement": 10,
        "attacker no-moves": 5,
    },
}
"""How the recorded games end by the rules; an independent checker counts the same."""


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("brandubh", "brandubh"),
        ("brandubh", "brandubh-federation"),
        ("copenhagen", "copenhagen"),
    ],
)
def test_games_of_people(name: str, variant: str, record_property: object) -> None:
    """No game goes on after an end by the rules, and none ends otherwise than they say."""
    found = shared_replays(name, variant)
    count(record_property, f"{name}.csv under {variant}", (each.result for each in found))
    for replayed in found:
        assert not replayed.failure, replayed.record.place
        assert not replayed.dispute, replayed.record.place
        assert not contradicts(replayed), replayed.record.place
    assert Counter(each.result for each in found if each.result != "ongoing") == ENDS[name]


def test_games_of_people_without_special_rules(record_property: object) -> None:
    """Copenhagen's games under its clean rules, up to the first shieldwall, fort or ring.

    What the special rules did is taken from a replay under all of the rules: a
    shieldwall is a capture of which the clean rules know nothing, a fort or a ring
    an end that they do not see. Such games count as left, at that move.
    """
    whole = shared_replays("copenhagen", "copenhagen")
    clean = shared_replays("copenhagen", "copenhagen-clean")
    fates, moves = [], 0
    for full, plain in zip(whole, clean, strict=True):
        each = zip(plain.played, full.played, strict=True)
        same = next((i for i, (one, other) in enumerate(each) if one != other), len(full.played))
        moves += same
        assert not full.failure
        if same < len(full.played):
            written = set(full.played[same][2:].split())
            assert plain.played[same].startswith("="), plain.record.place
            assert set(plain.played[same][2:].split()) < written, plain.record.place
            assert all(re.fullmatch(r"[ak]\d+|[a-k](1|11)", square) for square in written)
            fates.append("left at a shieldwall")
        elif full.result in ("defender exit-fort", "attacker encirclement"):
            assert plain.result == "ongoing", plain.record.place
            fates.append(f"left at {full.result.split()[1]}")
        else:
            assert plain.result == full.result, plain.record.place
            assert not plain.dispute, plain.record.place
            fates.append(plain.result)
    count(record_property, "copenhagen.csv under copenhagen-clean", fates)
    assert moves > sum(len(full.played) for full in whole) * 9 // 10
