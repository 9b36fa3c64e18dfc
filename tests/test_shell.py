"""Completion by a real bash in a real terminal, and the manual page as man shows it."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pexpect
import pytest
from program import ENVIRONMENT, SECONDS, run, without_advice

from taflengine.cli import cli
from taflengine.protocol.commands import all_commands


@pytest.fixture
def bash(tmp_path: Path) -> pexpect.spawn:  # type: ignore[type-arg]
    """A bash that has read the script, in a directory with a few files."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    program = tmp_path / "bin" / "taflengine"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m taflengine "$@"\n')
    program.chmod(0o755)
    for name in ("first.otg", "second.csv"):
        (tmp_path / name).write_text("")
    child = pexpect.spawn(
        "bash",
        ["--norc", "--noprofile", "-i"],
        env=ENVIRONMENT | {"PATH": f"{program.parent}:{ENVIRONMENT['PATH']}", "PS1": "ready> "},
        cwd=str(tmp_path),
        timeout=SECONDS,
        encoding="utf-8",
        dimensions=(40, 200),
    )
    child.expect("ready> ")
    child.sendline("bind 'set bell-style none'; bind 'set enable-bracketed-paste off'")
    child.expect("ready> ")
    child.sendline('eval "$(taflengine completion bash)"; echo "sta""tus $?"')
    child.expect("status 0")
    child.expect("ready> ")
    return child


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("taflengine conv", "taflengine convert "),
        ("taflengine replay --ign", "taflengine replay --ignore-repetition "),
        ("taflengine convert --to pos", "taflengine convert --to position "),
        ("taflengine convert --variant tablut-li", "taflengine convert --variant tablut-linnaean "),
        ("taflengine variants mag", "taflengine variants magpie "),
        ("taflengine replay fir", "taflengine replay first.otg "),
        ("taflengine --variant brandubh-f", "taflengine --variant brandubh-federation "),
        ("taflengine completion f", "taflengine completion fish "),
    ],
)
def test_bash_completes(bash: pexpect.spawn, typed: str, completed: str) -> None:  # type: ignore[type-arg]
    bash.send(f"{typed}\t")
    bash.expect_exact(completed)
    bash.sendcontrol("c")
    bash.close(force=True)


def test_bash_offers_what_there_is(bash: pexpect.spawn) -> None:  # type: ignore[type-arg]
    bash.send("taflengine \t\t")
    for name in sorted(cli.list_commands(click.Context(cli))):
        bash.expect_exact(name)
    bash.close(force=True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script_that_it_can_read(shell: str) -> None:
    done = run("completion", shell)
    assert (done.status, without_advice(done.stderr)) == (0, "")
    assert "_TAFLENGINE_COMPLETE=" in done.stdout
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here to read the script")
    checked = subprocess.run(
        [shell, "-n"], input=done.stdout, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_other_shells_are_refused() -> None:
    done = run("completion", "tcsh")
    assert done.status == 2
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in done.stderr


@cache
def page() -> str:
    done = run("man")
    assert (done.status, without_advice(done.stderr)) == (0, "")
    return done.stdout


@cache
def shown() -> str:
    """The page as a reader sees it, on one line and without hyphens at the ends of lines."""
    if shutil.which("groff") is None:
        pytest.skip("there is no groff here to show the page")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", "-P-c", "-P-b", "-P-u", "-rLL=300n", "-rHY=0"],
        input=page(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "", "no warning, in whatever line"
    return re.sub(r"\s+", " ", done.stdout)


def test_the_page_holds_every_command_and_option() -> None:
    text = shown()
    context = click.Context(cli, info_name="taflengine")
    names = cli.list_commands(context)
    assert all(f"taflengine {name}" in text for name in names)
    for command in (cli, *(cli.get_command(context, name) for name in names)):
        assert command
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            if record:
                assert " ".join(record[1].split()) in text
    for each in all_commands().values():
        assert each.usage in text
        assert " ".join(each.help.split()) in text


def commands_in(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    """*group* and all that is below it, with the words that ask for each."""
    yield name, group
    context = click.Context(group)
    for word in group.list_commands(context):
        found = group.get_command(context, word)
        assert found
        if isinstance(found, click.Group):
            yield from commands_in(found, f"{name} {word}")
        else:
            yield f"{name} {word}", found


def test_every_option_is_explained() -> None:
    silent = [
        f"{name} {each.name}"
        for name, command in commands_in(cli, "taflengine")
        for each in command.params
        if isinstance(each, click.Option) and not each.help
    ]
    assert silent == []


@pytest.mark.parametrize("command", ["taflengine", "taflengine serve"])
def test_names_of_rule_sets_are_completed_where_one_is_asked_for(command: str) -> None:
    found = dict(commands_in(cli, "taflengine"))[command]
    (option,) = [each for each in found.params if each.name == "variant"]
    items = option.shell_complete(click.Context(found), "brandubh")
    assert [item.value for item in items] == ["brandubh", "brandubh-federation"]


def test_what_begins_with_a_dot_or_holds_a_backslash_is_shown_as_it_stands() -> None:
    assert r"printf 'newgame\nlegal\ngenmove attacker\n' | taflengine" in shown()


def test_only_what_is_kept_line_by_line_is_indented() -> None:
    filled = re.sub(r"^\.nf$.*?^\.fi$", "", page(), flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"^(\\&)?[ \t]", filled, re.MULTILINE)


def test_the_page_names_no_place_on_a_machine() -> None:
    assert not re.search(r"/(home|tmp|work|usr)/", page())
