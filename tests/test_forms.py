"""The compiled and the plain form of the core agree to the last bit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from taflengine import core
from taflengine.variants.catalogue import VARIANTS

DIGEST = Path(__file__).with_name("form_digest.py")


def digest(form: str, plies: int) -> str:
    environment = os.environ | {"TAFLENGINE_COMPILED": form}
    command = [sys.executable, str(DIGEST), str(plies)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ("uncompiled" if form == "off" else "compiled")
    return done.stdout


def compare(plies: int) -> None:
    compiled, plain = digest("required", plies), digest("off", plies)
    assert len(compiled.splitlines()) > plies * 20
    searched = {line.split()[0] for line in compiled.splitlines() if "search of the start" in line}
    assert searched == set(VARIANTS)
    assert compiled == plain


compiled_only = pytest.mark.skipif(
    core.form() != "compiled", reason="the core is not compiled here, so there is one form only"
)


@compiled_only
def test_forms_agree() -> None:
    compare(plies=150)


@compiled_only
@pytest.mark.long
def test_forms_agree_at_length() -> None:
    compare(plies=3000)


def test_an_unknown_choice_of_form_is_refused() -> None:
    environment = os.environ | {"TAFLENGINE_COMPILED": "maybe"}
    command = [sys.executable, "-m", "taflengine"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "taflengine: TAFLENGINE_COMPILED=maybe: allowed are off and required\n"
    assert done.stdout == ""


def test_the_plain_form_warns_once_and_answers() -> None:
    environment = os.environ | {"TAFLENGINE_COMPILED": "off"}
    command = [sys.executable, "-m", "taflengine"]
    done = subprocess.run(
        command, env=environment, input="version\n", capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("= ")
    assert done.stdout.rstrip().endswith("uncompiled")
    (warning,) = done.stderr.splitlines()
    assert "uncompiled" in warning
    assert "TAFLENGINE_COMPILED=off" in warning


def test_the_plain_form_searches_with_several_threads() -> None:
    environment = os.environ | {"TAFLENGINE_COMPILED": "off"}
    command = [sys.executable, "-m", "taflengine", "--param", "engine=search"]
    command += ["--param", "threads=3", "--param", "depth=3"]
    lines = "newgame brandubh\ngenmove attacker\ngenmove defender\n"
    done = subprocess.run(
        command, env=environment, input=lines, capture_output=True, text=True, check=True
    )
    assert done.stdout.count("= ") == 3
    assert "?" not in done.stdout
    (warning,) = done.stderr.splitlines()
    assert "uncompiled" in warning


def test_sources_alone_run_with_the_cure_or_refuse(tmp_path: Path) -> None:
    """A copy that nobody has compiled warns and answers; where compiled is required it refuses."""
    package = Path(core.__file__).parent.parent
    for source in package.rglob("*.py"):
        copy = tmp_path / "taflengine" / source.relative_to(package)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())

    def answer(choice: str) -> "subprocess.CompletedProcess[str]":
        environment = os.environ | {"TAFLENGINE_COMPILED": choice, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-m", "taflengine"]
        return subprocess.run(
            command,
            env=environment,
            cwd=tmp_path,
            input="name\n",
            capture_output=True,
            text=True,
            check=False,
        )

    free = answer("")
    assert (free.returncode, free.stdout) == (0, "= taflengine\n\n")
    (warning,) = free.stderr.splitlines()
    assert core.CURE in warning
    bound = answer("required")
    assert (bound.returncode, bound.stdout) == (1, "")
    assert f"not compiled: {', '.join(core.MODULES)};" in bound.stderr
    assert core.CURE in bound.stderr
    assert "Traceback" not in bound.stderr
