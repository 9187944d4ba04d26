"""The version of the device protocol."""

PV = 1
