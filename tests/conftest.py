"""What tests have counted stands at the end of the run, whether they passed or not."""

import pytest
from hypothesis import settings

# A busy machine is no failure. Every test that draws begins with these settings.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    lines = [f"{what}: {count}" for report in reports for what, count in report.user_properties]
    if lines:
        terminalreporter.section("counted")
        for line in sorted(set(lines)):
            terminalreporter.write_line(line)
