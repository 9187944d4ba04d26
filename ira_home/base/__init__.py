"""Floor 1: the ground. Standard library only, because device clients import it too."""
