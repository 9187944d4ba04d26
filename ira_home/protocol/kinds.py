"""Kinds of devices, as a hello and a claim spell them."""

from typing import Final

KINDS: Final = ("mac", "windows", "linux", "android", "ios")
