"""The game objects of hnefatafl.org in JSON: one a line, or many in lists, or one after another.

``moves`` is one text, ``d1-d3 e5-e2 d3-d2xe2``, whose last word may be ``---``: the
side to move resigns. ``start`` has its rows from the top rank. What this engine has no
field for is kept as tags; those in ``_VALUES`` are written as they came. The site says
no result; ``result``, ``termination`` and ``first`` are this engine's own.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from taflengine.errors import NotationError, RecordError
from taflengine.notation import format_rows, parse_rows, parse_side, quote
from taflengine.records.lines import Lines
from taflengine.records.record import Entry, Place, Record, Verdict, read_entry, verdict_of
from taflengine.records.table import move_words
from taflengine.rules import Reason, Variant
from taflengine.variants import find_variant
from taflengine.variants.catalogue import VARIANTS

MAX_OBJECT = 4 << 20
"""Longest object that is read, in characters; those of the site have some thousands."""

_VALUES = ("id", "rated", "sw", "efe", "time_control", "time_remaining_ms", "messages")
"""The keys of the site whose values are no texts, or are left out of play here."""
_OWN = ("variant", "dim", "start", "first", "moves", "result", "termination")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|"|[{}\[\],]|[^\s"{}\[\],]+')
_RESIGNS = ("---", "resigns")
_REASONS = {reason.value: reason for reason in Reason}


class JsonReader:
    """Reads one object after the other; memory is bounded by one of them."""

    def __init__(self, lines: Lines, default: Variant | None = None) -> None:
        self._lines = lines
        self._default = default
        self._place = Place(1, 1)
        """Where the last object begins."""
        self._broken = False
        """Whether the way from one object to the next is lost."""
        self._objects = self._split()

    def read(self) -> Record | None:
        """The next game, None behind the last.

        Raises:
            RecordError: names the place.
        """
        found = next(self._objects, None)
        if found is None:
            return None
        text, place = found
        return _Object(self._lines, text, place, self._default).record()

    def recover(self) -> None:
        """Go to where the next object begins."""
        if self._broken:
            self._broken = False
            for line in self._lines:
                if line.lstrip().startswith("{") and _indent(line) < self._place.column:
                    self._lines.give_back(line)
                    break
            self._objects = self._split()

    def _split(self) -> Iterator[tuple[str, Place]]:
        """The text of each object, and where it begins."""
        depth, length, before = 0, 0, ""
        parts: list[str] = []
        for line in self._lines:
            begins = line.lstrip().startswith("{") and _indent(line) < self._place.column
            if depth and begins and before not in "[,:{":
                # A bracket was forgotten; the object that begins here must not pay for it.
                self._lines.give_back(line)
                break
            at = 0
            for token in _TOKEN.finditer(line):
                sign = before = token[0]
                if depth == 0 and sign not in "{[],":
                    self._broken = True
                    raise self._lines.error(
                        token.start() + 1, f"{quote(sign)}: expected an object of JSON"
                    )
                if sign == "{":
                    if depth == 0:
                        self._place = Place(self._lines.number, token.start() + 1)
                        at, parts, length = token.start(), [], 0
                    depth += 1
                elif sign == "}" and depth:
                    depth -= 1
                    if depth == 0:
                        yield "\n".join([*parts, line[at : token.end()]]), self._place
            if depth:
                parts.append(line[at:])
                length += len(line)
                if length > MAX_OBJECT:
                    break
        if depth:
            self._broken = True
            raise self._lines.error(
                self._place.column, "the object is never closed by '}'", self._place.line
            )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class _Object:
    """One game while it is being read."""

    def __init__(self, lines: Lines, text: str, place: Place, default: Variant | None) -> None:
        self._lines = lines
        self._place = place
        self._default = default
        try:
            # An object, for the text begins with its bracket.
            self._words: dict[str, Any] = json.loads(text)
        except json.JSONDecodeError as error:
            line = place.line + error.lineno - 1
            column = error.colno + (place.column - 1) * (error.lineno == 1)
            raise lines.error(column, f"no JSON: {error.msg}", line) from None
        except (ValueError, RecursionError):
            # Numbers of thousands of digits, lists within lists.
            self._fail("no JSON that can be read here")

    def _fail(self, text: str) -> NoReturn:
        raise self._lines.error(self._place.column, text, self._place.line)

    def _text(self, key: str) -> str:
        value = self._words.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._fail(f"{key}: allowed is a text in quotation marks")
        return value

    def record(self) -> Record:
        variant = self._variant()
        entries = self._entries(variant.size)
        verdict, reason = Verdict.UNKNOWN, None
        if "result" in self._words or "termination" in self._words:
            verdict, reason = self._ending()
        elif entries and entries[-1].move is None:
            verdict, reason = self._resigned(variant, len(entries) - 1), Reason.RESIGNATION
        tags = {
            key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for key, value in self._words.items()
            if key not in _OWN and value is not None
        }
        rows, first = self._text("start"), self._text("first")
        try:
            start = parse_rows(rows) if rows else None
            return Record(
                variant=variant,
                start=None if start == variant.start else start,
                first=parse_side(first) if first else None,
                tags=tags,
                verdict=verdict,
                reason=reason,
                entries=entries,
                source=self._lines.source,
                place=self._place,
            )
        except (NotationError, RecordError) as error:
            self._fail(str(error))

    def _variant(self) -> Variant:
        name = self._text("variant")
        try:
            variant = find_variant(name) if name else self._default
        except NotationError as error:
            self._fail(str(error))
        if variant is None:
            self._fail("the game says nothing of its rules: name a rule set for it")
        size = self._words.get("dim")
        if size not in (None, variant.size):
            self._fail(f"dim: the board of {variant.name} has {variant.size} rows")
        return variant

    def _entries(self, size: int) -> tuple[Entry, ...]:
        entries = []
        for number, word in enumerate(self._text("moves").split(), start=1):
            try:
                text = "---" if word in _RESIGNS else word
                entries.append(read_entry(text, size, self._place))
            except NotationError as error:
                self._fail(f"move {number}: {error}")
        return tuple(entries)

    def _ending(self) -> tuple[Verdict, Reason | None]:
        verdicts = {verdict.value: verdict for verdict in Verdict}
        result, ended = self._text("result") or "unknown", self._text("termination")
        if result not in verdicts:
            self._fail(f"result {quote(result)}: allowed are {' '.join(verdicts)}")
        if ended and ended not in _REASONS:
            self._fail(f"termination {quote(ended)}: allowed are {' '.join(_REASONS)}")
        return verdicts[result], _REASONS.get(ended)

    def _resigned(self, variant: Variant, plies: int) -> Verdict:
        first = parse_side(self._text("first")) if self._text("first") else variant.first
        loser = first if plies % 2 == 0 else first.other
        return verdict_of(loser.other)


def format_json(record: Record) -> str:
    """*record* as an object on a line of its own.

    Raises:
        RecordError: its rules are none of the built-in rule sets.
    """
    variant = record.variant
    if variant is None or VARIANTS.get(variant.name) != variant:
        raise RecordError(
            record.locate(
                None, "the json of hnefatafl.org names rule sets, and this one has no name"
            )
        )
    start = record.start or variant.start
    rows = format_rows(start).upper()
    words: dict[str, object] = {key: _value(key, text) for key, text in record.tags.items()}
    words |= {"variant": variant.name, "dim": variant.size, "start": f"/{rows}/"}
    if record.first:
        words["first"] = record.first.value
    words["moves"] = " ".join(move_words(record))
    if record.verdict is not Verdict.UNKNOWN:
        words["result"] = record.verdict.value
    if record.reason:
        words["termination"] = record.reason.value
    return json.dumps(words, ensure_ascii=False) + "\n"


def _value(key: str, text: str) -> object:
    if key not in _VALUES:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
