"""Matches between engines: referee, schedule, journal, statistics, reports."""
