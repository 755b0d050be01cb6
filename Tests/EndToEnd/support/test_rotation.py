"""The sample of cases that a commit runs."""

import pytest

from service import IS_PROOF, ROTATION, SLOW, sample, sample_of_cases

pytestmark = pytest.mark.skipif(IS_PROOF, reason="a proof has no sample")
FIRST = 1700
COUNTS = [*range(1, 100), 299, 744]


def test_commits_in_a_row_run_every_case():
    for count in COUNTS:
        ran = [sample_of_cases(range(count), "test", False, [FIRST + commit]) for commit in range(ROTATION)]
        assert {case for cases in ran for case in cases} == set(range(count)), count
        assert max(map(len, ran)) <= -(-count // (ROTATION - 1)), count


def test_commits_in_a_row_run_every_case_of_a_slow_test_which_runs_for_one_of_three():
    for count in COUNTS:
        ran = [sample_of_cases(range(count), "test", True, [FIRST + commit]) for commit in range(ROTATION)]
        assert {case for cases in ran for case in cases} == set(range(count)), count
        assert sum(len(cases) > 0 for cases in ran) == ROTATION // SLOW, count


def test_a_slow_test_meets_every_member_of_a_list():
    for count in COUNTS:
        found = {member for run in range(2 * count) for member in sample(range(count), 2, "list", [FIRST + SLOW * run])}
        assert found == set(range(count)), count


def test_several_commits_run_the_cases_of_each():
    each = [sample_of_cases(range(100), "test", False, [FIRST + commit]) for commit in range(5)]
    together = sample_of_cases(range(100), "test", False, range(FIRST, FIRST + 5))
    assert together == sorted({case for cases in each for case in cases})


def test_the_sample_of_a_commit_is_always_the_same_and_the_next_one_is_another():
    assert sample("abcdefgh", 2, "letters", [FIRST]) == sample("abcdefgh", 2, "letters", [FIRST])
    assert sample("abcdefgh", 2, "letters", [FIRST]) != sample("abcdefgh", 2, "letters", [FIRST + 1])
