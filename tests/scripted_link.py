"""A link whose other end is a script: what must be sent, and what comes back."""

from taflengine.errors import EngineExitedError
from taflengine.protocol.controllers.controller import Line, Link

DEADLINE = 0.0
"""A script never waits, so any time will do."""


class ScriptedLink(Link):
    """Answers each line that is sent with what the script has for it.

    Args:
        script: Lines; those that begin with ``> `` must be sent, in this order, and
            the others come back, ``~`` for an empty one.
    """

    def __init__(self, script: str) -> None:
        self.script = [line.strip() for line in script.strip().splitlines()]
        self.arrived: list[str] = []
        self.time = 0.0
        self._take()

    def _take(self) -> None:
        while self.script and not self.script[0].startswith("> "):
            line = self.script.pop(0)
            self.arrived.append("" if line == "~" else line)

    def send(self, line: str, deadline: float) -> float:  # noqa: ARG002
        """As ``Link.send``; a second goes by before the answer."""
        assert self.script, f"{line!r} is sent behind the end of the script"
        assert line == self.script.pop(0).removeprefix("> ")
        sent = self.time
        self.time += 1.0
        self._take()
        return sent

    def receive(self, deadline: float) -> Line:  # noqa: ARG002
        """As ``Link.receive``."""
        if not self.arrived:
            raise EngineExitedError("the script is at its end")
        return Line(self.arrived.pop(0), self.time)

    def unasked(self) -> str | None:
        """As ``Link.unasked``."""
        return self.arrived[0] if self.arrived else None

    def at_end(self) -> bool:
        """Whether everything was sent and read."""
        return not self.script and not self.arrived
