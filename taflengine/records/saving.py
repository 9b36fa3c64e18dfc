"""A file that is replaced whole or not at all."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from taflengine.errors import RecordError
from taflengine.textfile import shown_name


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file *path* at the end of a ``with`` block.

    Until then, and after any failure, also a kill or a full disk, the file is as
    it was. What is written lies in a file beside it, which a kill leaves behind. A
    pipe or a device is written to as it is.

    Raises:
        RecordError: it cannot be written.
    """
    where = shown_name(path)
    try:
        # A link stays a link: what it leads to is replaced.
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as stream:
                yield stream
            return
        draft = target.with_name(f".{target.name[:200]}.{os.urandom(4).hex()}.part")
        # Made anew, so that nobody's link is followed.
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with open(descriptor, "wb") as stream:  # noqa: PTH123 -- a descriptor, not a path
                if mode is not None:
                    os.fchmod(descriptor, stat.S_IMODE(mode))
                yield stream
                stream.flush()
                os.fsync(descriptor)
            draft.replace(target)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
        _keep_name(target.parent)
    except OSError as error:
        raise RecordError(f"{where}: cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        if "null byte" not in str(error):
            raise
        raise RecordError(f"{where}: this is no name of a file") from None


def _keep_name(directory: Path) -> None:
    """See to it that the new name survives a loss of power, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
