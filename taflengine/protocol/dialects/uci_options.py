"""The options of UCI: the table of parameters in UCI's types, the rule set, and ``Ponder``."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from taflengine.errors import CommandError
from taflengine.notation import quote
from taflengine.protocol.dialects.uci_text import RULES_OPTION
from taflengine.protocol.grammar import read_variant
from taflengine.protocol.parameters import PARAMETERS, OneOf, Parameter, Switch, Whole
from taflengine.protocol.session import Session

_SPELLINGS = {"hash": "Hash", "threads": "Threads", "multipv": "MultiPV"}
"""Parameters that UCI itself names; the others keep their names."""
_MAX_SPIN = 2**31 - 1
"""The largest bound that is declared: many a GUI reads no larger number. Larger values are read."""


class Option(NamedTuple):
    """One option: how it is declared and how it is set."""

    name: str
    declare: Callable[[Session], str]
    """Its type, default and limits."""
    put: Callable[[Session, str], None]
    """Sets it to a text; raises TaflError, and then nothing has changed."""


def option_lines(session: Session) -> Iterator[str]:
    """The declaration of every option; the default is what is in force."""
    return (f"option name {option.name} {option.declare(session)}" for option in OPTIONS.values())


def find_option(name: str) -> Option:
    """The option called *name*, in any case.

    Raises:
        CommandError: there is none.
    """
    found = OPTIONS.get(name.lower())
    if found is None:
        names = " ".join(option.name for option in OPTIONS.values())
        raise CommandError(f"{quote(name)} is no option: allowed are {names}")
    return found


def _of_parameter(parameter: Parameter) -> Option:
    def declare(session: Session) -> str:
        return _declared(parameter.kind, getattr(session.settings, parameter.name))

    def put(session: Session, text: str) -> None:
        value = text.lower()
        if isinstance(parameter.kind, Switch):
            value = {"true": "on", "false": "off"}.get(value, value)
        session.change(**{parameter.name: parameter.kind.parse(value)})

    return Option(_SPELLINGS.get(parameter.name, parameter.name), declare, put)


def _declared(kind: Any, value: Any) -> str:
    match kind:
        case Switch():
            return f"type check default {'true' if value else 'false'}"
        case OneOf(words):
            return f"type combo default {value} {_vars(words)}"
        case Whole(least, most):
            return f"type spin default {value} min {least} max {min(most, _MAX_SPIN)}"
    # UCI has no fractions.
    return f"type string default {kind.write(value)}"


def _vars(words: tuple[str, ...]) -> str:
    return " ".join(f"var {word}" for word in words)


def _declare_variant(session: Session) -> str:
    from taflengine.variants.catalogue import VARIANTS

    return f"type combo default {session.game.variant.name} {_vars(tuple(VARIANTS))}"


def _put_variant(session: Session, text: str) -> None:
    session.begin(read_variant(session, text))


def _put_ponder(_session: Session, _text: str) -> None:
    """Pondering is asked for by ``go ponder``; the option only says that it may be."""


OPTIONS: dict[str, Option] = {
    option.name.lower(): option
    for option in (
        Option(RULES_OPTION, _declare_variant, _put_variant),
        Option("Ponder", lambda _session: "type check default false", _put_ponder),
        *(_of_parameter(parameter) for parameter in PARAMETERS.values()),
    )
}
"""Every option by its name in small letters."""
