"""Sessions as the tools of others lead them, letter by letter, with the real program.

OpenTafl's host, with its awkward orders, has a file of its own, as has the light server.
"""

import re

import pytest
from dialogue import follow
from program import run

SEARCH = ("--param", "engine=search", "--param", "movetime=0.1")

# GoGui asks who is there and what it can do, gives no limit of time, and ends a search.
GOGUI = """\
> 0 list_commands
=0 protocol_version
...
gogui-analyze_commands
...

> 1 protocol_version
=1 2

> 2 gogui-interrupt
=2

> 3 gogui-analyze_commands
=3 string/Hint/hint %c
...

> 4 time_settings 0 1 0
=4

> 5 boardsize 11
=5

> 6 clear_board
=6

> 7 gogui-play_sequence b d1-d3 w f8-f9
=7

> 8 set_param movetime 900
=8

> 9 genmove b
> # interrupt
=9 ...

> 10 gg-undo 3
=10

> 11 history
=11
"""
# Sabaki and other front ends of KataGo: the head of an answer alone, then lines, until a line.
KATAGO = """\
> 1 kata-analyze B 10 maxmoves 2 rootInfo true
=1
info move ...
> 2 stop
...

=2

> 3 kata-genmove_analyze B interval 10 depth 2
=3
info move ...
...
play ...

> 4 kata-list_time_settings
=4 none
...

> 5 kata-time_settings fischer 5 0.1
=5
"""
# A controller of TaflZero's kind: two fields of a position, glued moves, one limit.
TAFLZERO = """\
> uci
id name taflengine ...
...
uciok
> isready
readyok
> setoption name MultiPV value 2
> position startpos moves d1d3 f8f9
> go nodes 2000
info depth 1 multipv 1 score cp ... nodes ... pv ...
info depth 1 multipv 2 score cp ... nodes ... pv ...
...
bestmove ...
> position fen 3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3 a moves a8b8
> go movetime 50
...
bestmove ...
> position startpos
> go infinite
> isready
...
readyok
> stop
...
bestmove ...
> quit
"""
# hnefatafl.org's program has no marks at ends; a careful client asks a short question behind.
HTP = """\
> list_commands
=
board_size
...
version
> protocol_version
= 1-beta
> time_settings fischer 15 10
=
> first_move defender
=
> play_from
= defender ...
> time_settings un-timed
=
> board_size 11
=
> play attacker d1 d3
=
> play_from
= defender ...
> play defender f8 f9
=
> generate_move attacker
= play attacker ..., score: ..., delay milliseconds: ..., loops: ...

> protocol_version
= 1-beta
> show_board
=
    A B C D E F G H I J K
  ┌───────────────────────┐
11│ # . . ...
...
  └───────────────────────┘
    A B C D E F G H I J K
> play_undo
=
> play attacker resigns
=
> final_status
= defender_wins
> quit
"""


@pytest.mark.parametrize(
    ("session", "words"),
    [
        (GOGUI, SEARCH),
        (KATAGO, SEARCH),
        (TAFLZERO, ("--protocol", "uci", "--param", "movetime=0.1")),
        (HTP, ("--protocol", "htp", "--param", "movetime=0.1")),
    ],
    ids=["GoGui", "KataGo", "TaflZero", "hnefatafl.org"],
)
def test_a_session(session: str, words: tuple[str, ...]) -> None:
    follow(session, *words)


def test_the_raw_answers_that_gogui_s_regression_tool_reads() -> None:
    """Its frame around each file; it takes what stands behind the first blank of an answer."""
    sent = (
        "name\nversion\ncputime\n10 legal d6\n20 rules\n30 list_commands\n40 stop\ncputime\nquit\n"
    )
    done = run("--variant", "brandubh", sent=sent)
    answers = done.stdout.removesuffix("\n\n").split("\n\n")
    assert len(answers) == sent.count("\n")
    for answer in answers:
        assert re.match(r"=\d* ", answer)
    assert answers[3].partition(" ")[2] == "d6-a6 d6-b6 d6-c6 d6-e6 d6-f6 d6-g6"
    assert answers[5].partition(" ")[2].startswith("protocol_version\nname\n")
    assert (done.stderr, done.status) == ("", 0)
