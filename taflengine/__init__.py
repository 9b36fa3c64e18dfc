"""Engine for hnefatafl and its relatives."""
