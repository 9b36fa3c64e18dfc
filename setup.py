"""Build the core as C extensions where that is possible; all else stands in pyproject.toml.

Every file of taflengine/core with a .pxd beside it is compiled. Where that fails
the install goes on, and the same files run as plain Python. The
environment variable TAFLENGINE_COMPILED makes the choice explicit: ``off``
compiles nothing, ``required`` makes a failed compilation fail the install.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CHOICE = os.environ.get("TAFLENGINE_COMPILED", "")
if CHOICE not in ("", "off", "required"):
    raise SystemExit(f"TAFLENGINE_COMPILED={CHOICE}: allowed are off and required")

DIRECTIVES = {
    "boundscheck": False,
    "initializedcheck": False,
    "language_level": 3,
    "wraparound": False,
}


def extensions() -> list[Extension]:
    """The extensions to build."""
    if CHOICE == "off":
        return []
    names = sorted(path.stem for path in Path("taflengine/core").glob("*.pxd"))
    sources = [
        Extension(
            f"taflengine.core.{name}",
            [f"taflengine/core/{name}.py"],
            extra_compile_args=["-O3"],
        )
        for name in names
    ]
    built = cythonize(sources, compiler_directives=DIRECTIVES)
    for extension in built:
        # cythonize loses the mark when it is given to Extension.
        extension.optional = CHOICE != "required"
    return built


setup(ext_modules=extensions())
