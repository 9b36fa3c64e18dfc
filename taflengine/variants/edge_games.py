"""Rule sets in which the king wins on the edge. What a block does not say is the house game's."""

from dataclasses import replace

from taflengine.pieces import ATTACKERS, EVERYBODY, MEN, NOBODY, Side
from taflengine.rules import Armed, Calls, Goal, NoMove, Repetition, Variant

TABLUT_CROSS = """
    . . . a a a . . .
    . . . . a . . . .
    . . . . d . . . .
    a . . . d . . . a
    a a d d k d d a a
    a . . . d . . . a
    . . . . d . . . .
    . . . . a . . . .
    . . . a a a . . ."""
"""The start that Linnaeus drew in 1732."""

LEWIS_CROSS = """
    . . . . a a a . . . .
    . . . . a a a . . . .
    . . . . . d . . . . .
    . . . . . d . . . . .
    a a . . . d . . . a a
    a a d d d k d d d a a
    a a . . . d . . . a a
    . . . . . d . . . . .
    . . . . . d . . . . .
    . . . . a a a . . . .
    . . . . a a a . . . ."""

_TAWLBWRDD_SOURCE = (
    "Robert ap Ifan's tawlbwrdd of 1587 as reconstructed for edge play. The rule against"
    " repeating is read so: who makes a move that equals his move before last and the one"
    " two before that loses, whatever is played between; captures do not reset it."
)

TAWLBWRDD_LEWIS = Variant(
    name="tawlbwrdd-lewis",
    aliases=("tawlbwrdd",),
    summary="11x11, edge; king taken by two, encirclement wins, repeating one's moves loses",
    source=f"{_TAWLBWRDD_SOURCE} The start is Frank Lewis' cross.",
    board=LEWIS_CROSS,
    corners=0,
    corner_hostile=NOBODY,
    king_sides_elsewhere=2,
    goal=Goal.EDGE,
    encirclement=True,
    repetition=Repetition.OWN_MOVES,
)

TAWLBWRDD_BELL = replace(
    TAWLBWRDD_LEWIS,
    name="tawlbwrdd-bell",
    aliases=(),
    summary="11x11, edge; as tawlbwrdd-lewis from R. C. Bell's diamond",
    source=f"{_TAWLBWRDD_SOURCE} The start is R. C. Bell's diamond.",
    board="""
        . . . . a a a . . . .
        . . . . a . a . . . .
        . . . . . a . . . . .
        . . . . . d . . . . .
        a a . . d d d . . a a
        a . a d d k d d a . a
        a a . . d d d . . a a
        . . . . . d . . . . .
        . . . . . a . . . . .
        . . . . a . a . . . .
        . . . . a a a . . . .""",
)

TABLUT = Variant(
    name="tablut",
    summary="9x9, edge; king may return to his throne, encirclement wins",
    source="Saami Tablut as Aage Nielsen plays it, after Linnaeus (1732): the king may return,"
    " all may cross the empty castle; the third occurrence loses for the defenders.",
    board=TABLUT_CROSS,
    throne_hostile_occupied=ATTACKERS,
    corners=0,
    corner_hostile=NOBODY,
    king_sides_elsewhere=2,
    goal=Goal.EDGE,
    encirclement=True,
    repetition=Repetition.LOSS_DEFENDERS,
)

TABLUT_LINNAEAN = Variant(
    name="tablut-linnaean",
    summary="9x9, edge; nobody re-enters the throne, Linnaean capture, raichi and tuichi",
    source="Linnaeus (1732) as Damian Walker reads him: the castle is closed to all once it is"
    " left, and nobody crosses it; a defender is taken against the king in his castle when the"
    " king's other sides are attackers. A side without a move draws, so does repetition.",
    board=TABLUT_CROSS,
    throne_stop=NOBODY,
    throne_cross=NOBODY,
    corners=0,
    corner_hostile=NOBODY,
    king_sides_elsewhere=2,
    goal=Goal.EDGE,
    linnaean=True,
    no_move=NoMove.DRAW,
    calls=Calls.RAICHI,
)

TABLUT_SMITH = Variant(
    name="tablut-smith",
    summary="9x9, edge; four attackers take the king everywhere, he takes nothing",
    source="James Edward Smith's English Linnaeus of 1811, whose translation makes the king"
    " strong; unarmed king as BrainKing plays it.",
    board=TABLUT_CROSS,
    throne_stop=NOBODY,
    corners=0,
    corner_hostile=NOBODY,
    king_armed=Armed.NEITHER,
    goal=Goal.EDGE,
    no_move=NoMove.DRAW,
    calls=Calls.RAICHI,
)

