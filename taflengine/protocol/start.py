"""Starting a protocol: a session, its conversation and the loop around them."""

from collections.abc import Iterable
from typing import Any

from taflengine import __version__, core
from taflengine.errors import NotationError
from taflengine.notation import quote
from taflengine.protocol.dialects import DIALECTS, Dialect
from taflengine.protocol.loop import complain, serve
from taflengine.protocol.session import Session
from taflengine.variants import DEFAULT
from taflengine.variants.spoken import parse_variant

DEFAULT_DIALECT = next(iter(DIALECTS))


def start(
    rules: str | None = None, protocol: str = DEFAULT_DIALECT, parameters: Iterable[str] = ()
) -> int:
    """Speak a protocol on standard input and output until the input ends.

    Args:
        rules: The rule set of the first game, as ``newgame`` takes it.
        protocol: One of ``DIALECTS``.
        parameters: What to set first, each as ``KEY=VALUE``.

    Returns:
        The exit status.

    Raises:
        TaflError: there are no such rules or parameters; nothing has been read or written.
    """
    dialect = DIALECTS[protocol]
    session = new_session(dialect, rules, parameters)
    return serve(
        lambda output, source: dialect.begin(session, output, source),
        f"taflengine {__version__}, {session.game.variant.name}; {dialect.advice}",
        session.commands,
        listening=dialect.listening,
    )


def new_session(dialect: Dialect, rules: str | None, parameters: Iterable[str]) -> Session:
    """A session for one conversation; the arguments and errors are those of ``start``."""
    session = Session(dialect.commands(), DEFAULT if rules is None else parse_variant(rules))
    if dialect.engine is not None:
        session.change(engine=dialect.engine)
    session.change(**dict(map(parse_parameter, parameters)))
    if dialect.complains and core.form() == "uncompiled":
        complain(f"taflengine: the core runs uncompiled, far slower; {core.cure()}")
    return session


def parse_parameter(text: str) -> tuple[str, Any]:
    """The name and the value of a parameter given as ``KEY=VALUE``.

    Raises:
        NotationError: there is no such parameter, or the value is not allowed.
    """
    from taflengine.protocol.parameters import find_parameter

    key, equals, value = text.partition("=")
    if not equals:
        raise NotationError(f"{quote(text)} sets no parameter: say KEY=VALUE, as movetime=2")
    parameter = find_parameter(key)
    try:
        return parameter.name, parameter.kind.parse(value)
    except NotationError as error:
        raise NotationError(f"{key}: {error}") from None
