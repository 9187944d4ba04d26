"""Why a device cannot connect: looked at from this computer, as far as it can be seen from there."""

from ira_home.net.diagnosis.diagnosis import Diagnosis, Ground

__all__ = ["Diagnosis", "Ground"]
