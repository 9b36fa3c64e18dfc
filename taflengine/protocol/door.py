"""A network door: each connection has a process of its own, so none can hurt another.

The process is a ``guest`` with the connection as its standard input and output.
"""

import errno
import selectors
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import NamedTuple

from taflengine.errors import NetworkError
from taflengine.exits import OK
from taflengine.protocol.dialects import DIALECTS
from taflengine.protocol.guest import Stay
from taflengine.protocol.loop import complain
from taflengine.protocol.network import parse_address

BACKLOG = 16
"""So many callers may wait for the door to be opened; the system turns others away."""
LOOK_SECONDS = 0.5
"""How often it is looked whether connections have ended, if nobody calls."""
LEAVE_SECONDS = 2.0
"""How long those who are still there may take to leave when the door is closed."""
REST_SECONDS = 1.0
"""How long nobody is let in when the system has no room for another connection."""
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Door(NamedTuple):
    """What a door lets in."""

    address: str
    """``HOST:PORT``; port 0 takes one that is free."""
    connections: int = 8
    """At most so many at once; others are told so and sent away."""
    stay: Stay = Stay()
    """What each of them may do."""


def own_address(text: str) -> str:
    """*text*, or with a port alone that port of this machine, for callers on it."""
    return f"127.0.0.1:{text}" if text.isdigit() else text


def keep(door: Door) -> int:
    """Serve callers until a signal ends the process.

    Its address is said on standard error when it is open.

    Returns:
        The exit status.

    Raises:
        TaflError: nobody can listen there, or there are no such rules or parameters.
    """
    door.stay.session()  # what is wrong with it is said now, not to each caller
    listener = _listen(own_address(door.address))
    signal.signal(signal.SIGTERM, _leave)
    guests: list[subprocess.Popen[bytes]] = []
    try:
        with listener, selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            host, port = listener.getsockname()[:2]
            complain(f"taflengine: listening on {host}:{port}")
            while True:
                called = selector.select(LOOK_SECONDS)
                guests = [guest for guest in guests if guest.poll() is None]
                if called:
                    _answer(listener, door, guests)
    finally:
        _see_off(guests)
    return OK


def _leave(number: int, _frame: FrameType | None) -> None:
    """End as an unheeded signal would, but after the guests."""
    raise SystemExit(128 + number)


def _listen(address: str) -> socket.socket:
    host, port = parse_address(address)
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(place[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise NetworkError(f"cannot listen on {address}: {error.strerror or error}") from None
    listener.setblocking(False)
    return listener


def _answer(listener: socket.socket, door: Door, guests: list[subprocess.Popen[bytes]]) -> None:
    """Let one caller in, or send him away."""
    try:
        caller, _ = listener.accept()
    except OSError as error:
        if error.errno in _NO_ROOM:  # he is still there, and calls again at once
            complain(f"taflengine: no room for a connection: {error.strerror}")
            time.sleep(REST_SECONDS)
        return  # else he has gone again
    with caller:
        if len(guests) >= door.connections:
            caller.settimeout(0)
            why = f"{door.connections} connections are open, no more"
            with suppress(OSError):
                caller.sendall(DIALECTS[door.stay.protocol].refusal.format(why).encode())
            return
        caller.setblocking(True)
        command = [sys.executable, "-P", "-m", "taflengine.protocol.guest", door.stay.to_json()]
        try:
            end = caller.fileno()
            # In a session of its own, so that Ctrl-C is for the door alone.
            guest = subprocess.Popen(command, stdin=end, stdout=end, start_new_session=True)
            guests.append(guest)
        except OSError as error:
            complain(f"taflengine: no process for a connection: {error.strerror or error}")


def _see_off(guests: list[subprocess.Popen[bytes]]) -> None:
    """End what is still there."""
    for guest in guests:
        guest.terminate()
    deadline = time.monotonic() + LEAVE_SECONDS
    for guest in guests:
        with suppress(subprocess.TimeoutExpired):
            guest.wait(max(0.0, deadline - time.monotonic()))
    for guest in guests:
        guest.kill()
        guest.wait()
