"""What tests of the protocol have in common."""

from pathlib import Path

import pytest


@pytest.fixture
def rule_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory with rule files, good ones and bad ones."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "quick.toml": 'name = "quick"\nbased_on = "brandubh"\nquiet_plies = 4\n',
        "my own game.toml": 'name = "own"\nbased_on = "tablut"\nfirst = "defender"\n',
        "torn.toml": 'name = "torn"\nbased_on =\n',
        "odd.toml": 'name = "odd"\nbased_on = "brandubh"\nking_sides_elsewhere = 3\n',
        "key.toml": 'name = "key"\nbased_on = "brandubh"\ngoals = "edge"\n',
        "bytes.toml": 'name = "\udcff"\n',
    }.items():
        (tmp_path / name).write_bytes(text.encode(errors="surrogateescape"))
