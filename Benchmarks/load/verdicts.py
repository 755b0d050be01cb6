"""Percentiles, and the comparison of measurements with their targets."""

import math


def percentile(values, share):
    """The smallest value that at least this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[max(math.ceil(len(ordered) * share), 1) - 1]


class Verdicts:
    """A table of measurements with their targets."""

    def __init__(self):
        self.rows = []

    def add(self, what, found, target, is_met):
        """Adds a row; `is_met` is None for a measurement without a target."""
        self.rows.append((what, found, target, is_met))

    @property
    def are_good(self):
        return all(is_met is not False for *_, is_met in self.rows)

    def show(self):
        words = {True: "pass", False: "FAIL", None: "–"}
        print("\n| what | found | target | |\n|---|---|---|---|")
        for what, found, target, is_met in self.rows:
            print(f"| {what} | {found} | {target} | {words[is_met]} |")
