"""Cases as pictures, and rule sets on boards of any size.

A case file is prose, then cases. A case is a title, ``rules:`` with the name of a
game, lines ``with:`` that each change one rule of it as a rule file would, the
board before and after the move, ``move:``, and what follows: ``captures:``,
``result:`` (both left out where there is none) or ``refused:`` with the reason.
``why:`` is for people. A refused move has one board. ``+ x :`` are empty squares:
the throne, a corner, a camp.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from taflengine.geometry import geometry_of
from taflengine.notation import (
    Board,
    Move,
    format_move,
    format_picture,
    parse_move,
    parse_picture,
    parse_side,
    parse_square,
    square_name,
)
from taflengine.pieces import Side
from taflengine.rules import Variant
from taflengine.variants import find_variant
from taflengine.variants.plain import from_plain, to_plain

SYMMETRIES = (
    "as drawn",
    "mirrored",
    "turned once",
    "turned once and mirrored",
    "turned twice",
    "turned twice and mirrored",
    "turned thrice",
    "turned thrice and mirrored",
)
"""What ``Geometry.symmetries`` gives, in its order."""

_MARKS = "+x:"


@dataclass(frozen=True)
class Case:
    """One move in one position, and what must come of it."""

    title: str
    rules: Variant
    changes: str
    """What ``with:`` says, in TOML."""
    before: Board
    side: Side
    move: Move
    after: Board
    """Equal to ``before`` where the move is refused."""
    captures: frozenset[int] = frozenset()
    result: str = "ongoing"
    refused: str = ""
    """The reason, empty for a legal move."""
    place: int | None = None
    """The square that the refusal names, None where it names none."""

    @property
    def expected(self) -> str:
        """What follows from the move, in one line."""
        if not self.refused:
            return told(self.captures, self.result, self.before.size)
        place = "" if self.place is None else f" at {square_name(self.place, self.before.size)}"
        return f"refused: {self.refused}{place}"

    def __str__(self) -> str:
        return (
            f"{self.title}\nrules: {self.rules.name}\n{self.changes}\n"
            f"{format_picture(self.before)}\n"
            f"move: {self.side.value} {format_move(self.move, self.before.size)}\n"
            f"expected: {self.expected}"
        )


def told(captures: Iterable[int], result: object, size: int) -> str:
    """What follows from a legal move, in one line."""
    names = [square_name(square, size) for square in sorted(captures)]
    return f"captures {' '.join(names) or 'nothing'}; {result}"


@cache
def symmetries(size: int) -> tuple[tuple[int, ...], ...]:
    """The eight turns and mirrors of a board of *size*, made once."""
    return geometry_of(size).symmetries()


@cache
def on_board(name: str, size: int, changes: str = "") -> Variant:
    """The rules of the game called *name* on a board of *size*, with *changes* in TOML.

    The start is the king alone in the centre.
    """
    rows = [["."] * size for _ in range(size)]
    rows[size // 2][size // 2] = "k"
    board = "\n".join("".join(row) for row in rows)
    return from_plain(to_plain(find_variant(name)) | {"board": board} | tomllib.loads(changes))


def drawn(name: str, picture: str, changes: str = "") -> Variant:
    """The rules of the game called *name* with *picture* as the start, and *changes* in TOML."""
    return from_plain(to_plain(find_variant(name)) | {"board": picture} | tomllib.loads(changes))


@dataclass
class _Draft:
    """A case as it is being read."""

    rules: str = ""
    changes: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)


def read_cases(path: Path) -> list[Case]:
    """All cases of the file *path*.

    Raises:
        ValueError: a case that cannot be read; a note to it says which.
        KeyError: a case without a move, noted likewise.
    """
    cases = []
    for block in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, *lines = block.split("\n")
        try:
            cases.append(_case(title, lines))
        except (KeyError, ValueError) as error:
            error.add_note(f"in {path.name}: {title}")
            raise
    return cases


def _case(title: str, lines: list[str]) -> Case:
    draft = _Draft()
    for line in filter(None, map(str.strip, lines)):
        _read_line(draft, line)
    size = len(draft.rows)
    changes = "\n".join(draft.changes)
    rules = on_board(draft.rules, size, changes)
    before = _board([row[:size] for row in draft.rows], rules)
    side, move = draft.said["move"].split()
    reason, _, place = draft.said.get("refused", "").partition(" at ")
    captures = draft.said.get("captures", "").split()
    return Case(
        title=title,
        rules=rules,
        changes=changes,
        before=before,
        side=parse_side(side),
        move=parse_move(move, size).move,
        after=before if reason else _board([row[size:] for row in draft.rows], rules),
        captures=frozenset(parse_square(name, size) for name in captures),
        result=draft.said.get("result", "ongoing"),
        refused=reason,
        place=parse_square(place, size) if place else None,
    )


def _read_line(draft: _Draft, line: str) -> None:
    key, colon, rest = line.partition(": ")
    if re.match(r"[0-9]+ ", line):
        draft.rows.append([mark for mark in line.split()[1:] if mark != "->"])
    elif colon and key == "rules":
        draft.rules = rest
    elif colon and key == "with":
        draft.changes.append(rest)
    elif colon and key in ("move", "captures", "result", "refused", "why"):
        draft.said[key] = rest
    elif not line.startswith("a b c d e f g"):
        raise ValueError(f"what is {line!r}?")


def _board(rows: list[list[str]], rules: Variant) -> Board:
    marked = {
        "+": {rules.geometry.centre} if rules.throne else set(),
        "x": rules.corner_squares,
        ":": frozenset[int]().union(*rules.camp_groups),
    }
    text = "\n".join("".join(row) for row in rows)
    for square, mark in enumerate(mark for row in reversed(rows) for mark in row):
        if mark in _MARKS and square not in marked[mark]:
            raise ValueError(f"no {mark!r} belongs on {square_name(square, rules.size)}")
    return parse_picture(text.translate(str.maketrans(_MARKS, "." * len(_MARKS))))


def turned(case: Case, image: tuple[int, ...]) -> Case:
    """*case* after a turn or mirroring that takes each square to its *image*."""
    return replace(
        case,
        rules=turned_rules(case.rules, image),
        before=turned_board(case.before, image),
        move=Move(image[case.move.origin], image[case.move.target]),
        after=turned_board(case.after, image),
        captures=frozenset(image[square] for square in case.captures),
        place=None if case.place is None else image[case.place],
    )


@cache
def turned_rules(rules: Variant, image: tuple[int, ...]) -> Variant:
    """*rules* with start and camps turned; all other marked squares lie alike on every side."""
    if not rules.camps:
        return rules

    def turned_names(squares: tuple[str, ...]) -> tuple[str, ...]:
        size = rules.size
        return tuple(square_name(image[parse_square(name, size)], size) for name in squares)

    return replace(
        rules,
        board=format_picture(turned_board(rules.start, image)),
        camps=tuple(turned_names(group) for group in rules.camps),
        camp_harmless_to_attackers=turned_names(rules.camp_harmless_to_attackers),
    )


def turned_board(board: Board, image: tuple[int, ...]) -> Board:
    """*board* after a turn or mirroring that takes each square to its *image*."""
    pieces = list(board.pieces)
    for square, piece in enumerate(board.pieces):
        pieces[image[square]] = piece
    return Board(board.size, tuple(pieces))
