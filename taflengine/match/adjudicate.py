"""Games that are ended by what the engines think of them."""

from typing import NamedTuple

from taflengine.errors import NotationError
from taflengine.match.games import Ending
from taflengine.notation import quote
from taflengine.pieces import Side


class DrawRule(NamedTuple):
    """A draw when both sides have held the game even for so many moves."""

    from_move: int
    """The first move of a side, counted from 1, that can count."""
    moves: int
    """So many moves of each side in a row."""
    score: int
    """Of a score of no more than this, either way."""


class ResignRule(NamedTuple):
    """A loss for the side that has held the game lost for so many of its moves."""

    moves: int
    score: int
    """The score of the loser is at most minus this."""
    two_sided: bool = True
    """Whether the winner must have held it won for as many moves."""


class Adjudication(NamedTuple):
    """A game that is ended here."""

    winner: Side | None
    ending: Ending


class Adjudicator:
    """Watches the scores of one game."""

    def __init__(self, draw: DrawRule | None, resign: ResignRule | None) -> None:
        self._draw = draw
        self._resign = resign
        self._moves = dict.fromkeys(Side, 0)
        self._even = dict.fromkeys(Side, 0)
        self._lost = dict.fromkeys(Side, 0)
        self._won = dict.fromkeys(Side, 0)

    def after(self, side: Side, score: int | None) -> Adjudication | None:
        """What follows from a move of *side*, which thinks so of the game; None is no opinion."""
        self._moves[side] += 1
        draw, resign = self._draw, self._resign
        if draw:
            even = score is not None and abs(score) <= draw.score
            counts = even and self._moves[side] >= draw.from_move
            self._even[side] = self._even[side] + 1 if counts else 0
            if min(self._even.values()) >= draw.moves:
                return Adjudication(None, Ending.DRAW_BY_SCORE)
        if resign:
            lost = score is not None and score <= -resign.score
            won = score is not None and score >= resign.score
            self._lost[side] = self._lost[side] + 1 if lost else 0
            self._won[side] = self._won[side] + 1 if won else 0
            for each in Side:
                agreed = not resign.two_sided or self._won[each.other] >= resign.moves
                if self._lost[each] >= resign.moves and agreed:
                    return Adjudication(each.other, Ending.WIN_BY_SCORE)
        return None


def parse_draw(text: str) -> DrawRule:
    """Read ``movenumber=40 movecount=8 score=20``.

    Raises:
        NotationError: a word is wrong or missing.
    """
    found = _numbers(text, ("movenumber", "movecount", "score"))
    return DrawRule(found["movenumber"], found["movecount"], found["score"])


def parse_resign(text: str) -> ResignRule:
    """Read ``movecount=3 score=600``, and ``twosided=false`` if one side's opinion is enough.

    Raises:
        NotationError: a word is wrong or missing.
    """
    words = text.replace(",", " ").split()
    sides = [word for word in words if word.startswith("twosided=")]
    if sides not in ([], ["twosided=true"], ["twosided=false"]):
        raise NotationError(f"{quote(sides[0])}: say twosided=true or twosided=false")
    rest = " ".join(word for word in words if word not in sides)
    found = _numbers(rest, ("movecount", "score"))
    return ResignRule(found["movecount"], found["score"], sides != ["twosided=false"])


def _numbers(text: str, names: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        if name not in names or not (value.isascii() and value.isdigit()):
            break
        found[name] = int(value)
    else:
        if set(found) == set(names) and (found["movecount"] > 0):
            return found
    usage = " ".join(f"{name}=N" for name in names)
    raise NotationError(f"{quote(text)} is no rule of adjudication: say {usage}")
