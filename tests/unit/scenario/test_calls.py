"""The functions of scripts, and whether a scenario calls one."""

from __future__ import annotations

import pytest

from integrator.domain.scenario.sandbox import LUA_KEYWORDS, functions_of, is_called, syntax_error

SCRIPTS = {
    "own.lua": "function first() end\nlocal second = function() end\nfunction first() end\n",
    "other.lua": "function main()\n  return 2 * second ()\nend\n",
    "stranger.lua": "function third() return firstly() end\n",
}


def test_keywords_are_no_names_in_lua() -> None:
    assert [word for word in LUA_KEYWORDS if syntax_error(f"return data.{word}", "a") is None] == []
    assert syntax_error("return data.ended", "a") is None


def test_functions_are_named_once_in_their_order() -> None:
    assert functions_of(SCRIPTS["own.lua"]) == ("first", "second")
    assert functions_of("-- nothing\n") == ()


@pytest.mark.parametrize(
    ("scenario", "called"),
    [
        ({}, False),
        ({"reward": {"script": "lua:first"}}, True),
        ({"reward": {"script": "third"}, "done": {"script": "second"}}, True),
        ({"rewards": [{}, {"script": "lua:second"}]}, True),
        ({"scripts": ["own.lua", "other.lua"]}, True),
        ({"scripts": ["own.lua", "stranger.lua", "gone.lua"]}, False),
        ({"reward": 3, "rewards": "first", "done": {"script": 4}}, False),
    ],
)
def test_a_file_is_called_by_the_scenario_or_another_script(
    scenario: dict[str, object], called: bool
) -> None:
    assert is_called("own.lua", scenario, SCRIPTS) is called
