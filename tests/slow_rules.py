"""A slow, independent reading of the rules, to hold the fast core against.

Nothing here comes from the package under test. The board is a dictionary from square names to
pieces, every position is a fresh dictionary, and each rule is one method, written the way a player
would read it in a rule book. Pieces are 'a' (attacker), 'd' (defender) and 'k' (king).
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

Rules = Mapping[str, Any]
Move = tuple[str, str]
Direction = tuple[int, int]

UP, DOWN, LEFT, RIGHT = (0, 1), (0, -1), (-1, 0), (1, 0)
DIRECTIONS = (UP, DOWN, LEFT, RIGHT)
AXES = ((UP, DOWN), (LEFT, RIGHT))

ARMY = {"a": "attacker", "d": "defender", "k": "defender"}  # whose man a piece is
KIND = {"a": "attacker", "d": "defender", "k": "king"}  # whom a square can be hostile to
OTHER = {"attacker": "defender", "defender": "attacker"}


@cache
def name(file: int, rank: int) -> str:
    """The square on a file and a rank, both counted from nought."""
    return f"{chr(ord('a') + file)}{rank + 1}"


@cache
def place(square: str) -> tuple[int, int]:
    """The file and the rank of a square, counted from nought."""
    return ord(square[0]) - ord("a"), int(square[1:]) - 1


@cache
def neighbour(square: str, direction: Direction, size: int) -> str | None:
    """The next square in a direction, or None where the board ends."""
    file, rank = (at + by for at, by in zip(place(square), direction, strict=True))
    return name(file, rank) if 0 <= file < size and 0 <= rank < size else None


@cache
def neighbours(square: str, size: int) -> tuple[str, ...]:
    """The squares next to one in all directions."""
    around = (neighbour(square, direction, size) for direction in DIRECTIONS)
    return tuple(other for other in around if other is not None)


@cache
def is_middle(square: str, size: int) -> bool:
    """Whether a square is the one in the middle of the board."""
    return place(square) == (size // 2, size // 2)


@cache
def is_in_corner(square: str, width: int, size: int) -> bool:
    """Whether a square is in one of the corner regions, so many squares wide."""
    return all(min(at, size - 1 - at) < width for at in place(square))


def read_ranks(ranks: list[str], size: int) -> dict[str, str]:
    """Read ranks, the top one first, each a letter or a dot for every square."""
    if {len(ranks), *map(len, ranks)} != {size} or set("".join(ranks)) - {*ARMY, "."}:
        raise ValueError(f"not a board of {size}: {ranks}")
    return {
        name(file, rank): letter
        for rank, line in enumerate(reversed(ranks))
        for file, letter in enumerate(line)
        if letter != "."
    }


class SlowGame:
    """A game in progress under one rule set.

    Args:
        rules: the rule set as a plain dictionary.
        rows: a position set up by hand; the rule set's own start when left out.
        side: who is to move, 'attacker' or 'defender'; who begins by the rules when left out.
    """

    def __init__(self, rules: Rules, rows: str | None = None, side: str | None = None) -> None:
        self.rules = rules
        ranks = ["".join(line.split()) for line in rules["board"].strip().split("\n")]
        self.size = len(ranks)
        if rows is not None:
            ranks = re.sub(r"\d+", lambda run: "." * int(run[0]), rows).split("/")
        self.board: dict[str, str] = read_ranks(ranks, self.size)
        self.side: str = rules["first"] if side is None else side
        self.shieldwall_rows = 0
        self.shieldwall_notes: set[str] = set()
        self._seen: dict[tuple[str, str], int] = {}
        if rules["start_counts"]:
            self._seen[self.rows(), self.side] = 1
        self._own_moves: dict[str, list[Move]] = {"attacker": [], "defender": []}
        self._quiet = 0
        # Of a position as it is given, only a side without a move is judged.
        self._result = self._stuck()

    def copy(self) -> "SlowGame":
        """The same game, which can be played on without touching this one."""
        return deepcopy(self, {id(self.rules): self.rules})

    def rows(self) -> str:
        """The position as text, the top rank first."""
        numbers = range(self.size)
        drawn = [
            "".join(self.board.get(name(file, rank), ".") for file in numbers)
            for rank in reversed(numbers)
        ]
        return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(drawn))

    def result(self) -> str:
        """'ongoing', or the winner (or 'draw') and the reason."""
        return self._result or "ongoing"

    # Squares -----------------------------------------------------------------------------------

    def _next(self, square: str, direction: Direction) -> str | None:
        return neighbour(square, direction, self.size)

    def _neighbours(self, square: str) -> tuple[str, ...]:
        """The two, three or four squares that touch a square along lines."""
        return neighbours(square, self.size)

    def _is_edge(self, square: str) -> bool:
        return len(self._neighbours(square)) < 4

    def _is_throne(self, square: str) -> bool:
        """The middle square, in games that have a throne."""
        return bool(self.rules["throne"]) and is_middle(square, self.size)

    def _is_corner(self, square: str) -> bool:
        """A square of one of the four marked corner regions."""
        return is_in_corner(square, self.rules["corners"], self.size)

    def _camp(self, square: str) -> list[str]:
        """The camp that a square belongs to; empty for a square outside the camps."""
        return next((list(group) for group in self.rules["camps"] if square in group), [])

    def _is_goal(self, square: str) -> bool:
        """Where the king has escaped: the marked corners, or the edge apart from the camps."""
        if self.rules["goal"] == "corner":
            return self._is_corner(square)
        return self._is_edge(square) and not self._camp(square)

    def _hostile(self, square: str | None, kind: str) -> bool:
        """Whether a square itself stands in for an enemy of a soldier or of the king."""
        if square is None:
            return False
        if self._is_throne(square):
            state = "occupied" if square in self.board else "empty"
            return kind in self.rules[f"throne_hostile_{state}"]
        if self._is_corner(square):
            return kind in self.rules["corner_hostile"]
        if self._camp(square):
            harmless = kind == "attacker" and square in self.rules["camp_harmless_to_attackers"]
            return kind in self.rules["camp_hostile"] and not harmless
        return False

    def _king(self) -> str | None:
        """Where the king stands."""
        return next((square for square, piece in self.board.items() if piece == "k"), None)

    # Moves -------------------------------------------------------------------------------------

    def _may_stop(self, origin: str, square: str) -> bool:
        """Who may stop where: throne as ruled, corners the king, a camp its own men inside it."""
        kind = KIND[self.board[origin]]
        if self._is_throne(square):
            return kind in self.rules["throne_stop"]
        if self._is_corner(square):
            return kind == "king"
        if self._camp(square):
            return kind == "attacker" and origin in self._camp(square)
        return True

    def _may_cross(self, origin: str, square: str) -> bool:
        """Who may pass over an empty square: as for stopping, but the throne has its own rule."""
        if self._is_throne(square):
            return KIND[self.board[origin]] in self.rules["throne_cross"]
        return self._may_stop(origin, square)

    def _targets(self, origin: str) -> set[str]:
        """Every piece slides along lines over empty squares, as far as its reach allows."""
        reach: int = self.rules[f"{KIND[self.board[origin]]}_reach"]
        targets = set()
        for direction in DIRECTIONS:
            steps, square = 1, self._next(origin, direction)
            while square and square not in self.board and (reach == 0 or steps <= reach):
                if self._may_stop(origin, square):
                    targets.add(square)
                if not self._may_cross(origin, square):
                    break
                steps, square = steps + 1, self._next(square, direction)
        return targets

    def _moves_of(self, side: str) -> set[Move]:
        men = [square for square, piece in self.board.items() if ARMY[piece] == side]
        return {(origin, target) for origin in men for target in self._targets(origin)}

    def legal_moves(self, side: str | None = None) -> set[Move]:
        """The moves of a side (of the side to move when left out); none once the game is over."""
        return set() if self._result else self._moves_of(side or self.side)

    def play(self, origin: str, target: str) -> set[str]:
        """Make a move of the side to move and judge it.

        Returns:
            The squares of all pieces captured, the king's among them.

        Raises:
            ValueError: the move is not legal, or the game is over.
        """
        if self._result:
            raise ValueError(f"the game is over: {self._result}")
        if (origin, target) not in self.legal_moves():
            raise ValueError(f"illegal move: {origin}-{target}")
        mover, before = self.side, self.board
        self.board = {target if at == origin else at: piece for at, piece in before.items()}
        captured = self._captures(target)
        self.board = {at: piece for at, piece in self.board.items() if at not in captured}
        self.side = OTHER[mover]
        self._own_moves[mover].append((origin, target))
        self._quiet = 0 if captured else self._quiet + 1
        if captured and self.rules["captures_clear_positions"]:
            self._seen.clear()
        key = (self.rows(), self.side)
        self._seen[key] = self._seen.get(key, 0) + 1
        self._result = self._judge(mover, target, "k" in {before.get(at) for at in captured})
        return captured

    # Captures ----------------------------------------------------------------------------------

    def _captures(self, moved: str) -> set[str]:
        """All captures of a move, seen on the board after it and before anything is lifted."""
        captured = self._sandwiches(moved) | self._linnaean(moved) | self._shieldwalls(moved)
        if self._king_is_taken(moved):
            captured |= {square for square, piece in self.board.items() if piece == "k"}
        return captured

    def _strikes(self, moved: str) -> bool:
        """Whether the moved piece captures by moving: an unarmed king does not."""
        return self.board[moved] != "k" or self.rules["king_armed"] in ("both", "hammer")

    def _holds(self, square: str | None, side: str) -> bool:
        """Whether a man of a side stands there who helps a capture that another man closes."""
        piece = self.board.get(square) if square else None
        if piece == "k" and self.rules["king_armed"] not in ("both", "anvil"):
            return False
        return piece is not None and ARMY[piece] == side

    def _sandwiches(self, moved: str) -> set[str]:
        """A soldier beside the moved piece falls with an enemy or a hostile square behind him."""
        side = ARMY[self.board[moved]]
        captured = set()
        for direction in DIRECTIONS:
            victim = self._next(moved, direction)
            piece = self.board.get(victim) if victim else None
            if victim and piece in ("a", "d") and ARMY[piece] != side:
                behind = self._next(victim, direction)
                if self._holds(behind, side) or self._hostile(behind, KIND[piece]):
                    captured.add(victim)
        return captured if self._strikes(moved) else set()

    def _linnaean(self, moved: str) -> set[str]:
        """The castle's last guard: king on it, attackers on three sides, a defender on the fourth.

        An attacker who moves to the far side of that defender takes him against the king's square.
        """
        king = self._king()
        if king is None or not self._is_throne(king) or self.board[moved] != "a":
            return set()
        around = self._neighbours(king)
        guards = {square for square in around if self.board.get(square) == "d"}
        besiegers = {square for square in around if self.board.get(square) == "a"}
        if not self.rules["linnaean"] or len(guards) != 1 or len(besiegers) != 3:
            return set()
        return {
            guard
            for guard in guards
            for direction in DIRECTIONS
            if self._next(moved, direction) == guard and self._next(guard, direction) == king
        }

    def _shieldwalls(self, moved: str) -> set[str]:
        """The shieldwall: the moved piece closes one end of rows of the enemy along an edge.

        It is tried along the edge in both directions; both rows can fall in one move.
        """
        self.shieldwall_rows, self.shieldwall_notes = 0, set()
        if not self.rules["shieldwall"] or not self._strikes(moved):
            return set()
        captured = set()
        for inward in DIRECTIONS:
            outward = (-inward[0], -inward[1])
            if self._next(moved, outward) is None:
                for along in set(DIRECTIONS) - {inward, outward}:
                    captured |= self._shieldwall(moved, along, inward)
        if self.shieldwall_rows == 2:
            self.shieldwall_notes.add("double")
        return captured

    def _shieldwall(self, moved: str, along: Direction, inward: Direction) -> set[str]:
        """One row: two enemies or more without a gap, the far end closed, a man before each.

        The far end is a man of the mover or a corner hostile to the row; in front only men count.
        A king in the row counts as one of it and stays.
        """
        side = ARMY[self.board[moved]]
        enemy = OTHER[side]
        row: list[str] = []
        end = self._next(moved, along)
        while end in self.board and ARMY[self.board[end]] == enemy:
            row.append(end)
            end = self._next(end, along)
        corner = end is not None and self._is_corner(end) and self._hostile(end, enemy)
        closed = corner or self._holds(end, side)
        fronts = all(self._holds(self._next(square, inward), side) for square in row)
        if len(row) < 2 or not closed or not fronts:
            return set()
        soldiers = {square for square in row if self.board[square] != "k"}
        self.shieldwall_rows += 1
        if len(soldiers) < len(row):
            self.shieldwall_notes.add("king-in-row")
        if corner:
            self.shieldwall_notes.add("corner")
        return soldiers

    def _king_is_taken(self, moved: str) -> bool:
        """An attacker beside the king closes the trap: on all sides, or on one line through him.

        How many sides are needed depends on where he stands. All sides: each is an attacker, a
        square hostile to the king or, where the rules say so, the edge. One line: the man opposite
        the moved one is an attacker or a square hostile to the king, never the edge.
        """
        king = self._king()
        if king is None or self.board[moved] != "a" or moved not in self._neighbours(king):
            return False
        if self._is_throne(king):
            needed = self.rules["king_sides_on_throne"]
        elif any(self._is_throne(square) for square in self._neighbours(king)):
            needed = self.rules["king_sides_beside_throne"]
        else:
            needed = self.rules["king_sides_elsewhere"]

        def closed(square: str | None) -> bool:
            if square is None:
                return needed == 4 and bool(self.rules["edge_hostile_to_king"])
            return self.board.get(square) == "a" or self._hostile(square, "king")

        around = [(self._next(king, one), self._next(king, other)) for one, other in AXES]
        if needed == 4:
            return all(closed(one) and closed(other) for one, other in around)
        return any(moved in line and closed(line[0]) and closed(line[1]) for line in around)

    # Endings -----------------------------------------------------------------------------------

    def _judge(self, mover: str, moved: str, king_captured: bool) -> str | None:
        """The endings after a move, the one that counts first first."""
        if king_captured:
            return "attacker king-captured"
        if self.board[moved] == "k" and self._is_goal(moved):
            return f"defender {self.rules['goal']}"
        if self.rules["exit_fort"] and self._is_exit_fort():
            return "defender exit-fort"
        if self.rules["encirclement"] and mover == "attacker" and self._is_encirclement():
            return "attacker encirclement"
        winner = self._winner_by_repetition(mover)
        if winner:
            return f"{winner} repetition"
        stuck = self._stuck()
        return self._draw() or stuck if stuck == "draw no-moves" else stuck or self._draw()

    def _fill(self, start: set[str], walls: str) -> set[str]:
        """All squares to be reached from some by steps along lines, not through these pieces."""
        filled, frontier = set(start), list(start)
        while frontier:
            for square in self._neighbours(frontier.pop()):
                if square not in filled and self.board.get(square, ".") not in walls:
                    filled.add(square)
                    frontier.append(square)
        return filled

    def _is_exit_fort(self) -> bool:
        """The king on the edge can move, and no attacker can ever break into the room around him.

        The room is filled from him through empty squares. No attacker touches it, and every
        defender who touches it is safe from capture.
        """
        king = self._king()
        if king is None or not self._is_edge(king) or not self._targets(king):
            return False
        room = self._fill({king}, walls="adk")
        wall = {square for inside in room for square in self._neighbours(inside)} - room
        return all(self.board[square] == "d" for square in wall) and wall <= self._safe_men(room)

    def _safe_men(self, room: set[str]) -> set[str]:
        """The defenders whom no attacker can take while the room holds.

        On each of the two lines through such a man one side is off the board, or a square of the
        room that is not hostile to defenders, or another safe man. All count as safe at first;
        those without support are struck off until none is left to strike.
        """
        safe = {square for square, piece in self.board.items() if piece == "d"}

        def supports(square: str | None) -> bool:
            if square is None or square in safe:
                return True
            return square in room and not self._hostile(square, "defender")

        while True:
            exposed = {
                man
                for man in safe
                for axis in AXES
                if not any(supports(self._next(man, direction)) for direction in axis)
            }
            if not exposed:
                return safe
            safe -= exposed

    def _is_encirclement(self) -> bool:
        """No way leads from the edge to the king or any defender except through attackers."""
        squares = {name(file, rank) for file in range(self.size) for rank in range(self.size)}
        rim = {s for s in squares if self._is_edge(s) and self.board.get(s) != "a"}
        reached = self._fill(rim, walls="a")
        return not any(self.board.get(square) in ("d", "k") for square in reached)

    def _is_repetition(self) -> bool:
        """The same men on the same squares with the same side to move, often enough."""
        return self._seen[self.rows(), self.side] >= int(self.rules["repetition_count"])

    def _winner_by_repetition(self, mover: str) -> str | None:
        """Who wins by a repetition, in games where it is not a draw."""
        kind = self.rules["repetition"]
        if kind == "own-moves":
            own, count = self._own_moves[mover], self.rules["repetition_count"]
            every_other = own[::-1][::2][:count]  # his last move, the third-last, the fifth-last
            same = len(every_other) == count and len(set(every_other)) == 1
            return OTHER[mover] if same else None
        winners = {"loss-defenders": "attacker", "loss-mover": OTHER[mover], "win-mover": mover}
        return winners.get(kind) if self._is_repetition() else None

    def _draw(self) -> str | None:
        """Drawn by repetition, or by too many moves of both sides without a capture."""
        if self.rules["repetition"] == "draw" and self._is_repetition():
            return "draw repetition"
        limit: int = self.rules["quiet_plies"]
        return "draw quiet-moves" if limit and self._quiet >= limit else None

    def _stuck(self) -> str | None:
        """A side to move that has no move loses, or draws where the rules say so.

        Attackers without a single man have lost in any case.
        """
        if self._moves_of(self.side):
            return None
        wiped_out = self.side == "attacker" and "a" not in self.board.values()
        lost = self.rules["no_move"] == "loss" or wiped_out
        return f"{OTHER[self.side]} no-moves" if lost else "draw no-moves"
