"""Files of text that people have written, and what to say of a file that cannot be used."""

from pathlib import Path

from taflengine.errors import NotationError, TaflError


def shown_name(path: str | Path) -> str:
    """The name of a file as it can stand in a message: on one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(path))


def explain(error: OSError) -> str:
    """What the system says is wrong, behind the name of the file if it is about one."""
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{shown_name(error.filename)}: {reason}"


def read_text(
    path: str | Path, kind: type[TaflError] = NotationError, limit: int | None = None
) -> str:
    """The text of a file in UTF-8, without a mark of the byte order.

    Args:
        path: The file.
        kind: What is raised if it cannot be read.
        limit: The most bytes that it may have.

    Raises:
        TaflError: *kind*; the message begins with the file, and has the line that is no text.
    """
    where = shown_name(path)
    try:
        with Path(path).open("rb") as file:
            raw = file.read(-1 if limit is None else limit + 1)
    except OSError as error:
        raise kind(f"{where}: cannot be read: {error.strerror or error}") from None
    except ValueError:
        # The system calls know no name with a zero byte in it.
        raise kind(f"{where}: this is no name of a file") from None
    if limit is not None and len(raw) > limit:
        raise kind(f"{where}: longer than such a file may be, {limit // 1024} KiB")
    try:
        return raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise kind(f"{where}, line {line}: not UTF-8 text") from None
