"""The rule sets as data, and the one list of them."""

from taflengine.errors import NotationError
from taflengine.notation import quote
from taflengine.rules import Variant
from taflengine.variants import corner_games as corner
from taflengine.variants import edge_games as edge

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        corner.HNEFATAFL,
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

DEFAULT = corner.HNEFATAFL

BY_SIZE = {
    7: corner.BRANDUBH,
    9: edge.TABLUT,
    11: corner.HNEFATAFL,
    13: edge.PARLETT,
    15: edge.TABLUT_15,
    19: corner.ALEA_EVANGELII,
}
"""The rule set that ``boardsize`` stands for."""

_ALIASES = {alias: variant for variant in VARIANTS.values() for alias in variant.aliases}


def find_variant(name: str) -> Variant:
    """The built-in rule set called *name*, by name or alias, in any case.

    Raises:
        NotationError: there is none; the message suggests the nearest name.
    """
    wanted = name.lower()
    found = VARIANTS.get(wanted) or _ALIASES.get(wanted)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(wanted[:40], [*VARIANTS, *_ALIASES], n=1)
        hint = f"did you mean {near[0]}?" if near else "variants lists them"
        raise NotationError(f"no rule set is called {quote(name)}: {hint}")
    return found
