"""OpenTafl's game records read: tags, turns, comments, variations by their addresses.

A file may hold many games. A comment stands behind the turn that it is about; a
tag that comes behind a turn with an empty line between begins the next game.
"""

import json
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from taflengine.errors import NotationError, RecordError
from taflengine.notation import quote
from taflengine.pieces import Side
from taflengine.records.lines import Lines
from taflengine.records.otg_text import (
    ADDRESS,
    RESULTS,
    TAG,
    rules_string,
    split_clock,
    unescape,
)
from taflengine.records.otg_tokens import Token, Tokens
from taflengine.records.record import (
    MAX_DEPTH,
    Entry,
    Place,
    Record,
    Verdict,
    playable,
    read_entry,
    said_size,
)
from taflengine.rules import Reason, Variant
from taflengine.variants import find_variant
from taflengine.variants.opentafl_strings import parse_position
from taflengine.variants.plain import from_plain

_REASONS = {reason.value: reason for reason in Reason}
_RULES = frozenset({"rules", "variant", "taflengine-rules"})
_LATE = frozenset({"rules", "position", "to-move", "start-comment"})
"""The tags that may follow those about the rules after an empty line."""


class _Tag(NamedTuple):
    value: str
    place: Place


class _Ply:
    """A ply while its variations are still being read."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.comment = ""
        self.lines: list[_Line] = []

    def finished(self) -> Entry:
        clock, text = split_clock(self.comment)
        entry = self.entry
        return Entry(
            move=entry.move,
            captures=entry.captures,
            king=entry.king,
            mark=entry.mark,
            comment=unescape(text),
            clock=clock,
            variations=tuple(line.finished() for line in self.lines),
            place=entry.place,
        )


class _Line:
    """A line of play: the game itself, or a variation."""

    def __init__(self) -> None:
        self.second_first = False
        """Whether its first turn lacks the first move."""
        self.plies: list[_Ply] = []

    def finished(self) -> tuple[Entry, ...]:
        return tuple(ply.finished() for ply in self.plies)

    def at(self, turn: int, half: int) -> int:
        """The index of a ply, which need not be there."""
        return 2 * (turn - 1) + half - self.second_first


class OtgReader:
    """Reads one game after the other.

    Args:
        lines: The file.
        default: The rule set of games that name none.
    """

    def __init__(self, lines: Lines, default: Variant | None = None) -> None:
        self._lines = lines
        self._tokens = Tokens(lines)
        self._default = default

    def read(self) -> Record | None:
        """The next game, None behind the last.

        Raises:
            RecordError: names the place; ``recover`` goes on behind this game.
        """
        begin = self._tokens.take()
        if begin is None:
            return None
        self._tokens.give_back(begin)
        tags = self._header()
        fields = _Header(self._lines, begin.place, tags, self._default)
        values = fields.values()
        lines = _Lines(fields.size)
        self._moves(lines)
        try:
            return Record(
                entries=lines.main.finished(),
                source=self._lines.source,
                place=begin.place,
                **values,
            )
        except RecordError as error:
            self._fail(begin.place, str(error))

    def recover(self) -> None:
        """Go to where the next game begins."""
        self._tokens.skip_to_game()

    def _fail(self, place: Place, text: str) -> NoReturn:
        raise self._lines.error(place.column, text, place.line)

    def _header(self) -> dict[str, _Tag]:
        tags: dict[str, _Tag] = {}
        while (token := self._tokens.take()) is not None:
            if not token.bracketed:
                self._tokens.give_back(token)
                break
            found = TAG.match(token.text)
            if found is None:
                self._fail(token.place, f"{quote(token.text)} is no tag: a tag is [name:text]")
            says_rules = not _RULES.isdisjoint(tags)
            if token.apart and (found[1] in tags or (says_rules and found[1] not in _LATE)):
                # A game without moves, and behind it another one.
                self._tokens.give_back(token)
                break
            if found[1] in tags:
                self._fail(token.place, f"the tag {found[1]} is there twice")
            tags[found[1]] = _Tag(token.text[found.end() :], token.place)
        return tags

    def _moves(self, lines: "_Lines") -> None:
        while (token := self._tokens.take()) is not None:
            if token.is_tag:
                self._tokens.give_back(token)
                return
            if token.bracketed:
                self._fail(token.place, "a comment stands behind the turn that it is about")
            found = ADDRESS.match(token.text)
            if found is None:
                self._fail(
                    token.place, f"{quote(token.text)}: expected the number of a turn, as 1."
                )
            if rest := token.text[found.end() :]:
                place = Place(token.place.line, token.place.column + found.end())
                self._tokens.give_back(Token(rest, False, place, False))
            self._turn(lines, found[1], token.place)

    def _turn(self, lines: "_Lines", address: str, place: Place) -> None:
        """Read the moves of a turn and the comment behind them."""
        words: list[Token] = []
        while (token := self._tokens.take()) is not None:
            if token.bracketed or ADDRESS.match(token.text):
                self._tokens.give_back(token)
                break
            words.append(token)
        if len(words) > 2:
            self._fail(
                words[2].place, "a turn has two moves; games with berserk moves are not read"
            )
        dots = bool(words) and set(words[0].text) == {"."}
        if len(words) <= dots:
            self._fail(place, f"turn {address}. has no move")
        plies: list[_Ply] = []
        for word in words[dots:]:
            try:
                plies.append(_Ply(read_entry(word.text, lines.size, word.place)))
            except NotationError as error:
                self._fail(word.place, str(error))
        fault = lines.add(address, plies, dots)
        if fault:
            self._fail(place, f"turn {address}.{fault}")
        self._comment(plies, dots)

    def _comment(self, plies: list[_Ply], dots: bool) -> None:
        token = self._tokens.take()
        if token is None:
            return
        if not token.bracketed or (token.apart and token.is_tag):
            self._tokens.give_back(token)
            return
        parts = token.text.split("|")
        if len(parts) <= len(plies):
            dots = False  # Most writers leave out the part of the move that is not there.
        if any(parts[len(plies) + dots :]):
            # Somebody wrote a bar in his comment: it stays with the last move.
            parts = token.text.split("|", len(plies) + dots - 1)
        before = parts.pop(0) if dots else ""
        for ply, part in zip(plies, parts, strict=False):
            ply.comment = "\n".join(filter(None, (before, part)))
            before = ""


class _Lines:
    """The lines of play of a game, each by the address of its turns without the last part."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.main = _Line()
        self._by_address = {"": self.main}

    def add(self, address: str, plies: list[_Ply], dots: bool) -> str:
        """Add the *plies* of the turn at *address*; what is wrong with it, empty if nothing.

        Args:
            address: For instance ``12`` or ``3a.2.1a``.
            plies: One or two.
            dots: Whether the first move of the turn is not there.
        """
        *parents, last = address.split(".")
        if len(parents) > 2 * MAX_DEPTH:
            return f" lies more than {MAX_DEPTH} variations deep"
        turn, half = _half(last)
        half = half or int(dots)
        prefix = ".".join(parents)
        line = self._by_address.get(prefix)
        if turn == 1 and parents and (line is None or dots != line.second_first):
            parent = self._by_address.get(".".join(parents[:-2]))
            root, root_half = _half(parents[-2])
            # OpenTafl gives a variation of a variation's second move the address of
            # its first; the dots tell.
            half = root_half = root_half or half
            at = -1 if parent is None else parent.at(root, root_half)
            if parent is None or not 0 <= at < len(parent.plies):
                return ": the move that it replaces is not there"
            line = _Line()
            line.second_first = half == 1
            self._by_address[prefix] = line
            parent.plies[at].lines.append(line)
        if line is None:
            return ": the variation has no beginning"
        if line is self.main and not line.plies:
            line.second_first = half == 1
        if half > 1 or half + len(plies) > 2 or line.at(turn, half) != len(line.plies):
            return " does not follow the turn before it"
        line.plies += plies
        return ""


