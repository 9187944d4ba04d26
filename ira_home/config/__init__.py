"""Settings and data paths."""
