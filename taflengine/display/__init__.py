"""Boards for people."""
