"""What the command lines of the program and of its subcommands have in common."""

import math
from typing import Any

import click

from taflengine.clock import MAX_SECONDS


class SecondsRange(click.FloatRange):
    """A number of seconds, a day at most.

    Args:
        least: The least that is allowed.
    """

    def __init__(self, least: float) -> None:
        super().__init__(least, MAX_SECONDS)

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> float:
        """As ``ParamType.convert``; what is no number of seconds, as nan, is refused."""
        seconds = float(super().convert(value, parameter, context))
        if math.isnan(seconds):
            self.fail(f"{value!r} is no number of seconds.", parameter, context)
        return seconds


def refuse_options(context: click.Context) -> None:
    """See that nothing was said for the options of a group whose subcommand is called.

    Raises:
        click.UsageError: the group would not heed it.
    """
    command = context.invoked_subcommand
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source not in (None, click.core.ParameterSource.DEFAULT):
            raise click.UsageError(f"{parameter.opts[0]} before {command} is not for {command}.")
