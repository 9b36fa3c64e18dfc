"""OpenTafl's rules strings as rule sets, and back.

What one of the two languages cannot say is refused by name. Where OpenTafl plays
otherwise than its string says, the string holds.
"""

import re
from dataclasses import fields, replace
from typing import Any

from taflengine.errors import RulesError
from taflengine.geometry import geometry_of
from taflengine.notation import format_picture
from taflengine.pieces import EVERYBODY, KING_ONLY, MEN, NOBODY, Piece
from taflengine.rules import UNLIMITED, Calls, Goal, Repetition, Variant
from taflengine.variants.opentafl_strings import (
    LETTERS,
    SPECIAL,
    OpenTaflRules,
    read_string,
    refusal,
    write_string,
)
from taflengine.variants.plain import to_plain

_STRENGTHS = {
    "s": (4, 4, 4, False),
    "c": (4, 4, 2, False),
    "w": (2, 2, 2, False),
    "m": (4, 4, 4, True),
}
"""Sides to close on the throne, beside it and elsewhere, and whether the edge closes one."""

_SAME = {
    "esc": "goal",
    "surf": "encirclement",
    "atkf": "first",
    "tfr": "repetition",
    "ka": "king_armed",
    "cenp": "throne_cross",
    "cens": "throne_stop",
    "corh": "corner_hostile",
    "cenh": "throne_hostile_occupied",
    "cenhe": "throne_hostile_empty",
    "efe": "exit_fort",
    "linc": "linnaean",
}
"""The keys that say just what a field of ``Variant`` says."""

_NAME_LIMIT = 60
"""How much of a name is kept, in characters."""


def parse_opentafl(text: str) -> Variant:
    """Read the rules string *text*.

    The name becomes one that ``newgame`` takes, in small letters.

    Raises:
        RulesError: not a rules string, or rules that this engine cannot play; the
            message names the key.
    """
    rules = read_string(text)
    called = rules.name[:_NAME_LIMIT]
    title = "".join(filter(str.isprintable, called.replace("_", " "))).strip() or "a game"
    return replace(
        in_play(_variant(rules)),
        name=re.sub(r"[^a-z0-9]+", "-", called.lower()).strip("-") or "opentafl",
        summary=f"{title}, as an OpenTafl host says its rules",
        source="an OpenTafl rules string; what it leaves out has the default of that notation",
    )


def format_opentafl(variant: Variant) -> str:
    """Write *variant* as a rules string, which ``parse_opentafl`` reads as the same game.

    Raises:
        RulesError: the language cannot say it; the message names the field.
    """
    wanted = in_play(variant)
    if wanted.camps:
        raise _unsayable("camps", wanted)
    rules = _rules(variant.name, wanted)
    said = in_play(_variant(rules))
    for field in fields(Variant):
        if getattr(said, field.name) != getattr(wanted, field.name):
            raise _unsayable(field.name, wanted)
    return write_string(rules)


def _unsayable(key: str, variant: Variant) -> RulesError:
    value = to_plain(variant)[key]
    detail = f"{value}" if isinstance(value, str | int) else "this"
    return RulesError(f"{key}: an OpenTafl rules string cannot say {detail}")


def in_play(variant: Variant) -> Variant:
    """*variant* without what changes nothing in play, to compare two by what they play.

    Names and texts are emptied, calls are none, and a field that others make
    idle takes its default.
    """
    idle: dict[str, Any] = {"calls": Calls.NONE, "board": format_picture(variant.start)}
    idle |= {"name": "", "summary": "", "source": "", "aliases": ()}
    for key in ("attacker_reach", "defender_reach", "king_reach"):
        if getattr(variant, key) == variant.size - 1:
            idle[key] = UNLIMITED
    if not variant.throne:
        elsewhere = variant.king_sides_elsewhere
        idle |= {"king_sides_on_throne": elsewhere, "king_sides_beside_throne": elsewhere}
        idle |= {"throne_stop": KING_ONLY, "throne_cross": EVERYBODY, "linnaean": False}
        idle |= {"throne_hostile_empty": EVERYBODY, "throne_hostile_occupied": NOBODY}
    if not variant.corners:
        idle["corner_hostile"] = MEN
    if not variant.camps:
        idle["camp_hostile"] = NOBODY
    if variant.king_sides_elsewhere == 2:
        # Neither the throne nor a square beside it lies on the edge.
        idle["edge_hostile_to_king"] = False
    if variant.repetition is Repetition.NONE:
        idle |= {"repetition_count": 3, "start_counts": True}
    if variant.start_counts or variant.repetition is Repetition.NONE:
        idle["captures_clear_positions"] = False
    return replace(variant, **idle)


