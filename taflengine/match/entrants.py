"""An engine as it enters a match: how it is started, what it is told, what it may spend."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from taflengine.clock import TimeControl, parse_control
from taflengine.engines import ENGINES
from taflengine.errors import NotationError
from taflengine.notation import quote
from taflengine.protocol.controllers.controller import Budget
from taflengine.protocol.controllers.dialects import CONTROLLERS

PROGRAM = (sys.executable, "-P", "-m", "taflengine")
"""How a built-in engine is started: this program, with this Python."""
_OWN_DIALECT = "gtp"
"""What a built-in engine speaks unless something else is asked for."""
SEED = "%SEED%"
"""Stands in a command, an option or a start-up line for the seed of the match."""
_WORDS = ("name", "cmd", "proto", "dir", "stderr", "restart", "tc", "st", "nodes", "depth", "cpu")
"""The settings of an engine that are given once; the names are those of cutechess-cli."""


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """One engine of a match."""

    name: str
    command: str
    """As given: a command line quoted as in a shell, or a built-in engine, ``search:nodes=9``."""
    dialect: str | None = None
    """What it speaks; None is found out."""
    directory: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    """Parameters by the engine's own names, set in order."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Parameters that a built-in engine is started with, where its dialect may know no options."""
    commands: tuple[str, ...] = ()
    """Lines that are sent when it has started, behind the options."""
    stderr: Path | None = None
    """A file to which its standard error is appended."""
    control: TimeControl | None = None
    """Its own time control; None is that of the match."""
    nodes: int | None = None
    depth: int | None = None
    restart: bool = False
    """Whether it is started anew for each game."""
    cpu: int | None = None
    """The processor that it is bound to."""

    @property
    def is_built_in(self) -> bool:
        """Whether it is an engine of this program."""
        return self.command.partition(":")[0] in ENGINES

    @property
    def threads(self) -> int:
        """How many processors it uses at once, as far as its options tell."""
        given = (*self.parameters.items(), *self.options.items())
        values = [value for key, value in given if key.lower() == "threads"]
        return max([1, *(int(value) for value in values if value.isdecimal())])

    def arguments(self, seed: int) -> tuple[str, ...]:
        """The program to start and its arguments."""
        words: Sequence[str] = shlex.split(self.command)
        if self.is_built_in:
            given = [f"--param={key}={value}" for key, value in self.parameters.items()]
            words = (*PROGRAM, f"--protocol={self.dialect}", *given) if given else PROGRAM
        return tuple(word.replace(SEED, str(seed)) for word in words)

    def settings(self, seed: int) -> dict[str, str]:
        """The options with the *seed* of the match in its places."""
        return {key: value.replace(SEED, str(seed)) for key, value in self.options.items()}

    def start_lines(self, seed: int) -> tuple[str, ...]:
        """The lines to send at the start, with the *seed* of the match in its places."""
        return tuple(line.replace(SEED, str(seed)) for line in self.commands)

    def budget(self, of_match: Budget) -> Budget:
        """What it may spend: its own limits, and those of the match where it has none."""
        return Budget(
            self.control or of_match.control,
            self.nodes or of_match.nodes,
            self.depth or of_match.depth,
        )

    def to_plain(self) -> dict[str, object]:
        """All of it in plain values, for JSON."""
        plain: dict[str, object] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, (Path, TimeControl)):
                value = str(value)
            plain[each.name] = dict(value) if isinstance(value, Mapping) else value
        return plain


def parse_entrant(text: str, each: str = "") -> Entrant:
    """Read an engine: ``NAME=COMMAND``, ``COMMAND``, or words like those of cutechess-cli.

    COMMAND is a built-in engine, ``oneply`` or ``search:nodes=3000,hash=16``, or a
    command line. Either may have a dialect before it, ``uci:./engine --fast``. The
    words are ``cmd=`` and any of ``name= proto= dir= stderr= restart= tc= st= nodes=
    depth= cpu= option.KEY= env.KEY= initstr= arg=``, values in quotation marks where they
    have blanks.

    Args:
        text: The engine.
        each: Words that hold for it where *text* does not say otherwise.

    Raises:
        NotationError: says which word is wrong.
    """
    words = _split(text)
    if any(word.startswith("cmd=") for word in words):
        return _from_words([*_split(each), *words], text)
    name, separator, command = text.partition("=")
    if not separator or not _is_name(name):
        name, command = "", text
    return _from_words([*_split(each), *([f"name={name}"] if name else []), f"cmd={command}"], text)


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise NotationError(f"engine {quote(text)}: {error}") from None


def _is_name(text: str) -> bool:
    return bool(text) and all(letter.isalnum() or letter in "-_.+" for letter in text)


