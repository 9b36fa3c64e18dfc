"""The shape of the package: who may import whom, who may speak, and what is shipped."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import taflengine
from taflengine import core

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "taflengine"
LAYERS = (
    "errors",
    "exits",
    "errand",
    "textfile",
    "progress",
    "geometry",
    "pieces",
    "notation",
    "rules",
    "clock",
    "usage",
    "variants",
    "core",
    "refusals",
    "game",
    "engines",
    "analysis",
    "records",
    "display",
    "protocol",
    "match",
    "regress",
    "shell",
    "cli",
    "__main__",
)
"""From the lowest to the highest; a module imports from its own layer and from lower ones."""
UPWARD = {"game": {"engines.engine", "engines.search"}}
"""The one arrow that points up, out of ``Game.best_move``: a person who holds a game asks it, and
the search that answers stands on games. Who does not ask does not import it."""
FRONT = "taflengine"
"""The package itself: it offers names of any layer, but only when they are asked for."""
SPEAKERS = {
    "protocol.loop",
    "protocol.streams",
    "match.cli",
    "regress.cli",
    "records.cli",
    "shell",
    "match.watchdog",
    "cli",
    "__main__",
}
"""The modules that touch standard input, output or error."""
LONG = {
    "core.position": "one class that is compiled as a whole: moves, captures and their undoing",
    "core.search": "one class that is compiled as a whole, and the one long function",
}
"""The modules that may be longer than ``MAX_LINES``, and why."""
MAX_LINES = 400


def module_name(path: Path) -> str:
    """The name of a file of the package, without ``taflengine.``: ``core.position``, ``core``."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or FRONT


FILES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
MODULES = [name for name in FILES if name != FRONT]


def imported(name: str) -> set[str]:
    """The modules of the package that *name* imports anywhere, for types and in functions too."""
    found = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            # ``from taflengine import core`` is about a module, ``__version__`` is not.
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner.removeprefix(f"{FRONT}.") in FILES else str(node.module))
    ours = (each for each in found if each.partition(".")[0] == FRONT)
    return {each.removeprefix(f"{FRONT}.") for each in ours}


def layer(name: str) -> int:
    """The place of a module in ``LAYERS``; the package itself is below all of them."""
    return -1 if name == FRONT else LAYERS.index(name.partition(".")[0])


def dotted(node: ast.expr) -> str:
    """``sys.stdout`` of an expression that is a name with attributes, else nothing."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (start := dotted(node.value)):
        return f"{start}.{node.attr}"
    return ""


def line_of(name: str, node: ast.AST) -> str:
    """Where *node* stands."""
    return f"{name}, line {getattr(node, 'lineno', '?')}"


def test_every_module_has_a_layer() -> None:
    assert {name.partition(".")[0] for name in MODULES} == set(LAYERS)


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down(name: str) -> None:
    up = {other for other in imported(name) if layer(other) > layer(name)}
    assert up == UPWARD.get(name, set())


@pytest.mark.parametrize("name", MODULES)
def test_the_front_is_for_others(name: str) -> None:
    """Through it a module would import from any layer, and nobody could see which."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            assert all(alias.name != FRONT for alias in node.names), line_of(name, node)
        if isinstance(node, ast.ImportFrom) and node.module == FRONT:
            assert not {alias.name for alias in node.names} & set(taflengine.__all__)


def test_imports_make_no_circle() -> None:
    """Not within a layer either."""
    left = {name: imported(name) - {name, FRONT} - UPWARD.get(name, set()) for name in MODULES}
    while free := {name for name, others in left.items() if not others & set(left)}:
        left = {name: others for name, others in left.items() if name not in free}
    assert not left


def test_the_package_itself_imports_for_types_only() -> None:
    """``import taflengine`` costs next to nothing."""
    for node in TREES[FRONT].body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            source = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            assert str(source).partition(".")[0] != FRONT, line_of(FRONT, node)


