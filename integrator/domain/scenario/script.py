"""Owns the Lua hooks of a scenario: loading, calling, and access of `data.*` to RAM."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

from integrator.domain.errors import AddressError, ScriptError
from integrator.domain.scenario.sandbox import Sandbox, ScriptApi, ScriptLimits, ScriptResult
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import ScriptCall, wrap_int64

CustomValue: TypeAlias = float | bool | None
"""The value of a custom variable; Lua's numbers are float64."""

ScriptState: TypeAlias = tuple[tuple[tuple[str, CustomValue], ...], str, tuple[int, ...]]
"""All that the scripts of a scenario keep: custom variables, Lua text, and random numbers."""

MAX_CUSTOM: Final = 1000
"""Custom variables that scripts can make: each is a column of every frame's info."""

_PLACE = re.compile(r"\s+[^\[].*:\d+: ")
_INT64_MIN = -(1 << 63)


class ScriptMemory(Protocol):
    """The memory that scripts see: the present RAM, not a copy of an earlier moment."""

    def read_variable(self, name: str) -> int:
        """Read a variable of data.json, masked; KeyError for an unknown name."""

    def write_variable(self, name: str, value: int) -> None:
        """Write a variable, wrapping as upstream does, without its mask. Raises KeyError."""

    def read_byte(self, address: int) -> int:
        """Read one byte by its absolute address; AddressError when it is not mapped."""


class ScriptHooks:
    """The scripts of a scenario, loaded into a fresh sandbox at each `reset`."""

    def __init__(
        self,
        scripts: Mapping[str, str],
        memory: ScriptMemory,
        limits: ScriptLimits | None = None,
        on_print: Callable[[str], None] | None = None,
    ) -> None:
        """``scripts`` by file name in order of loading; ``on_print`` gets their output."""
        self._scripts = dict(scripts)
        self._memory = memory
        self._limits = limits or ScriptLimits()
        self._on_print = on_print or (lambda _text: None)
        self._custom: dict[str, CustomValue] = {}
        self._frame = 0
        self.wrote_memory = False
        self._sandbox: Sandbox | None = None

    @classmethod
    def of(
        cls, spec: ScenarioSpec, texts: Mapping[str, str], memory: ScriptMemory
    ) -> "ScriptHooks":
        """The hooks of a scenario. Raises ScriptError for a script that is not there."""
        missing = [name for name in spec.scripts if name not in texts]
        if missing:
            raise ScriptError(f"{missing[0]}: no such script; the scenario's `scripts` lists it")
        return cls({name: texts[name] for name in spec.scripts}, memory)

    @property
    def custom(self) -> dict[str, int]:
        """Custom variables of this episode as stable-retro's info shows them: cut to int64."""
        return {name: to_int64(value) for name, value in self._custom.items()}

    def attach(self, memory: ScriptMemory) -> None:
        """Read and write another memory from now on; scripts keep what they counted."""
        self._memory = memory

    def reset(self) -> Sandbox:
        """Forget custom variables and load all scripts again. Raises ScriptError."""
        self._custom = {}
        self._frame = 0
        self.wrote_memory = False
        api = ScriptApi(self._read, self._write, self._read_byte, self._on_print)
        self._sandbox = sandbox = Sandbox(api, self._limits)
        for name, text in self._scripts.items():
            result = sandbox.load(text, name)
            if not result.ok:
                raise _error(f"{name} cannot be loaded", result)
        return sandbox

    def save(self) -> ScriptState:
        """All that the scripts keep. Raises ScriptError before `reset`, and as `Sandbox.save`."""
        if self._sandbox is None:
            raise ScriptError("scripts have no state before reset()")
        return tuple(self._custom.items()), *self._sandbox.save()

    def restore(self, state: ScriptState) -> None:
        """Load all scripts again and put back what `save` returned. Raises ScriptError."""
        self.reset().restore(state[1:])
        self._custom = dict(state[0])

    def begin_frame(self, frame: int) -> None:
        self._frame = frame
        self.wrote_memory = False
        if self._sandbox is not None:
            self._sandbox.begin_frame(frame)

    def call(self, call: ScriptCall) -> float | bool:
        """Call a script function and return its number or boolean.

        No result counts as 0, and so does one of another type, even the string "7": upstream takes
        them so. Raises ScriptError for a failure, a spent budget, and before the first `reset`.
        """
        if self._sandbox is None:
            raise ScriptError(f"{call}: scripts are loaded by reset(), which was not called yet")
        result = self._sandbox.call(call.function)
        if result.missing:
            files = ", ".join(self._scripts) or "no script is listed in `scripts`"
            raise ScriptError(f"{call}: no function {call.function!r} ({files})")
        if not result.ok:
            raise _error(f"{call} failed on scenario frame {self._frame}", result)
        value = result.value
        return value if isinstance(value, bool | int | float) else 0.0

    def read(self, name: str) -> int:
        """Read a variable from the present RAM; raises KeyError for an unknown name."""
        return self._memory.read_variable(name)

    def _read(self, name: str) -> tuple[bool, object]:
        if name in self._custom:
            return True, self._custom[name]
        try:
            return True, self._memory.read_variable(name)
        except KeyError:
            return False, f"no variable '{name}' in data.json, and no script has written it"
        except AddressError as error:
            return False, f"variable '{name}': {error}"

    def _write(self, name: str, value: object) -> tuple[bool, object]:
        kept = value if isinstance(value, bool | int | float) else None
        if name in self._custom:
            self._custom[name] = kept
            return True, None
        try:
            self._memory.write_variable(name, to_int64(kept))
        except KeyError:
            if len(self._custom) >= MAX_CUSTOM:
                return False, f"scripts can make {MAX_CUSTOM:,} variables, and these are all made"
            self._custom[name] = kept
        except AddressError as error:
            return False, f"variable '{name}': {error}"
        else:
            self.wrote_memory = True
        return True, None

    def _read_byte(self, address: float) -> tuple[bool, object]:
        try:
            return True, self._memory.read_byte(to_int64(address))
        except AddressError as error:
            return False, str(error)


def to_int64(value: CustomValue) -> int:
    """A script's value as int64, as upstream cuts it on x86-64: nan is the smallest."""
    if value is None:
        return 0
    if isinstance(value, float) and not math.isfinite(value):
        return _INT64_MIN
    whole = int(value)
    return whole if wrap_int64(whole) == whole else _INT64_MIN


def _error(what: str, result: ScriptResult) -> ScriptError:
    text = f"{what}: {result.message}"
    # The sandbox's own frames are left out; the script's functions stand in lines with a number.
    lines = [line for line in result.traceback.splitlines() if _PLACE.match(line)]
    places = [f"  {line.strip()}" for line in lines]  # Lua's tabs would be shown as escapes
    return ScriptError("\n".join([text, "stack traceback:", *places]) if places else text)
