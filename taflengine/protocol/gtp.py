"""The protocol of protocol.md as a conversation: a dispatcher that is heard while it works."""

from collections.abc import Iterable
from contextlib import closing

from taflengine.protocol.dispatcher import IGNORED, Dispatcher, command_of
from taflengine.protocol.interrupts import Interrupts
from taflengine.protocol.streams import Input, Output

STOP = "stop"
"""The command that ends whatever is at work before it."""
INTERRUPT = b"# interrupt"
"""The comment that does the same, as GoGui sends it."""


class GtpConversation:
    """Answers the lines of one session.

    Args:
        dispatcher: Runs them.
        interrupts: Where the session's commands learn what is said meanwhile.
        output: Where the answers go.
        source: Where the lines come from.
    """

    def __init__(
        self, dispatcher: Dispatcher, interrupts: Interrupts, output: Output, source: Input
    ) -> None:
        self._dispatcher = dispatcher
        self._interrupts = interrupts
        self._output = output
        interrupts.listening = source.listening

    def overhear(self, line: bytes) -> bool:
        """Count *line*; it is answered in its turn all the same."""
        plain = line.translate(None, IGNORED)
        stops = (b"stop" in plain and command_of(plain) == STOP) or plain.strip() == INTERRUPT
        self._interrupts.heard(stops=stops)
        return False

    def hang_up(self, *, lost: bool) -> None:
        """Tell whatever is at work that the input has ended."""
        self._interrupts.heard_end(lost=lost)

    def handle(self, line: bytes) -> bool:
        """Answer *line*: at once what is there, and further lines as they come."""
        self._interrupts.next_line()
        reply = self._dispatcher.answer(line)
        if reply is None:
            return False
        self._output.write(reply.text)
        if reply.parts:
            with closing(reply.parts) as parts:
                self._write(parts)
        return reply.closes

    def _write(self, parts: Iterable[str]) -> None:
        """Write *parts* as they come; whoever gives up waiting for them ends the answer."""
        try:
            for part in parts:
                self._output.write(part)
        except KeyboardInterrupt:
            self._output.write("\n")
            raise
