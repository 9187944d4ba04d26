"""Numbered SQL files."""
