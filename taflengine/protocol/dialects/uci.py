"""UCI as the tafl engines of today speak it: stateless positions, options, ``go`` and ``stop``.

Attackers are the side that UCI calls black, so their clock is ``btime``; defenders
are white. Nothing is answered to a line that is not understood.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from taflengine import __version__
from taflengine.engines.engine import Limits
from taflengine.errors import NotationError, TaflError
from taflengine.game import Game, describe
from taflengine.notation import Move, parse_move, parse_rows, parse_side, quote
from taflengine.protocol.choosing import choose, on_clock
from taflengine.protocol.dialects.uci_options import find_option, option_lines
from taflengine.protocol.dialects.uci_text import CLOCKS, glued
from taflengine.protocol.loop import fault_line
from taflengine.protocol.session import Session
from taflengine.protocol.streams import Output
from taflengine.protocol.thinking import Thinking

if TYPE_CHECKING:
    from taflengine.engines.report import Report, Variation

NUMBERS = frozenset(
    {"wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate"}
)
"""The words of ``go`` that a number follows."""
GO_WORDS = NUMBERS | {"searchmoves", "ponder", "infinite"}
_TOKEN_LIMIT = 15
"""Longest number that is read, in digits."""


class Request(NamedTuple):
    """What a ``go`` asks for."""

    numbers: dict[str, int]
    moves: list[str]
    """The only first moves that count; empty for all."""
    infinite: bool
    ponder: bool


def read_go(words: list[str]) -> Request:
    """Read what stands behind ``go``; what is not understood is skipped."""
    numbers: dict[str, int] = {}
    moves: list[str] = []
    left = deque(words)
    while left:
        word = left.popleft()
        if word in NUMBERS and left and re.fullmatch(r"-?[0-9]+", left[0]):
            digits = left.popleft()
            numbers[word] = int(digits[:_TOKEN_LIMIT])
        elif word == "searchmoves":
            while left and left[0] not in GO_WORDS:
                moves.append(left.popleft())
    return Request(numbers, moves, "infinite" in words, "ponder" in words)


class Going(Thinking):
    """A ``go`` from its arrival to its ``bestmove``."""

    def __init__(self, endless: bool, ponders: bool) -> None:
        super().__init__()
        self.endless = endless
        """Must not be answered before somebody says so."""
        self._ponders = ponders
        self._seconds: float | None = None
        self._hit = False

    def hit(self) -> None:
        """The move pondered on was played: from now on the clock counts."""
        if self._ponders:
            self.endless, self._hit = False, True
            self._count_down()

    def begin(self, seconds: float | None) -> None:
        """Say how long it may take once the clock counts; None is as long as it likes."""
        self._seconds = 0.0 if seconds is None and self._ponders else seconds
        self._count_down()

    def _count_down(self) -> None:
        # Whoever comes second, the answer to the ponderhit or the search, starts the clock.
        if self._hit and self._seconds is not None:
            self.stop_after(self._seconds)


class Uci:
    """The engine's side of UCI.

    Args:
        session: Whose game, settings and engines are used.
        output: Takes the answers.
    """

    def __init__(self, session: Session, output: Output) -> None:
        self.session = session
        self._output = output
        self._goings: deque[Going] = deque()
        """Those that have not been answered; the first may be running."""
        self._fault = ""
        """Why the last position was refused; empty if it was not."""

    def overhear(self, line: bytes) -> bool:
        """What cannot wait for the end of a search."""
        words = _words(line)
        match words[0] if words else "":
            case "go":
                endless = "infinite" in words or "ponder" in words
                self._goings.append(Going(endless, "ponder" in words))
            case "stop":
                self._stop_all()
                return True
            case "ponderhit":
                for going in tuple(self._goings):
                    going.hit()
                return True
            case "isready" if self._goings:
                self._say("readyok")
                return True
            case "quit":
                self._stop_all()
        self.session.interrupts.heard(stops=False)
        return False

    def hang_up(self, *, lost: bool) -> None:
        """Nobody will say ``stop`` any more, and perhaps nobody waits for the answer."""
        for going in tuple(self._goings):
            if going.endless or lost:
                going.stop()
        self.session.interrupts.heard_end(lost=lost)

    def handle(self, line: bytes) -> bool:
        """Run *line*; True for ``quit``. An internal fault is an ``info string``."""
        self.session.interrupts.next_line()
        words = _words(line)
        command = COMMANDS.get(words[0]) if words else None
        if command is not None:
            try:
                command(self, words[1:])
            except OSError:
                raise  # nobody reads the answers
            except Exception as error:
                self._say(f"info string {fault_line(error)}")
        return words[:1] == ["quit"]

    def uci(self, _words: list[str]) -> None:
        """Say who speaks, and every option."""
        lines = [f"id name taflengine {__version__}", "id author the taflengine developers"]
        self._say(*lines, *option_lines(self.session), "uciok")

    def isready(self, _words: list[str]) -> None:
        """Answer ``readyok``, also in the middle of a search."""
        self.session.get_ready()
        self._say("readyok")

    def ucinewgame(self, _words: list[str]) -> None:
        """Forget what was learnt of the last game."""
        self.session.begin(self.session.game.variant)
        self._fault = ""

    def setoption(self, words: list[str]) -> None:
        """Set an option; what cannot be set stays as it was, and an ``info string`` says why."""
        name, value = _option(words)
        try:
            find_option(name).put(self.session, value)
        except TaflError as error:
            self._say(f"info string {error}")

    def position(self, words: list[str]) -> None:
        """Set up a position and play moves; all or nothing, an ``info string`` says why nothing."""
        self._fault = ""
        try:
            self.session.game = _position(self.session, words)
        except TaflError as error:
            self._fault = f"position refused: {error}"
            self._say(f"info string {self._fault}")

    def go(self, words: list[str]) -> None:
        """Think, and answer one ``bestmove``."""
        going = self._goings[0]
        try:
            best = self._best(going, read_go(words))
            going.begin(0.0)  # whoever says that the move was played has nothing to wait for
            if going.endless:
                going.wait()
        finally:
            self._goings.popleft()
        size = self.session.game.variant.size
        move, *others = [glued(move, size) for move in best[:2]] or ["(none)"]
        self._say(" ".join([f"bestmove {move}", *[f"ponder {other}" for other in others]]))

    def _best(self, going: Going, request: Request) -> tuple[Move, ...]:
        """As ``_think``; none, and an ``info string`` says why, where it cannot be done."""
        try:
            return self._think(going, request)
        except OSError:
            raise  # nobody reads the answers
        except TaflError as error:
            self._say(f"info string {error}")
        except Exception as error:  # the GUI waits for a bestmove all the same
            self._say(f"info string {fault_line(error)}")
        return ()

    def _think(self, going: Going, request: Request) -> tuple[Move, ...]:
        """The line to play; none where there is no move to choose."""
        session = self.session
        game = session.game
        if self._fault or game.outcome:
            why = self._fault or (describe(game.outcome) if game.outcome else "")
            self._say(f"info string {why}")
            return ()
        only = [parse_move(word, game.variant.size).move for word in request.moves]
        for move in only:
            game.check(move)
        moves = only or game.legal_moves()
        limits = self._limits(request)
        if len(moves) == 1 and limits.soft_seconds is not None:
            limits = limits._replace(depth=1)  # the clock's time is for choosing
        going.begin(limits.seconds)
        if request.ponder:
            limits = limits._replace(seconds=None, soft_seconds=None)
        move, report = choose(
            session,
            limits,
            moves,
            going.reports,
            watch=lambda report: self._say(*_info(report, game)),
        )
        return report.line if report else (move,)

    def _limits(self, request: Request) -> Limits:
        """What *request* allows; without a word of its own, what the options say."""
        numbers, game = request.numbers, self.session.game
        time_word, increment_word = CLOCKS[game.side_to_move]
        depth = max(numbers.get("depth", 0), 2 * numbers.get("mate", 0) - 1)
        limits = Limits(
            depth=depth if depth > 0 else None,
            nodes=max(1, numbers["nodes"]) if "nodes" in numbers else None,
            seconds=max(0, numbers["movetime"]) / 1000 if "movetime" in numbers else None,
        )
        if time_word in numbers:
            return self._on_clock(
                limits,
                max(0, numbers[time_word]) / 1000,
                max(0, numbers.get(increment_word, 0)) / 1000,
                max(0, numbers.get("movestogo", 0)),
            )
        if limits == Limits() and not request.infinite and not request.ponder:
            return self.session.limits
        return limits

    def _on_clock(self, limits: Limits, left: float, increment: float, moves: int) -> Limits:
        from taflengine.clock import Clock, TimeControl

        clock = Clock(TimeControl(main=left, increment=increment, moves=moves))
        clocked = on_clock(limits, clock, self.session.settings.margin)
        if limits.seconds is None or clocked.seconds is None:
            return clocked
        return limits._replace(seconds=min(limits.seconds, clocked.seconds))

    def _stop_all(self) -> None:
        for going in tuple(self._goings):
            going.stop()

    def _say(self, *lines: str) -> None:
        self._output.write("".join(f"{line}\n" for line in lines))


COMMANDS: dict[str, Callable[[Uci, list[str]], None]] = {
    "uci": Uci.uci,
    "isready": Uci.isready,
    "ucinewgame": Uci.ucinewgame,
    "setoption": Uci.setoption,
    "position": Uci.position,
    "go": Uci.go,
    "stop": lambda _uci, _words: None,
    "ponderhit": lambda _uci, _words: None,
    "quit": lambda _uci, _words: None,
}
"""Every command by its name. The last three have done their work when they arrive."""


def _words(line: bytes) -> list[str]:
    return line.decode(errors="replace").replace("\0", " ").split()


def _option(words: list[str]) -> tuple[str, str]:
    """The name and the value of ``name N... value V...``."""
    _, _, rest = " ".join(words).partition("name ")
    name, _, value = rest.partition(" value ")
    return name.removesuffix(" value").strip(), value.strip()


def _position(session: Session, words: list[str]) -> Game:
    """The game that *words* describe, under the rules in force.

    Raises:
        TaflError: they describe none.
    """
    setup, _, moves = _split(words, "moves")
    variant = session.game.variant
    repetition = session.settings.repetition
    match setup:
        case ["startpos", *_]:
            game = Game(variant, enforce_repetition=repetition)
        case ["fen", rows, side, *_]:
            board = parse_rows(rows)
            game = Game(variant, board, parse_side(side), enforce_repetition=repetition)
        case _:
            shown = quote(" ".join(setup))
            raise NotationError(f"{shown} is neither startpos nor fen ROWS SIDE")
    for word in moves:
        written = parse_move(word, variant.size)
        game.play(written.move, written.captures)
    return game


def _split(words: list[str], separator: str) -> tuple[list[str], bool, list[str]]:
    if separator not in words:
        return words, False, []
    place = words.index(separator)
    return words[:place], True, words[place + 1 :]


def _info(report: "Report", game: Game) -> Iterator[str]:
    """A line for each variation of *report*, the best first."""
    speed = int(report.nodes / report.seconds) if report.seconds > 0 else 0
    effort = f"nodes {report.nodes} nps {speed} time {int(report.seconds * 1000)}"
    for number, variation in enumerate(report.variations, start=1):
        line = " ".join(glued(move, game.variant.size) for move in variation.line)
        yield (
            f"info depth {report.depth} multipv {number} score {_score(variation)} "
            f"{effort} pv {line}"
        )


def _score(variation: "Variation") -> str:
    """As UCI counts: hundredths of a man, or moves of the winner to a proven end."""
    plies = variation.plies_to_end
    if plies is None:
        return f"cp {variation.score}"
    return f"mate {(plies + 1) // 2}" if plies > 0 else f"mate {-(-plies // 2)}"
