"""Filters of lists take words, columns and conditions, and name the part that makes no sense."""

import pytest

from integrator.domain.errors import SearchError
from integrator.domain.query.conditions import RowFilter

COLUMNS = {"agent": False, "return": True}


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("", True),
        ("JERK", True),
        ("level", False),
        ("agent:jer", True),
        ("agent=jer", False),
        ("agent!=random return>=12.5", True),
        ("return<12.5", False),
        ("jerk return>13", False),
    ],
)
def test_all_parts_must_fit(text: str, fits: bool) -> None:
    found = RowFilter.parse(text, COLUMNS)
    assert found.fits({"agent": "jerk", "return": "12.5"}, {"return": 12.5}) is fits
    assert not found.fits({"agent": "jerk", "return": ""}, {"return": None}) or "return" not in text


@pytest.mark.parametrize("text", ["return<many", "reward<3", "agent<3", 'agent:"a'])
def test_the_part_that_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(SearchError, match=text.partition("<")[0].partition(":")[0]):
        RowFilter.parse(text, COLUMNS)
