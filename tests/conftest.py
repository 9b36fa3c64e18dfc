"""What holds for all tests: how they begin, how long they take, what they have counted."""

import faulthandler
import signal

import pytest
from hypothesis import settings

# A busy machine is no failure. Every test that draws begins with these settings.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_configure() -> None:
    """Undo what a shell does to background jobs: programs that tests start heed interrupts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that is known to be long has no limit."""
    if item.get_closest_marker("long"):
        faulthandler.cancel_dump_traceback_later()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests have counted stands at the end of the run, whether they passed or not."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    lines = [f"{what}: {count}" for report in reports for what, count in report.user_properties]
    if lines:
        terminalreporter.section("counted")
        for line in sorted(set(lines)):
            terminalreporter.write_line(line)
