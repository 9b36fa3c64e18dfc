"""A running network door and those who call at it, over real connections on loopback."""

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from program import COMMAND, ENVIRONMENT, SECONDS, without_advice


class Caller:
    """A connection: lines out, replies in."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self._held = b""

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes | str) -> None:
        self.socket.sendall(data.encode() if isinstance(data, str) else data)

    def until(self, end: bytes = b"\n\n") -> str:
        """What comes up to *end*, without it, as text."""
        return self.next(end).decode()

    def next(self, end: bytes = b"\n\n") -> bytes:
        """What comes up to *end*, without it."""
        while end not in self._held:
            more = self.socket.recv(1 << 16)
            assert more, f"it was closed after {self._held!r}"
            self._held += more
        found, _, self._held = self._held.partition(end)
        return found

    def ask(self, line: str) -> str:
        self.send(f"{line}\n")
        return self.until()

    def rest(self) -> bytes:
        """All that still comes, up to the end."""
        try:
            while more := self.socket.recv(1 << 16):
                self._held += more
        except ConnectionError:
            pass
        return self._held

    def vanish(self) -> None:
        """Go without a farewell: the other side gets a reset."""
        linger = b"\1\0\0\0\0\0\0\0"
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.socket.close()


class Door:
    """A running door."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "serve", "--listen", "0", *words],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        assert self.process.stderr
        line = ""
        while "listening" not in line:
            line = self.process.stderr.readline().decode()
            assert line
        found = re.fullmatch(r"taflengine: listening on 127\.0\.0\.1:(\d+)\n", line)
        assert found, line
        self.port = int(found[1])
        self._messages = ""

    def messages(self) -> str:
        """What was said on standard error since the address; to be asked at the end."""
        return self._messages

    def read_messages(self) -> None:
        """Take in what is there when all have gone."""
        assert self.process.stderr
        self._messages = without_advice(self.process.stderr.read().decode())

    def guests(self) -> list[int]:
        """The processes of connections."""
        pid = self.process.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def guest_of(self, caller: Caller) -> int:
        """The process of the connection of *caller*."""
        ends = f":{self.port:04X}", f":{caller.socket.getsockname()[1]:04X}"
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()]
        [inode] = [row[9] for row in rows if (row[1][-5:], row[2][-5:]) == ends]
        for guest in self.guests():
            with suppress(FileNotFoundError):  # it has ended meanwhile
                if Path(f"/proc/{guest}/fd/0").readlink().name == f"socket:[{inode}]":
                    return guest
        raise AssertionError("no process has this connection")


CHILDREN = Path("/proc/self/task")
needs_proc = pytest.mark.skipif(not CHILDREN.exists(), reason="there is no /proc here")


@contextmanager
def door(*words: str) -> Iterator[Door]:
    opened = Door(*words)
    with opened.process as process:
        try:
            yield opened
            process.terminate()
            assert process.wait(SECONDS) == 128 + signal.SIGTERM
            opened.read_messages()
        finally:
            process.kill()
