"""The README's table of levels is that of the program."""

import re
from pathlib import Path

from taflengine.engines.levels import HIGHEST, LOWEST, nodes_of

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_says_how_much_each_level_looks_at() -> None:
    rows = re.findall(r"^\| (\d+) \| ([\d,]+) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {int(level): int(nodes.replace(",", "")) for level, nodes in rows}
    assert shown == {level: nodes_of(level) for level in range(LOWEST + 1, HIGHEST)}
