"""HTP over the network, in the form of hnefatafl.org's light server: it asks, we move."""

from taflengine.errors import CommandError, TaflError
from taflengine.notation import Move, quote
from taflengine.protocol.dialects.htp_game import HtpGame
from taflengine.protocol.dialects.htp_text import read_role, read_vertex, write_vertex
from taflengine.protocol.session import Session
from taflengine.protocol.streams import Output


class HtpPlayer:
    """One player of a light server, which tells what the other plays and asks for moves.

    Args:
        session: Whose engine chooses moves.
        output: Takes the moves.
    """

    def __init__(self, session: Session, output: Output) -> None:
        self.game = HtpGame(session)
        self._output = output

    def overhear(self, _line: bytes) -> bool:
        """Nothing is urgent here."""
        return False

    def hang_up(self, *, lost: bool) -> None:  # noqa: ARG002
        """The server has gone, and nobody waits for the move."""
        self.game.thinking.stop()

    def handle(self, line: bytes) -> bool:
        """Play what the server says, or answer with a move.

        Raises:
            CommandError: the server says what a light server does not say, or a move
                that cannot be played.
        """
        words = line.decode(errors="replace").split()
        try:
            match words:
                case ["play", role, "resigns"]:
                    self.game.resign(read_role(role))
                case ["play", role, origin, target]:
                    size = self.game.size
                    move = Move(read_vertex(origin, size), read_vertex(target, size))
                    self.game.play(read_role(role), move)
                case ["generate_move", *_]:
                    chosen = self.game.generate()
                    squares = [write_vertex(each, self.game.size) for each in chosen.move]
                    self._output.write(f"play {chosen.side.value} {' '.join(squares)}\n")
                case []:
                    pass
                case _:
                    raise CommandError("it is neither play nor generate_move")
        except TaflError as error:
            shown = quote(" ".join(words))
            raise CommandError(f"the server says {shown}: {error}") from None
        return False
