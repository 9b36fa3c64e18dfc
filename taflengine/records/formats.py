"""The formats of game records: the one list of them, and reading and writing any of them."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn, Protocol

from taflengine.errors import NotationError, RecordError
from taflengine.geometry import MAX_SIZE
from taflengine.notation import parse_move, quote
from taflengine.records.json_games import JsonReader, format_json
from taflengine.records.lines import Lines
from taflengine.records.otg_read import OtgReader
from taflengine.records.otg_text import TAG
from taflengine.records.otg_write import format_otg
from taflengine.records.positions import (
    FenReader,
    PositionReader,
    format_fen,
    format_position_line,
)
from taflengine.records.record import Record, Verdict, walk
from taflengine.records.saving import replacing
from taflengine.records.table import (
    COMMENT,
    COUNTS,
    TIMEOUT,
    MovesReader,
    TableReader,
    format_moves_line,
    format_table_line,
)
from taflengine.rules import Variant
from taflengine.textfile import shown_name
from taflengine.variants import find_variant

OnError = Callable[[RecordError], None]
"""Takes the fault of a game that is left out."""


class Reader(Protocol):
    """Reads the games of a file one after the other."""

    def read(self) -> Record | None:
        """The next game, None behind the last; raises RecordError."""

    def recover(self) -> None:
        """After an error, go to where the next game begins; may raise RecordError again."""


class Format(NamedTuple):
    """A way to write games down."""

    name: str
    suffixes: tuple[str, ...]
    """What names of files in it end with."""
    summary: str
    reader: Callable[[Lines, Any], Reader]
    """Makes a reader of a file and of the rule set of games that name none, or None."""
    write: Callable[[Record], str]
    says_rules: bool
    """Whether games say by which rules they are played; if not, a reader must be told."""
    keeps: frozenset[str]
    """Which of the things that ``contents_of`` finds it can say."""


_ALL = frozenset({"tags", "result", "comments", "clocks", "variations", "moves", "marks"})
"""What a record can hold, in the words of the reports about what is lost."""

FORMATS = {
    form.name: form
    for form in (
        Format("otg", (".otg",), "game records of OpenTafl", OtgReader, format_otg, True, _ALL),
        Format(
            "json",
            (".json", ".jsonl"),
            "game objects of hnefatafl.org",
            JsonReader,
            format_json,
            True,
            frozenset({"tags", "result", "moves"}),
        ),
        Format(
            "csv",
            (".csv",),
            "a line a game: moves, defenders taken, attackers taken, result",
            TableReader,
            format_table_line,
            False,
            frozenset({"result", "moves"}),
        ),
        Format(
            "moves",
            (".moves", ".txt"),
            "a line a game: moves",
            MovesReader,
            format_moves_line,
            False,
            frozenset({"moves"}),
        ),
        Format(
            "fen",
            (".fen",),
            "a line a position: rows from the top rank, side to move",
            FenReader,
            format_fen,
            False,
            frozenset(),
        ),
        Format(
            "position",
            (".pos",),
            "a line a position: rows from rank 1, as OpenTafl writes it",
            PositionReader,
            format_position_line,
            False,
            frozenset(),
        ),
    )
}
"""Every format by its name; the first is this engine's own."""


def find_format(name: str) -> Format:
    """The format called *name*.

    Raises:
        RecordError: there is none.
    """
    if name not in FORMATS:
        raise RecordError(f"{quote(name)} is no format of records: allowed are {' '.join(FORMATS)}")
    return FORMATS[name]


def format_of_name(path: str | Path) -> Format | None:
    """The format that the end of a file's name stands for, None if for none."""
    suffix = Path(path).suffix.lower()
    return next((form for form in FORMATS.values() if suffix in form.suffixes), None)


def sniff(lines: Lines) -> Format:
    """The format of what *lines* will give; what is left out of it are lines that say nothing.

    Raises:
        RecordError: a line that cannot be read, or that is in no known format.
    """
    for line in lines:
        text = line.strip()
        if not text or text.startswith(COMMENT):
            continue
        name = _look(text)
        if name is None:
            column = len(line) - len(line.lstrip()) + 1
            message = f"{quote(text)} begins no format of records: {' '.join(FORMATS)}"
            raise lines.error(column, message)
        lines.give_back(line)
        return FORMATS[name]
    return FORMATS["otg"]


def _look(text: str) -> str | None:
    """The name of the format of which *text* may be the first line."""
    words = text.split()
    if text.startswith("[") and TAG.match(text[1:]):
        return "otg"
    if re.match(r"\[?\s*(\{|$)", text):
        return "json"
    if text.count(",") == 3:
        return "csv"
    if re.fullmatch(r"/?[A-Za-z0-9]+(/[A-Za-z0-9]+)+/?", words[0]):
        return "position" if len(words) == 1 and text.startswith("/") else "fen"
    moves = [word for word in words if not re.fullmatch(r"[0-9]+\.", word)]
    first = re.sub(r"^[0-9]+\.", "", moves[0]) if moves else ""
    if first not in ("---", TIMEOUT):
        try:
            parse_move(first, MAX_SIZE)
        except NotationError:
            return None
    # A turn stands on a line of its own only in game records.
    return "otg" if text.startswith("1.") and len(moves) <= 2 else "moves"


