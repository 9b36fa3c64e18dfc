"""The script that measures each technique finds what it takes out."""

import importlib.util

import pytest
from program import ROOT

PACKAGE = ROOT / "taflengine"
SPEC = importlib.util.spec_from_file_location("ablation", ROOT / "scripts" / "ablation.py")
assert SPEC
assert SPEC.loader
ABLATION = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(ABLATION)


@pytest.mark.parametrize("technique", ABLATION.TECHNIQUES)
def test_each_technique_is_found_once(technique: str) -> None:
    """Where the code has moved on, the script's texts must follow."""
    for name, old, new in ABLATION.TECHNIQUES[technique]:
        text = (PACKAGE / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, (name, old)
        compile(text.replace(old, new), name, "exec")
