"""Between a session and game records: what was loaded stays with the game that it became."""

import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from taflengine.errors import RecordError
from taflengine.protocol.session import Session
from taflengine.records.formats import read_games, write_games
from taflengine.records.record import Entry, Record, record_of


def load(session: Session, file: str, before: int | None) -> None:
    """Replace the game by the first of the record *file*.

    Args:
        session: The one whose game is replaced.
        file: The name of a file in any format.
        before: The number, from 1, of the first move that is not played; None
            plays all, as does a number beyond the last.

    Raises:
        TaflError: it cannot be read or played; the old game stays.
    """
    session.require_files()
    _require_file(file)
    record = next(read_games(file, session.game.variant), None)
    if record is None:
        raise RecordError(f"{file}: there is no game in it")
    plies = None if before is None else before - 1
    session.go_on_with(record.game(plies, enforce_repetition=session.settings.repetition))
    session.loaded = (session.game, record)


def save(session: Session, file: str) -> None:
    """Write the game of *session* to *file*, which is replaced whole or not at all.

    Raises:
        RecordError: it cannot be written.
        CommandError: files are closed to *session*.
    """
    session.require_files()
    _require_file(file)
    write_games(file, [recorded(session)], form="otg")


def _require_file(file: str) -> None:
    """Refuse pipes and devices, which might keep the session waiting, or carry its answers."""
    try:
        mode = Path(file).stat().st_mode
    except (OSError, ValueError):
        return  # To open it says what is wrong, if anything is.
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise RecordError(f"{file}: this is no regular file")


def recorded(session: Session) -> Record:
    """The game of *session* as a record.

    Of a game that was loaded, the tags are kept, and what is said of the moves
    that still stand. If nothing but the record has been played it is that record.
    """
    record = record_of(session.game)
    if session.loaded is None or session.loaded[0] is not session.game:
        return record
    loaded = session.loaded[1]
    if record.moves == loaded.moves:
        return loaded
    # How the loaded game ended is nothing to one that went another way.
    tags = {key: text for key, text in loaded.tags.items() if key != "termination"}
    return replace(
        loaded,
        tags=tags,
        verdict=record.verdict,
        reason=record.reason,
        entries=tuple(_annotated(record, loaded)),
    )


def _annotated(record: Record, loaded: Record) -> Iterator[Entry]:
    """The plies of *record*, with the remarks of *loaded* as long as both are the same."""
    same = True
    for index, entry in enumerate(record.entries):
        same = same and loaded.moves[index : index + 1] == (entry.move,)
        if not same:
            yield entry
            continue
        old = loaded.entries[index]
        yield replace(
            entry,
            mark=old.mark,
            comment=old.comment,
            clock=old.clock,
            variations=old.variations,
        )
