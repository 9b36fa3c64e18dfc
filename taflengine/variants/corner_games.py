"""Rule sets in which the king wins in a corner. What a block does not say is the house game's."""

from taflengine.pieces import ATTACKERS, EVERYBODY, MEN, Side
from taflengine.rules import Calls, NoMove, Repetition, Variant
from taflengine.variants.house import DIAMOND

BRANDUBH_CROSS = """
    . . . a . . .
    . . . a . . .
    . . . d . . .
    a a d k d a a
    . . . d . . .
    . . . a . . .
    . . . a . . ."""

HISTORICAL = Variant(
    name="historical",
    summary="11x11, corners; king taken by two away from his throne",
    source="A reconstruction that names Aage Nielsen's Historical Hnefatafl (2016) but keeps the"
    " corners. Silent, and taken from its family: armed king, safe entry between two enemies,"
    " no move loses, third occurrence draws.",
    board=DIAMOND,
    throne_hostile_occupied=ATTACKERS,
    corner_hostile=EVERYBODY,
    king_sides_elsewhere=2,
)

HOMESCHOOL = Variant(
    name="homeschool",
    aliases=("viking",),
    summary="11x11, corners; king taken by two, throne hostile even when occupied; watch your king",
    source="A homeschooling family's rules for a home-made board. Read to the letter: throne and"
    " corners are hostile to both armies whoever sits there; beside the throne three attackers"
    " and the throne take the king. Nothing is said of repetition, so none is judged.",
    board=DIAMOND,
    throne_hostile_occupied=MEN,
    corner_hostile=EVERYBODY,
    king_sides_elsewhere=2,
    repetition=Repetition.NONE,
    calls=Calls.WATCH_YOUR_KING,
)

COPENHAGEN_CLEAN = Variant(
    name="copenhagen-clean",
    summary="11x11, corners; Copenhagen without its special rules, 50 quiet moves each draw",
    source="A web game's clean version of Copenhagen: no shieldwall, no fort, no encirclement."
    " Three repetitions are read as the third occurrence, 50 moves each as 100 plies.",
    board=DIAMOND,
    quiet_plies=100,
)

COPENHAGEN = Variant(
    name="copenhagen",
    summary="11x11, corners; shieldwall, exit fort, encirclement; repetition loses for defenders",
    source="Copenhagen Hnefatafl by Aage Nielsen, Adam Bartley and Tim Millar (2012) in the text"
    " of 2024: the king is safe on the edge, the third occurrence loses for the defenders, the"
    " attackers' ring wins at once even if a man of it could be taken.",
    board=DIAMOND,
    throne_hostile_occupied=ATTACKERS,
    shieldwall=True,
    exit_fort=True,
    encirclement=True,
    repetition=Repetition.LOSS_DEFENDERS,
)

FETLAR = Variant(
    name="fetlar",
    summary="11x11, corners; encirclement wins, repetition draws, no move loses",
    source="Fetlar Hnefatafl as played on Aage Nielsen's server.",
    board=DIAMOND,
    throne_hostile_occupied=ATTACKERS,
    encirclement=True,
)

FETLAR_PANEL = Variant(
    name="fetlar-panel",
    summary="11x11, corners; a side without a move draws, no encirclement",
    source="The Fetlar Hnefatafl Panel's leaflet for its world championship of 2013.",
    board=DIAMOND,
    throne_hostile_occupied=ATTACKERS,
    no_move=NoMove.DRAW,
)

OLD_HNEFATAFL = Variant(
    name="old-hnefatafl",
    summary="11x11, corners; the edge closes a side of the king, encirclement wins",
    source="The forerunner of Fetlar, with the parameters that AbstractPlay gives it: three"
    " attackers take the king on the edge, two beside a corner.",
    board=DIAMOND,
    corner_hostile=EVERYBODY,
    edge_hostile_to_king=True,
    encirclement=True,
    repetition=Repetition.LOSS_DEFENDERS,
)

BRANDUBH = Variant(
    name="brandubh",
    summary="7x7, corners; king taken by two away from his throne, 50 quiet moves each draw",
    source="A web game's Brandubh. On the throne four attackers take the king, beside it three"
    " and the throne; the squares are those of the usual cross.",
    board=BRANDUBH_CROSS,
    corner_hostile=EVERYBODY,
    king_sides_elsewhere=2,
    quiet_plies=100,
)

BRANDUBH_FEDERATION = Variant(
    name="brandubh-federation",
    summary="7x7, corners; as in tournaments: encirclement, repetition loses for defenders",
    source="Brandubh of the Historical family as the World Tafl Federation plays it: throne"
    " always hostile to attackers, to defenders when empty; third occurrence loses for them.",
    board=BRANDUBH_CROSS,
    throne_hostile_occupied=ATTACKERS,
    corner_hostile=EVERYBODY,
    king_sides_elsewhere=2,
    encirclement=True,
    repetition=Repetition.LOSS_DEFENDERS,
)

MAGPIE = Variant(
    name="magpie",
    summary="7x7, corners; the king goes one square at a time, three take him on the edge",
    source="Nigel Suckling, The Leprechaun Companion (1999), as Aage Nielsen explains it; star"
    " start; men may cross the empty throne. Repetition is not stated: third occurrence draws.",
    board="""
        . . . a . . .
        . a . . . a .
        . . . d . . .
        a . d k d . a
        . . . d . . .
        . a . . . a .
        . . . a . . .""",
    king_reach=1,
    corner_hostile=EVERYBODY,
    edge_hostile_to_king=True,
)

ALEA_EVANGELII = Variant(
    name="alea-evangelii",
    summary="19x19, corner regions of four squares; the edge closes a side of the king",
    source="The board of Corpus Christi College Oxford MS 122, which gives no rules, played as"
    " Damian Walker reconstructs it: defenders first, a corner square closes a side of the king,"
    " who may slide over corner squares. Repetition is not stated: third occurrence draws.",
    board="""
        . . a . . a . . . . . . . a . . a . .
        . . . . . . . . . . . . . . . . . . .
        a . . . . a . . . . . . . a . . . . a
        . . . . . . . a . a . a . . . . . . .
        . . . . . . a . d . d . a . . . . . .
        a . a . . a . . . . . . . a . . a . a
        . . . . a . . . . d . . . . a . . . .
        . . . a . . . . d . d . . . . a . . .
        . . . . d . . d . d . d . . d . . . .
        . . . a . . d . d k d . d . . a . . .
        . . . . d . . d . d . d . . d . . . .
        . . . a . . . . d . d . . . . a . . .
        . . . . a . . . . d . . . . a . . . .
        a . a . . a . . . . . . . a . . a . a
        . . . . . . a . d . d . a . . . . . .
        . . . . . . . a . a . a . . . . . . .
        a . . . . a . . . . . . . a . . . . a
        . . . . . . . . . . . . . . . . . . .
        . . a . . a . . . . . . . a . . a . .""",
    first=Side.DEFENDER,
    corners=2,
    corner_hostile=EVERYBODY,
    edge_hostile_to_king=True,
)