def read_games(
    source: str | Path | IO[bytes],
    variant: Variant | str | None = None,
    *,
    form: str | None = None,
    on_error: OnError | None = None,
) -> Iterator[Record]:
    """Read the games of a file one after the other; memory is bounded by one of them.

    Args:
        source: The name of a file, or a binary stream, which stays open.
        variant: The rule set of games that name none, or its name. Formats that
            say nothing of rules need it.
        form: The name of a format, a key of ``FORMATS``; by default it is seen by
            the content.
        on_error: Is given the fault of each game that cannot be read, which is
            left out; by default the fault is raised.

    Raises:
        RecordError: names file, line and column.
        NotationError: *variant* is no rule set.
    """
    default = find_variant(variant) if isinstance(variant, str) else variant
    wanted = find_format(form) if form else None
    if isinstance(source, str | Path):
        return _read_file(source, default, wanted, on_error)
    name = getattr(source, "name", None)
    return _read(Lines(source, name if isinstance(name, str) else ""), default, wanted, on_error)


def _read_file(
    path: str | Path, default: Variant | None, form: Format | None, on_error: OnError | None
) -> Iterator[Record]:
    where = shown_name(path)
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 -- its errors are others than those of reading
    except (OSError, ValueError) as error:
        # The system calls know no name with a zero byte in it.
        reason = getattr(error, "strerror", None) or "this is no name of a file"
        raise RecordError(f"{where}: cannot be read: {reason}") from None
    with stream:
        yield from _read(Lines(stream, where), default, form, on_error)


def _read(
    lines: Lines, default: Variant | None, form: Format | None, on_error: OnError | None
) -> Iterator[Record]:
    if on_error is None:
        on_error = _raise
    while form is None:
        try:
            form = sniff(lines)
        except RecordError as error:
            on_error(error)
    if default is None and not form.says_rules:
        where = lines.source or "input"
        raise RecordError(f"{where}: {form.name} says nothing of the rules: name a rule set for it")
    reader = form.reader(lines, default)
    while True:
        try:
            record = reader.read()
        except RecordError as error:
            on_error(error)
            _recover(reader, on_error)
            continue
        if record is None:
            return
        yield record


def _raise(error: RecordError) -> NoReturn:
    raise error


def _recover(reader: Reader, on_error: OnError) -> None:
    """Go to the next game, past lines that cannot be read."""
    while True:
        try:
            return reader.recover()
        except RecordError as error:
            on_error(error)


def parse_games(
    text: str, variant: Variant | str | None = None, *, form: str | None = None
) -> list[Record]:
    """Read the games written in *text*; the arguments as for ``read_games``.

    Raises:
        RecordError: names line and column.
    """
    return list(read_games(BytesIO(text.encode(errors="surrogatepass")), variant, form=form))


def format_game(record: Record, form: str = "otg") -> str:
    """Write *record* in the format called *form*; what that cannot say is left out.

    Raises:
        RecordError: no such format, or it cannot say this game at all.
    """
    return find_format(form).write(record)


def write_games(
    target: str | Path | IO[bytes], records: Iterable[Record], *, form: str | None = None
) -> int:
    """Write *records* one after the other, and return how many there were.

    Args:
        target: The name of a file, which is replaced when all is written and else
            stays as it was; or a binary stream, which stays open.
        records: Are taken one at a time.
        form: The name of a format; by default the one that the end of the name
            stands for, else ``otg``.

    Raises:
        RecordError: a game that the format cannot say, or a file that cannot be written.
    """
    if form is None and isinstance(target, str | Path):
        found = format_of_name(target)
        form = found.name if found else None
    chosen = find_format(form or "otg")
    written = 0
    context = replacing(target) if isinstance(target, str | Path) else nullcontext(target)
    with context as stream:
        for record in records:
            # A lone surrogate, which only JSON lets through, is escaped as JSON wants it.
            stream.write(chosen.write(record).encode(errors="backslashreplace"))
            written += 1
    return written


def contents_of(record: Record) -> frozenset[str]:
    """What *record* holds, in the words of ``Format.keeps``."""
    found = {"moves"} if record.entries else set()
    if any(key not in COUNTS for key in record.tags) or record.comment:
        found.add("tags")
    if record.verdict is not Verdict.UNKNOWN:
        found.add("result")
    for entry in walk(record.entries):
        held = {
            "comments": entry.comment,
            "clocks": entry.clock,
            "variations": entry.variations,
            "marks": entry.mark,
        }
        found |= {word for word, value in held.items() if value}
    return frozenset(found)