def _from_words(words: Sequence[str], text: str) -> Entrant:
    once: dict[str, str] = {}
    environment: dict[str, str] = {}
    options: dict[str, str] = {}
    commands: list[str] = []
    arguments: list[str] = []
    for word in words:
        key, separator, value = word.partition("=")
        kind, _, name = key.partition(".")
        if separator and key in _WORDS:
            once[key] = value
        elif separator and kind == "option" and name:
            options[name] = value
        elif separator and kind == "env" and name:
            environment[name] = value
        elif separator and key == "initstr":
            commands += value.replace("\\n", "\n").split("\n")
        elif separator and key == "arg":
            arguments.append(value)
        else:
            known = " ".join(f"{each}=" for each in _WORDS)
            raise NotationError(
                f"engine {quote(text)}: {quote(word)} is none of {known} "
                "option.KEY= env.KEY= initstr= arg="
            )
    dialect, command = _dialect_of(once.get("cmd", ""))
    if not command.strip():
        raise NotationError(f"engine {quote(text)}: there is no command")
    return entrant_of(
        {
            **once,
            "cmd": " ".join([command, *map(shlex.quote, arguments)]),
            "proto": once.get("proto", dialect),
            "option": options,
            "env": environment,
            "initstr": commands,
        }
    )


def _dialect_of(command: str) -> tuple[str | None, str]:
    """The dialect that stands before *command*, and the rest of it."""
    word, separator, rest = command.partition(":")
    return (word, rest) if separator and word in CONTROLLERS else (None, command)


def entrant_of(plain: Mapping[str, Any]) -> Entrant:
    """An engine from a table with the keys of ``parse_entrant``: ``cmd``, ``option`` and so on.

    Raises:
        NotationError: says which key is wrong.
    """
    known = {*_WORDS, "option", "env", "initstr"}
    for key in plain:
        if key not in known:
            raise NotationError(f"engine: {quote(key)} is none of {' '.join(sorted(known))}")
    command = str(plain.get("cmd", ""))
    name = str(plain.get("name") or command)
    dialect, directory, stderr = plain.get("proto"), plain.get("dir"), plain.get("stderr")
    if dialect is not None and dialect not in CONTROLLERS:
        raise NotationError(
            f"engine {name}: {quote(str(dialect))} is no dialect: say {' '.join(CONTROLLERS)}"
        )
    entrant = Entrant(
        name=name,
        command=command,
        dialect=dialect,
        directory=Path(directory).absolute() if directory else None,
        stderr=Path(stderr).absolute() if stderr else None,
        environment=_texts(plain.get("env", {}), name),
        options=_texts(plain.get("option", {}), name),
        commands=tuple(plain.get("initstr", ())),
        control=_control_of(plain),
        nodes=_count(plain, "nodes"),
        depth=_count(plain, "depth"),
        restart=_switch(plain, "restart"),
        cpu=_count(plain, "cpu", least=0),
    )
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NotationError(f"engine {name}: {error}") from None
    if not words:
        raise NotationError(f"engine {name}: there is no command")
    return _built_in(entrant) if entrant.is_built_in else entrant


def _built_in(entrant: Entrant) -> Entrant:
    """*entrant* with the parameters behind the name of a built-in engine in their places."""
    engine, _, text = entrant.command.partition(":")
    given = _pairs(text)
    limits: dict[str, str] = {
        key: given.pop(key) for key in ("nodes", "depth", "movetime") if key in given
    }
    dialect = entrant.dialect or _OWN_DIALECT
    if dialect == _OWN_DIALECT:
        parameters: dict[str, str] = {}
        options = {"engine": engine, **given, **entrant.options}
    else:
        parameters = {"engine": engine, **given}
        if "movetime" in limits:  # the engine is to keep to it also where it cannot be told
            parameters["movetime"] = limits["movetime"]
        options = dict(entrant.options)
    return replace(
        entrant,
        dialect=dialect,
        options=options,
        parameters=parameters,
        control=movetime(limits["movetime"]) if "movetime" in limits else entrant.control,
        nodes=_count(limits, "nodes") or entrant.nodes,
        depth=_count(limits, "depth") or entrant.depth,
    )


def movetime(text: str) -> TimeControl:
    """So many seconds for each move.

    Raises:
        NotationError: *text* is no time.
    """
    try:
        return parse_control(f"0+{text}/1")
    except NotationError:
        raise NotationError(f"{quote(text)} is no time for a move: say seconds, as 0.5") from None


def _control_of(plain: Mapping[str, Any]) -> TimeControl | None:
    if "st" in plain:
        return movetime(str(plain["st"]))
    return parse_control(str(plain["tc"])) if "tc" in plain else None


def _switch(plain: Mapping[str, Any], key: str) -> bool:
    value = plain.get(key, "off")
    if value not in (True, False, "on", "off"):
        raise NotationError(f"engine: {key} is {quote(str(value))}: say on or off")
    return value in (True, "on")


def _count(plain: Mapping[str, Any], key: str, least: int = 1) -> int | None:
    if key not in plain:
        return None
    text = str(plain[key])
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise NotationError(f"engine: {key} is {quote(text)}: say a number from {least} on")
    return int(text)


def _texts(table: Mapping[str, object], name: str) -> dict[str, str]:
    if not isinstance(table, Mapping):
        raise NotationError(f"engine {name}: options and variables are tables of keys and values")
    return {str(key): str(value) for key, value in table.items()}


def _pairs(text: str) -> dict[str, str]:
    """``nodes=3000,hash=16`` as a table."""
    found = {}
    for part in filter(None, text.split(",")):
        key, separator, value = part.partition("=")
        if not separator or not key or not value:
            raise NotationError(f"{quote(part)} is no parameter: say KEY=VALUE, as nodes=3000")
        found[key] = value
    return found
