"""The rule sets as data: ``catalogue`` lists them, ``find_variant`` finds one by name."""

from taflengine.errors import NotationError
from taflengine.notation import quote
from taflengine.rules import Variant
from taflengine.variants.house import HNEFATAFL

DEFAULT = HNEFATAFL


def find_variant(name: str) -> Variant:
    """The built-in rule set called *name*, by name or alias, in any case.

    Raises:
        NotationError: there is none; the message suggests the nearest name.
    """
    # The list is loaded when first asked for: the default game needs none.
    from taflengine.variants.catalogue import ALIASES, VARIANTS

    wanted = name.lower()
    found = VARIANTS.get(wanted) or ALIASES.get(wanted)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(wanted[:40], [*VARIANTS, *ALIASES], n=1)
        hint = f"did you mean {near[0]}?" if near else "variants lists them"
        raise NotationError(f"{quote(name)} is no rule set: {hint}")
    return found


def names_like(beginning: str) -> list[str]:
    """The names of the rule sets that begin so, in any case, in the order of the catalogue."""
    from taflengine.variants.catalogue import VARIANTS

    return [name for name in VARIANTS if name.startswith(beginning.lower())]
