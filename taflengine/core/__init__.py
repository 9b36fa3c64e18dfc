"""The compiled part: positions, endings, counting, evaluation and search on flat arrays.

The environment variable TAFLENGINE_COMPILED chooses the form: ``off`` runs the
files as plain Python although compiled ones are there, ``required`` refuses to
run unless every one is compiled.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType

from taflengine.errors import CoreFormError

MODULES = (
    "endings",
    "evaluation",
    "ordering",
    "perft",
    "position",
    "search",
    "table",
    "tactics",
)
"""The modules that are compiled: those with a .pxd file, which a test compares."""
CURE = "install a C compiler and Python's headers, then install taflengine again"


class _PlainForm:
    """Finds this package's modules as .py files only, past any compiled ones."""

    _finder = FileFinder(__path__[0], (SourceFileLoader, SOURCE_SUFFIXES))

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        return self._finder.find_spec(name, target) if name.startswith(f"{__name__}.") else None


def plain_modules() -> list[str]:
    """The names of those of ``MODULES`` that run as plain Python."""
    files = {name: import_module(f"{__name__}.{name}").__file__ for name in MODULES}
    return [name for name, file in files.items() if str(file).endswith(".py")]


def form() -> str:
    """``compiled``, or ``uncompiled`` if any part of the core runs as plain Python."""
    return "uncompiled" if plain_modules() else "compiled"


def cure() -> str:
    """What to do about a core that runs uncompiled."""
    if _choice == "off":
        return "TAFLENGINE_COMPILED=off asks for that"
    return CURE


_choice = os.environ.get("TAFLENGINE_COMPILED", "")
if _choice not in ("", "off", "required"):
    raise CoreFormError(f"TAFLENGINE_COMPILED={_choice}: allowed are off and required")
if _choice == "off":
    sys.meta_path.insert(0, _PlainForm())
if _choice == "required" and plain_modules():
    raise CoreFormError(
        f"TAFLENGINE_COMPILED=required, but not compiled: {', '.join(plain_modules())}; {CURE}"
    )
