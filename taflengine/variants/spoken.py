"""A rule set as people say it: by name, as a file, or as a rules string."""

from taflengine.errors import NotationError
from taflengine.rules import Variant
from taflengine.variants import find_variant


def parse_variant(text: str) -> Variant:
    """A rule set by name, as ``@FILE`` of its own, or as ``otn:`` and an OpenTafl rules string.

    Raises:
        NotationError: no built-in rule set has the name.
        RulesError: the file or the string is wrong, or holds what cannot be played.
    """
    # Imported where they are used: the first answer of a process need not wait for them.
    if text == "@":
        raise NotationError("'@' names no file: say @ and a file, as @my-game.toml")
    if text.startswith("@"):
        from taflengine.variants.files import load_rules

        return load_rules(text[1:], find_variant)
    if text.startswith("otn:"):
        from taflengine.variants.opentafl import parse_opentafl

        return parse_opentafl(text.removeprefix("otn:"))
    return find_variant(text)
