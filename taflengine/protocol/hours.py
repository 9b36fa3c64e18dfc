"""How long a conversation may last in which nobody speaks, or in which one line is at work.

The system's own alarm ends the process, whatever it does at that moment, also in the
middle of a search or of writing to somebody who does not read.
"""

import signal
from typing import NamedTuple

from taflengine.protocol.loop import Conversation


class Hours(NamedTuple):
    """Seconds after which the process ends; 0 is never."""

    idle: float = 0.0
    """Without a line."""
    think: float = 0.0
    """At one line."""


class Limited:
    """A *conversation* that keeps to *hours*."""

    def __init__(self, conversation: Conversation, hours: Hours) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        self._conversation = conversation
        self._hours = hours
        self._works = False
        self.hang_up = conversation.hang_up
        _ring_after(hours.idle)

    def overhear(self, line: bytes) -> bool:
        """As the conversation does; a line is a sign of life."""
        if not self._works:
            _ring_after(self._hours.idle)
        return self._conversation.overhear(line)

    def handle(self, line: bytes) -> bool:
        """As the conversation does, within the time for a line."""
        self._works = True
        _ring_after(self._hours.think)
        try:
            return self._conversation.handle(line)
        finally:
            self._works = False
            _ring_after(self._hours.idle)


def _ring_after(seconds: float) -> None:
    """End the process after *seconds*; 0 is never."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
