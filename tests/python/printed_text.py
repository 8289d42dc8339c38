"""Compares what a program prints now with what a document says it prints: numbers as numbers.

The last bits of a computation depend on the processor, so that digits may change where a figure is
rounded. The rule, stated here and in CONTRIBUTING.md and nowhere else:

- text around numbers is equal, but for the amount of space;
- a number with digits after the point may differ by one unit of its last printed digit;
- a whole number is a count, and equal;
- a word ``…`` in the document stands for anything on that line.
"""

import decimal
import doctest
import re

UNITS = 1  # of the last printed digit
NUMBER = re.compile(r"(?<![\w.])([-+−]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?!\w)")
WORD = re.compile(r"[][]|[^][\s]+")  # NumPy may put space between a bracket and a number
ANYTHING = "…"


def _unit(number):
    """One unit of the last digit after the point; 0 of a whole number."""
    mantissa, _, exponent = number.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    return decimal.Decimal((0, (1,), int(exponent or 0) - digits)) if digits else 0


def _numbers_agree(expected, printed):
    first, second = (decimal.Decimal(number.replace("−", "-")) for number in (expected, printed))
    return abs(first - second) <= UNITS * max(_unit(expected), _unit(printed))


def _words_agree(expected, printed):
    expected, printed = NUMBER.split(expected), NUMBER.split(printed)  # text, number, text, …
    return (
        len(expected) == len(printed)
        and expected[::2] == printed[::2]
        and all(map(_numbers_agree, expected[1::2], printed[1::2]))
    )


def _agree(expected, printed):
    """Word by word, from the first on."""
    if not expected:
        return not printed
    if expected[0] == ANYTHING:
        return any(_agree(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return (
        bool(printed)
        and _words_agree(expected[0], printed[0])
        and _agree(expected[1:], printed[1:])
    )


def lines_agree(expected, printed):
    return _agree(WORD.findall(expected), WORD.findall(printed))


def differences(expected, printed):
    """What differs, a text per line; empty where all agrees."""
    expected, printed = expected.splitlines(), printed.splitlines()
    found = [
        f"line {i}: printed {now!r}, expected {then!r}"
        for i, (then, now) in enumerate(zip(expected, printed), start=1)
        if not lines_agree(then, now)
    ]
    if len(expected) != len(printed):
        found.append(f"{len(printed)} lines are printed, {len(expected)} expected")
    return found


class NumericChecker(doctest.OutputChecker):
    """Examples in docstrings by the same rule."""

    def check_output(self, want, got, optionflags):
        return super().check_output(want, got, optionflags) or not differences(want, got)
