"""Floor 2: nouns and pure rules. No I/O, no waiting."""
