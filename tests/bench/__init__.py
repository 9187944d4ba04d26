"""Measures Ira against a bare echo in the same run: `make bench`; what it means is in docs/performance.md."""
