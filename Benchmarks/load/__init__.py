"""Shared by the benchmarks over HTTP: measured processes, clients, and verdicts."""
