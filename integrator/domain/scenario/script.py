"""The Lua hooks of a scenario: loads and calls them, and gives `data.*` access to RAM."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Final, Protocol, Self, TypeAlias

from integrator.domain.errors import AddressError, ScriptError
from integrator.domain.scenario.sandbox import Sandbox, ScriptApi, ScriptLimits, ScriptResult
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import ScriptCall, wrap_int64

CustomValue: TypeAlias = float | bool | None  # numbers are float64 in Lua

ScriptState: TypeAlias = tuple[tuple[tuple[str, CustomValue], ...], str, tuple[int, ...]]
"""The state of a scenario's scripts: custom variables, Lua text, and random registers."""

MAX_CUSTOM: Final = 1000  # limit of custom variables: each is a column of every frame's info

_PLACE = re.compile(r"\s+[^\[].*:\d+: ")
_INT64_MIN = -(1 << 63)


class ScriptMemory(Protocol):
    """The memory that scripts access: the current RAM, not a copy of an earlier moment."""

    def read_variable(self, name: str) -> int:
        """Read a variable of data.json, masked. Raises KeyError for an unknown name."""

    def write_variable(self, name: str, value: int) -> None:
        """Write a variable, wrapped as in stable-retro, without its mask. Raises KeyError."""

    def read_byte(self, address: int) -> int:
        """Read one byte at an absolute address. Raises AddressError if it is not mapped."""


class ScriptHooks:
    """The scripts of a scenario; each `reset` loads them into a new sandbox."""

    def __init__(
        self,
        scripts: Mapping[str, str],
        memory: ScriptMemory,
        limits: ScriptLimits | None = None,
        on_print: Callable[[str], None] | None = None,
    ) -> None:
        """``scripts`` are by file name in loading order; ``on_print`` gets their output."""
        self._scripts = dict(scripts)
        self._memory = memory
        self._limits = limits or ScriptLimits()
        self._on_print = on_print or (lambda _text: None)
        self._custom: dict[str, CustomValue] = {}
        self._frame = 0
        self.wrote_memory = False
        self._sandbox: Sandbox | None = None

    @classmethod
    def of(cls, spec: ScenarioSpec, texts: Mapping[str, str], memory: ScriptMemory) -> Self:
        """Make the hooks of a scenario. Raises ScriptError for a missing script."""
        missing = [name for name in spec.scripts if name not in texts]
        if missing:
            raise ScriptError(f"{missing[0]}: no such script; the scenario's `scripts` lists it")
        return cls({name: texts[name] for name in spec.scripts}, memory)

    @property
    def custom(self) -> dict[str, int]:
        """Custom variables of this episode, converted to int64 as in stable-retro's info."""
        return {name: to_int64(value) for name, value in self._custom.items()}

    def attach(self, memory: ScriptMemory) -> None:
        """Use another memory from now on; scripts keep their variables."""
        self._memory = memory

    def reset(self) -> Sandbox:
        """Drop custom variables and load all scripts again. Raises ScriptError."""
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
        """Return the scripts' state. Raises ScriptError before `reset`, and as `Sandbox.save`."""
        if self._sandbox is None:
            raise ScriptError("scripts have no state before reset()")
        return tuple(self._custom.items()), *self._sandbox.save()

    def restore(self, state: ScriptState) -> None:
        """Load all scripts again and restore what `save` returned. Raises ScriptError."""
        self.reset().restore(state[1:])
        self._custom = dict(state[0])

    def begin_frame(self, frame: int) -> None:
        self._frame = frame
        self.wrote_memory = False
        if self._sandbox is not None:
            self._sandbox.begin_frame(frame)

    def call(self, call: ScriptCall) -> float | bool:
        """Call a script function and return its number or boolean.

        As in stable-retro, no result or a result of another type, even the string "7", counts as 0.
        Raises ScriptError for a failure, a spent budget, and before the first `reset`."""
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
        """Read a variable from the current RAM. Raises KeyError for an unknown name."""
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
    """Convert a script's value to int64, as stable-retro does on x86-64: NaN is the smallest."""
    if value is None:
        return 0
    if isinstance(value, float) and not math.isfinite(value):
        return _INT64_MIN
    whole = int(value)
    return whole if wrap_int64(whole) == whole else _INT64_MIN


def _error(what: str, result: ScriptResult) -> ScriptError:
    text = f"{what}: {result.message}"
    # Keep the lines with a line number, which are the script's; the sandbox's lines have none.
    lines = [line for line in result.traceback.splitlines() if _PLACE.match(line)]
    places = [f"  {line.strip()}" for line in lines]  # without tabs, which would be escaped
    return ScriptError("\n".join([text, "stack traceback:", *places]) if places else text)
