"""The exit statuses of the program; ``match`` and ``regress`` have further ones of their own."""

OK = 0
"""Done; also if the reader of the output has gone."""
FAILED = 1
"""Failed, with a message."""
WRONG_USAGE = 2
BUG = 4
"""A fault of the program."""
INTERRUPTED = 130
"""What shells report after Ctrl-C."""
