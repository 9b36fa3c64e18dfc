"""Sides, pieces and sets of pieces."""

from enum import Enum


class Side(Enum):
    """One of the two sides; the attackers besiege, the defenders hold the king."""

    ATTACKER = "attacker"
    DEFENDER = "defender"

    @property
    def other(self) -> "Side":
        """The opposing side."""
        return Side.DEFENDER if self is Side.ATTACKER else Side.ATTACKER


class Piece(Enum):
    """The three kinds of piece. A man is any piece but the king."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    KING = "king"

    @property
    def side(self) -> Side:
        """The side that moves the piece."""
        return Side.ATTACKER if self is Piece.ATTACKER else Side.DEFENDER


NOBODY: frozenset[Piece] = frozenset()
KING_ONLY: frozenset[Piece] = frozenset({Piece.KING})
ATTACKERS: frozenset[Piece] = frozenset({Piece.ATTACKER})
MEN: frozenset[Piece] = frozenset({Piece.ATTACKER, Piece.DEFENDER})
EVERYBODY: frozenset[Piece] = frozenset(Piece)
