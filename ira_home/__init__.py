"""Ira Home: an assistant for one household, run on its own computer."""

__version__ = "0.1.0"
