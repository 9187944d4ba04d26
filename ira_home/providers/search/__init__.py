"""Search services, each behind the port `WebSearch`."""
