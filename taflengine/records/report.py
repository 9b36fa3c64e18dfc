"""Files of records judged: each game, and what was counted, as a table and as JSON."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from taflengine.errors import RecordError
from taflengine.records.formats import read_games
from taflengine.records.judge import MEANINGS, Difference, Judgement, Kind, judge, unreadable
from taflengine.rules import Reason, Variant


class Line(NamedTuple):
    """A line of a report, and whether it says that something is wrong."""

    text: str
    wrong: bool = False


def replay_files(
    sources: Iterable[str | Path | IO[bytes]],
    variant: Variant | None,
    *,
    form: str | None = None,
    enforce_repetition: bool = True,
    as_json: bool = False,
    progress: Callable[[int], None] = lambda _games: None,
) -> Iterator[Line]:
    """Judge every game of *sources*, and yield the lines of the report as they come.

    Games that cannot be read are a fault like others. The lines about a game come
    when it is judged, the totals at the end.

    Args:
        sources: Files or streams, as for ``read_games``, as are *variant* and *form*.
        variant: The rule set of games that name none.
        form: The name of their format.
        enforce_repetition: As for ``judge``.
        as_json: One line of JSON for each game and one for the totals; else a line
            for each difference, and a table.
        progress: Told after each game how many are done.
    """
    totals = Totals()
    for source in sources:
        faults: list[RecordError] = []
        number = 0
        for record in _readable(source, variant, form, faults):
            for fault in faults:
                number += 1
                yield totals.unreadable(number, fault, as_json)
            faults.clear()
            if record is None:
                break
            number += 1
            judgement = judge(record, enforce_repetition=enforce_repetition)
            totals.add(judgement)
            progress(totals.games)
            if as_json:
                text = json.dumps(plain_judgement(number, judgement), ensure_ascii=False)
                yield Line(text, bool(judgement.differences))
            else:
                for difference in judgement.differences:
                    yield Line(difference.text, wrong=True)
    if as_json:
        yield Line(json.dumps({"totals": totals.plain()}, ensure_ascii=False))
    else:
        yield from map(Line, totals.table())


def _readable(
    source: str | Path | IO[bytes],
    variant: Variant | None,
    form: str | None,
    faults: list[RecordError],
) -> Iterator[Any]:
    """The records of *source*, then None; what cannot be read is added to *faults*."""
    try:
        yield from read_games(source, variant, form=form, on_error=faults.append)
    except RecordError as error:
        faults.append(error)
    yield None


class Totals:
    """Counts what was judged."""

    def __init__(self) -> None:
        self.games = 0
        self.plies = 0
        self.capturing = 0
        self.endings: Counter[str] = Counter()
        """Games by how they ended by the rules; those that did not are ``ongoing``."""
        self.differences: Counter[Kind] = Counter()
        self.wrong = 0
        """Games with a difference, those that could not be read included."""

    def add(self, judgement: Judgement) -> None:
        """Count a game that was read."""
        self.games += 1
        self.plies += judgement.plies
        self.capturing += judgement.capturing
        outcome = judgement.outcome
        self.endings[outcome.reason.value if outcome else "ongoing"] += 1
        self.differences.update(each.kind for each in judgement.differences)
        self.wrong += bool(judgement.differences)

    def unreadable(self, number: int, fault: RecordError, as_json: bool) -> Line:
        """Count a game that could not be read, and say why."""
        self.games += 1
        self.differences[Kind.UNREADABLE] += 1
        self.wrong += 1
        if not as_json:
            return Line(str(fault), wrong=True)
        words = {"game": number, "differences": [plain_difference(unreadable(fault))]}
        return Line(json.dumps(words, ensure_ascii=False), wrong=True)

    def table(self) -> list[str]:
        """The counts for people, a line each."""
        rows = [("games", self.games), ("moves", self.plies), ("capturing moves", self.capturing)]
        names = (*(reason.value for reason in Reason), "ongoing")
        rows += [(f"ended by {name}", self.endings[name]) for name in names if self.endings[name]]
        rows += [(f"wrong: {MEANINGS[kind]}", self.differences[kind]) for kind in Kind]
        rows += [("games with something wrong", self.wrong)]
        rows = [(name.replace("ended by ongoing", "not ended by the rules"), n) for name, n in rows]
        width = max(len(name) for name, _ in rows)
        return [f"{name:<{width}}  {count:>8}" for name, count in rows]

    def plain(self) -> dict[str, Any]:
        """The counts for JSON."""
        return {
            "games": self.games,
            "moves": self.plies,
            "capturing_moves": self.capturing,
            "endings": dict(self.endings),
            "differences": {kind.value: self.differences[kind] for kind in Kind},
            "wrong": self.wrong,
        }


def plain_judgement(number: int, judgement: Judgement) -> dict[str, Any]:
    """A game for JSON; *number* counts the games of its file from 1."""
    record, outcome = judgement.record, judgement.outcome
    return {
        "source": record.source,
        "game": number,
        "line": record.place.line if record.place else None,
        "variant": record.variant.name if record.variant else None,
        "moves": judgement.plies,
        "verdict": record.verdict.value,
        "reason": record.reason.value if record.reason else None,
        "outcome": str(outcome) if outcome else "ongoing",
        "differences": [plain_difference(each) for each in judgement.differences],
    }


def plain_difference(difference: Difference) -> dict[str, Any]:
    """A difference for JSON."""
    place = difference.place
    return {
        "kind": difference.kind.value,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "ply": difference.ply,
        "move": difference.move,
        "text": difference.text,
    }
