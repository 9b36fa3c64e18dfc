"""The table of commands: a function's signature is its command's grammar.

``def play(session, side: Side | None, move: Move)`` is ``play [SIDE] MOVE``. The
first parameter is the session; each other one stands for words of the line:

- It takes one word, or every word that is left if its type is a phrase. A
  ``*parameter`` takes any number of words, each by itself.
- It may be left out if it has a default or if its type allows None.
- If it may be left out and cannot read its word, it leaves the word to the next
  parameter. The last parameter has nobody to leave it to, so it complains.

Whatever is said about commands elsewhere is taken from here or held to it.
"""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from taflengine.errors import CommandError, NotationError
from taflengine.notation import quote


class Stream(NamedTuple):
    """An answer that takes its time: its lines are sent one by one, as they come."""

    lines: Iterator[str]


Answer = str | bool | int | Iterable[str] | Stream | None
"""What a handler returns: a text, its lines one by one, or nothing to say."""

Parser = Callable[[Any, str], object]
"""Reads a session and the text of one parameter; raises NotationError."""

Handler = TypeVar("Handler", bound=Callable[..., Answer])

# Compiled when first used, which is not before the first answer of a fresh process.
_NAME = r"[a-z][a-z0-9_-]*"
_INTEGER = r"-?[0-9]{1,18}"
_DECIMAL = r"-?([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18})"


def _parse_word(_session: object, text: str) -> str:
    return text


def _parse_integer(_session: object, text: str) -> int:
    if re.fullmatch(_INTEGER, text) is None:
        raise NotationError(f"{quote(text)} is no whole number")
    return int(text)


def _parse_decimal(_session: object, text: str) -> float:
    if re.fullmatch(_DECIMAL, text) is None:
        raise NotationError(f"{quote(text)} is no number")
    return float(text)


_PLAIN: dict[Any, Parser] = {str: _parse_word, int: _parse_integer, float: _parse_decimal}


class Parameter(NamedTuple):
    """A part of a command's grammar, and how its value is read."""

    label: str
    parse: Parser
    required: bool
    default: object
    takes_all: bool
    """Reads the words that are left as one text, not only the next word."""
    repeats: bool
    """Reads any number of words, each by itself."""

    @property
    def usage(self) -> str:
        """As a usage line shows it: ``MOVE``, ``[PLIES]``, ``[WORDS...]``."""
        if self.repeats:
            return f"[{self.label}...]"
        return self.label if self.required else f"[{self.label}]"


