"""Standard input and output around a dispatcher.

Bytes go straight to and from the file descriptors: each answer is one write that
a waiting controller sees at once, and nothing is left in a buffer for the end of
the process to trip over.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import TextIOWrapper

from taflengine.protocol.dispatcher import MAX_LINE, Dispatcher

PROMPT = "tafl> "
_CHUNK = 65536
"""Bytes asked for in one read: what a pipe holds."""

OK = 0
FAILED = 1
INTERRUPTED = 130
"""Exit statuses; the last one is what shells report after Ctrl-C."""


def serve(dispatcher: Dispatcher, banner: str) -> int:
    """Answer standard input until it ends or a command closes the connection.

    A person, that is a terminal at both standard input and standard error, gets
    *banner*, a prompt and line editing; all but the answers is on standard error.

    Returns:
        The exit status. A reader who has gone ends the session as the end of
        input does.
    """
    if sys.stdin is None:  # the process was started with it closed
        return OK
    if sys.stdout is None:
        complain("taflengine: standard output is closed")
        return FAILED
    try:
        if sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty():
            _serve_terminal(dispatcher, banner)
        else:
            _serve_pipe(dispatcher, sys.stdin.fileno(), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConnectionError:
        return OK
    except OSError as error:
        complain(f"taflengine: {error.strerror or error}")
        return FAILED
    return OK


def complain(text: str) -> None:
    """Write *text* and a newline on standard error, if anybody can read it there."""
    if sys.stderr is not None:
        with suppress(OSError):
            _write(sys.stderr.fileno(), f"{text}\n")


def _serve_pipe(dispatcher: Dispatcher, source: int, target: int) -> None:
    for line in _lines(source):
        reply = dispatcher.answer(line)
        if reply is not None:
            _write(target, reply.text)
            if reply.closes:
                return


def _serve_terminal(dispatcher: Dispatcher, banner: str) -> None:
    # input() edits lines only between standard input and standard output, and
    # echoes on the latter. So answers get a copy of it, and it becomes the
    # terminal that standard error is.
    standard_output, standard_error = sys.stdout.fileno(), sys.stderr.fileno()
    answers = os.dup(standard_output)
    os.dup2(standard_error, standard_output)
    try:
        _start_editing(dispatcher)
        complain(banner)
        closed = False
        while not closed:
            try:
                reply = dispatcher.answer(input(PROMPT))
                if reply is not None:
                    _write(answers, reply.text)
                    closed = reply.closes
            except KeyboardInterrupt:
                complain("")
    except EOFError:
        complain("")
    finally:
        os.dup2(answers, standard_output)
        os.close(answers)


def _start_editing(dispatcher: Dispatcher) -> None:
    """Make input() edit lines, keep a history and complete names of commands."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    try:
        import readline  # a library of its own, which a pipe need not load
    except ImportError:
        return

    def complete(beginning: str, index: int) -> str | None:
        if readline.get_begidx() > 0:
            return None  # only the first word is a command
        fitting = [f"{name} " for name in dispatcher.commands if name.startswith(beginning)]
        return fitting[index] if index < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


def _lines(source: int) -> Iterator[bytes]:
    """Yield each line without its newline, and of a long one ``MAX_LINE + 1`` bytes.

    The last line counts without a newline too. Memory is bounded by a chunk and a line.
    """
    held = bytearray()
    while chunk := _read(source):
        *ends, start = chunk.split(b"\n")
        for end in ends:
            held += end
            yield bytes(held[: MAX_LINE + 1])
            held.clear()
        held += start
        del held[MAX_LINE + 1 :]
    if held:
        yield bytes(held)


# Whoever started the process may have made the descriptors non-blocking. He shares
# that state, so it stays as it is, and select() does the waiting.


def _read(source: int) -> bytes:
    while True:
        try:
            return os.read(source, _CHUNK)
        except BlockingIOError:
            _wait(until_readable=[source])


def _write(target: int, text: str) -> None:
    left = text.encode(errors="replace")
    while left:
        try:
            left = left[os.write(target, left) :]
        except BlockingIOError:
            _wait(until_writable=[target])


def _wait(until_readable: Sequence[int] = (), until_writable: Sequence[int] = ()) -> None:
    import select  # an ordinary pipe never comes here

    select.select(until_readable, until_writable, [])
