"""What tests have counted stands at the end of the run, whether they passed or not."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    lines = [f"{what}: {count}" for report in reports for what, count in report.user_properties]
    if lines:
        terminalreporter.section("counted")
        for line in sorted(set(lines)):
            terminalreporter.write_line(line)
