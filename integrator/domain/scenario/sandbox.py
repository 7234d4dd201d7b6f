"""The Lua 5.1 state in which scripts run: its limits, random numbers, and the script's functions.

Scripts may come from strangers, so they get base, coroutine, table, string and math, and nothing
that reaches files, processes, Python, bytecode or the debug library. These are limited: memory;
instructions, by a hook whose error passes through pcall, xpcall and coroutine.resume; CPU time of a
call; C functions that no hook can stop (string.rep, pattern matching, gsub, table.insert and
remove; sort compares in Lua); the length of scripts, names and messages; calls into Python. Scripts
cannot get the metatable of strings, because its __tostring would run without a hook. A single C
call within these limits may take some tenths of a second. Running scripts in a process of their own
would cost two process switches for each value read, and a limit could only kill the process."""

import math
import re
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from lupa import lua51

from integrator.domain.errors import ScriptError
from integrator.domain.files.reading import SMALL_BYTES, read_text

_MASK = (1 << 64) - 1
# Word size, feedback shift and output shift of the four registers.
_REGISTERS = ((63, 31, 18), (58, 19, 28), (55, 24, 7), (47, 21, 8))


class LuaJitRandom:
    """The numbers of `math.random` and `math.randomseed` in LuaJIT 2.1."""

    def __init__(self) -> None:
        self.registers: list[int] = []
        self.seed(0.0)

    def seed(self, value: float) -> None:
        number = float(value)
        self.registers = []
        for size, _, _ in _REGISTERS:
            number = number * math.pi + math.e
            bits: int = struct.unpack("<Q", struct.pack("<d", number))[0]
            least = 1 << (64 - size)  # a register that starts lower would stay 0
            self.registers.append(bits if bits >= least else bits + least)
        for _ in range(10):  # LuaJIT drops the first numbers after a seed
            self._step()

    def next_float(self) -> float:
        """Return the next number in [0, 1), as `math.random()` does."""
        return (self._step() & 0x000F_FFFF_FFFF_FFFF) / (1 << 52)

    def _step(self) -> int:
        result = 0
        for index, (size, feedback, shift) in enumerate(_REGISTERS):
            word = self.registers[index]
            mixed = ((word << feedback) & _MASK) ^ word
            kept = word & (_MASK << (64 - size)) & _MASK
            word = (mixed >> (size - shift)) ^ ((kept << shift) & _MASK)
            self.registers[index] = word
            result ^= word
        return result


LUA_KEYWORDS: Final = frozenset(  # of Lua 5.1; not for names: ``data.end`` is a syntax error
    re.findall(
        r"\w+",
        "and break do else elseif end false for function if in local nil not or repeat return then "
        "true until while",
    )
)


def functions_of(text: str) -> tuple[str, ...]:
    found = re.findall(r"\bfunction\s+(\w+)\s*\(|\b(\w+)\s*=\s*function\b", text)
    return tuple(dict.fromkeys(called or given for called, given in found))


def is_called(file: str, scenario: Mapping[str, Any], scripts: Mapping[str, str]) -> bool:
    """Return True if the scenario or another listed script calls a function of ``file``."""
    own = set(functions_of(scripts[file]))
    rewards = scenario.get("rewards")
    listed = rewards if isinstance(rewards, Sequence) and not isinstance(rewards, str) else ()
    for block in (scenario.get("done"), scenario.get("reward"), *listed):
        script = block.get("script") if isinstance(block, Mapping) else None
        if isinstance(script, str) and script.rpartition(":")[2] in own:
            return True
    others = (scripts.get(name, "") for name in scenario.get("scripts") or () if name != file)
    return any(re.search(rf"\b{name}\s*\(", text) for text in others for name in own)


# In Python strings for Lua, a character is one byte, so that all byte sequences can be converted.
_ENCODING = "latin-1"
_BOOT: Final = read_text(Path(__file__).with_name("sandbox.lua"), SMALL_BYTES)

MAX_SCRIPT_BYTES: Final = 128 << 10  # limit; the longest script in stable-retro has 3.5 KB
_LIST_LIBRARY: Final = """
for name, value in pairs(_G) do
  if type(value) ~= "table" then
    print(name)
  elseif value ~= _G then
    for member in pairs(value) do print(name .. "." .. member) end
  end
end
"""
_MAX_MESSAGE: Final = 500  # characters
_MAX_TRACEBACK: Final = 4000


@dataclass(frozen=True, slots=True)
class ScriptLimits:
    """Limits of one call of a script function, or of the loading of one script."""

    memory_bytes: int = 16 << 20
    instructions: int = 5_000_000
    cpu_ms: int = 400


@dataclass(frozen=True, slots=True)
class ScriptResult:
    """The result of a call: ``value`` if ``ok``, else the error, or ``missing`` for no function."""

    ok: bool
    value: object = None
    missing: bool = False
    message: str = ""
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class ScriptApi:
    """Functions that implement `data` and `print`. No script can catch their exceptions."""

    read: Callable[[str], tuple[bool, object]]
    write: Callable[[str, object], tuple[bool, object]]
    read_byte: Callable[[float], tuple[bool, object]]
    print: Callable[[str], None]


