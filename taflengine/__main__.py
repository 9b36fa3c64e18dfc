"""The program: ``taflengine``, or ``python -m taflengine``."""

import os
import sys
from errno import EBADF

from taflengine import COMPLETE_VARIABLE
from taflengine.errors import TaflError
from taflengine.exits import BUG, FAILED, INTERRUPTED, OK


def main() -> None:
    """Run what the command line asks for, and exit."""
    try:
        status = _run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except TaflError as error:
        _complain(str(error))
        status = FAILED
    except OSError as error:
        status = _give_up_output(error)
    except Exception:
        from traceback import format_exc

        from taflengine.protocol.loop import report_bug

        report_bug(format_exc())
        status = BUG
    sys.exit(status)


def _give_up_output(error: OSError) -> int:
    """The status after output could not be written; a reader who has gone is no failure."""
    # What is still buffered must not be tried again at the end of the process.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return OK
    _complain(error.strerror or str(error))
    return FAILED


def _complain(text: str) -> None:
    from taflengine.protocol.loop import complain

    complain(f"taflengine: {text}")


def _run() -> int:
    # Without arguments there is no command line to read; click, which takes as long
    # to load as the engine, is left out of a controller's way.
    if len(sys.argv) == 1 and COMPLETE_VARIABLE not in os.environ:
        from taflengine.protocol.start import start

        return start()
    from taflengine.cli import run

    if sys.stdout is None:
        raise OSError(EBADF, "standard output is closed")
    status = run()
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    main()
