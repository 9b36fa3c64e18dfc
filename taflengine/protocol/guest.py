"""The process of one connection of a network door: ``python -m taflengine.protocol.guest``.

It does what the program does on standard input and output, with less trust: files
are closed to it, its memory is bounded, and the system ends it when it is left alone,
or works at one line, for too long.
"""

import json
import sys
from typing import NamedTuple, Self

from taflengine.errors import TaflError
from taflengine.exits import BUG, FAILED
from taflengine.protocol.dialects import DIALECTS
from taflengine.protocol.hours import Hours, Limited
from taflengine.protocol.loop import complain, report_bug, serve
from taflengine.protocol.session import Session
from taflengine.protocol.start import new_session


class Stay(NamedTuple):
    """What a guest speaks and how much he may ask for."""

    protocol: str = "gtp"
    rules: str | None = None
    """The rule set of the first game, as ``newgame`` takes it."""
    parameters: tuple[str, ...] = ()
    """What is set first, each as ``KEY=VALUE``."""
    idle: float = 600.0
    """Seconds without a line after which the connection ends; 0 is never."""
    think: float = 120.0
    """The same for one line at work."""
    megabytes: int = 1024
    """Address space of the process."""

    def to_json(self) -> str:
        """Write it as ``from_json`` reads it."""
        return json.dumps(self._asdict())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` wrote."""
        values = json.loads(text)
        return cls(**values | {"parameters": tuple(values["parameters"])})

    def session(self) -> Session:
        """A session that files are closed to.

        Raises:
            TaflError: there are no such rules or parameters.
        """
        session = new_session(DIALECTS[self.protocol], self.rules, self.parameters)
        session.files = False
        return session


def main() -> None:
    """Serve standard input and output as the only argument says."""
    try:
        sys.exit(_serve(Stay.from_json(sys.argv[1])))
    except TaflError as error:
        complain(f"taflengine: {error}")
        sys.exit(FAILED)
    except Exception:
        from traceback import format_exc

        report_bug(format_exc())
        sys.exit(BUG)


def _serve(stay: Stay) -> int:
    import resource

    space = stay.megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    dialect, session = DIALECTS[stay.protocol], stay.session()
    hours = Hours(stay.idle, stay.think)
    return serve(
        lambda output, source: Limited(dialect.begin(session, output, source), hours),
        listening=dialect.listening,
    )


if __name__ == "__main__":
    main()
