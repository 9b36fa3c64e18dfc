"""Commands that front ends and runners of the Go world ask for."""

import time
from collections.abc import Iterable

from taflengine import __version__, core
from taflengine.errors import CommandError, TaflError
from taflengine.notation import format_moves, parse_move, parse_side
from taflengine.pieces import Side
from taflengine.protocol.commands.play import undo
from taflengine.protocol.grammar import command_set
from taflengine.protocol.session import Session

COMMANDS = command_set()
COMMANDS.named("gg-undo")(undo)

ANALYZE_COMMANDS = (
    "string/Hint/hint %c",
    "string/Result/result",
    "string/Legal Moves/legal",
    "string/History/history",
    "string/Position/position",
    "hstring/Board/showboard",
    "hstring/Threats/threats",
    "hstring/Captured/captured",
    "hstring/Evaluation/eval",
    "hstring/Clock/clock",
    "hstring/Parameters/list_params",
)
"""Type, label and command of what GoGui offers in its window."""


@COMMANDS.command
def all_legal(session: Session, side: Side | None) -> str:
    """Answer the legal moves of SIDE, by default of the side to move, as legal does."""
    return format_moves(session.game.legal_moves(side), session.game.variant.size)


@COMMANDS.named("gogui-play_sequence")
def gogui_play_sequence(session: Session, *moves: str) -> None:
    """Make all MOVES, each one word with or without its side before it; or none of them."""
    game = session.game
    made, by = 0, None
    for word in moves:
        try:
            if by is None and not any(letter.isdigit() for letter in word):
                by = parse_side(word)
                continue
            written = parse_move(word, game.variant.size)
            game.play(written.move, written.captures, by)
        except TaflError as error:
            if made:
                game.undo(made)
            raise CommandError(f"{error}; that is move {made + 1} of the sequence") from None
        made, by = made + 1, None
    if by is not None:
        if made:
            game.undo(made)
        raise CommandError("the sequence ends with a side that has no move")


@COMMANDS.named("gogui-interrupt")
def gogui_interrupt(_session: Session) -> None:
    """Promise that the comment line ``# interrupt`` ends a search; nothing else is done."""


@COMMANDS.named("gogui-analyze_commands")
def gogui_analyze_commands(_session: Session) -> Iterable[str]:
    """Answer what GoGui may offer: lines of TYPE/LABEL/COMMAND."""
    return ANALYZE_COMMANDS


@COMMANDS.command
def cputime(_session: Session) -> str:
    """Answer the seconds that the process has kept processors busy, all threads together."""
    return f"{time.process_time():.3f}"


COMMANDS.named("gomill-cpu_time")(cputime)


@COMMANDS.named("gomill-describe_engine")
def gomill_describe_engine(session: Session) -> Iterable[str]:
    """Answer program, rule set and parameters, for the record of a game."""
    from taflengine.protocol.parameters import PARAMETERS

    settings = session.settings
    return [
        f"taflengine {__version__} ({core.form()} core)",
        f"rules {session.game.variant.name}",
        *(
            f"{each.name} {each.kind.write(getattr(settings, each.name))}"
            for each in PARAMETERS.values()
        ),
    ]


@COMMANDS.named("gomill-explain_last_move")
def gomill_explain_last_move(session: Session) -> str:
    """Answer why the engine has made its last move: what the search has found, or nothing.

    Only a move of ``search`` in this game has something to tell.
    """
    report = session.explanation
    if report is None:
        return ""
    from taflengine.protocol.reports import info_line

    return f"{info_line(report, session.game.variant.size)} seconds {report.seconds:.3f}"
