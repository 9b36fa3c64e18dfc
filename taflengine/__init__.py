"""Engine for hnefatafl and its relatives."""

__version__ = "0.1.0"
