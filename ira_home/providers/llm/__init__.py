"""Brains."""