def _half(part: str) -> tuple[int, int]:
    """A turn and which of its moves, from 0: ``12b`` is 12 and 1."""
    turn = part.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(turn), ord(part.removeprefix(turn) or "a") - ord("a")


class _Header:
    """The fields of a record that its tags say.

    Raises:
        RecordError: names the place of the tag.
    """

    def __init__(
        self, lines: Lines, place: Place, tags: dict[str, _Tag], default: Variant | None
    ) -> None:
        self._lines = lines
        self._place = place
        self._tags = tags
        self._default = default
        self._otn = ""
        self._variant = self._rules()
        size = self._variant.size if self._variant else said_size(self._otn)
        if size is None:
            self._fail("rules", "the rules string does not say the size of the board, as dim:11")
        self.size = size

    def _fail(self, tag: str, text: str) -> NoReturn:
        place = self._tags[tag].place if tag in self._tags else self._place
        raise self._lines.error(place.column, text, place.line)

    def _rules(self) -> Variant | None:
        """The rule set, and in ``_otn`` the rules string if that says more than the name."""
        first = self._side()
        own, string = self._value("taflengine-rules"), self._value("rules").strip()
        variant = None
        if own:
            try:
                words = json.loads(own)
                variant = from_plain(words if isinstance(words, dict) else {})
            except (ValueError, RecursionError) as error:
                self._fail("taflengine-rules", f"taflengine-rules: {error}")
        elif "variant" in self._tags:
            name = self._value("variant")
            try:
                variant = find_variant(name)
            except NotationError as error:
                if not string:
                    self._fail("variant", str(error))
        if not string:
            variant = variant or self._default
            if variant is None:
                self._fail("", "the game says nothing of its rules: name a rule set for it")
            self._tags.pop("variant", None)
            return variant
        if own or (variant and string == rules_string(_beginning(variant, first))):
            self._tags.pop("variant", None)
            return variant
        self._otn = string
        return playable(string)

    def _side(self) -> Side | None:
        text = self._value("to-move")
        if text not in ("", "attacker", "defender"):
            self._fail("to-move", f"to-move {quote(text)}: allowed are attacker and defender")
        return Side(text) if text else None

    def _value(self, tag: str) -> str:
        return unescape(self._tags[tag].value) if tag in self._tags else ""

    def values(self) -> dict[str, Any]:
        """What ``Record`` takes."""
        tags = {key: unescape(tag.value) for key, tag in self._tags.items()}
        result = tags.pop("result", "?").strip()
        if result not in RESULTS:
            self._fail("result", f"result {quote(result)}: allowed are {' '.join(RESULTS)}")
        verdict = Verdict(RESULTS[result])
        ended = tags.get("termination", "")
        if result == "?" and ended == Verdict.ONGOING.value:
            verdict = Verdict.ONGOING
        reason = _REASONS.get(ended)
        if reason or verdict is Verdict.ONGOING:
            del tags["termination"]
        rows = tags.pop("position", "").strip()
        start = None
        if rows:
            try:
                start = parse_position(rows)
            except NotationError as error:
                self._fail("position", str(error))
        comment = tags.pop("start-comment", "")
        tags.pop("rules", None)
        tags.pop("taflengine-rules", None)
        to_move = tags.pop("to-move", "")
        return {
            "variant": self._variant,
            "otn": self._otn,
            "start": start,
            "first": Side(to_move) if to_move else None,
            "tags": tags,
            "verdict": verdict,
            "reason": reason,
            "comment": comment,
        }


def _beginning(variant: Variant, first: Side | None) -> Variant:
    """*variant* with *first* to move first, if that is not None."""
    return replace(variant, first=first) if first else variant
