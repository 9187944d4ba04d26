"""What holds for all tests."""

from hypothesis import HealthCheck, settings

# How long an example takes says nothing here: the machine that runs the tests may be a busy one.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
