"""A rule set as a TOML file, in the words of ``plain``, with one key more.

``based_on = "copenhagen"`` starts from a rule set known by name: what the file
does not say is taken from there, but for its names, summary and source. Every
error is one line that begins with the file and, where there is one, the line.
"""

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path

from taflengine.errors import NotationError, RulesError
from taflengine.rules import Variant
from taflengine.textfile import read_text, shown_name
from taflengine.variants.plain import from_plain, shown_key, to_plain

SIZE_LIMIT = 16 * 1024
"""Largest rule file that is read, in bytes; a large one takes two thousand."""

_MESSAGE_LIMIT = 120
"""Longest message of tomllib that is repeated in full, in characters: it may quote the text."""

_BASED_ON = "based_on"
_OWN = ("name", "aliases", "summary", "source")
"""What a game never takes from the one it is based on."""
_TOML_PLACE = re.compile(r"(.*) \(at (line \d+, column \d+|end of document)\)", re.DOTALL)
_TOKEN = re.compile(
    r'''
    """ (?:\\.|[^\\])*? """ (?!")  # the last three of up to five quotation marks close it
    | \'\'\' .*? \'\'\' (?!')
    | " (?:\\.|[^"\\])* " | ' [^']* '
    | \# [^\n]*
    | . ''',
    re.DOTALL | re.VERBOSE,
)
_RANK = re.compile(r"\b(?:row of rank |the (?:attacker|defender|king) on [a-s])([0-9]+)\b")
"""Where the messages about a board name the row that is wrong."""


def load_rules(path: str | Path, base: Callable[[str], Variant] | None = None) -> Variant:
    """Read the rule set in the file *path*; *base* as for ``parse_rules``.

    Raises:
        RulesError: the file cannot be read, or holds no rule set.
    """
    return parse_rules(read_text(path, RulesError, SIZE_LIMIT), shown_name(path), base)


def parse_rules(text: str, where: str, base: Callable[[str], Variant] | None = None) -> Variant:
    """Read the rule set written in *text*.

    Args:
        text: TOML, at its top level the keys of ``Variant`` and ``based_on``.
        where: Named at the head of errors, usually the file.
        base: Finds a rule set by name for ``based_on``, and raises NotationError
            or RulesError where there is none; without it that key is refused.

    Raises:
        RulesError: names *where*, the line, the key and what is allowed.
    """
    # Line ends are as TOML takes them.
    text = text.replace("\r\n", "\n")
    try:
        words = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulesError(_toml_complaint(error, where)) from None
    try:
        if _BASED_ON in words:
            words = _inherited(words.pop(_BASED_ON), base) | words
        return from_plain(words)
    except RulesError as error:
        line = _line_of(str(error), text)
        raise RulesError(f"{where}{f', line {line}' if line else ''}: {error}") from None


def _toml_complaint(error: Exception, where: str) -> str:
    if isinstance(error, RecursionError):
        return f"{where}: lists within lists, too deep to be a rule set"
    found = _TOML_PLACE.fullmatch(str(error))
    # ValueError without a place: a number with thousands of digits.
    message, place = (found[1], f", {found[2]}") if found else (str(error), "")
    short = len(message) <= _MESSAGE_LIMIT and message.isprintable()
    return f"{where}{place}: {message if short else shown_key(message)}"


def _inherited(name: object, base: Callable[[str], Variant] | None) -> dict[str, object]:
    """The words of the rule set called *name* that a game based on it takes over."""
    if base is None:
        raise RulesError(f"{_BASED_ON}: there is no list of rule sets to look in here")
    if not isinstance(name, str):
        raise RulesError(f"{_BASED_ON}: allowed are names of rule sets, in quotation marks")
    try:
        found = base(name)
    except (NotationError, RulesError) as error:
        raise RulesError(f"{_BASED_ON}: {error}") from None
    words = {key: value for key, value in to_plain(found).items() if key not in _OWN}
    return words | {"source": f"based on {found.name}"}


def _line_of(message: str, text: str) -> int | None:
    """The line of *text* to which *message* points, from 1; None if to no key in it.

    A contradiction may be named by a key that the text leaves at its default;
    then the first key counts that the message mentions and the text has.
    """
    lines = _key_lines(text)
    keys = [key for key in lines if message.startswith(f"{key}:")]
    keys += re.findall(r"[a-z_]+", message)
    line = next((lines[key] for key in keys if key in lines), None)
    rank = _RANK.search(message)
    if line and rank and message.startswith("board:"):
        return _row_line(text, line, int(rank[1]))
    return line


def _key_lines(text: str) -> dict[str, int]:
    """On which line each key at the top level of the valid TOML *text* stands."""
    lines: dict[str, int] = {}
    line, depth, statement, in_key = 1, 0, "", True
    for token in _TOKEN.findall(text + "\n"):
        if in_key and token in ("=", "\n") and statement.strip():
            header = statement.lstrip().startswith("[")
            ((key, _),) = tomllib.loads(statement if header else f"{statement}=0").items()
            lines.setdefault(shown_key(key), line)
            in_key = False
            if header:
                # Whatever follows belongs to this table or to a later one.
                break
        if in_key and not token.startswith(("#", "\n")):
            statement += token
        if not in_key:
            depth += (token in ("[", "{")) - (token in ("]", "}"))
        if token == "\n" and depth == 0:
            statement, in_key = "", True
        line += token.count("\n")
    return lines


def _row_line(text: str, line: int, rank: int) -> int:
    """The line on which the row of *rank* is drawn in the board that starts on *line*.

    *line* itself if the drawing is not written row by row, for instance with
    escapes.
    """
    board = tomllib.loads(text)["board"].split("\n")
    drawn = [index for index, row in enumerate(board) if row.strip()]
    if not 0 < rank <= len(drawn):
        return line
    index = drawn[-rank]
    written = text.split("\n")
    # TOML drops a line end right after the opening quotation marks.
    line_of_row = line + index + written[line - 1].rstrip(" \t").endswith(('"""', "'''"))
    return line_of_row if board[index].strip() in written[line_of_row - 1] else line


def format_rules(variant: Variant) -> str:
    """Write *variant* as a rule file: what it is, and the rules that are not the default."""
    plain = to_plain(variant)
    lines = []
    for field in fields(Variant):
        if field.name == "board":
            lines += ['board = """', str(plain["board"]), '"""']
        elif field.default is MISSING or getattr(variant, field.name) != field.default:
            lines.append(f"{field.name} = {_toml(plain[field.name])}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """*value* in TOML: a text, a whole number, a truth value or a list."""
    if isinstance(value, list):
        parts = [_toml(part) for part in value]
        if value and isinstance(value[0], list):
            return "[\n" + "".join(f"    {part},\n" for part in parts) + "]"
        return f"[{', '.join(parts)}]"
    # What JSON writes is TOML as well, but for one letter that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
