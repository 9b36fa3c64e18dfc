"""Games from one format into another, one at a time."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from taflengine.errors import RecordError
from taflengine.records.formats import (
    FORMATS,
    OnError,
    contents_of,
    find_format,
    format_of_name,
    read_games,
    write_games,
)
from taflengine.records.record import Record
from taflengine.rules import Variant


class Conversion(NamedTuple):
    """What came of converting a file."""

    games: int
    """How many were written."""
    skipped: int
    """How many could not be read."""
    lost: Counter[str]
    """What the format of the target cannot say, and of how many games."""
    form: str
    """The format of the target."""


def convert(
    source: str | Path | IO[bytes],
    target: str | Path | IO[bytes],
    *,
    variant: Variant | None = None,
    form: str | None = None,
    to: str | None = None,
    on_error: OnError | None = None,
    progress: Callable[[int], None] = lambda _games: None,
) -> Conversion:
    """Write the games of *source* into *target*.

    Args:
        source: As for ``read_games``.
        target: As for ``write_games``.
        variant: The rule set of games that name none.
        form: The name of the format of *source*; by default it is seen.
        to: The name of the target's format; by default what the end of its name
            stands for, else the first of ``FORMATS``.
        on_error: As for ``read_games``; by default the first fault ends it all.
        progress: Told after each game how many games have been read.

    Raises:
        RecordError: as ``read_games`` and ``write_games``.
    """
    named = None if to or not isinstance(target, str | Path) else format_of_name(target)
    chosen = named or find_format(to or next(iter(FORMATS)))
    lost: Counter[str] = Counter()
    skipped = 0

    def leave_out(error: RecordError) -> None:
        nonlocal skipped
        skipped += 1
        assert on_error, "given where this is"
        on_error(error)

    def games() -> Iterator[Record]:
        report = leave_out if on_error else None
        records = read_games(source, variant, form=form, on_error=report)
        for number, record in enumerate(records, start=1):
            lost.update(contents_of(record) - chosen.keeps)
            yield record
            progress(number)

    written = write_games(target, games(), form=chosen.name)
    return Conversion(written, skipped, lost, chosen.name)
