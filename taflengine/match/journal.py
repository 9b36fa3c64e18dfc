"""The directory of a match: the journal, the settings it was begun with, and the lock.

``journal.jsonl`` has a line for each finished game and is all that a result is worked
out from. ``settings.json`` says what was asked for. ``lock`` is locked while a runner
is at work, and holds the number of its process.
"""

import fcntl
import json
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from io import FileIO
from pathlib import Path

from taflengine.errors import JournalError
from taflengine.match.games import FinishedGame, read_journal
from taflengine.textfile import explain

JOURNAL = "journal.jsonl"
SETTINGS = "settings.json"
LOCK = "lock"
LOG = "match.log"
REPORT = "report"
"""With ``.txt``, ``.json`` and ``.html``, written when a runner ends."""


class JournalFullError(JournalError):
    """A game could not be written down; those before are there."""


class Journal(AbstractContextManager["Journal"]):
    """The journal of a match that is being played. Use it as a context manager.

    Args:
        directory: Made if it does not exist.

    Raises:
        JournalError: another runner is at work there.
        OSError: the directory cannot be written to.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self._lock = (directory / LOCK).open("ab", buffering=0)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            runner = runner_of(directory)
            who = f"process {runner}" if runner else "another process"
            raise JournalError(f"{directory}: {who} is playing this match") from None
        self._lock.truncate(0)
        self._lock.write(f"{os.getpid()}\n".encode())
        self._file: FileIO | None = None

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def has_begun(self) -> bool:
        """Whether a match was begun in the directory."""
        return (self.directory / SETTINGS).exists()

    def settings(self) -> dict[str, object]:
        """What the match was begun with.

        Raises:
            JournalError: that cannot be read.
        """
        return read_settings(self.directory)

    def begin(self, settings: Mapping[str, object]) -> list[FinishedGame]:
        """Write down *settings* and open the journal; the games that are in it.

        Raises:
            JournalError: the journal cannot be read.
        """
        path = self.directory / SETTINGS
        self._replace(path, json.dumps(settings, ensure_ascii=False, indent=2) + "\n")
        journal = self.directory / JOURNAL
        self._file = file = journal.open("ab", buffering=0)
        games = read_journal(journal)
        # A torn last line is cut off: what is appended must begin a line.
        whole = journal.read_bytes().rfind(b"\n") + 1
        file.truncate(whole)
        os.fsync(file.fileno())
        self._sync_directory()
        return games

    def start_over(self) -> None:
        """Put what is there out of the way, under the first free names ``*.old-N``."""
        names = (JOURNAL, SETTINGS, LOG)
        number = 1
        while any((self.directory / f"{name}.old-{number}").exists() for name in names):
            number += 1
        for name in names:
            with suppress(FileNotFoundError):
                (self.directory / name).rename(self.directory / f"{name}.old-{number}")

    def add(self, game: FinishedGame) -> None:
        """Append *game*; it is on the disk when this returns.

        Raises:
            JournalFullError: it cannot be written. Nothing of it counts then.
        """
        file = self._file
        assert file, "begin comes first"
        line = f"{game.to_json()}\n".encode()
        before = os.fstat(file.fileno()).st_size
        try:
            while line:
                line = line[file.write(line) :]
            os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                file.truncate(before)
            raise JournalFullError(f"{self.directory}: {error.strerror}") from None

    def close(self) -> None:
        """Release the lock."""
        if self._file:
            self._file.close()
        self._lock.truncate(0)
        self._lock.close()

    def _replace(self, path: Path, text: str) -> None:
        """Write the file at *path* so that at any moment it is the old or the new one."""
        new = path.with_suffix(".new")
        with new.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)

    def _sync_directory(self) -> None:
        directory = os.open(self.directory, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def read_settings(directory: Path) -> dict[str, object]:
    """What the match in *directory* was begun with.

    Raises:
        JournalError: there is no match, or its settings cannot be read.
    """
    path = directory / SETTINGS
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise JournalError(f"{directory}: there is no match here, no {SETTINGS}") from None
    except OSError as error:
        raise JournalError(explain(error)) from None
    except ValueError as error:
        raise JournalError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise JournalError(f"{path}: no settings")
    return found


def read_games(directory: Path) -> list[FinishedGame]:
    """The games of the match in *directory*, which may be running.

    Raises:
        JournalError: there is no match, or its journal cannot be read.
    """
    read_settings(directory)
    path = directory / JOURNAL
    return read_journal(path) if path.exists() else []


def runner_of(directory: Path) -> int | None:
    """The process that is playing the match in *directory*, None if none is."""
    with suppress(OSError, ValueError), (directory / LOCK).open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return int(file.read())
    return None
