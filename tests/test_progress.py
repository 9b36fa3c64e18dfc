"""The line that moves on at a terminal, on a terminal of its own."""

import fcntl
import io
import os
import pty
import struct
import termios

from taflengine.progress import ProgressLine


def test_what_does_not_fit_is_left_out_and_all_of_it_is_taken_away() -> None:
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("4H", 24, 10, 0, 0))
    with open(inner, "w") as terminal:  # noqa: PTH123
        line = ProgressLine(terminal)
        line.show("0123456789")
        line.show("too soon")
        line.clear()
        line.clear()
        line.show("again")
        shown = b""
        while not shown.endswith(b"again"):  # a terminal hands on what it has, in pieces
            shown += os.read(outer, 1000)
        assert shown == b"\r\x1b[K012345678\r\x1b[K\r\x1b[Kagain"
    os.close(outer)


def test_a_terminal_that_goes_is_no_trouble() -> None:
    outer, inner = pty.openpty()
    with open(inner, "w") as terminal:  # noqa: PTH123
        line = ProgressLine(terminal)
        os.close(outer)
        line.show("1 game")
        line.clear()


def test_what_is_no_terminal_is_left_alone() -> None:
    stream = io.StringIO()
    for where in (stream, None):
        line = ProgressLine(where)
        line.show("1 game")
        line.clear()
    assert not stream.getvalue()
