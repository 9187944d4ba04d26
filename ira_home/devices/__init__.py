"""Pairing, sessions, hub."""
