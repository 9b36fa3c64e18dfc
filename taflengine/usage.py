"""What the command lines of the program and of its subcommands have in common."""

import click


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
