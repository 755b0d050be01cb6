"""What the benchmarks over HTTP share: processes that are measured, clients, and figures."""
