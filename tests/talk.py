"""Sessions in this process, and games and lines that tests of commands have in common."""

from collections.abc import Sequence

import pytest

from taflengine.protocol.commands import all_commands
from taflengine.protocol.dispatcher import Dispatcher
from taflengine.protocol.parameters import PARAMETERS
from taflengine.protocol.session import Session

START_7 = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3"
START_11 = "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3"
LITTLE = "otn:dim:7 name:Little ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
CAPTURE = ("newgame brandubh", "play d2-e2", "play c4-c5", "play f4-f5", "play d4-c4", "play e2-d2")
"""The fifth move captures d3."""
THREE = ("newgame brandubh", "setposition 7/7/7/k6/3d3/1ad1da1/3a3 a")
"""d1-d2 captures c2, d3 and e2; by rank they would be c2, e2, d3."""
KING_TAKEN = ("newgame brandubh", "setposition 7/7/7/7/1ak1a2/7/7 a", "play e3-d3")
CORNERED = ("newgame brandubh", "setposition 7/2a4/7/7/7/2a4/3k3 d", "play d1-g1")
SHUFFLE = ("play d6-c6", "play d5-c5", "play c6-d6", "play c5-d5")
"""Four plies of brandubh after which all stand as before."""
DRAWN = ("newgame brandubh", *SHUFFLE, *SHUFFLE)
STATE = (
    *("hash", "history", "position", "result", "captured"),
    *(f"get_param {name}" for name in PARAMETERS),
)
"""What a failure must leave as it is."""
WHOLE_STATE = (*STATE, "legal", "rules", "threats", "perft 2", "showboard")
"""All that commands can tell; asking takes longer."""


class Talk:
    """A session in this process: a line in, the reply out."""

    def __init__(self, *lines: str) -> None:
        commands = all_commands()
        session = Session(commands)
        session.interrupts.heard_end()  # nobody will say stop
        self._dispatcher = Dispatcher(commands, session, pytest.fail)
        for line in lines:
            self.do(line)

    def ask(self, line: str) -> str:
        """The reply to *line* without the empty line at its end."""
        reply = self._dispatcher.answer(line)
        assert reply, f"{line!r} has no reply"
        text = reply.text + "".join(reply.parts or ())
        assert text.endswith("\n\n")
        return text[:-2]

    def do(self, line: str) -> str:
        """The answer to *line*, which must succeed."""
        reply = self.ask(line)
        assert reply.startswith("= "), f"{line}: {reply}"
        return reply[2:]

    def state(self, lines: Sequence[str] = WHOLE_STATE) -> dict[str, str]:
        """The answers to all *lines*."""
        return {line: self.do(line) for line in lines}


VARIANTS = [line.partition(":")[0] for line in Talk().do("variants").splitlines()]
COMMANDS = list(all_commands())
