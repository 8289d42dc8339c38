"""Shares of cases that came true, with their standard errors."""

import numpy as np


class Share:
    """Of fits with several cases each: how many came true."""

    def __init__(self):
        self.true, self.cases = [], []

    def add(self, outcomes):
        outcomes = np.asarray(outcomes, dtype=float)
        if outcomes.size:
            self.true.append(outcomes.sum())
            self.cases.append(outcomes.size)

    def count(self):
        return int(sum(self.cases))

    def value(self):
        return sum(self.true) / max(1, sum(self.cases))

    def error(self):
        """The binomial one, or the one between fits, whichever is larger."""
        p, n = self.value(), max(1, self.count())
        binomial = np.sqrt(p * (1 - p) / n)
        if len(self.cases) < 3:
            return binomial
        true, cases = np.array(self.true), np.array(self.cases)
        between = np.sqrt(((true - p * cases) ** 2).sum()) / cases.sum()
        return max(binomial, between * np.sqrt(len(cases) / (len(cases) - 1)))

    def line(self, what, nominal):
        return f"| {what} | {nominal} | {self.value():.3f} | {self.error():.3f} | {self.count()} |"


def within(truth, low, high):
    return (np.asarray(truth) >= low) & (np.asarray(truth) <= high)
