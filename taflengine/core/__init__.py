"""The compiled part: positions, endings, counting and evaluation on integers and flat arrays."""
