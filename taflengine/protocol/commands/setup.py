"""Commands that begin a game or set up a position."""

from collections.abc import Iterable

from taflengine.errors import CommandError
from taflengine.notation import parse_rows
from taflengine.pieces import Side
from taflengine.protocol.grammar import Form, RuleText, command_set
from taflengine.protocol.session import Session
from taflengine.rules import Variant

COMMANDS = command_set()


@COMMANDS.command
def newgame(session: Session, variant: RuleText | None) -> None:
    """Begin a game under VARIANT, by default under the rules of the last game.

    VARIANT is a name that ``variants`` lists, ``@FILE`` for a rule file, or
    ``otn:`` and an OpenTafl rules string.
    """
    session.begin(variant or session.game.variant)


@COMMANDS.command
def variants(_session: Session) -> Iterable[str]:
    """Answer every built-in rule set with a description, one a line."""
    from taflengine.variants.catalogue import VARIANTS

    return [f"{variant.name}: {variant.summary}" for variant in VARIANTS.values()]


@COMMANDS.command
def rules(session: Session, variant: Variant | None, form: Form | None) -> str:
    """Answer every rule of VARIANT, by default of the game in progress.

    FORM is ``json``, the default: one line of JSON, whose keys may grow; or
    ``otn``: an OpenTafl rules string.
    """
    import json

    from taflengine.variants.opentafl import format_opentafl
    from taflengine.variants.plain import to_plain

    found = variant or session.game.variant
    if form == "otn":
        return format_opentafl(found)
    return json.dumps(to_plain(found), ensure_ascii=False)


@COMMANDS.command
def boardsize(session: Session, size: int) -> None:
    """Begin the usual game on a board of SIZE x SIZE squares."""
    from taflengine.variants.catalogue import BY_SIZE

    variant = BY_SIZE.get(size)
    if variant is None:
        sizes = " ".join(str(allowed) for allowed in BY_SIZE)
        raise CommandError(f"unacceptable size: allowed are {sizes}")
    session.begin(variant)


@COMMANDS.command
def clear_board(session: Session) -> None:
    """Begin again under the rules of the last game."""
    session.begin(session.game.variant)


@COMMANDS.command
def setposition(session: Session, rows: str, side: Side) -> None:
    """Begin at a position of the rules in force: ROWS from the top rank, SIDE to move.

    What happened before is forgotten. The position is not judged: only a side
    to move that has no move ends the game at once.
    """
    session.begin(session.game.variant, parse_rows(rows), side)
