"""The place where two JSON values differ."""

from __future__ import annotations

import pytest

from integrator.domain.files.document import place_of_difference, value_at
from integrator.domain.files.jsontext import JsonPath, JsonValue


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ({"a": 1}, {"a": 1}, ()),
        ({"a": 1}, {"a": 2}, ("a",)),
        ({"a": 1}, {"a": 1.0}, ("a",)),
        ({"a": {"b": {"c": 1, "d": 2}}}, {"a": {"b": {"c": 1, "d": 3}}}, ("a", "b", "d")),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 4}}, ("a",)),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, ("a", "c")),
        ({"a": {"b": 1}}, {"a": {}}, ("a", "b")),
        ({"a": {"b": 1}}, {"a": {"c": 1}}, ("a",)),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, ("a", 1, "b")),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, ("a",)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ()),
        ({"a": {"b": 1}}, {"a": [1]}, ("a",)),
        (None, {"a": 1}, ()),
    ],
)
def test_the_longest_path_to_all_differences(
    old: JsonValue, new: JsonValue, path: JsonPath
) -> None:
    assert place_of_difference(old, new) == path
    assert place_of_difference(new, old) == path


def test_a_value_is_found_at_its_path_or_none() -> None:
    value: JsonValue = {"a": [1, {"b": 2}]}
    assert value_at(value) is value
    assert value_at(value, "a", 1, "b") == 2
    assert [value_at(value, *path) for path in (("b",), ("a", 2), ("a", 0, "b"))] == [None] * 3