def is_speech(node: ast.AST) -> bool:
    """Whether *node* prints, reads what a person types, or has to do with the standard streams."""
    if isinstance(node, ast.Call):
        called = dotted(node.func)
        return called in ("print", "input", "breakpoint", "os.write", "os.read", "click.echo")
    if isinstance(node, ast.Attribute):
        return re.fullmatch(r"sys\.(__)?std(in|out|err)(__)?", dotted(node)) is not None
    if isinstance(node, ast.ImportFrom):
        return node.module == "logging" or (
            node.module == "sys" and any(alias.name.startswith("std") for alias in node.names)
        )
    return isinstance(node, ast.Import) and any(alias.name == "logging" for alias in node.names)


@pytest.mark.parametrize("name", [name for name in FILES if name not in SPEAKERS])
def test_nothing_below_the_loop_speaks(name: str) -> None:
    for node in ast.walk(TREES[name]):
        assert not is_speech(node), f"{line_of(name, node)}: {ast.unparse(node)}"


@cache
def names_of_rule_sets() -> frozenset[str]:
    """The names and aliases that the files of rule sets give."""
    names = set()
    for name in MODULES:
        if not name.startswith("variants."):
            continue
        for node in ast.walk(TREES[name]):
            if isinstance(node, ast.Call) and dotted(node.func) == "Variant":
                for word in node.keywords:
                    if word.arg in ("name", "aliases"):
                        value = ast.literal_eval(word.value)
                        names |= {value} if isinstance(value, str) else set(value)
    return frozenset(names - {""})


def words(tree: ast.AST) -> Iterator[ast.Constant]:
    """Every text in *tree* that is not a docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            continue
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                yield child


@pytest.mark.parametrize("name", MODULES)
def test_no_rule_set_is_asked_for_its_name(name: str) -> None:
    """Code asks what the rules are. So neither are names compared, nor does any stand in code."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                found = dotted(side)
                assert not found.endswith("variant.name"), line_of(name, node)
        if isinstance(node, ast.Match):
            assert not dotted(node.subject).endswith("variant.name"), line_of(name, node)
    if not name.startswith("variants"):
        for word in words(TREES[name]):
            assert word.value not in names_of_rule_sets(), f"{line_of(name, word)}: {word.value}"


def test_there_are_names_of_rule_sets_to_look_for() -> None:
    assert {"hnefatafl", "house", "copenhagen", "tablut-bologna"} <= names_of_rule_sets()


def test_what_has_a_pxd_is_compiled() -> None:
    assert sorted(path.stem for path in (PACKAGE / "core").glob("*.pxd")) == sorted(core.MODULES)


def settings() -> dict[str, object]:
    """What pyproject.toml says to setuptools."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)["tool"]["setuptools"]
    assert isinstance(found, dict)
    return found


def test_all_is_shipped() -> None:
    """Every package, the mark that there are types, and what compiles the core."""
    packages = {".".join(path.parent.relative_to(ROOT).parts) for path in FILES.values()}
    assert settings()["packages"] == sorted(packages)
    data = settings()["package-data"]
    assert isinstance(data, dict)
    shipped = {file for pattern in data[FRONT] for file in PACKAGE.glob(pattern)}
    assert shipped >= {PACKAGE / "py.typed", *PACKAGE.rglob("*.pxd")}


def test_every_package_says_that_it_is_one() -> None:
    """A directory without __init__.py is a namespace that others could add to."""
    for directory in {path.parent for path in FILES.values()}:
        assert (directory / "__init__.py").exists(), directory.relative_to(ROOT)


@pytest.mark.parametrize("name", FILES)
def test_no_module_is_too_long(name: str) -> None:
    lines = len(FILES[name].read_text(encoding="utf-8").splitlines())
    if name in LONG:
        assert lines > MAX_LINES, f"{name} needs no exception any more"
    else:
        assert lines <= MAX_LINES, "two ideas may share this file"
