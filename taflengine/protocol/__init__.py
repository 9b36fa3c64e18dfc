"""The text protocol: a table of commands, their grammar, sessions, dispatcher and loop."""
