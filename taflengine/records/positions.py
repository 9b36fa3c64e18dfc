"""Positions one a line: the two fields of a FEN, and the position records of OpenTafl.

A FEN has its rows from the top rank, then the side to move. OpenTafl begins with
rank 1 and says nothing of the side.
"""

from taflengine.errors import NotationError, RecordError, TaflError
from taflengine.game import check_board
from taflengine.notation import Board, format_rows, parse_rows, parse_side
from taflengine.pieces import Side
from taflengine.records.lines import Lines
from taflengine.records.record import Place, Record
from taflengine.records.table import COMMENT
from taflengine.rules import Variant
from taflengine.variants.opentafl_strings import format_position, parse_position


class FenReader:
    """Reads a file of positions, each as a game in which nobody has moved."""

    def __init__(self, lines: Lines, default: Variant) -> None:
        self._lines = lines
        self._variant = default

    def read(self) -> Record | None:
        """The next position, None behind the last.

        Raises:
            RecordError: names the place.
        """
        for line in self._lines:
            if not line.strip() or line.lstrip().startswith(COMMENT):
                continue
            column = len(line) - len(line.lstrip()) + 1
            try:
                board, side = self._position(line)
                check_board(self._variant, board)
            except NotationError as error:
                raise self._lines.error(column, str(error)) from None
            return Record(
                variant=self._variant,
                start=board,
                first=side,
                source=self._lines.source,
                place=Place(self._lines.number, column),
            )
        return None

    def recover(self) -> None:
        """A broken line has been read; the next one is another position."""

    def _position(self, line: str) -> tuple[Board, Side | None]:
        rows, *side = line.split()
        if len(side) != 1:
            raise NotationError("a position is rows, a blank, and the side to move, a or d")
        return parse_rows(rows), parse_side(side[0])


class PositionReader(FenReader):
    """Reads a file of OpenTafl's position records; the side to move is the one that begins."""

    def _position(self, line: str) -> tuple[Board, Side | None]:
        rows, *more = line.split()
        if more:
            raise NotationError("a position record is one word, /rows/ from rank 1")
        return parse_position(rows), None


def format_fen(record: Record) -> str:
    """The position in which *record* ends, rows from the top rank, and the side to move."""
    board, side = _end(record)
    return f"{format_rows(board)} {side.value[0]}\n"


def format_position_line(record: Record) -> str:
    """The position in which *record* ends, as OpenTafl writes it."""
    return f"{format_position(_end(record)[0])}\n"


def _end(record: Record) -> tuple[Board, Side]:
    try:
        game = record.game(enforce_repetition=False)
    except RecordError:
        raise
    except TaflError as error:
        raise RecordError(record.locate(None, str(error))) from None
    return game.board, game.side_to_move
