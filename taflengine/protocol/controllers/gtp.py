"""Engines that speak the protocol of this program, or another dialect of GTP 2.

Needed are ids, ``play`` and ``genmove``, and ``newgame``, or ``boardsize`` and
``clear_board``. Whatever else is used is looked for in ``list_commands`` first.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from taflengine.clock import Clock, TimeControl
from taflengine.errors import BadReplyError, NotationError
from taflengine.notation import (
    Move,
    format_move,
    format_rows,
    parse_move,
    parse_rows,
    parse_side,
    parse_square,
    quote,
)
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import (
    REASON,
    Budget,
    Choice,
    Controller,
    Identity,
    Line,
    Link,
    Standing,
    Task,
)

_EXPLAIN = "gomill-explain_last_move"
"""Asked behind each move, if the engine has it: an answer like a line of ``analyze`` is read."""
MAX_REPLY = 1 << 20
"""Longest reply, in characters."""


class RawReply(NamedTuple):
    """An answer, whatever it says."""

    success: bool
    text: str
    """Without sign and id, and without blanks around it."""
    time: float
    """When the first byte of its last line was there."""


def read_reply(
    link: Link, first: Line, question: str, deadline: float, needed: str | None = None
) -> RawReply:
    """The answer to *question* that begins with the line *first*, which begins with its sign.

    Args:
        link: Where the rest of it comes from.
        first: Its first line.
        question: For messages.
        deadline: When it must be whole.
        needed: The id that it must have; None is any.

    Raises:
        EngineError: as ``Link.receive``; another id and an endless answer are ``BadReplyError``s.
    """
    number, _, text = first.text[1:].replace("\t", " ").partition(" ")
    if needed not in (None, number):
        raise BadReplyError(
            f"{quote(question)} with the id {needed} is answered {quote(first.text)}"
        )
    lines, length, last = [text], len(text), first
    while (more := link.receive(deadline)).text:
        lines.append(more.text)
        length += len(more.text)
        last = more
        if length > MAX_REPLY:
            raise BadReplyError(f"{quote(question)}: an answer of more than {MAX_REPLY} characters")
    return RawReply(first.text[0] == "=", "\n".join(lines).strip(), last.time)


class _Reply(NamedTuple):
    """A successful answer and when it came."""

    text: str
    time: float
    """When the first byte of its last line was there: of one that lists thoughts, the move."""


class GtpController(Controller):
    """An engine that speaks GTP."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._number = 0
        self._sent = 0.0
        self._commands: frozenset[str] = frozenset()
        self._parameters: frozenset[str] = frozenset()
        self._size = 0
        self._budget: Budget | None = None
        self._keeps_clock = False

    def start(
        self, options: Mapping[str, str], commands: Sequence[str], deadline: float
    ) -> Identity:
        """As ``Controller.start``; an option is set with ``set_param``."""
        version = self._ask("protocol_version", deadline).text
        if version != "2":
            raise BadReplyError(f"protocol_version is {quote(version)}: needed is 2")
        self._commands = frozenset(self._ask("list_commands", deadline).text.split())
        listed = self._ask_if_known("list_params", deadline) or ""
        self._parameters = frozenset(line.partition(":")[0] for line in listed.splitlines())
        identity = Identity(
            self._ask("name", deadline).text, self._ask_if_known("version", deadline) or ""
        )
        for key, value in options.items():
            self._set(key, value, deadline)
        for command in commands:
            self._ask(command, deadline)
        return identity

    def new_game(self, task: Task, deadline: float) -> None:
        """As ``Controller.new_game``."""
        game = task.game
        self._size = game.variant.size
        if "newgame" in self._commands:
            self._ask(f"newgame {task.rules}", deadline)
        else:
            self._ask(f"boardsize {self._size}", deadline)
            self._ask("clear_board", deadline)
        if (game.start, game.first) != (game.variant.start, game.variant.first):
            self._ask(f"setposition {format_rows(game.start)} {game.first.value}", deadline)
        if "seed" in self._parameters:
            self._set("seed", str(task.seed), deadline)
        if task.budget != self._budget:
            self._tell_limits(task.budget, deadline)
        self._keeps_clock = False
        if task.budget.control.limited and not self._has_movetime(task.budget):
            self._tell_control(task.budget.control, deadline)
        self._budget = task.budget

    def played(self, side: Side, move: Move, deadline: float) -> frozenset[int] | None:
        """As ``Controller.played``."""
        line = f"play {side.value} {format_move(move, self._size)}"
        text = self._ask(line, deadline).text
        try:
            return frozenset(parse_square(word, self._size) for word in text.split()) or None
        except NotationError:
            return None  # GTP leaves the text of this answer to the engine

    def choose(self, side: Side, clocks: Mapping[Side, Clock], deadline: float) -> Choice:
        """As ``Controller.choose``."""
        if self._keeps_clock:
            for each, clock in clocks.items():
                if clock.control.limited:
                    left = f"{clock.remaining:.3f} {clock.moves_left}"
                    self._ask(f"time_left {each.value} {left}", deadline)
        reply = self._ask(f"genmove {side.value}", deadline)
        seconds = reply.time - self._sent
        if reply.text.lower() == "resign":
            return Choice(None, seconds)
        try:
            move = parse_move(reply.text, self._size).move
        except NotationError as error:
            raise BadReplyError(f"genmove: {error}") from None
        return Choice(move, seconds, *self._thoughts(deadline))

    def _thoughts(self, deadline: float) -> tuple[int | None, int | None, int | None]:
        """Score, depth and nodes of the last move, as far as the engine tells them."""
        text = self._ask_if_known(_EXPLAIN, deadline) or ""
        words = text.partition(" pv ")[0].split()
        if words[:1] != ["info"]:
            return None, None, None
        told = dict(zip(words[1::2], words[2::2], strict=False))
        with suppress(ValueError):
            lead = told.get("scoreLead")
            score = None if lead is None else round(100 * float(lead))
            depth, nodes = (int(told[key]) if key in told else None for key in ("depth", "visits"))
            return score, depth, nodes
        return None, None, None

    def standing(self, deadline: float) -> Standing | None:
        """As ``Controller.standing``, from ``position`` and ``result``."""
        position = self._ask_if_known("position", deadline)
        result = self._ask_if_known("result", deadline)
        if position is None and result is None:
            return None
        if position is None:
            return Standing(None, None, result)
        rows, _, side = position.partition(" ")
        try:
            return Standing(parse_rows(rows), parse_side(side), result)
        except NotationError as error:
            raise BadReplyError(f"position: {error}") from None

    def quit(self, deadline: float) -> None:
        """As ``Controller.quit``."""
        self._number += 1
        self.link.send(f"{self._number} quit", deadline)

    def _has_movetime(self, budget: Budget) -> bool:
        """Whether the time of *budget* is told by a parameter."""
        return budget.movetime is not None and "movetime" in self._parameters

    def _tell_limits(self, budget: Budget, deadline: float) -> None:
        for name in ("nodes", "depth"):
            limit = getattr(budget, name)
            before = getattr(self._budget, name, None)
            if limit != before:
                self._set(name, str(limit or 0), deadline)
        if self._has_movetime(budget):
            self._set("movetime", f"{budget.movetime:.9g}", deadline)
        elif (budget.nodes or budget.depth) and "movetime" in self._parameters:
            # Its default would end a search that is to be ended by nodes, depth or a clock.
            self._set("movetime", "86400", deadline)

    def _tell_control(self, control: TimeControl, deadline: float) -> None:
        if control.increment and "kata-time_settings" in self._commands:
            line = f"kata-time_settings fischer {control.main:.10g} {control.increment:.10g}"
        else:
            line = f"time_settings {control.main:.10g} {control.period:.10g} {control.moves}"
        self._ask(line, deadline)
        self._keeps_clock = "time_left" in self._commands

    def _set(self, key: str, value: str, deadline: float) -> None:
        if "set_param" not in self._commands:
            raise BadReplyError(f"{key} cannot be set: the engine has no command set_param")
        self._ask(f"set_param {key} {value}", deadline)

    def _ask_if_known(self, line: str, deadline: float) -> str | None:
        """The answer to a command without arguments, None if the engine does not have it."""
        return self._ask(line, deadline).text if line in self._commands else None

    def _ask(self, line: str, deadline: float) -> _Reply:
        """Send *line* and wait for the answer, which must be a success."""
        babble = self.link.unasked()
        if babble is not None:
            raise BadReplyError(f"unasked, before {quote(line)}: {quote(babble)}")
        self._number += 1
        self._sent = self.link.send(f"{self._number} {line}", deadline)
        first = self.link.receive(deadline)
        if not first.text.startswith(("=", "?")):
            raise BadReplyError(f"{quote(line)} is answered {quote(first.text)}: no = or ?")
        reply = read_reply(self.link, first, line, deadline, str(self._number))
        if not reply.success:
            raise BadReplyError(f"{quote(line)} is refused: {quote(reply.text, REASON)}")
        return _Reply(reply.text, reply.time)
