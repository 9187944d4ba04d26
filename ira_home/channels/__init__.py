"""Where people talk with Ira."""
