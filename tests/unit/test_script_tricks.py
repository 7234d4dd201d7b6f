"""Tricks of strangers' scripts against the sandbox: each ends, and the game goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lua_trick_runner import TRICKS, Memory, tricks

from integrator.domain.scenario.sandbox import MAX_SCRIPT_BYTES, syntax_error
from integrator.domain.scenario.script import MAX_CUSTOM, ScriptHooks
from integrator.domain.scenario.tree import ScriptCall

RUNNER = Path(__file__).with_name("lua_trick_runner.py")


def test_there_are_two_hundred_tricks() -> None:
    lines = [line for line in TRICKS.read_text().splitlines() if not line.startswith("#")]
    assert len(tricks()) == len(lines) >= 200


def test_every_trick_ends_and_the_game_goes_on() -> None:
    """All tricks with a small budget, in a process that a hang ends."""
    done = subprocess.run(
        [sys.executable, str(RUNNER), "5"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"it did not end: {done.stdout.splitlines()[-1:]} {done.stderr}"
    ends = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert ends.keys() == tricks().keys()
    assert [name for name, end in ends.items() if not json.loads(end)["again"]] == []


def call(body: str) -> float | bool:
    hooks = ScriptHooks({"t.lua": f"function f() {body} end"}, Memory())
    hooks.reset()
    return hooks.call(ScriptCall("f"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("table.insert({}, 1e15, 1)", "position out of bounds"),
        ("table.insert({}, -2e9, 1)", "instructions"),
        ("table.insert({}, 0/0, 1)", "position out of bounds"),
        ("return unpack({}, -2147483648, 2147483647)", "too many results to unpack"),
        ("getmetatable('').__tostring = print", "index a boolean value"),
        ("return string.find(('a'):rep(4000), '[' .. ('b'):rep(250) .. 'a]*x')", "too long on so"),
        ("return string.gsub(('a'):rep(1e4), '(x*)', ('%1'):rep(1e5))", "too long on so long"),
        ("string.rep('x', 0/0) while true do end", "instructions|took more"),
        ("data[('x'):rep(201)] = 1", "200 bytes"),
        ("return data[('x'):rep(201)]", "200 bytes"),
        ("for i = 1, 2000 do data['n' .. i] = i end", "make 1,000 variables"),
    ],
)
def test_tricks_are_told(body: str, message: str) -> None:
    with pytest.raises(Exception, match=message) as refused:
        call(body)
    assert type(refused.value).__name__ == "ScriptError"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "local t = {1, 2, 3} table.insert(t, 1, 7) table.insert(t, 9) return t[1] * 100 + t[5]",
            709,
        ),
        ("local t = {1, 2} table.insert(t, 4, 9) return t[4] or t[3]", 9),
        ("local t = {1, 2, 3} return table.remove(t, 1) * 10 + table.remove(t) + #t", 14),
        ("local t = {} return table.remove(t) == nil and table.remove(t, 1) == nil and 1", 1),
        ("local t = {3, 1, 2} table.sort(t) return t[1] * 100 + t[2] * 10 + t[3]", 123),
        ("local t = {3, 1, 2} table.sort(t, function(a, b) return a > b end) return t[1]", 3),
        ("local t = {'b', 'a'} table.sort(t) return t[1] == 'a'", True),
        ("local a, b, c = unpack({1, 2, 3}) return a * 100 + b * 10 + c", 123),
        ("local a, b = unpack({1, 2, 3}, 2, 3) return a * 10 + b", 23),
        ("return select('#', unpack({}, 1, 5)) + select('#', unpack({}, 2, 1))", 5),
        ("return (string.gsub('abc', '%w', '%0%0')) == 'aabbcc'", True),
        ("return (string.gsub('abc', 'b', {b = 'x'})) == 'axc'", True),
        ("return (string.gsub('aaa', 'a', 'b', 2)) == 'bba'", True),
        ("return string.find('x-[]a', '[]a]') == 4", True),
        ("return #('abc'):rep(3) + #string.rep('x', 0) + #string.rep('x', -1)", 9),
        ("return getmetatable('') == false", True),
    ],
)
def test_what_scripts_may_do_is_as_before(body: str, expected: float) -> None:
    assert call(body) == expected


def test_messages_are_short() -> None:
    with pytest.raises(Exception, match="xxx") as refused:
        call("error(('x'):rep(4e6))")
    assert len(str(refused.value)) < 1000


def test_custom_variables_that_are_there_can_be_written_when_all_are_made() -> None:
    text = "function f() for i = 1, 1000 do data['n' .. i] = i end data.n1 = 5 return data.n1 end"
    hooks = ScriptHooks({"t.lua": text}, Memory())
    hooks.reset()
    assert hooks.call(ScriptCall("f")) == 5
    assert len(hooks.custom) == MAX_CUSTOM


def test_long_scripts_are_not_compiled() -> None:
    """The compiler follows a chain of jumps from its start for each that is added."""
    text = "while true do " + "do break end " * 100_000 + "end"
    assert "128 KiB" in str(syntax_error(text, "t.lua"))
    hooks = ScriptHooks({"t.lua": text}, Memory())
    with pytest.raises(Exception, match="128 KiB"):
        hooks.reset()
    assert syntax_error("x = 1 --" + "x" * (MAX_SCRIPT_BYTES - 8), "t.lua") is None
