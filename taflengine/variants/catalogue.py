"""The one list of rule sets."""

from taflengine.rules import Variant
from taflengine.variants import corner_games as corner
from taflengine.variants import edge_games as edge
from taflengine.variants.house import HNEFATAFL

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        HNEFATAFL,
        corner.HISTORICAL,
        corner.HOMESCHOOL,
        edge.TAWLBWRDD_LEWIS,
        edge.TAWLBWRDD_BELL,
        corner.COPENHAGEN_CLEAN,
        corner.BRANDUBH,
        corner.COPENHAGEN,
        corner.FETLAR,
        corner.FETLAR_PANEL,
        corner.OLD_HNEFATAFL,
        corner.BRANDUBH_FEDERATION,
        corner.MAGPIE,
        corner.ALEA_EVANGELII,
        edge.TABLUT,
        edge.TABLUT_LINNAEAN,
        edge.TABLUT_SMITH,
        edge.TABLUT_BOLOGNA,
        edge.TABLUT_15,
        edge.SIMPLE,
        edge.SEA_BATTLE_9,
        edge.SEA_BATTLE_11,
        edge.PARLETT,
        edge.ARD_RI,
    )
}
"""Every built-in rule set by its name; the first is the default."""

BY_SIZE = {
    7: corner.BRANDUBH,
    9: edge.TABLUT,
    11: HNEFATAFL,
    13: edge.PARLETT,
    15: edge.TABLUT_15,
    19: corner.ALEA_EVANGELII,
}
"""The rule set that ``boardsize`` stands for."""

ALIASES = {alias: variant for variant in VARIANTS.values() for alias in variant.aliases}
"""Every rule set that has other names, by each of them."""
