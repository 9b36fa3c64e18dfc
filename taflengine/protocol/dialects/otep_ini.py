"""The file by which OpenTafl finds an engine."""

import shutil
import sys
from pathlib import Path

FILE = "taflengine.ini"
"""What the file should be called: its line ``filename`` must name a file that is there."""


def engine_file() -> str:
    """The file for this program as it has been started.

    OpenTafl takes the directory from its own ``engines``, splits the arguments at each
    blank, and falls over without any.
    """
    command, *arguments = _command()
    lines = {
        "directory": ".",
        "filename": FILE,
        "command": command,
        "arguments": " ".join([*arguments, "--protocol", "otep"]),
    }
    return "".join(["[engine]\n", *(f"{key}={value}\n" for key, value in lines.items())])


def _command() -> list[str]:
    """What starts this program from any directory."""
    script = Path(sys.argv[0])
    if script.name == "taflengine":
        found = shutil.which(str(script))
        if found is not None:
            return [str(Path(found).absolute())]
    return [sys.executable, "-P", "-m", "taflengine"]
