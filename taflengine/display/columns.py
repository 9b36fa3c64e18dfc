"""Tables for people: rows of text in columns."""

from collections.abc import Collection, Sequence


def in_columns(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """A line for each of *rows*, which have the same length.

    Args:
        rows: The cells.
        left: The columns, from 0, that are flush left; the others are flush right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{cell:<{width}}" if index in left else f"{cell:>{width}}"
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
