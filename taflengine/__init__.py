"""Engine for hnefatafl and its relatives.

The names in ``__all__`` are the library; each is loaded when first asked for, so
that ``import taflengine`` and the command line cost next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taflengine.engines.engine import Limits
    from taflengine.engines.report import Report, Variation
    from taflengine.engines.search import Searcher
    from taflengine.errors import (
        GameOverError,
        IllegalMoveError,
        NotationError,
        RecordError,
        Refusal,
        RulesError,
        TaflError,
    )
    from taflengine.game import Game, Ply
    from taflengine.notation import Board, Move, format_move, parse_move, parse_rows
    from taflengine.pieces import Piece, Side
    from taflengine.records.formats import format_game, parse_games, read_games, write_games
    from taflengine.records.judge import Judgement, judge
    from taflengine.records.record import Entry, Record, Verdict, record_of
    from taflengine.rules import Outcome, Reason, Variant
    from taflengine.variants import find_variant
    from taflengine.variants.files import load_rules
    from taflengine.variants.opentafl import format_opentafl, parse_opentafl

__version__ = "0.1.0"
COMPLETE_VARIABLE = "_TAFLENGINE_COMPLETE"
"""A shell that asks what may follow sets it, and gives the words in other variables."""

_HOMES = {
    "engines.engine": ("Limits",),
    "engines.report": ("Report", "Variation"),
    "engines.search": ("Searcher",),
    "errors": (
        "GameOverError",
        "IllegalMoveError",
        "NotationError",
        "RecordError",
        "Refusal",
        "RulesError",
        "TaflError",
    ),
    "game": ("Game", "Ply"),
    "notation": ("Board", "Move", "format_move", "parse_move", "parse_rows"),
    "pieces": ("Piece", "Side"),
    "records.formats": ("format_game", "parse_games", "read_games", "write_games"),
    "records.judge": ("Judgement", "judge"),
    "records.record": ("Entry", "Record", "Verdict", "record_of"),
    "rules": ("Outcome", "Reason", "Variant"),
    "variants": ("find_variant",),
    "variants.files": ("load_rules",),
    "variants.opentafl": ("format_opentafl", "parse_opentafl"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022 -- sorted without regard to case, as people look things up
    "Board",
    "Entry",
    "find_variant",
    "format_game",
    "format_move",
    "format_opentafl",
    "Game",
    "GameOverError",
    "IllegalMoveError",
    "judge",
    "Judgement",
    "Limits",
    "load_rules",
    "Move",
    "NotationError",
    "Outcome",
    "parse_games",
    "parse_move",
    "parse_opentafl",
    "parse_rows",
    "Piece",
    "Ply",
    "read_games",
    "Reason",
    "Record",
    "record_of",
    "RecordError",
    "Refusal",
    "Report",
    "RulesError",
    "Searcher",
    "Side",
    "TaflError",
    "Variant",
    "Variation",
    "Verdict",
    "write_games",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
