"""Conversations over TCP instead of standard input and output."""

import re
import socket
from collections.abc import Iterable

from taflengine.errors import NetworkError
from taflengine.exits import OK
from taflengine.notation import quote
from taflengine.protocol.dialects import Dialect
from taflengine.protocol.dialects.htp_player import HtpPlayer
from taflengine.protocol.loop import converse
from taflengine.protocol.start import new_session
from taflengine.protocol.streams import Input, Output

CONNECT_SECONDS = 10
"""How long a server may take to answer a call."""
MAX_PORT = 65535


def parse_address(text: str) -> tuple[str, int]:
    """Read ``HOST:PORT``; a host with colons stands in brackets.

    Raises:
        NetworkError: *text* is no address.
    """
    found = re.fullmatch(r"(?:\[(.+)\]|([^:]+)):([0-9]{1,5})", text)
    if found is None or int(found[3]) > MAX_PORT:
        raise NetworkError(f"{quote(text)} is no address: say HOST:PORT, as 127.0.0.1:49152")
    return found[1] or found[2], int(found[3])


def play_at(address: str, dialect: Dialect, parameters: Iterable[str] = ()) -> int:
    """Play a game for hnefatafl.org's light server at *address* until it hangs up.

    Args:
        address: ``HOST:PORT``.
        dialect: Says which engine chooses moves.
        parameters: What to set first, each as ``KEY=VALUE``.

    Returns:
        The exit status.

    Raises:
        TaflError: nobody answers there, there are no such parameters, or the server
            says what no light server says.
    """
    session = new_session(dialect, None, parameters)
    with _connect(address) as server:
        server.settimeout(None)
        descriptor = server.fileno()
        try:
            converse(
                lambda output, _source: HtpPlayer(session, output),
                Input(descriptor),
                Output(descriptor),
            )
        except ConnectionError:
            return OK  # the server has gone, as it does at the end
    return OK


def _connect(address: str) -> socket.socket:
    try:
        return socket.create_connection(parse_address(address), CONNECT_SECONDS)
    except OSError as error:
        raise NetworkError(f"cannot connect to {address}: {error.strerror or error}") from None
