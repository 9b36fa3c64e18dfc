"""Commands that read and write game records.

What they need is imported there: a session without records does not load it.
"""

from taflengine.errors import CommandError, TaflError
from taflengine.protocol.grammar import RecordForm, command_set
from taflengine.protocol.session import Session

COMMANDS = command_set()


@COMMANDS.named("loadgame", files=True)
def loadgame(session: Session, file: str, n: int | None) -> None:
    """Begin the first game of the record FILE and play it, up to before move N if it is given.

    FILE may be in any format that ``taflengine convert`` reads. Games that name no
    rule set are played by the rules in force. Moves must be legal, and captures
    that the record says must be those made.
    """
    from taflengine.protocol.recording import load

    if n is not None and n < 1:
        raise CommandError(f"cannot load file: move {n}: moves are counted from 1")
    try:
        load(session, file, n)
    except TaflError as error:
        raise CommandError(f"cannot load file: {error}") from None


@COMMANDS.named("savegame", files=True)
def savegame(session: Session, file: str) -> None:
    """Write the game as a game record of OpenTafl; an old FILE is replaced whole or not at all.

    Of a game that was loaded, what the record says of it and of the moves that
    still stand is kept.
    """
    from taflengine.protocol.recording import save

    try:
        save(session, file)
    except TaflError as error:
        raise CommandError(f"cannot save file: {error}") from None


@COMMANDS.command
def printgame(session: Session, form: RecordForm | None) -> str:
    """Answer the game as a record: ``otg``, the default, is what ``savegame`` writes.

    ``moves`` is a line of moves with their captures, ``json`` a game object as on
    hnefatafl.org.
    """
    from taflengine.protocol.recording import recorded
    from taflengine.records.formats import format_game

    return format_game(recorded(session), form or "otg").rstrip("\n")
