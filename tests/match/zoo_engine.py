"""A bad engine: plays the first legal move, and does one thing wrong.

The one that shuffles only takes its last move back, again and again.

Usage: zoo_engine.py FAULT [PLY [FILE]] - the fault happens at the first question for
a move behind PLY plies. FILE gets the numbers of processes that are to die with it.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from taflengine.game import Game
from taflengine.notation import Move, format_move, format_rows, format_squares, parse_side

LONG = 3600
COMMANDS = "protocol_version name version list_commands newgame play genmove position result quit"


def child(*, leaves: bool) -> int:
    """A process that lives on; it may leave the group of this one."""
    code = "import time; time.sleep(3600)"
    return subprocess.Popen([sys.executable, "-c", code], start_new_session=leaves).pid


class Engine:
    """Answers GTP on standard input and output."""

    def __init__(self, fault: str, ply: int, file: str) -> None:
        self.fault = fault
        self.ply = ply
        self.game = Game()
        self.claims = False
        if file:
            pids = [os.getpid()]
            if fault.startswith("forks"):
                pids.append(child(leaves=fault == "forks-away"))
            Path(file).write_text(" ".join(map(str, pids)))

    def serve(self) -> None:
        """Answer until the input ends."""
        for line in sys.stdin:
            number, _, command = line.strip().partition(" ")
            if command == "quit" and self.fault == "ignores-quit":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(LONG)
            self.write(number, self.answer(command))

    def answer(self, command: str) -> str:
        """The right answer."""
        name, *words = command.split()
        if name == "list_commands":
            return COMMANDS.replace(" ", "\n")
        if name == "newgame":
            self.game = Game(words[0])
        if name == "play":
            squares = self.game.play_text(words[1])
            return format_squares(squares, self.game.variant.size)
        if name == "genmove":
            move = self.game.legal_moves()[0]
            if self.fault == "shuffles" and len(self.game.plies) > 1:
                last = self.game.plies[-2].move
                move = Move(last.target, last.origin)
            self.game.play(move)
            assert parse_side(words[0]) is not self.game.side_to_move
            return format_move(move, self.game.variant.size)
        if name == "position":
            return f"{format_rows(self.game.board)} {self.game.side_to_move.value}"
        if name == "result" and self.claims:
            return "attacker king-captured"
        return {"protocol_version": "2", "name": "zoo", "result": "ongoing"}.get(name, "")

    def write(self, number: str, text: str) -> None:
        """Answer *text*, or do what is wrong instead."""
        if text.count("-") == 1 and len(self.game.plies) > self.ply:
            text = self.misbehave(number, text)
        print(f"={number} {text}\n", flush=True)

    def misbehave(self, number: str, text: str) -> str:
        """Do what is wrong; what is then answered."""
        fault = self.fault
        if fault == "exits":
            sys.stderr.write("first\nout of ideas\n")
            sys.exit(3)
        elif fault == "is-killed":
            os.kill(os.getpid(), signal.SIGKILL)
        elif fault == "hangs":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(LONG)
        elif fault == "late":
            time.sleep(0.8)
        elif fault == "twice":
            print(f"={number} {text}\n")
        elif fault == "illegal":
            return "a1-a2"
        elif fault == "no-move":
            return "e4"
        elif fault == "wrong-id":
            print(f"={int(number) + 1} {text}\n", flush=True)
        elif fault == "garbage":
            sys.stdout.buffer.write(b"\xff" * (1 << 20))
        elif fault == "garbage-lines":
            sys.stdout.buffer.write(b"what\xff\n" * (1 << 18))
        elif fault == "babbles":
            print("thinking hard", flush=True)
        elif fault == "floods-stderr":
            sys.stderr.buffer.write(b"\xfenoise " * (1 << 17))
            sys.stderr.flush()
        elif fault == "closes-stdout":
            os.close(1)
            time.sleep(LONG)
        elif fault == "claims-win":
            return "I win"
        elif fault == "claims-result":
            self.claims = True
        elif fault == "refuses":
            print(f"?{number} I would rather not\n", flush=True)
            time.sleep(LONG)
        elif fault == "resigns":
            return "resign"
        return text


if __name__ == "__main__":
    if sys.argv[1] == "does-not-start":
        sys.exit("no licence")
    if sys.argv[1] == "hangs-at-start":
        time.sleep(LONG)
    given = [*sys.argv[2:], *["0", ""][len(sys.argv[2:]) :]]
    Engine(sys.argv[1], int(given[0]), given[1]).serve()
