"""Copies of the compiled shim: each keeps one core, so a process has as many cores as copies."""

import shutil
import sys
from dataclasses import dataclass
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from mmap import mmap
from pathlib import Path
from typing import Any, Final

from libretro_host import _shim
from libretro_host.errors import HostError


@dataclass(frozen=True, slots=True)
class Shim:
    """One compiled shim, which Python never unloads: structures of ``ffi`` fit its ``lib``."""

    ffi: Any
    lib: Any

    def listed(self, kind: str) -> list[Any]:
        """The facts of a kind that the core announced, such as ``lh_region``."""
        out = self.ffi.new(f"{kind} **")
        count = getattr(self.lib, f"{kind}s")(out)
        return [out[0][index] for index in range(count)]


ORIGINAL = Shim(_shim.ffi, _shim.lib)


def text(pointer: Any) -> str:
    """A C string of the shim as text; NULL is empty, and bytes that are no UTF-8 are marked."""
    return bytes(_shim.ffi.string(pointer)).decode("utf-8", "replace") if pointer else ""


_PULSES: Final[list[mmap]] = []


def show_pulse(pulse: mmap) -> None:
    """Let the cores of all shims count their calls in two uint64; see ``lh_set_pulse``."""
    _PULSES.append(pulse)
    ORIGINAL.lib.lh_set_pulse(ORIGINAL.ffi.from_buffer("uint64_t[]", pulse))


def is_core_process() -> bool:
    """True in a process that is there for cores: the child of another, which outlives it."""
    return bool(_PULSES)


def copy_shim(folder: Path) -> Shim:
    """Load a copy of the shim, whose own file gives it variables of its own."""
    source = Path(_shim.__file__)
    path = folder / source.name
    shutil.copy2(source, path)
    loader = ExtensionFileLoader(_shim.__name__, str(path))
    spec = spec_from_file_location(_shim.__name__, path, loader=loader)
    if spec is None:
        raise HostError(f"{path}: cannot be loaded as an extension of Python")
    # cffi puts each shim's functions there, under one name.
    name = f"{_shim.__name__}.lib"
    kept = sys.modules.get(name)
    module = module_from_spec(spec)
    if kept is not None:
        sys.modules[name] = kept
    for pulse in _PULSES:
        module.lib.lh_set_pulse(module.ffi.from_buffer("uint64_t[]", pulse))
    return Shim(module.ffi, module.lib)