TABLUT_BOLOGNA = Variant(
    name="tablut-bologna",
    summary="9x9, edge; attackers' camps, defenders first, a second occurrence draws",
    source="The Tablut challenge of the University of Bologna, after its server and its organiser's"
    " answers: castle and camps capture whether occupied or empty, but a camp's middle square not"
    " its own men. A camp of one's own is the group of four. A side without a move has lost.",
    board=TABLUT_CROSS,
    first=Side.DEFENDER,
    throne_stop=NOBODY,
    throne_cross=NOBODY,
    throne_hostile_occupied=MEN,
    corners=0,
    corner_hostile=NOBODY,
    camps=(
        ("d1", "e1", "f1", "e2"),
        ("d9", "e9", "f9", "e8"),
        ("a4", "a5", "a6", "b5"),
        ("i4", "i5", "i6", "h5"),
    ),
    camp_hostile=EVERYBODY,
    camp_harmless_to_attackers=("e1", "e9", "a5", "i5"),
    king_sides_elsewhere=2,
    goal=Goal.EDGE,
    repetition_count=2,
    start_counts=False,
    captures_clear_positions=True,
)

TABLUT_15 = Variant(
    name="tablut-15",
    summary="15x15, edge; nobody re-enters the throne, encirclement wins, repetition draws",
    source="Damian Walker's large Tablut, known as the Coppergate start, as OpenTafl plays it.",
    board="""
        . . . . . a a a a a . . . . .
        . . . . . . a a a . . . . . .
        . . . . . . . a . . . . . . .
        . . . . . . . a . . . . . . .
        . . . . . . . d . . . . . . .
        a . . . . . d d d . . . . . a
        a a . . . d . d . d . . . a a
        a a a a d d d k d d d a a a a
        a a . . . d . d . d . . . a a
        a . . . . . d d d . . . . . a
        . . . . . . . d . . . . . . .
        . . . . . . . a . . . . . . .
        . . . . . . . a . . . . . . .
        . . . . . . a a a . . . . . .
        . . . . . a a a a a . . . . .""",
    throne_stop=NOBODY,
    corners=0,
    corner_hostile=NOBODY,
    king_sides_elsewhere=2,
    goal=Goal.EDGE,
    encirclement=True,
)

SIMPLE = Variant(
    name="simple",
    summary="11x11, edge; no marked squares at all, two take the king anywhere",
    source="Simple Hnefatafl, the older Tawlbwrdd, from the Lewis cross. Repetition is not stated:"
    " third occurrence draws.",
    board=LEWIS_CROSS,
    throne=False,
    corners=0,
    corner_hostile=NOBODY,
    king_sides_on_throne=2,
    king_sides_beside_throne=2,
    king_sides_elsewhere=2,
    goal=Goal.EDGE,
    encirclement=True,
)

SEA_BATTLE_9 = Variant(
    name="sea-battle-9",
    summary="9x9, edge; no marked squares, the king takes nothing and four take him",
    source="Sea Battle tafl, proposed by Adam Bartley in 2011, from the newer star start.",
    board="""
        . . . . a . . . .
        . a . . a . . a .
        . . a . . . a . .
        . . . d d d . . .
        a a . d k d . a a
        . . . d d d . . .
        . . a . . . a . .
        . a . . a . . a .
        . . . . a . . . .""",
    throne=False,
    corners=0,
    corner_hostile=NOBODY,
    king_armed=Armed.NEITHER,
    goal=Goal.EDGE,
    encirclement=True,
    repetition=Repetition.LOSS_DEFENDERS,
)

SEA_BATTLE_11 = replace(
    SEA_BATTLE_9,
    name="sea-battle-11",
    summary="11x11, edge; no marked squares, the king takes nothing and four take him",
    source="Sea Battle tafl, proposed by Adam Bartley in 2011, from the T-cross; attackers first.",
    board="""
        . . . a a a a a . . .
        . . . . . a . . . . .
        . . . . . d . . . . .
        a . . . . d . . . . a
        a . . . . d . . . . a
        a a d d d k d d d a a
        a . . . . d . . . . a
        a . . . . d . . . . a
        . . . . . d . . . . .
        . . . . . a . . . . .
        . . . a a a a a . . .""",
)

PARLETT = replace(
    SEA_BATTLE_9,
    name="parlett",
    summary="13x13, edge; no marked squares, the king takes nothing, repetition draws",
    source="David Parlett's board of the Gokstad find's size, played as Sea Battle by OpenTafl.",
    board="""
        . . . . a a a a a . . . .
        . . . . . a . a . . . . .
        . . . . . . a . . . . . .
        . . . . . . d . . . . . .
        a . . . d . . . d . . . a
        a a . . . d d d . . . a a
        a . a d . d k d . d a . a
        a a . . . d d d . . . a a
        a . . . d . . . d . . . a
        . . . . . . d . . . . . .
        . . . . . . a . . . . . .
        . . . . . a . a . . . . .
        . . . . a a a a a . . . .""",
    repetition=Repetition.DRAW,
)

ARD_RI = Variant(
    name="ard-ri",
    summary="7x7, edge; a crowded board on which every piece goes one square",
    source="The crowded Ard Ri that Dragonheelslair and David Parlett give. The throne is hostile"
    " to nobody, so beside it the king cannot be taken. Repetition is not stated: third occurrence"
    " draws.",
    board="""
        . . a a a . .
        . . . a . . .
        a . d d d . a
        a a d k d a a
        a . d d d . a
        . . . a . . .
        . . a a a . .""",
    attacker_reach=1,
    defender_reach=1,
    king_reach=1,
    throne_hostile_empty=NOBODY,
    corners=0,
    corner_hostile=NOBODY,
    goal=Goal.EDGE,
)
