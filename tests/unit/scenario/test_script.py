"""Lua hooks: abilities of scripts, and their bounds."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest

from integrator.domain.errors import AddressError, ScriptError
from integrator.domain.scenario.sandbox import ScriptLimits
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks, to_int64
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import ScriptCall


class PlainMemory:
    """A few variables and 256 bytes of RAM that hold their own address."""

    def __init__(self) -> None:
        self.variables = {"score": 7, "lives": 3}

    def read_variable(self, name: str) -> int:
        return self.variables[name]

    def write_variable(self, name: str, value: int) -> None:
        if name not in self.variables:
            raise KeyError(name)
        self.variables[name] = value

    def read_byte(self, address: int) -> int:
        if not 0 <= address < 256:
            raise AddressError(f"address 0x{address:X} is not mapped")
        return address


def hooks_of(
    text: str,
    limits: ScriptLimits | None = None,
    on_print: Callable[[str], None] | None = None,
) -> ScriptHooks:
    hooks = ScriptHooks({"script.lua": text}, PlainMemory(), limits, on_print)
    hooks.reset()
    return hooks


def run(text: str) -> float | bool:
    return hooks_of(f"function f() {text} end").call(ScriptCall("f"))


def error_of(text: str) -> str:
    hooks = hooks_of(text)
    with pytest.raises(ScriptError) as caught:
        hooks.call(ScriptCall("f", "lua"))
    return str(caught.value)


def test_variables_bytes_and_counters_are_read() -> None:
    assert run("return data.score * 2 + data[5] + data['0x10']") == 14 + 5 + 16
    hooks = hooks_of(
        "function f() scenario.frame = 1 return scenario.frame * 100 + scenario.timestep end"
    )
    hooks.begin_frame(9)
    assert hooks.call(ScriptCall("f")) == 902


def test_writes_go_to_ram_or_become_custom_variables() -> None:
    memory = PlainMemory()
    hooks = ScriptHooks({"a.lua": "data.seen = 1.9 data.lives = -2.9 data.flag = true"}, memory)
    assert hooks.custom == {}
    hooks.reset()
    assert hooks.custom == {"seen": 1, "flag": 1}
    assert memory.variables["lives"] == -2
    assert hooks.wrote_memory
    hooks.begin_frame(1)
    assert not hooks.wrote_memory


def test_custom_variables_keep_their_fraction_for_scripts() -> None:
    assert run("data.x = 0.5 data.x = data.x + 0.25 return data.x") == 0.75
    assert run("data.x = nil return data.x == nil") is True


def test_reset_starts_over() -> None:
    hooks = hooks_of("n = 0 function f() n = n + 1 data.n = n return n end")
    assert [hooks.call(ScriptCall("f")) for _ in range(3)] == [1, 2, 3]
    hooks.reset()
    assert hooks.custom == {}
    assert hooks.call(ScriptCall("f")) == 1


def test_scripts_share_one_state_in_the_order_of_the_scenario() -> None:
    spec = ScenarioSpec.parse({"scripts": ["b.lua", "a.lua"], "reward": {"script": "lua:f"}})
    texts = {
        "a.lua": "function f() return g() + x end x = 1",
        "b.lua": "function g() return 5 end x = 2",
    }
    hooks = ScriptHooks.of(spec, texts, PlainMemory())
    engine = ScenarioEngine(spec, hooks=hooks)
    engine.reset()
    assert engine.score({}, None).terms == ((("lua:f", 6.0),),)
    assert not engine.vectorisable
    with pytest.raises(ScriptError, match=r"b\.lua: no such script"):
        ScriptHooks.of(spec, {"a.lua": ""}, PlainMemory())


@pytest.mark.parametrize(
    ("body", "expected"),
    [("return true", True), ("", 0), ("return {}", 0), ("return '7'", 0), ("return -0.5", -0.5)],
)
def test_results(body: str, expected: float) -> None:
    assert run(body) == expected


def test_errors_name_file_line_and_callers() -> None:
    message = error_of(
        "function g()\n local a\n return a.b + 0\nend\nfunction f() return 1 + g() end"
    )
    assert message.splitlines()[0] == (
        "lua:f failed on scenario frame 0: script.lua:3: attempt to index local 'a' (a nil value)"
    )
    assert "script.lua:5: in function 'f'" in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("function g() end", "no function 'f' (script.lua)"),
        ("function f() return data.scroe end", "no variable 'scroe' in data.json"),
        ("function f() return data[999] end", "address 0x3E7 is not mapped"),
        ("function f() data.x = 'text' end", "number or a boolean, not a string"),
        ("function f() return scenario.time end", "frame and timestep, no 'time'"),
        ("function f() error({}) end", "error object is a table"),
        ("function f() return f() + 1 end", "stack overflow"),
        ("function f() pcall(error) error('own', 0) end", "frame 0: own"),
    ],
)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    assert message in error_of(text)


@pytest.mark.parametrize("text", ["x = = 1", "\x1bLua", "error('top')", "while true do end"])
def test_a_script_that_does_not_load_is_an_error(text: str) -> None:
    hooks = ScriptHooks({"script.lua": text}, PlainMemory())
    with pytest.raises(ScriptError, match=r"script\.lua cannot be loaded"):
        hooks.reset()


def test_calls_before_the_first_reset_are_an_error() -> None:
    with pytest.raises(ScriptError, match="loaded by reset"):
        ScriptHooks({}, PlainMemory()).call(ScriptCall("f"))


@pytest.mark.parametrize(
    "name",
    ["python", "io", "os", "package", "debug", "ffi", "require", "module", "load", "loadstring",
     "loadfile", "dofile", "getfenv", "setfenv", "newproxy", "string.dump"],
)  # fmt: skip
def test_what_reaches_outside_is_gone(name: str) -> None:
    assert run(f"return {name} == nil") is True


def test_only_these_globals_are_there() -> None:
    seen: list[str] = []
    hooks = hooks_of("function f() for k in pairs(_G) do print(k) end end", on_print=seen.append)
    hooks.call(ScriptCall("f"))
    expected = (
        "_G _VERSION assert coroutine data error f getmetatable ipairs math next pairs pcall print "
        "rawequal rawget rawset scenario select setmetatable string table tonumber tostring type "
        "unpack xpcall"
    )
    assert sorted(seen) == expected.split()


def test_metatables_of_ours_are_closed() -> None:
    assert run("return getmetatable(data) == false and getmetatable(scenario) == false") is True
    assert run("return (pcall(setmetatable, data, {}))") is False


_LOOP = "while true do end"


@pytest.mark.parametrize(
    "body",
    [
        _LOOP,
        "local function g() return g() end return g()",
        f"while true do pcall(function() {_LOOP} end) end",
        f"while true do pcall(pcall, function() {_LOOP} end) end",
        f"while true do xpcall(function() {_LOOP} end, function() {_LOOP} end) end",
        f"local c = coroutine.wrap(function() {_LOOP} end) while true do pcall(c) end",
        f"while true do coroutine.resume(coroutine.create(function() {_LOOP} end)) end",
        "while true do coroutine.wrap(function() for i = 1, 20 do end end)() end",
        f"local t = setmetatable({{}}, {{__index = function() {_LOOP} end}}) return t.x",
        f"return (('x'):gsub('x', function() {_LOOP} end))",
        f"table.sort({{3, 2, 1}}, function() {_LOOP} end)",
        "local t = {} for i = 1, 50000 do t[i] = -i end while true do table.sort(t) end",
        "local s = ('x'):rep(4000000) local t while true do t = s .. 'y' end",
        "pcall, xpcall = nil, nil while true do end",
    ],
)
def test_endless_loops_end(body: str) -> None:
    message = error_of(f"function f() {body} end")
    assert "instructions: is there an endless loop?" in message or "took more than" in message


@pytest.mark.parametrize(
    "body",
    [
        "return data.score",
        "pcall(function() return data.score end)",
        "xpcall(function() return data.score end, function() end)",
        "coroutine.resume(coroutine.create(function() return data.score end))",
        "pcall(coroutine.wrap(function() return data.score end))",
    ],
)
def test_ctrl_c_in_a_call_of_a_script_is_no_error_of_the_script(body: str) -> None:
    class Interrupted(PlainMemory):
        def read_variable(self, name: str) -> int:
            raise KeyboardInterrupt(name)

    hooks = hooks_of(f"function f() {body} end function g() return 5 end")
    hooks.attach(Interrupted())
    with pytest.raises(KeyboardInterrupt):
        hooks.call(ScriptCall("f"))
    assert hooks.call(ScriptCall("g")) == 5
    hooks.attach(PlainMemory())
    hooks.call(ScriptCall("f"))


def test_memory_that_python_lacks_is_no_error_of_the_script() -> None:
    class Full(PlainMemory):
        def read_variable(self, name: str) -> int:
            raise MemoryError(name)

    hooks = hooks_of("function f() return data.score end")
    hooks.attach(Full())
    with pytest.raises(MemoryError):
        hooks.call(ScriptCall("f"))


def test_after_an_endless_loop_other_functions_still_work() -> None:
    hooks = hooks_of(f"function f() {_LOOP} end function g() return 1 end")
    for _ in range(2):
        with pytest.raises(ScriptError, match="endless loop"):
            hooks.call(ScriptCall("f"))
        assert hooks.call(ScriptCall("g")) == 1


def test_a_function_that_used_up_its_budget_is_not_run_again_before_the_next_reset() -> None:
    hooks = hooks_of(f"n = 0 function f() n = n + 1 {_LOOP} end function g() return n end")
    for _ in range(3):
        with pytest.raises(ScriptError, match="endless loop"):
            hooks.call(ScriptCall("f"))
    assert hooks.call(ScriptCall("g")) == 1
    hooks.reset()
    with pytest.raises(ScriptError, match="endless loop"):
        hooks.call(ScriptCall("f"))
    assert hooks.call(ScriptCall("g")) == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("local s = 'x' while true do s = s .. s end", "not enough memory"),
        ("local t = {} while true do t[#t + 1] = {} end", "not enough memory"),
        ("while true do pcall(function() local s = 'x' while true do s = s .. s end end) end", ""),
        ("return ('x'):rep(1e9)", "string.rep"),
        ("return ('x'):rep(1e300)", "string.rep"),
        ("return (('a'):rep(30000)):find(('a*'):rep(30) .. 'b')", "could take too long"),
        ("return (('a'):rep(300)):gsub(('[a%]]-'):rep(5) .. 'b', '')", "could take too long"),
        ("return ('a'):match(('a?'):rep(100000))", "pattern is too long"),
        ("return (('a'):rep(4e5)):find(('a'):rep(3e5) .. 'b', 1, true)", "could take too long"),
    ],
)
def test_bombs_are_refused(body: str, message: str) -> None:
    assert message in error_of(f"function f() {body} end")


def test_small_budgets_hold() -> None:
    hooks = hooks_of(
        "function f() for i = 1, 1000 do end return 1 end", limits=ScriptLimits(instructions=500)
    )
    with pytest.raises(ScriptError, match="500 instructions"):
        hooks.call(ScriptCall("f"))


def test_ordinary_library_calls_work() -> None:
    assert run("return #(('ab'):rep(3)) + #(('x'):rep(0)) + #((''):rep(1e9))") == 6
    assert (
        run("return tonumber(('a1, b22'):match('(%d%d)')) + select('#', ('k=v'):find('(%w)=(%w)'))")
        == 26
    )
    assert run("local n = 0 for w in ('a b c'):gmatch('%a') do n = n + 1 end return n") == 3
    assert run("local ok, why = pcall(error, 'x', 0) return (ok == false and why == 'x')") is True
    assert (
        run("return select(2, xpcall(function() error('x', 0) end, function(e) return #e end))")
        == 1
    )
    assert (
        run(
            "local c = coroutine.wrap(function(a) return (coroutine.yield(a)) end) "
            "return c(3) * 10 + c(4)"
        )
        == 34
    )


def test_prints_do_not_reach_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    printed: list[str] = []
    hooks_of("print('a', 1, nil, true)", on_print=printed.append)
    hooks_of("print('nowhere')")
    assert printed == ["a\t1\tnil\ttrue"]
    assert capsys.readouterr().out == ""


def test_names_and_messages_are_utf8() -> None:
    hooks = hooks_of("data['Äpfel'] = 1 function f() error('Öl') end")
    assert hooks.custom == {"Äpfel": 1}
    with pytest.raises(ScriptError, match="Öl"):
        hooks.call(ScriptCall("f"))


@pytest.mark.parametrize("name", ["höhe", "高さ", "“x”"])
def test_reasons_of_the_memory_are_utf8(name: str) -> None:
    reason = f"no variable '{name}' in data.json"
    assert reason in error_of(f"function f() return data['{name}'] end")
    told: list[str] = []
    hooks_of(f"print(pcall(function() return data['{name}'] end))", on_print=told.append)
    assert reason in told[0]


def test_file_beginnings_that_lua_skips() -> None:
    assert hooks_of("\ufeff#!/usr/bin/lua\nfunction f() return 1 end").call(ScriptCall("f")) == 1


def test_numbers_become_int64() -> None:
    assert [to_int64(v) for v in (None, True, -1.9, 2.9, 1e30, float("nan"), 1 << 62)] == [
        0, 1, -1, 2, -(1 << 63), -(1 << 63), 1 << 62,
    ]  # fmt: skip


def test_dropped_hooks_free_their_state() -> None:
    hooks = hooks_of("function f() return data.score end")
    hooks.call(ScriptCall("f"))
    gone = weakref.ref(hooks)
    del hooks
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    "index",
    ["error('undefined ' .. k)", "return nope[k]", "while true do end", "return _G[k]"],
)
def test_a_metatable_on_globals_can_not_end_the_process(index: str) -> None:
    """lupa looks for `debug` among a state's globals after an error, unprotected."""
    hooks = hooks_of(
        f"setmetatable(_G, {{__index = function(_, k) {index} end}})\n"
        "function f() error('mine') end\nfunction g() return missing end"
    )
    for name in ("f", "g", "f"):
        with pytest.raises(ScriptError, match=r"script\.lua|instructions"):
            hooks.call(ScriptCall(name))


def test_globals_of_a_script_are_in_its_own_g() -> None:
    assert run("x = 5 return _G.x + rawget(_G, 'x') + #tostring(_G.f)") > 10
    assert run("return _G._G == _G and debug == nil and getfenv == nil") is True
