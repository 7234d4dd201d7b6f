"""The running game's RAM as Lua hooks see it: variables by name, bytes by address."""

from __future__ import annotations

from collections.abc import Mapping

from integrator.domain.values.variables import VariableSpec
from integrator.session.frame.live_memory import LiveMemory


class LiveScriptMemory:
    """Reads and writes of ``data.*``; implements ``ScriptMemory``."""

    def __init__(self, memory: LiveMemory, variables: Mapping[str, VariableSpec]) -> None:
        self._memory = memory
        self._variables = variables

    def read_variable(self, name: str) -> int:
        """The variable in RAM now, masked. Raises KeyError, AddressError."""
        spec = self._variables[name]
        value = self._memory.read(spec.address, spec.type)
        mask = spec.signed_mask
        return value if mask is None else value & mask

    def write_variable(self, name: str, value: int) -> None:
        """Write a variable; a value that does not fit wraps. Raises KeyError, AddressError."""
        spec = self._variables[name]
        self._memory.put(spec.address, spec.type, spec.type.wrap(value))

    def read_byte(self, address: int) -> int:
        """The byte at an absolute address. Raises AddressError."""
        return self._memory.read_byte(address)
