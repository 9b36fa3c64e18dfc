"""Games as one line of moves each, alone or as the first of four columns.

The columns are those of the public record files of a tafl server: moves, number of
defenders taken, number of attackers taken, result. The counts count some squares
twice there; they are kept as the tags ``defenders-taken`` and ``attackers-taken``,
and nothing is made of them.
"""

import re

from taflengine.errors import NotationError
from taflengine.notation import format_move, format_squares, quote
from taflengine.pieces import Side
from taflengine.records.lines import Lines
from taflengine.records.record import Entry, Place, Record, Verdict, read_entry
from taflengine.rules import Reason, Variant

TIMEOUT = "timeout"
"""Stands in place of a move: the side to move has lost on time."""
_VERDICTS = {
    "White": Verdict.DEFENDER,
    "Black": Verdict.ATTACKER,
    "Draw": Verdict.DRAW,
    "Ongoing": Verdict.ONGOING,
    "": Verdict.UNKNOWN,
}
_WORD_OF = {verdict: word for word, verdict in _VERDICTS.items()}
COUNTS = ("defenders-taken", "attackers-taken")
_TURN = re.compile(r"[0-9]+\.+")
COMMENT = "#"
"""Begins a line that is skipped in formats without a sign for comments of their own."""


class MovesReader:
    """Reads a file of which each line is the moves of a game; ``12.`` before a move is skipped."""

    def __init__(self, lines: Lines, default: Variant) -> None:
        self._lines = lines
        self._variant = default

    def read(self) -> Record | None:
        """The next game, None behind the last.

        Raises:
            RecordError: names the place.
        """
        for line in self._lines:
            if line.strip() and not line.lstrip().startswith(COMMENT):
                return self._game(line)
        return None

    def recover(self) -> None:
        """A broken line has been read; the next one is another game."""

    def _game(self, line: str) -> Record:
        entries, reason = self._moves(line)
        return Record(
            variant=self._variant,
            reason=reason,
            entries=entries,
            source=self._lines.source,
            place=Place(self._lines.number, 1),
        )

    def _moves(self, text: str) -> tuple[tuple[Entry, ...], Reason | None]:
        entries = []
        reason = None
        for word in re.finditer(r"\S+", text):
            move, column = word[0], word.start() + 1
            if number := _TURN.match(move):
                move, column = move[number.end() :], column + number.end()
                if not move:
                    continue
            if reason:
                raise self._lines.error(column, f"{quote(move)} stands behind {TIMEOUT}")
            if move == TIMEOUT:
                reason = Reason.TIME
                continue
            try:
                place = Place(self._lines.number, column)
                entries.append(read_entry(move, self._variant.size, place))
            except NotationError as error:
                raise self._lines.error(column, str(error)) from None
        return tuple(entries), reason


class TableReader(MovesReader):
    """Reads a file with four columns."""

    def _game(self, line: str) -> Record:
        columns = line.split(",")
        if len(columns) != 4:
            raise self._lines.error(
                1, f"{len(columns)} columns: needed are moves, two counts and a result"
            )
        moves, *counts, result = columns
        at = len(moves) + 2
        for count in counts:
            if re.fullmatch("[0-9]{1,4}", count) is None:
                raise self._lines.error(at, f"{quote(count)} is no number of pieces taken")
            at += len(count) + 1
        if result.strip() not in _VERDICTS:
            allowed = " ".join(filter(None, _VERDICTS))
            raise self._lines.error(at, f"{quote(result)} is no result: allowed are {allowed}")
        entries, reason = self._moves(moves)
        verdict = _VERDICTS[result.strip()]
        if reason and verdict is Verdict.ONGOING:
            raise self._lines.error(at, f"the game goes on, but its moves end with {TIMEOUT}")
        return Record(
            variant=self._variant,
            tags=dict(zip(COUNTS, counts, strict=True)),
            verdict=verdict,
            reason=reason,
            entries=entries,
            source=self._lines.source,
            place=Place(self._lines.number, 1),
        )


def format_moves_line(record: Record) -> str:
    """The moves of *record* on a line, each captured square behind an ``x``."""
    late = [TIMEOUT] if record.reason is Reason.TIME else []
    return " ".join([*move_words(record), *late]) + "\n"


def move_words(record: Record) -> list[str]:
    """The moves of *record* with their captures, and ``---`` where somebody resigns."""
    return [_move(entry, record.size) for entry in record.entries]


def format_table_line(record: Record) -> str:
    """*record* as a line with four columns; who resigned is not said there."""
    played = tuple(entry for entry in record.entries if entry.move)
    words = [_move(entry, record.size) for entry in played]
    if record.reason is Reason.TIME:
        words.append(TIMEOUT)
    first = record.first or (record.variant.first if record.variant else Side.ATTACKER)
    attacking = first is not Side.ATTACKER
    taken = [
        str(sum(len(entry.captures) for entry in played[begin::2]))
        for begin in (attacking, not attacking)
    ]
    counts = [record.tags.get(key, count) for key, count in zip(COUNTS, taken, strict=True)]
    return ",".join([" ".join(words), *counts, _WORD_OF[record.verdict]]) + "\n"


def _move(entry: Entry, size: int) -> str:
    if entry.move is None:
        return "---"
    squares = format_squares(entry.captures, size).split()
    return "x".join([format_move(entry.move, size), *squares])