def _variant(rules: OpenTaflRules) -> Variant:
    """What *rules* are in the vocabulary of this engine, without name and texts.

    Raises:
        RulesError: this engine does not play them.
    """
    geometry, esc, cens, cenp = geometry_of(rules.dim), rules.esc, rules.cens, rules.cenp
    widths = {geometry.corner_squares(width): width for width in (0, 1, 2)}
    corners = 1 if rules.cor is None else widths.get(rules.cor)
    throne = rules.cen != frozenset()
    special = next((SPECIAL[letter] for letter in SPECIAL if letter in rules.special), "")
    thrones: tuple[object, ...] = (None, frozenset(), {geometry.centre})
    refusals = (
        ("start", special, f"{special} stands on the board, here are only men and one king"),
        ("ber", rules.ber != "n", "a piece moves once in a turn here"),
        ("kj", rules.kj != "n", "the king does not jump here"),
        ("spd", 0 in rules.spd, "every piece may go one square or more here"),
        ("swf", rules.sw != "n" and not rules.swf, "only a move to an end takes a row here"),
        ("sw", rules.sw == "w" and corners, "a marked corner closes an end of a row here"),
        # Fortresses are one group, crossed by whom the string names; camps are closed
        # to others, and each group is for itself.
        ("afor", rules.afor, "fortresses are other than the camps of this engine"),
        ("dfor", rules.dfor, "the defenders have no fortresses here"),
        ("cen", rules.cen not in thrones, "here the throne is the centre, or there is none"),
        # Whether one who may not come back may still cross, strings do not say.
        ("cenre", throne and not cens | cenp <= rules.cenre, "say this by cens and cenp"),
        ("cor", corners is None, "one or four squares in each corner are marked here, or none"),
        ("cor", corners and esc is Goal.EDGE, "no corner is marked where the edge wins: say cor:"),
        ("cors", corners and rules.cors != KING_ONLY, "the king alone stops on a corner here"),
        ("corre", corners and Piece.KING not in rules.corre, "the king may enter a corner here"),
        # A single corner has nothing behind it.
        ("corp", corners == 2 and rules.corp != KING_ONLY, "the king alone crosses corners here"),
    )
    for key, unplayable, reason in refusals:
        if unplayable:
            raise refusal(key, reason)
    on_throne, beside, elsewhere, edge = _STRENGTHS[rules.ks]
    reaches = [UNLIMITED if not 0 < speed < rules.dim else speed for speed in rules.spd]
    same: dict[str, Any] = {field: getattr(rules, key) for key, field in _SAME.items()}
    # On the edge a king who wins there needs no fort.
    same["exit_fort"] = rules.efe and esc is Goal.CORNER
    try:
        return Variant(
            name="",
            summary="",
            source="",
            board=format_picture(rules.start),
            attacker_reach=reaches[0],
            defender_reach=reaches[1],
            king_reach=reaches[2],
            throne=throne,
            corners=corners or 0,
            edge_hostile_to_king=edge,
            king_sides_on_throne=on_throne,
            king_sides_beside_throne=beside,
            king_sides_elsewhere=elsewhere,
            shieldwall=rules.sw != "n",
            **same,
        )
    except RulesError as error:
        raise RulesError(f"OpenTafl rules, {error}") from None


def _rules(name: str, variant: Variant) -> OpenTaflRules:
    """The nearest that can be said of *variant*, in which what is idle has its default."""
    sides = (
        variant.king_sides_on_throne,
        variant.king_sides_beside_throne,
        variant.king_sides_elsewhere,
        variant.edge_hostile_to_king,
    )
    reaches = (variant.attacker_reach, variant.defender_reach, variant.king_reach)
    speeds = [reach or -1 for reach in reaches]
    same: dict[str, Any] = {key: getattr(variant, field) for key, field in _SAME.items()}
    if same["tfr"] not in LETTERS["tfr"].values():
        del same["tfr"]
    if not variant.throne:
        del same["cenh"]
    if not variant.corners:
        del same["corh"]
    return OpenTaflRules(
        dim=variant.size,
        name=re.sub(r"[^A-Za-z0-9]+", "_", name),
        ks=next((letter for letter, said in _STRENGTHS.items() if said == sides), "s"),
        cor=None if variant.corners == 1 else variant.corner_squares,
        cen=None if variant.throne else frozenset(),
        spd=(speeds[0], speeds[1], speeds[2]),
        sw="s" if variant.shieldwall else "n",
        start=variant.start,
        **same,
    )
