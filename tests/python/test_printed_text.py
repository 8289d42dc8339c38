"""The comparison that documents are checked with finds what it must find."""

import doctest

import pytest
from printed_text import NumericChecker, differences, lines_agree

PAGE = "kept: 9 of 30\naccuracy: 0.93\nweights: [ 2.  -1.5]\n"


@pytest.mark.parametrize(
    "printed",
    [
        PAGE,
        PAGE.replace("0.93", "0.94"),
        PAGE.replace("0.93", "0.92"),
        PAGE.replace("[ 2.  -1.5]", "[ 1.9 -1.6]"),
        PAGE.replace(" 0.93", "   0.93"),
    ],
)
def test_one_unit_of_the_last_digit_and_the_amount_of_space_are_no_difference(printed):
    assert differences(PAGE, printed) == []


@pytest.mark.parametrize(
    "printed",
    [
        PAGE.replace("accuracy", "precision"),
        PAGE.replace("accuracy:", "accuracy"),
        PAGE.replace("0.93", "0.95"),
        PAGE.replace("0.93", "-0.93"),
        PAGE.replace("0.93", ""),
        PAGE.replace("0.93", "nan"),
        PAGE.replace("0.93", "0.93 0.93"),
        PAGE.replace("9 of", "10 of"),
        PAGE.replace(" 2. ", " 3. "),
        PAGE.replace("-1.5]", "-1.5"),
        PAGE.replace("accuracy: 0.93\n", ""),
        PAGE + "one line more\n",
        "",
    ],
)
def test_another_word_another_number_and_a_missing_line_are_differences(printed):
    assert differences(PAGE, printed) != []


def test_a_difference_names_the_line_and_both_texts():
    (found,) = differences(PAGE, PAGE.replace("0.93", "0.33"))
    assert found == "line 2: printed 'accuracy: 0.33', expected 'accuracy: 0.93'"


@pytest.mark.parametrize(
    "expected, printed, agree",
    [
        ("1.20e-06", "1.21e-06", True),
        ("1.20e-06", "1.22e-06", False),
        ("1.20e-06", "1.20e-05", False),
        ("1e-06", "2e-06", False),
        ("−0.5", "-0.5", True),
        ("column s5", "column s6", False),
        ("x1.5", "x1.6", False),
        ("100%", "99%", False),
        ("99.6%", "99.7%", True),
    ],
)
def test_numbers_in_other_forms(expected, printed, agree):
    assert lines_agree(expected, printed) == agree


@pytest.mark.parametrize(
    "expected, printed, agree",
    [
        ("after … kept 10", "after 225 stages; kept 10", True),
        ("after … kept 10", "after 225 stages; kept 11", False),
        ("after … kept 10", "after 225 stages; lost 10", False),
        ("0.93  …", "0.94    0.03 s", True),
        ("0.93  …", "0.95    0.03 s", False),
        ("a … b … c", "a 1 b 2 c", True),
        ("a … b … c", "a 1 2 c", False),
    ],
)
def test_an_ellipsis_stands_for_anything_on_its_line(expected, printed, agree):
    assert lines_agree(expected, printed) == agree


def test_examples_of_docstrings_are_compared_by_the_same_rule():
    def failures(want):
        example = doctest.DocTestParser().get_doctest(f">>> 0.25\n{want}\n", {}, "it", None, 0)
        runner = doctest.DocTestRunner(checker=NumericChecker(), verbose=False)
        return runner.run(example, out=lambda text: None).failed

    assert [failures("0.25"), failures("0.26"), failures("0.27")] == [0, 0, 1]
