"""The commands of the protocol, by what they are for, and the one table of them all."""

from taflengine.protocol.command import CommandSet
from taflengine.protocol.commands import (
    admin,
    analysis,
    clocks,
    compatibility,
    inspect,
    play,
    records,
    setup,
)
from taflengine.protocol.grammar import command_set


def all_commands() -> CommandSet:
    """A new table of every command, in the order of protocol.md."""
    table = command_set()
    parts = (admin, setup, play, analysis, clocks, inspect, records, compatibility)
    for part in parts:
        table.include(part.COMMANDS)
    return table
