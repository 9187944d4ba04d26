"""The outside world behind domain/ports.py."""
