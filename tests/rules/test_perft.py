"""Counts of move sequences against tables: the project's own, and the shared ones where present."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from taflengine.core import form
from taflengine.game import Game
from taflengine.notation import parse_rows, parse_side
from taflengine.variants.catalogue import VARIANTS

OWN = Path(__file__).parent / "perft.txt"
SHARED = Path(__file__).parents[3] / "shared" / "rules"
TABLES = (OWN, *(SHARED / f"perft-{name}.txt" for name in ("house", "variants", "positions")))

COMPILED = form() == "compiled"
MOST = 1_100_000 if COMPILED else 10_000
"""Largest count that the normal run works out."""


class Entry(NamedTuple):
    """A position and how many sequences of 1, 2, 3 ... plies begin there."""

    place: str
    """Table and line."""
    name: str
    rows: str
    """The position, or ``start``."""
    side: str
    counts: tuple[int, ...]

    def game(self) -> Game:
        """The position with nothing played before."""
        if self.rows == "start":
            return Game(self.name)
        return Game(self.name, parse_rows(self.rows), parse_side(self.side))


def entries(table: Path) -> list[Entry]:
    """The lines of *table*, whose four forms differ in what goes without saying."""
    if not table.exists():
        return []
    found = []
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#"):
            continue
        words = re.sub(r"[|]|\b[1-9]:", " ", line).split()
        if table.name == "perft-house.txt":
            words.insert(0, "hnefatafl")
        if table.name == "perft-variants.txt":
            words.insert(1, "start")
        if words[1] == "start":
            words.insert(2, "")
        name, rows, side, *counts = words
        place = f"{table.name}:{number} {name}"
        found.append(Entry(place, name, rows, side, tuple(map(int, counts))))
    return found


ENTRIES = [entry for table in TABLES for entry in entries(table)]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.place)
def test_perft(entry: Entry) -> None:
    game = entry.game()
    for depth, count in enumerate(entry.counts, start=1):
        if count <= MOST:
            assert game.perft(depth) == count, f"{entry.place} at depth {depth}"


DEEP = [entry for entry in ENTRIES if entry.counts[-1] > 1_000_000]


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="in plain form this takes days")
@pytest.mark.parametrize("entry", DEEP, ids=lambda entry: entry.place)
def test_deep_perft(entry: Entry) -> None:
    game = entry.game()
    for depth, count in enumerate(entry.counts, start=1):
        if count > MOST:
            assert game.perft(depth) == count, f"{entry.place} at depth {depth}"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_tables_are_read(table: Path) -> None:
    if not table.exists():
        pytest.skip(f"shared/rules/{table.name} is not here")
    lines = table.read_text(encoding="utf-8").splitlines()
    assert len(entries(table)) == len([line for line in lines if not line.startswith("#")])


def test_the_own_table_has_every_start_and_position() -> None:
    own = entries(OWN)
    assert [entry.name for entry in own if entry.rows == "start"] == list(VARIANTS)
    assert {entry.name for entry in own if entry.rows != "start"} == set(VARIANTS)
