"""Search won positions with and without other threads at work on every move; in the plain form.

Only there can a table be told that all is in work already. Printed are the positions, and in how
many the win is found with its length: alone, and with each move but the first put off.
"""

from pathlib import Path

from taflengine import core
from taflengine.core.codes import INFINITE, MATE
from taflengine.core.evaluation import Evaluation
from taflengine.core.ordering import History
from taflengine.core.search import Search
from taflengine.core.table import Table
from taflengine.core.weights import weights_of
from taflengine.game import Game
from taflengine.notation import parse_rows
from taflengine.pieces import Side

DEPTH = 5


class BusyTable(Table):
    """A table in which another search is always there first."""

    def claim(self, work: int) -> bool:  # noqa: ARG002
        """No."""
        return False

    def release(self, work: int) -> None:
        """What is another's is not given up."""
        raise AssertionError(work)


def is_found(game: Game, plies: int, table: Table, shared: bool) -> bool:
    """Whether a search to one depth sees the win as soon as it comes."""
    position = game.position
    evaluation = Evaluation(position, weights_of(game.variant))
    search = Search(position, evaluation, table, History(position), shared)
    score: int = search.run(DEPTH, -INFINITE, INFINITE)
    return score == MATE - plies


def main() -> None:
    assert core.form() == "uncompiled"
    tried = alone = busy = 0
    for line in Path(__file__).with_name("won.txt").read_text().splitlines():
        variant, plies, _, _, side, rows, _ = line.split(maxsplit=6)
        if variant in ("brandubh", "magpie") and int(plies) > 1:
            game = Game(variant, parse_rows(rows), Side(side))
            tried += 1
            alone += is_found(game, int(plies), Table(1), False)
            busy += is_found(game, int(plies), BusyTable(1), True)
    print(tried, alone, busy)


if __name__ == "__main__":
    main()
