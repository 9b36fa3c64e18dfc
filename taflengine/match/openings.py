"""Openings: read from files, or drawn by chance.

A file has one opening a line: moves with blanks between, after a name of a rule set
and a colon if the file has openings of several, or under a line ``[NAME]``. Rows and
a side may stand before the moves, for a game that begins elsewhere. What follows
``#`` is the opening's name, or, alone on a line, a comment.
"""

import random
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from taflengine.errors import NotationError, TaflError
from taflengine.game import Game
from taflengine.match.plan import Opening
from taflengine.notation import Board, parse_rows, parse_side, quote
from taflengine.pieces import Side
from taflengine.rules import Variant
from taflengine.textfile import read_text
from taflengine.variants import find_variant

SHIPPED = Path(__file__).parents[1] / "openings"
"""Where the openings of this program are, one file for each rule set that has some."""
_BEGINNING = re.compile(r"(?P<name>(?![a-zA-Z][0-9])[^\s:/]+)(\s*:\s*|\s+)(?P<rest>.*)")
"""A name before the moves: a word that begins like no square and has no row in it."""
_TRIES = 1000
"""So often a game by chance may be over too soon before it is given up."""


def shipped_openings(variant: Variant) -> list[Opening]:
    """The openings of this program for *variant*; none if it has no file of them."""
    path = SHIPPED / f"{variant.name}.txt"
    return read_openings(path, variant, [variant]) if path.exists() else []


def read_openings(path: Path, variant: Variant, variants: Sequence[Variant]) -> list[Opening]:
    """The openings for *variant* in the file at *path*, in the order in which they stand.

    Lines without a rule set are for every one of *variants*, all that are played.

    Raises:
        NotationError: the file cannot be read, or a line is wrong; the message has both.
    """
    found: list[Opening] = []
    heading = ""
    known = {name for each in variants for name in (each.name, *each.aliases)}
    wanted = {variant.name, *variant.aliases, ""}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        text, _, comment = (part.strip() for part in line.partition("#"))
        try:
            if text.startswith("[") and text.endswith("]"):
                heading = _name(text[1:-1], known)
                continue
            beginning = _BEGINNING.fullmatch(text)
            rules = _name(beginning["name"], known) if beginning else heading
            moves = beginning["rest"] if beginning else text
            if moves and rules in wanted:
                found.append(_parse(moves, variant, comment or f"{path.name}:{number}"))
        except TaflError as error:
            raise NotationError(f"{path}, line {number}: {error}") from None
    return found


def _name(text: str, known: Collection[str]) -> str:
    """The name of a rule set, which must be a built-in one or *known*."""
    name = text.strip().lower()
    return name if name in known else find_variant(name).name


def _parse(text: str, variant: Variant, name: str) -> Opening:
    """Read one opening, which must leave a move to make."""
    words = text.split()
    board: Board | None = None
    side: Side | None = None
    if "/" in words[0] and len(words) > 1:
        board, side = parse_rows(words[0]), parse_side(words[1])
        words = words[2:]
    game = Game(variant, board, side)
    for number, word in enumerate(words, start=1):
        try:
            game.play_text(word)
        except TaflError as error:
            raise NotationError(f"move {number}: {error}") from None
    if game.outcome is not None:
        raise NotationError(f"{quote(text)}: the game is over, {game.outcome}")
    return Opening(name, tuple(ply.move for ply in game.plies), board, side)


def random_opening(variant: Variant, plies: int, generator: random.Random) -> Opening:
    """*plies* moves drawn by *generator*, all with the same chance, that do not end the game.

    Raises:
        NotationError: there seem to be none.
    """
    for _ in range(_TRIES):
        game = Game(variant)
        while game.outcome is None and len(game.plies) < plies:
            game.play(generator.choice(game.legal_moves()))
        if game.outcome is None:
            return Opening(f"random {plies}", tuple(ply.move for ply in game.plies))
    raise NotationError(f"{variant.name}: no game goes on for {plies} random plies")
