"""Engines that speak UCI with tafl's squares, as ``e4e7``.

The rule set is told by the option ``UCI_Variant``; an engine without it is taken to
play the game of the match. Lines that are not understood are skipped, as UCI wants.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from taflengine.clock import Clock
from taflengine.errors import BadReplyError, NotationError
from taflengine.notation import Move, format_rows, parse_move, quote
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import (
    Choice,
    Controller,
    Identity,
    Line,
    Link,
    Task,
)
from taflengine.protocol.dialects.uci_text import CLOCKS, RULES_OPTION, glued

PROVEN = 10_000
"""The score of a won game; UCI tells it in moves."""
_INFO = ("depth", "nodes")
_SOURCES = ("otn:", "@")
"""Begin the texts of rule sets that have no name."""


class UciController(Controller):
    """An engine that speaks UCI."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._options: dict[str, tuple[str, str]] = {}
        """Name and declaration of each option, by its name in small letters."""
        self._name = ""
        self._task: Task | None = None
        self._moves: list[str] = []

    def start(
        self, options: Mapping[str, str], commands: Sequence[str], deadline: float
    ) -> Identity:
        """As ``Controller.start``; an option is set with ``setoption``."""
        self.link.send("uci", deadline)
        self._read_until("uciok", deadline)
        self._synchronise(deadline)  # some declare their options behind uciok
        for key, value in options.items():
            self._set(key, value, deadline)
        for command in commands:
            self.link.send(command, deadline)
        self._synchronise(deadline)
        return Identity(self._name, "")

    def new_game(self, task: Task, deadline: float) -> None:
        """As ``Controller.new_game``."""
        self._task, self._moves = task, []
        declared = self._options.get(RULES_OPTION.lower())
        if declared is not None:
            offered = declared[1].split()
            if not task.rules.startswith(_SOURCES) and task.rules not in offered:
                raise BadReplyError(f"{RULES_OPTION} does not offer {quote(task.rules)}")
            self._set(RULES_OPTION, task.rules, deadline)
        if "seed" in self._options:
            self._set("seed", str(task.seed), deadline)
        self.link.send("ucinewgame", deadline)
        self._synchronise(deadline)

    def played(self, side: Side, move: Move, deadline: float) -> None:  # noqa: ARG002 -- told by choose
        """As ``Controller.played``; the engine is told when it is asked."""
        self._note(move)

    def choose(self, side: Side, clocks: Mapping[Side, Clock], deadline: float) -> Choice:  # noqa: ARG002 -- the moves tell
        """As ``Controller.choose``."""
        task = self._require_task()
        self.link.send(self._position(task), deadline)
        sent = self.link.send(" ".join(["go", *_go_words(task, clocks)]), deadline)
        thought: dict[str, int] = {}
        while True:
            line = self.link.receive(deadline)
            words = line.text.split()
            if words[:1] == ["info"]:
                thought |= _read_info(words)
            elif words[:1] == ["bestmove"]:
                return self._chosen(words, line, sent, thought)

    def quit(self, deadline: float) -> None:
        """As ``Controller.quit``."""
        self.link.send("quit", deadline)

    def _chosen(self, words: list[str], line: Line, sent: float, thought: dict[str, int]) -> Choice:
        task = self._require_task()
        move = None
        if words[1:2] != ["(none)"]:
            try:
                move = parse_move(" ".join(words[1:2]), task.game.variant.size).move
            except NotationError as error:
                raise BadReplyError(f"{quote(line.text)}: {error}") from None
            self._note(move)
        return Choice(move, line.time - sent, **thought)

    def _note(self, move: Move) -> None:
        self._moves.append(glued(move, self._require_task().game.variant.size))

    def _require_task(self) -> Task:
        if self._task is None:
            raise RuntimeError("no game has begun")
        return self._task

    def _position(self, task: Task) -> str:
        game = task.game
        start = "startpos"
        if (game.start, game.first) != (game.variant.start, game.variant.first):
            start = f"fen {format_rows(game.start)} {game.first.value[0]}"
        return " ".join([f"position {start}", *(["moves", *self._moves] if self._moves else [])])

    def _set(self, key: str, value: str, deadline: float) -> None:
        found = self._options.get(key.lower())
        if found is None:
            names = " ".join(name for name, _ in self._options.values())
            raise BadReplyError(f"the engine has no option {quote(key)}, only {names or 'none'}")
        self.link.send(f"setoption name {found[0]} value {value}", deadline)

    def _synchronise(self, deadline: float) -> None:
        self.link.send("isready", deadline)
        self._read_until("readyok", deadline)

    def _read_until(self, end: str, deadline: float) -> None:
        """Take note of what is declared up to the line *end*."""
        while True:
            words = self.link.receive(deadline).text.split()
            match words:
                case ["id", "name", *who]:
                    self._name = " ".join(who)
                case ["option", "name", *rest] if "type" in rest:
                    place = rest.index("type")
                    name = " ".join(rest[:place])
                    self._options[name.lower()] = (name, " ".join(rest[place:]))
            if words[:1] == [end]:
                return


def _go_words(task: Task, clocks: Mapping[Side, Clock]) -> list[str]:
    """What stands behind ``go``: the limits of a move, or both clocks."""
    budget = task.budget
    words = []
    for word, limit in (("nodes", budget.nodes), ("depth", budget.depth)):
        words += [word, str(limit)] if limit else []
    if budget.movetime is not None:
        return [*words, "movetime", str(_milliseconds(budget.movetime))]
    for side, (time_word, increment_word) in CLOCKS.items():
        clock = clocks.get(side)
        if clock is None or not clock.control.limited:
            continue
        words += [time_word, str(_milliseconds(clock.remaining))]
        if clock.control.increment:
            words += [increment_word, str(_milliseconds(clock.control.increment))]
        if side is task.side and clock.moves_left:
            words += ["movestogo", str(clock.moves_left)]
    return words


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))


def _read_info(words: list[str]) -> dict[str, int]:
    """Score, depth and nodes of an ``info`` line about the best move."""
    found: dict[str, int] = {}
    if "multipv" in words[:-1] and words[words.index("multipv") + 1] != "1":
        return found
    facts = words[: words.index("pv")] if "pv" in words else words
    for word, value in pairwise(facts):
        number = _whole(value)
        if number is None:
            continue
        if word in _INFO:
            found[word] = number
        elif word == "cp":
            found["score"] = number
        elif word == "mate":
            found["score"] = PROVEN if number > 0 else -PROVEN
    return found


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None
