"""What the reader and the writer of OpenTafl's game records share: addresses, clocks, escapes.

OpenTafl has no way to write some characters in a comment, since it ends them at
the first ``]``. They are written as ``&#93;``, which it shows as it stands.
"""

import re
from functools import lru_cache

from taflengine.errors import RulesError
from taflengine.records.record import ClockReading
from taflengine.rules import Variant
from taflengine.variants.opentafl import format_opentafl

RESULTS = {"1": "attacker", "-1": "defender", "0": "draw", "?": "unknown"}
"""What the tag ``result`` says, as the word of a verdict."""
DOTS = "....."
"""Stands for the first move of a turn in a variation that begins with the second."""
ADDRESS = re.compile(r"([0-9]{1,6}(?:[a-z]\.[0-9]{1,6}\.[0-9]{1,6})*[a-z]?)\.")
"""The number of a turn, ``12.``, or in a variation its address, ``12a.1.3a.``."""
TAG = re.compile(r"([A-Za-z][^\[\]:|\s&]*):")
"""How the text of a tag begins, behind its bracket."""

_CLOCK = re.compile(r"([0-9]{1,9}) ([0-9]{1,9})/([0-9]{1,9})(?: ([0-9]{1,9})i)?(?: |\Z)")
_INCREMENT = re.compile(r"[0-9]{1,9}i(?: |\Z)")
_REFERENCE = re.compile(r"&#([0-9]{1,7});")
_UNSAFE = re.compile("[\\[\\]|\r\ud800-\udfff]|&(?=#[0-9]{1,7};)")


def escape(text: str) -> str:
    """*text* as it can stand between brackets."""
    return _UNSAFE.sub(lambda found: f"&#{ord(found[0])};", text)


def unescape(text: str) -> str:
    """What ``escape`` made *text* of."""
    return _REFERENCE.sub(_character, text) if "&#" in text else text


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1])) if int(found[1]) < 0x110000 else found[0]


def split_clock(text: str) -> tuple[ClockReading | None, str]:
    """The reading of the clock with which a comment begins, and the rest of it."""
    found = _CLOCK.match(text)
    if found is None:
        return None, text
    main, period, periods, increment = found.groups()
    clock = ClockReading(
        int(main), int(period), int(periods), int(increment) if increment else None
    )
    return clock, text[found.end() :]


def join_clock(clock: ClockReading | None, comment: str) -> str:
    """A comment as it is written, escaped, behind the reading of the clock if there is one."""
    text = escape(comment)
    # What looks like a reading, or the end of one, and is none must not become one.
    looks_like = _CLOCK if clock is None else _INCREMENT
    if looks_like.match(text) and (clock is None or clock.increment is None):
        text = f"&#{ord(text[0])};{text[1:]}"
    if clock is None:
        return text
    increment = "" if clock.increment is None else f" {clock.increment}i"
    reading = f"{clock.main} {clock.period}/{clock.periods}{increment}"
    return f"{reading} {text}" if text else reading


@lru_cache(maxsize=64)
def rules_string(variant: Variant) -> str:
    """The rules string of *variant*, empty if that language cannot say it."""
    try:
        return format_opentafl(variant)
    except RulesError:
        return ""
