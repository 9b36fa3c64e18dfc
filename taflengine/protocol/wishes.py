"""What may follow ``analyze``: words in any order, as the front ends of thirty years send them."""

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from taflengine.errors import NotationError
from taflengine.notation import Move, parse_move, parse_side, quote
from taflengine.pieces import Side

if TYPE_CHECKING:
    from taflengine.engines.engine import Limits
    from taflengine.game import Game

KEYS = ("interval", "minmoves", "maxmoves", "avoid", "allow", "depth", "nodes", "time")
FOREIGN = ("rootInfo", "ownership", "movesOwnership", "pvVisits", "pvEdgeVisits", "noResultValue")
"""Keys of KataGo that ask for what tafl does not have; they and their values are skipped."""
MAX_INTERVAL = 360_000
"""Centiseconds."""


class Wishes(NamedTuple):
    """What an analysis is to look at and to tell."""

    side: Side
    """Must be the side to move."""
    interval: float = 0.0
    """Least seconds between two reports; 0 tells each one at once."""
    variations: int | None = None
    """How many first moves get a variation; None for as many as is usual."""
    avoid: frozenset[Move] = frozenset()
    """First moves that are not looked at."""
    allow: frozenset[Move] | None = None
    """The only first moves that are; None for all."""
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    @property
    def bounded(self) -> bool:
        """Whether the analysis ends by itself."""
        return (self.depth or self.nodes or self.seconds) is not None

    def limits(self, usual: "Limits") -> "Limits":
        """*usual*, with the limits that are wished for in the place of its own."""
        limits = usual._replace(depth=self.depth or usual.depth, nodes=self.nodes or usual.nodes)
        if self.seconds is None:
            return limits
        return limits._replace(seconds=self.seconds, soft_seconds=None)

    def moves(self, legal: list[Move]) -> list[Move]:
        """Those of the *legal* moves that are to be looked at."""
        allowed = legal if self.allow is None else [move for move in legal if move in self.allow]
        return [move for move in allowed if move not in self.avoid]


def parse_wishes(game: "Game", text: str) -> Wishes:
    """Read the words behind ``analyze``.

    A side, a number, which is the interval in centiseconds, and pairs of a key and
    its value. ``avoid`` and ``allow`` may have a side before their moves, and a number
    of plies behind them, which changes nothing: first moves are what they are about.

    Raises:
        NotationError: an unknown key, or a value that its key does not allow.
    """
    # Needed only here, and it knows the engines.
    from taflengine.engines.engine import MAX_DEPTH
    from taflengine.protocol.parameters import MAX_NODES, PARAMETERS, Whole

    wishes = Wishes(game.side_to_move)
    words = deque(text.split())
    while words:
        word = words.popleft()
        if word in ("avoid", "allow"):
            wishes = _with_moves(wishes, word, game, words)
        elif word in FOREIGN:
            if words and words[0] not in KEYS:
                words.popleft()
        elif word == "interval":
            wishes = wishes._replace(interval=_interval(_value(word, words)))
        elif word in ("minmoves", "maxmoves"):
            count = PARAMETERS["multipv"].kind.parse(_value(word, words))
            wishes = wishes._replace(variations=count)
        elif word == "depth":
            wishes = wishes._replace(depth=Whole(1, MAX_DEPTH).parse(_value(word, words)))
        elif word == "nodes":
            wishes = wishes._replace(nodes=Whole(1, MAX_NODES).parse(_value(word, words)))
        elif word == "time":
            seconds = PARAMETERS["movetime"].kind.parse(_value(word, words))
            wishes = wishes._replace(seconds=seconds)
        elif word[0].isdigit():
            wishes = wishes._replace(interval=_interval(word))
        else:
            wishes = wishes._replace(side=_side(word))
    return wishes


def _value(key: str, words: deque[str]) -> str:
    if not words:
        raise NotationError(f"nothing stands behind {key}: it needs a value")
    return words.popleft()


def _interval(text: str) -> float:
    from taflengine.protocol.parameters import Seconds

    try:
        return Seconds(0, MAX_INTERVAL).parse(text) / 100
    except NotationError:
        raise NotationError(
            f"{quote(text)} is no interval: say hundredths of a second from 0 to {MAX_INTERVAL}"
        ) from None


def _side(word: str) -> Side:
    try:
        return parse_side(word)
    except NotationError:
        raise NotationError(
            f"{quote(word)} is neither a side nor an interval nor one of {' '.join(KEYS)}"
        ) from None


def _with_moves(wishes: Wishes, key: str, game: "Game", words: deque[str]) -> Wishes:
    """Read ``[SIDE] MOVE,MOVE... [PLIES]`` behind *key*; those of the other side do not count."""
    word, side = _value(key, words), None
    if not any(letter.isdigit() for letter in word):
        try:
            side = parse_side(word)
        except NotationError:
            raise NotationError(
                f"{quote(word)} is neither a side nor moves: say {key} and e4-e7,e4-e8"
            ) from None
        word = _value(f"{key} {word}", words)
    moves = frozenset(parse_move(each, game.variant.size).move for each in word.split(","))
    if words and words[0].isdigit():
        words.popleft()
    if side not in (None, game.side_to_move):
        return wishes
    if key == "avoid":
        return wishes._replace(avoid=wishes.avoid | moves)
    return wishes._replace(allow=(wishes.allow or frozenset()) | moves)
