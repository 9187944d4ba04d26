"""This machine on the local network."""
