"""The program: ``taflengine``, or ``python -m taflengine``.

Exit statuses: 0 good, 1 failed with a message, 2 wrong usage, 130 interrupted, 4 a bug.
"""

import sys

from taflengine.errors import TaflError

FAILED, BUG, INTERRUPTED = 1, 4, 130


def main() -> None:
    """Run what the command line asks for, and exit."""
    try:
        status = _run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except TaflError as error:
        sys.stderr.write(f"taflengine: {error}\n")
        status = FAILED
    except Exception:
        from traceback import format_exc

        from taflengine.protocol.start import report_bug

        report_bug(format_exc())
        status = BUG
    sys.exit(status)


def _run() -> int:
    # Without arguments there is no command line to read; click, which takes as long
    # to load as the engine, is left out of a controller's way.
    if len(sys.argv) == 1:
        from taflengine.protocol.start import start

        return start()
    from taflengine.cli import run

    return run()


if __name__ == "__main__":
    main()
