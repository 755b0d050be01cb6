"""What is made of many measurements."""

import math


def percentile(values, share):
    """The smallest value that at least this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[max(math.ceil(len(ordered) * share), 1) - 1]


class Verdicts:
    """What was promised, what was found, and whether all promises were kept."""

    def __init__(self):
        self.rows = []

    def add(self, what, found, promise, is_kept):
        """A promise; `is_kept` is None where a figure is told only."""
        self.rows.append((what, found, promise, is_kept))

    @property
    def are_good(self):
        return all(is_kept is not False for *_, is_kept in self.rows)

    def show(self):
        words = {True: "pass", False: "FAIL", None: "–"}
        print("\n| what | found | target | |\n|---|---|---|---|")
        for what, found, promise, is_kept in self.rows:
            print(f"| {what} | {found} | {promise} | {words[is_kept]} |")
