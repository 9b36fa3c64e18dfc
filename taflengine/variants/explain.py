"""A rule set in words for a person, worked out from its parameters."""

from textwrap import wrap

from taflengine.pieces import MEN, Piece
from taflengine.rules import Armed, Calls, Goal, NoMove, Repetition, Variant

WIDTH = 96
_WORDS = {Piece.ATTACKER: "attackers", Piece.DEFENDER: "defenders", Piece.KING: "the king"}


def explain(variant: Variant) -> list[str]:
    """The game in some ten lines of at most ``WIDTH`` characters."""
    paragraphs = (
        f"{variant.name}: {variant.summary}.",
        _forces(variant),
        _movement(variant),
        _throne(variant),
        _corners_and_camps(variant),
        _captures(variant),
        _king(variant),
        _wins(variant),
        _draws(variant),
        f"Source: {variant.source}",
    )
    return [
        line for text in paragraphs if text for line in wrap(text, WIDTH, subsequent_indent="  ")
    ]


def _forces(variant: Variant) -> str:
    start, size = variant.start, variant.size
    men = {piece: len(start.squares_of(piece)) for piece in Piece}
    return (
        f"Board {size}x{size}; {men[Piece.ATTACKER]} attackers against the king and his "
        f"{men[Piece.DEFENDER]} defenders; the {variant.first.value}s move first."
    )


def _movement(variant: Variant) -> str:
    reaches = {
        "attackers": variant.attacker_reach,
        "defenders": variant.defender_reach,
        "the king": variant.king_reach,
    }
    short = [f"{who} {_squares(reach)}" for who, reach in reaches.items() if reach]
    limit = f", but {_listed(short)} at most" if short else ""
    return f"Pieces move along ranks and files over any number of empty squares{limit}."


def _squares(number: int) -> str:
    return "one square" if number == 1 else f"{number} squares"


def _throne(variant: Variant) -> str:
    if not variant.throne:
        return "There is no throne: the centre is a square like any other."
    stop = (
        f"{_named(variant.throne_stop)} may stop there"
        if variant.throne_stop
        else ("nobody may stop there once the king has left")
    )
    cross = _named(variant.throne_cross) if variant.throne_cross else "nobody"
    return (
        f"The centre is the throne: {stop}, {cross} may cross it while it is empty. "
        f"Empty, it is hostile to {_named(variant.throne_hostile_empty)}; "
        f"occupied, to {_named(variant.throne_hostile_occupied)}."
    )


def _corners_and_camps(variant: Variant) -> str:
    parts = []
    if variant.corners:
        where = "four corner squares" if variant.corners == 1 else "four squares in each corner"
        parts.append(
            f"Only the king may stop on the {where}, which are hostile to "
            f"{_named(variant.corner_hostile)}."
        )
    if variant.camps:
        groups = ", ".join("-".join(group) for group in variant.camps)
        harmless = variant.camp_harmless_to_attackers
        but = f", but {_listed(list(harmless))} to no attacker" if harmless else ""
        parts.append(
            f"Camps ({groups}) are closed to all but attackers who have not left theirs; "
            f"they are hostile to {_named(variant.camp_hostile)}{but}."
        )
    return " ".join(parts)


def _captures(variant: Variant) -> str:
    parts = ["A man is taken by a move that closes him in between two enemies on a line, or"]
    parts.append("between an enemy and a square hostile to him; who walks in between is safe.")
    king = {
        Armed.BOTH: "The king takes part in captures.",
        Armed.HAMMER: "The king closes captures but holds none.",
        Armed.ANVIL: "The king holds captures but closes none.",
        Armed.NEITHER: "The king takes no part in captures.",
    }
    parts.append(king[variant.king_armed])
    if variant.shieldwall:
        parts.append(
            "Shieldwall: two or more along the edge, each with an enemy before it, are taken when "
            "a move closes the second end; a corner may be the other; a king among them stays."
        )
    if variant.linnaean:
        parts.append(
            "A defender beside the king on the throne is taken against it while attackers "
            "hold the king's three other sides."
        )
    return " ".join(parts)


def _king(variant: Variant) -> str:
    sides = {4: "on four sides", 2: "by two on one line"}
    places = {
        "on the throne": variant.king_sides_on_throne,
        "beside it": variant.king_sides_beside_throne,
        "elsewhere": variant.king_sides_elsewhere,
    }
    if not variant.throne or len(set(places.values())) == 1:
        where = sides[variant.king_sides_elsewhere]
    else:
        where = ", ".join(f"{place} {sides[number]}" for place, number in places.items())
    edge = ""
    if variant.king_sides_elsewhere == 4 and variant.goal is Goal.CORNER:
        edge = (
            " The edge closes a side."
            if variant.edge_hostile_to_king
            else (" On the edge he is safe.")
        )
    return (
        f"The king is taken by attackers {where}; squares hostile to him count as attackers.{edge}"
    )


def _wins(variant: Variant) -> str:
    goal = {Goal.CORNER: "reaches a corner", Goal.EDGE: "reaches the edge"}[variant.goal]
    if variant.goal is Goal.EDGE and variant.camps:
        goal += " outside the camps"
    defenders = [f"when the king {goal}"]
    attackers = ["when the king is taken"]
    if variant.exit_fort:
        defenders.append("when he stands on the edge in a fort that cannot be broken and can move")
    if variant.encirclement:
        attackers.append("when no defender can reach the edge past them")
    if variant.no_move is NoMove.LOSS:
        defenders.append("when the attackers have no move")
        attackers.append("when the defenders have none")
    if variant.repetition is Repetition.LOSS_DEFENDERS:
        attackers.append(f"when a position occurs for the {_ordinal(variant)} time")
    return (
        f"The defenders win {_listed(defenders, 'or')}; the attackers {_listed(attackers, 'or')}."
    )


def _draws(variant: Variant) -> str:
    ordinal = _ordinal(variant)
    start = "" if variant.start_counts else ", the start not counted,"
    repetition = {
        Repetition.NONE: "Positions may repeat without end.",
        Repetition.DRAW: f"A position that occurs for the {ordinal} time{start} is a draw.",
        Repetition.LOSS_DEFENDERS: "",
        Repetition.LOSS_MOVER: f"Who makes a position occur for the {ordinal} time{start} loses.",
        Repetition.WIN_MOVER: f"Who makes a position occur for the {ordinal} time{start} wins.",
        Repetition.OWN_MOVES: "Who makes a move for the third time, with one move between, loses.",
    }
    calls = {
        Calls.NONE: "",
        Calls.RAICHI: "Raichi warns of one open way for the king, tuichi of two.",
        Calls.WATCH_YOUR_KING: "The attackers call watch your king when they could take him next.",
    }
    parts = [repetition[variant.repetition]]
    if variant.no_move is NoMove.DRAW:
        parts.append("A side without a move draws; attackers without a man have lost.")
    if variant.quiet_plies:
        parts.append(f"{variant.quiet_plies} plies without a capture are a draw.")
    parts.append(calls[variant.calls])
    return " ".join(part for part in parts if part)


def _ordinal(variant: Variant) -> str:
    return {2: "second", 3: "third"}[variant.repetition_count]


def _named(pieces: frozenset[Piece]) -> str:
    if pieces == frozenset(Piece):
        return "everybody"
    if pieces == MEN:
        return "men"
    return _listed([word for piece, word in _WORDS.items() if piece in pieces]) or "nobody"


def _listed(words: list[str], last: str = "and") -> str:
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