class Sandbox:
    """A new Lua state with `data` and `scenario`; each episode gets its own."""

    def __init__(self, api: ScriptApi, limits: ScriptLimits) -> None:
        self._runtime = _runtime(limits, unpack_returned_tuples=True)
        self._random = random = LuaJitRandom()
        boot: Any = self._runtime.execute(_BOOT)
        self._load, self._call, self._begin, self._save, self._restore = boot(
            lambda name: _answer(*api.read(_from_lua(name))),
            lambda name, value: _answer(*api.write(_from_lua(name), value)),
            lambda address: _answer(*api.read_byte(address)),
            lambda text: api.print(_from_lua(text)),
            time.thread_time,
            random.next_float,
            random.seed,
            limits.instructions,
            limits.cpu_ms / 1000,
            200,  # longer names of variables are refused
        )

    def load(self, text: str, name: str) -> ScriptResult:
        """Run a script's text; ``name`` is its name in messages."""
        refusal = _refusal(text, name)
        if refusal is not None:
            return ScriptResult(ok=False, message=refusal)
        return self._result(self._load, _to_lua(_source(text)), _to_lua(f"@{name}"))

    def call(self, function: str) -> ScriptResult:
        return self._result(self._call, _to_lua(function))

    def begin_frame(self, frame: int) -> None:
        self._begin(frame)

    def save(self) -> tuple[str, tuple[int, ...]]:
        """Return the scripts' state as Lua text, equal for equal states. Raises ScriptError."""
        text = self._result(self._save)
        if not text.ok:
            raise ScriptError(f"a state cannot hold what the script keeps: {text.message}")
        return str(text.value), tuple(self._random.registers)

    def restore(self, saved: tuple[str, tuple[int, ...]]) -> None:
        """Restore what `save` of a sandbox with the same scripts returned. Raises ScriptError."""
        result = self._result(self._restore, saved[0])
        if not result.ok:
            raise ScriptError(f"the script does not take this state: {result.message}")
        self._random.registers = list(saved[1])

    @staticmethod
    def _result(function: Any, *arguments: str) -> ScriptResult:
        try:
            ok, value, traceback = function(*arguments)
        except (lua51.LuaError, MemoryError) as error:
            # The error is outside the protected call, because Lua could not even begin the call.
            return ScriptResult(ok=False, message=str(error)[:_MAX_MESSAGE])
        if isinstance(value, BaseException):
            raise value
        if ok:
            return ScriptResult(ok=True, value=value)
        if value is None:
            return ScriptResult(ok=False, missing=True)
        message, places = str(value)[:_MAX_MESSAGE], str(traceback)[:_MAX_TRACEBACK]
        return ScriptResult(ok=False, message=_from_lua(message), traceback=_from_lua(places))


@cache
def library() -> tuple[str, ...]:
    names: list[str] = []

    def refuse(*_: object) -> tuple[bool, object]:
        return False, "there is no game"

    api = ScriptApi(refuse, refuse, refuse, names.append)
    listed = Sandbox(api, ScriptLimits()).load(_LIST_LIBRARY, "library")
    if not listed.ok:
        raise RuntimeError(listed.message)
    return tuple(sorted(names))


def syntax_error(text: str, name: str) -> str | None:
    """Return the reason why a script does not compile, or None. The script is not run."""
    refusal = _refusal(text, name)
    if refusal is not None:
        return refusal
    runtime = _runtime(ScriptLimits())
    try:
        runtime.compile(_to_lua(_source(text)), name=_to_lua(f"@{name}").encode(_ENCODING))
    except (lua51.LuaError, MemoryError) as error:
        return _from_lua(error).removeprefix("error loading code: ")
    return None


def _refusal(text: str, name: str) -> str | None:
    """Return the reason not to compile a script at all, or None."""
    if text.startswith("\x1b"):
        return f"{name}: compiled Lua is refused"
    if len(_to_lua(text)) > MAX_SCRIPT_BYTES:
        return f"{name}: a script can have {MAX_SCRIPT_BYTES >> 10} KiB, and this one is longer"
    return None


def _source(text: str) -> str:
    """Return the text to compile, without BOM and ``#`` line, which Lua's loader skips too."""
    text = text.removeprefix("\ufeff")
    return "--" + text if text.startswith("#") else text


def _runtime(limits: ScriptLimits, **more: bool) -> lua51.LuaRuntime:
    def refuse(_obj: object, name: object, _setting: bool) -> object:
        raise AttributeError(f"scripts cannot reach {name!r}")

    return lua51.LuaRuntime(
        encoding=_ENCODING,
        register_eval=False,
        register_builtins=False,
        attribute_filter=refuse,
        max_memory=limits.memory_bytes,
        **more,
    )


def _answer(ok: bool, value: object) -> tuple[bool, object]:
    return ok, _to_lua(value) if isinstance(value, str) else value


def _to_lua(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode(_ENCODING)


def _from_lua(text: object) -> str:
    return str(text).encode(_ENCODING, "replace").decode("utf-8", "replace")
