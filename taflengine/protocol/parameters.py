"""The parameters of a session: the one table that list_params, get_param and set_param read."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from taflengine.engines import ENGINES
from taflengine.engines.engine import MAX_DEPTH
from taflengine.errors import CommandError, NotationError
from taflengine.notation import quote
from taflengine.protocol.session import MAX_SEED, Settings

MIN_SECONDS, MAX_SECONDS = 0.001, 86_400
MAX_NODES = 10**15
MAX_HASH = 65_536
MAX_THREADS = 64


class Parameter(NamedTuple):
    """What may be set, and how its value is read and written."""

    name: str
    kind: str
    """The type and what is allowed, for people and programs."""
    default: str
    meaning: str
    parse: Callable[[str], Any]
    """Reads a value; raises NotationError."""
    write: Callable[[Any], str] = str

    @property
    def line(self) -> str:
        """The parameter as ``list_params`` prints it."""
        return f"{self.name}: {self.kind}; default {self.default}; {self.meaning}"


def _choice(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in words:
            raise NotationError(f"{quote(text)} is not allowed: say {' or '.join(words)}")
        return text

    return parse


def _switch(text: str) -> bool:
    return _choice("on", "off")(text) == "on"


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        digits = text if text.isascii() and text.isdigit() and len(text) < 20 else "-1"
        if not low <= int(digits) <= high:
            raise NotationError(f"{quote(text)} is not allowed: say a number from {low} to {high}")
        return int(digits)

    return parse


def _seconds(text: str) -> float:
    # Plain decimals only: float() would take nan, inf and underscores.
    plain = re.fullmatch(r"[0-9]{1,9}(\.[0-9]{0,9})?", text)
    if plain is None or not MIN_SECONDS <= float(text) <= MAX_SECONDS:
        raise NotationError(
            f"{quote(text)} is not allowed: say seconds from {MIN_SECONDS} to {MAX_SECONDS}"
        )
    return float(text)


PARAMETERS: dict[str, Parameter] = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            name="engine",
            kind=f"choice {' '.join(ENGINES)}",
            default=Settings._field_defaults["engine"],
            meaning="which engine chooses moves",
            parse=_choice(*ENGINES),
        ),
        Parameter(
            name="movetime",
            kind=f"seconds {MIN_SECONDS} to {MAX_SECONDS}",
            default=f"{Settings._field_defaults['movetime']:g}",
            meaning="how long search thinks about a move at most",
            parse=_seconds,
            write=lambda seconds: f"{seconds:.10g}",
        ),
        Parameter(
            name="depth",
            kind=f"integer 0 to {MAX_DEPTH}",
            default="0",
            meaning="how many plies search looks ahead at most; 0 is no limit",
            parse=_whole(0, MAX_DEPTH),
        ),
        Parameter(
            name="nodes",
            kind=f"integer 0 to {MAX_NODES}",
            default="0",
            meaning="how many positions search visits at most; 0 is no limit",
            parse=_whole(0, MAX_NODES),
        ),
        Parameter(
            name="hash",
            kind=f"integer 1 to {MAX_HASH}",
            default="16",
            meaning="megabytes of search's transposition table",
            parse=_whole(1, MAX_HASH),
        ),
        Parameter(
            name="threads",
            kind=f"integer 1 to {MAX_THREADS}",
            default="1",
            meaning="how many processors search uses; only with 1 is a search repeatable",
            parse=_whole(1, MAX_THREADS),
        ),
        Parameter(
            name="seed",
            kind=f"integer 0 to {MAX_SEED}",
            default="drawn at the start",
            meaning="begins the sequence that decides between equal moves",
            parse=_whole(0, MAX_SEED),
        ),
        Parameter(
            name="repetition",
            kind="choice on off",
            default="on",
            meaning="whether repeated positions or moves end the game as its rules say",
            parse=_switch,
            write=lambda on: "on" if on else "off",
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
