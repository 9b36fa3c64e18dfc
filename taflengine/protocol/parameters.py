"""The parameters of a session: the one table that list_params, get_param and set_param read."""

import re
from typing import Any, NamedTuple, Protocol

from taflengine.clock import MAX_SECONDS, MIN_SECONDS
from taflengine.engines import ENGINES
from taflengine.engines.engine import MAX_DEPTH
from taflengine.engines.levels import HIGHEST, LOWEST
from taflengine.errors import CommandError, NotationError
from taflengine.notation import quote
from taflengine.protocol.session import MAX_SEED, Settings

MAX_NODES = 10**15
MAX_HASH = 65_536
MAX_THREADS = 64
MAX_MULTIPV = 500
MAX_MARGIN = 60


class Kind(Protocol):
    """The type of a parameter; as text, the type and what is allowed."""

    def parse(self, text: str) -> Any:
        """Read a value; raises NotationError."""
        ...

    def write(self, value: Any) -> str:
        """Write a value as ``parse`` reads it."""
        ...


class OneOf(NamedTuple):
    """One of some words."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"choice {' '.join(self.words)}"

    def parse(self, text: str) -> str:
        """Read one of the words."""
        if text not in self.words:
            raise NotationError(f"{quote(text)} is not allowed: say {' or '.join(self.words)}")
        return text

    def write(self, value: str) -> str:
        """The word itself."""
        return value


class Switch(NamedTuple):
    """On or off."""

    def __str__(self) -> str:
        return str(_ON_OFF)

    def parse(self, text: str) -> bool:
        """Read ``on`` or ``off``."""
        return _ON_OFF.parse(text) == "on"

    def write(self, value: bool) -> str:
        """Write ``on`` or ``off``."""
        return "on" if value else "off"


_ON_OFF = OneOf(("on", "off"))


class Whole(NamedTuple):
    """A whole number."""

    least: int
    most: int

    def __str__(self) -> str:
        return f"integer {self.least} to {self.most}"

    def parse(self, text: str) -> int:
        """Read a number of that range."""
        digits = text if text.isascii() and text.isdigit() and len(text) < 20 else "-1"
        if not self.least <= int(digits) <= self.most:
            raise NotationError(
                f"{quote(text)} is not allowed: say a number from {self.least} to {self.most}"
            )
        return int(digits)

    def write(self, value: int) -> str:
        """Write its digits."""
        return str(value)


class Seconds(NamedTuple):
    """A length of time, which may have a fraction."""

    least: float
    most: float

    def __str__(self) -> str:
        return f"seconds {self.least} to {self.most}"

    def parse(self, text: str) -> float:
        """Read seconds of that range."""
        # Plain decimals only: float() would take nan, inf and underscores.
        plain = re.fullmatch(r"[0-9]{1,9}(\.[0-9]{0,9})?", text)
        if plain is None or not self.least <= float(text) <= self.most:
            raise NotationError(
                f"{quote(text)} is not allowed: say seconds from {self.least} to {self.most}"
            )
        return float(text)

    def write(self, value: float) -> str:
        """Write as few digits as are needed."""
        return f"{value:.10g}"


class Parameter(NamedTuple):
    """What may be set, and how its value is read and written."""

    name: str
    kind: Kind
    default: str
    meaning: str

    @property
    def line(self) -> str:
        """The parameter as ``list_params`` prints it."""
        return f"{self.name}: {self.kind}; default {self.default}; {self.meaning}"


PARAMETERS: dict[str, Parameter] = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            name="engine",
            kind=OneOf(tuple(ENGINES)),
            default=Settings._field_defaults["engine"],
            meaning="which engine chooses moves",
        ),
        Parameter(
            name="level",
            kind=Whole(LOWEST, HIGHEST),
            default=str(HIGHEST),
            meaning="how strong search plays: 1 as oneply, 10 as well as it can",
        ),
        Parameter(
            name="movetime",
            kind=Seconds(MIN_SECONDS, MAX_SECONDS),
            default=f"{Settings._field_defaults['movetime']:g}",
            meaning="how long search thinks about a move at most",
        ),
        Parameter(
            name="depth",
            kind=Whole(0, MAX_DEPTH),
            default="0",
            meaning="how many plies search looks ahead at most; 0 is no limit",
        ),
        Parameter(
            name="nodes",
            kind=Whole(0, MAX_NODES),
            default="0",
            meaning="how many positions search visits at most; 0 is no limit",
        ),
        Parameter(
            name="hash",
            kind=Whole(1, MAX_HASH),
            default="16",
            meaning="megabytes of search's transposition table",
        ),
        Parameter(
            name="threads",
            kind=Whole(1, MAX_THREADS),
            default="1",
            meaning="how many processors search uses; only with 1 is a search repeatable",
        ),
        Parameter(
            name="multipv",
            kind=Whole(1, MAX_MULTIPV),
            default="1",
            meaning="for how many first moves a search that is watched shows what follows",
        ),
        Parameter(
            name="margin",
            kind=Seconds(0, MAX_MARGIN),
            default=f"{Settings._field_defaults['margin']:g}",
            meaning="what is kept back of each move's time on a clock, for the answer's way",
        ),
        Parameter(
            name="seed",
            kind=Whole(0, MAX_SEED),
            default="drawn at the start",
            meaning="begins the sequence that decides between equal moves",
        ),
        Parameter(
            name="repetition",
            kind=Switch(),
            default="on",
            meaning="whether repeated positions or moves end the game as its rules say",
        ),
    )
}


def find_parameter(name: str) -> Parameter:
    """The parameter called *name*.

    Raises:
        CommandError: there is none; the message lists those there are.
    """
    found = PARAMETERS.get(name)
    if found is None:
        raise CommandError(f"{quote(name)} is no parameter: allowed are {' '.join(PARAMETERS)}")
    return found
