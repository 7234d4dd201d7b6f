"""Facts written as text: read as meant, written as read, refused with a cure."""

from __future__ import annotations

import pytest

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import (
    Equals,
    Fact,
    Transition,
    Trend,
    fact_text,
    parse_fact,
    parse_facts,
)

WRITTEN: list[tuple[str, Fact]] = [
    ("300 = 1200", Equals(300, 1200)),
    ("300..310: 3 -> 2", Transition(300, 310, 3, 2)),
    ("300..400 unchanged", Trend(300, 400, "unchanged")),
    ("300..400 only grows", Trend(300, 400, "only grows")),
    ("300..400 only falls", Trend(300, 400, "only falls")),
    ("300..400 changed", Trend(300, 400, "changed")),
    ("300..400 up", Trend(300, 400, "up")),
    ("300..400 down", Trend(300, 400, "down")),
]


@pytest.mark.parametrize(("text", "fact"), WRITTEN)
def test_facts_are_read_and_written(text: str, fact: Fact) -> None:
    assert parse_fact(text) == fact
    assert fact_text(fact) == text


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("300:1200", Equals(300, 1200)),
        ("300 = -1", Equals(300, -1)),
        ("512: 3 -> 2", Transition(482, 512, 3, 2)),
        ("3: 0 -> 10", Transition(0, 3, 0, 10)),
        ("  10 .. 20   Only  Grows ", Trend(10, 20, "only grows")),
        ("10..20: 5→6", Transition(10, 20, 5, 6)),
    ],
)
def test_other_ways_to_write_them(text: str, fact: Fact) -> None:
    assert parse_fact(text) == fact


def test_lines_and_comments() -> None:
    text = "300 = 10  # the first ember\n\n# nothing\n400 = 20\n"
    assert parse_facts(text) == (Equals(300, 10), Equals(400, 20))


@pytest.mark.parametrize("text", ["score", "300", "300 up", "300..200 up", "300..400 = 5", "300 ="])
def test_what_is_no_fact_is_quoted_with_the_cure(text: str) -> None:
    with pytest.raises(SearchError, match=r"^'" + text.replace(".", r"\.")):
        parse_fact(text)