class Command:
    """A function, its names and its grammar.

    Args:
        function: What runs the command.
        name: The one spelling that is listed.
        aliases: Further spellings.
        closes: Whether the connection ends behind its answer.
        files: Whether it can do nothing where files are closed.
        read: Works out the grammar from the function, when it is first asked for.
    """

    def __init__(
        self,
        function: Callable[..., Answer],
        name: str,
        aliases: tuple[str, ...],
        closes: bool,
        files: bool,
        read: Callable[[Callable[..., Answer]], tuple[Parameter, ...]],
    ) -> None:
        self.function = function
        self.name = name
        self.aliases = aliases
        self.closes = closes
        self.files = files
        self._read = read

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What stands behind the name, in order.

        Raises:
            TypeError: the function's signature is no grammar.
        """
        return self._read(self.function)

    @property
    def usage(self) -> str:
        """The name and the parameters, for instance ``play [SIDE] MOVE``."""
        return " ".join([self.name, *(parameter.usage for parameter in self.parameters)])

    @property
    def help(self) -> str:
        """The docstring without its indentation."""
        return (inspect.getdoc(self.function) or "").replace("``", "")

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.help.partition("\n")[0]

    def run(self, session: object, words: list[str]) -> Answer:
        """Read *words* and call the function.

        Raises:
            CommandError: too few or too many words; the message is the usage.
            NotationError: a word that its parameter cannot read.
        """
        return self.function(session, *self._values(session, words))

    def _values(self, session: object, words: list[str]) -> list[object]:
        values: list[object] = []
        left = words
        for parameter in self.parameters:
            if parameter.repeats:
                values += [parameter.parse(session, word) for word in left]
                return values
            if not left:
                if parameter.required:
                    raise self._usage_error()
                values.append(parameter.default)
                continue
            end = len(left) if parameter.takes_all else 1
            try:
                values.append(parameter.parse(session, " ".join(left[:end])))
            except NotationError:
                if parameter.required or parameter is self.parameters[-1]:
                    raise
                values.append(parameter.default)
            else:
                left = left[end:]
        if left:
            raise self._usage_error()
        return values

    def _usage_error(self) -> CommandError:
        return CommandError(f"usage: {self.usage}")


class CommandSet(Mapping[str, Command]):
    """Commands by name, in order of registration.

    Every spelling of a command finds it, but only its name is listed.

    Args:
        parsers: Reads each type that parameters may have, besides str, int and
            float. A union is a type of its own here; ``| None`` need not be listed.
        phrases: Those types whose text may be several words.
    """

    def __init__(
        self, parsers: Mapping[Any, Parser] | None = None, phrases: Collection[Any] = ()
    ) -> None:
        self._parsers = _PLAIN | dict(parsers or {})
        self._phrases = phrases
        self._spellings: dict[str, Command] = {}

    def __getitem__(self, spelling: str) -> Command:
        return self._spellings[spelling]

    def __iter__(self) -> Iterator[str]:
        return (word for word, command in self._spellings.items() if word == command.name)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def command(self, function: Handler) -> Handler:
        """Add *function* under its own name, without a ``_`` at the end."""
        return self.named(function.__name__.rstrip("_"))(function)

    def named(
        self, name: str, *aliases: str, closes: bool = False, files: bool = False
    ) -> Callable[[Handler], Handler]:
        """Add a function as *name*, which *aliases* find too.

        Args:
            name: The one spelling that is listed.
            aliases: Further spellings.
            closes: The connection ends behind the answer, unless that is a failure.
            files: It can do nothing where files are closed.
        """

        def add(function: Handler) -> Handler:
            self._add(Command(function, name, aliases, closes, files, self._parameters_of))
            return function

        return add

    def include(self, others: "CommandSet") -> None:
        """Add all commands of *others* to this table."""
        for command in others.values():
            self._add(command)

    def _add(self, command: Command) -> None:
        for spelling in (command.name, *command.aliases):
            if re.fullmatch(_NAME, spelling) is None:
                raise ValueError(f"{spelling!r} cannot be the name of a command")
            if spelling in self._spellings:
                raise ValueError(f"two commands are called {spelling}")
            self._spellings[spelling] = command

    def _parameters_of(self, function: Callable[..., Answer]) -> tuple[Parameter, ...]:
        # Evaluated, so that a file with postponed annotations may hold commands.
        signature = inspect.signature(function, eval_str=True)
        _session, *others = signature.parameters.values()
        parameters = tuple(self._parameter(declared) for declared in others)
        for parameter in parameters[:-1]:
            if parameter.takes_all:
                raise TypeError(f"{function.__name__}: nothing can follow {parameter.label}")
        return parameters

    def _parameter(self, declared: inspect.Parameter) -> Parameter:
        annotation = declared.annotation
        # Comparing spares taking unions apart: X | None == None | X.
        known = (kind for kind in self._parsers if annotation in (kind, kind | None))
        kind = next(known, None)
        if kind is None or declared.kind in (declared.KEYWORD_ONLY, declared.VAR_KEYWORD):
            raise TypeError(f"no way to read the parameter {declared}")
        has_default = declared.default is not declared.empty
        return Parameter(
            label=declared.name.strip("_").upper().replace("_OR_", "|"),
            parse=self._parsers[kind],
            required=annotation == kind and not has_default,
            default=declared.default if has_default else None,
            takes_all=kind in self._phrases,
            repeats=declared.kind is declared.VAR_POSITIONAL,
        )
