"""Use cases over several nouns."""
