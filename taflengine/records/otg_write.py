"""Games written as OpenTafl's game records.

OpenTafl knows no name for a rule set. A built-in one is said twice: by name in the
tag ``variant``, and as a rules string where that language can say it. Any other is
written whole, as JSON, in the tag ``taflengine-rules``.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from taflengine.notation import format_move, format_squares
from taflengine.records.otg_text import DOTS, RESULTS, escape, join_clock, rules_string
from taflengine.records.record import Entry, Record, Verdict
from taflengine.rules import Variant
from taflengine.variants.catalogue import VARIANTS
from taflengine.variants.opentafl_strings import format_position
from taflengine.variants.plain import to_plain

_RESULT_OF = {word: text for text, word in RESULTS.items()}


def format_otg(record: Record) -> str:
    """*record* as text, whose last line is empty so that another one may follow."""
    lines = [f"[{key}:{escape(value)}]" for key, value in _tags(record)]
    lines += ["", *_play(record.entries, record.size, "", 0)]
    if lines[-1]:
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    yield from record.tags.items()
    yield "result", _RESULT_OF.get(record.verdict.value, "?")
    if record.reason:
        yield "termination", record.reason.value
    elif record.verdict is Verdict.ONGOING:
        yield "termination", Verdict.ONGOING.value
    if record.first:
        yield "to-move", record.first.value
    if record.otn:
        yield "rules", record.otn
    elif record.variant:
        yield _rules_tag(record.variant)
        string = rules_string(replace(record.variant, first=record.first or record.variant.first))
        if string:
            yield "rules", string
    if record.start:
        yield "position", format_position(record.start)
    if record.comment:
        yield "start-comment", record.comment


@lru_cache(maxsize=64)
def _rules_tag(variant: Variant) -> tuple[str, str]:
    """The tag that says *variant* to this engine."""
    if VARIANTS.get(variant.name) == variant:
        return "variant", variant.name
    return "taflengine-rules", json.dumps(to_plain(variant), ensure_ascii=False)


def _play(entries: tuple[Entry, ...], size: int, prefix: str, offset: int) -> Iterator[str]:
    """The turns of a line of play.

    Args:
        entries: The line.
        size: Squares on a side of the board.
        prefix: The address of the line, up to the number of a turn.
        offset: 1 if its first move is the second of a turn.
    """
    end = "a." if prefix else "."
    for begin in range(-offset, len(entries), 2):
        plies = entries[max(begin, 0) : begin + 2]
        turn = (begin + offset) // 2 + 1
        words = [DOTS] * (begin < 0) + [format_entry(ply, size) for ply in plies]
        yield f"{prefix}{turn}{end} {' '.join(words)}"
        if any(ply.comment or ply.clock for ply in plies):
            yield f"[{'|'.join(join_clock(ply.clock, ply.comment) for ply in plies)}]"
            yield ""
        for index, ply in enumerate(plies, start=max(begin, 0)):
            half = (index + offset) % 2
            for number, line in enumerate(ply.variations, start=1):
                address = f"{prefix}{turn}{'ab'[half]}.{number}."
                yield from _play(line, size, address, half)


def format_entry(entry: Entry, size: int) -> str:
    """The move as OpenTafl writes it: ``Ke4-e7xe8/f7``."""
    if entry.move is None:
        return "---"
    squares = "/".join(format_squares(entry.captures, size).split())
    king = "K" if entry.king else ""
    return f"{king}{format_move(entry.move, size)}{'x' if squares else ''}{squares}{entry.mark}"
